"""What formualizer 0.13.0 computes otherwise than Excel: replaced by functions written from Excel's documentation, or refused."""
