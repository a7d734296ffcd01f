"""For the editor of xlwings Lite: `recargos` goes into its requirements.txt tab, this file into main.py."""

from xlwings import func

from recargos.lite import register

register(func, globals())
