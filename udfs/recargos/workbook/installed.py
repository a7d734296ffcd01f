"""The version of an installed package, without the parser of e-mails that `importlib.metadata` loads for it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def version(package: str) -> str:
    """As the folder beside the package says it, else as `importlib.metadata` does. `ImportError` where there is none.

    For a package that is called as its distribution.
    """
    spec = find_spec(package)
    if spec is not None and spec.origin is not None:
        found = list(Path(spec.origin).parents[1].glob(f"{package}-*.dist-info"))
        if len(found) == 1:  # two are left where an update went wrong
            return found[0].name.removesuffix(".dist-info").removeprefix(f"{package}-")
    from importlib.metadata import version as by_metadata

    return by_metadata(package)
