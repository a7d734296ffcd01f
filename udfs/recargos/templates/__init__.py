"""Workbook templates for a firm, built from the catalogue.

A definition (:mod:`.model`) names catalogue functions and arguments; headings, prompts, validation, formats, formulas,
the Law sheet and the checks follow from it, in Spanish and in English.
"""
