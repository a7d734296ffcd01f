"""`python -m recargos`."""

from recargos.cli import main

main()
