"""What formualizer 0.13.0 computes otherwise than Excel: replaced from Excel's documentation, or refused."""
