"""Headless recalculation: package (the zip), sheet (cells in the bytes), engine (who computes), recalc, report."""
