"""`python -m recargos`, and the command `recargos`.

Nothing is imported before it is called: a worker process loads this module anew and needs none of it.
"""


def main() -> None:
    """The command line."""
    from recargos.cli import main as command

    command()


if __name__ == "__main__":
    main()
