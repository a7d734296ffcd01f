"""A map file: which heading of the data is which of the table, what rows without a value get, how dates are written."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recargos.fill.problem import FillError


@dataclass(frozen=True)
class Mapped:
    """What a map file says: which heading is which, constants, the order of dates."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Heading of the data to heading of the table; "" leaves the column out."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Heading of the table to the value of rows that have none."""
    date_format: str = ""
    table: str = ""


def load_map(path: Path) -> Mapped:
    """Read a map file (TOML). Unknown keys are refused by name."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FillError(f"{path}: {error.strerror}", f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FillError(
            f"{path.name} is not a valid TOML file: {error}.", f"{path.name} no es un archivo TOML válido: {error}."
        ) from None
    known = {"columns": dict, "defaults": dict, "date_format": str, "table": str}
    for key, value in raw.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0)[0]
            raise FillError(
                f"{path.name}: unknown key {key}; did you mean {near}?",
                f"{path.name}: clave desconocida {key}; ¿quiso decir {near}?",
            )
        if not isinstance(value, known[key]):
            raise FillError(
                f"{path.name}: {key} has the wrong form.", f"{path.name}: {key} tiene una forma incorrecta."
            )
    for heading, name in raw.get("columns", {}).items():
        if not isinstance(name, str):
            raise FillError(
                f"{path.name}: columns.{heading} must be a heading in quotes.",
                f"{path.name}: columns.{heading} debe ser un encabezado entre comillas.",
            )
    return Mapped(**raw)
