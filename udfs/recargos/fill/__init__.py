"""Fill the table of a workbook from client data: a firm's or one of our templates.

Only the parts that the new rows touch are rewritten, in their bytes; every other part stays as it was. Values are read by
their kind and never guessed: what cannot be read goes, row and reason, to a file of rejected rows.
"""
