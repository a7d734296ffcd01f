"""Files that travel with the program: the add-ins, the templates, the examples and the known cases."""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).resolve().parent / "_files"
_CHECKOUT = Path(__file__).resolve().parents[2]


def path(name: str) -> Path:
    """Where the shipped file or folder `name` lies, such as `addin/excel/recargos.xlam`.

    Installed from a wheel it lies inside the package; in a checkout at the top level.

    :raises FileNotFoundError: with a sentence, when the installation is not whole.
    """
    for root in (_INSTALLED, _CHECKOUT):
        candidate = root / name
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{name} does not belong to this installation of Recargos; install it again")
