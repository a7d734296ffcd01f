"""Recargos: Puerto Rico's tax surcharges, interest and penalties as functions for spreadsheets."""

__version__ = "1.0.0"
