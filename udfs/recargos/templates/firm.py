"""A firm's name, logo, colours, header, extra columns and default values, from one TOML file.

```toml
[firm]
name = "Rivera & Asociados, CPA"
logo = "logo.png"                 # PNG, beside this file
footer = "Confidential"

[colors]
primary = "#1F3864"

[header]
prepared_by = "A. Rivera"

[defaults]
basis = 365

[[columns]]
template = "late-filing"
title = { en = "Partner", es = "Socio" }
default = "AR"
```
An unknown key is refused by name, with the nearest known one, so that a misspelled key never goes unnoticed.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from pathlib import Path
from typing import Any

from recargos.law import T
from recargos.templates.look import Palette

HEADER = ("client", "period", "reference", "source", "prepared_by", "prepared_on", "reviewed_by", "reviewed_on")
DEFAULTS = ("as_of", "basis", "holidays", "columns")
KINDS = ("text", "id", "date", "money", "days", "rate", "flag")


class FirmError(Exception):
    """The firm's file cannot be used; one sentence says why."""


@dataclass(frozen=True)
class ExtraColumn:
    """A column of the firm's own, entered by people, at the end of a template's first table."""

    template: str
    title: T
    kind: str = "text"
    width: float = 14
    default: object = None
    help: T | None = None


@dataclass(frozen=True)
class Firm:
    """What a firm changes in every template."""

    name: str = ""
    address: str = ""
    footer: str = ""
    logo: bytes = b""
    logo_size: tuple[int, int] = (0, 0)
    palette: Palette = field(default_factory=Palette)
    header: Mapping[str, object] = field(default_factory=dict)
    as_of: date | None = None
    basis: int | None = None
    holidays: tuple[date, ...] = ()
    column_defaults: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By template, by key of the column."""
    columns: tuple[ExtraColumn, ...] = ()


def load(path: Path) -> Firm:
    """Read a firm's file. Raises :class:`FirmError`."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FirmError(f"{path.name}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FirmError(f"{path.name} is not a valid TOML file: {error}") from None
    return read(data, path.parent)


def read(data: Mapping[str, Any], folder: Path) -> Firm:
    """The firm of a parsed file; the logo is looked for in `folder`."""
    _known(data, ("firm", "colors", "header", "defaults", "columns"), "")
    firm = _section(data, "firm", ("name", "address", "footer", "logo"))
    for key, value in firm.items():
        if not isinstance(value, str):
            raise FirmError(f"firm.{key} must be text")
    colours = _section(data, "colors", [f.name for f in fields(Palette)])
    header = _section(data, "header", HEADER)
    for key, value in header.items():
        if key.endswith("_on") and not isinstance(value, date):
            raise FirmError(f"header.{key} must be a date such as 2026-11-30")
    defaults = _section(data, "defaults", DEFAULTS)
    logo, size = _logo(folder / firm["logo"]) if firm.get("logo") else (b"", (0, 0))
    return Firm(
        name=firm.get("name", ""),
        address=firm.get("address", ""),
        footer=firm.get("footer", ""),
        logo=logo,
        logo_size=size,
        palette=Palette(**{key: _colour(f"colors.{key}", value) for key, value in colours.items()}),
        header=header,
        as_of=_date("defaults.as_of", defaults["as_of"]) if "as_of" in defaults else None,
        basis=_basis(defaults["basis"]) if "basis" in defaults else None,
        holidays=tuple(_date("defaults.holidays", day) for day in defaults.get("holidays", ())),
        column_defaults=_column_defaults(defaults.get("columns", {})),
        columns=_columns(data.get("columns", [])),
    )


def _known(given: Collection[str], known: Collection[str], where: str) -> None:
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, list(known), 1, 0)
            raise FirmError(f"unknown key {where}{key}" + (f"; did you mean {where}{near[0]}?" if near else ""))


def _section(data: Mapping[str, Any], name: str, known: Collection[str]) -> dict[str, Any]:
    section = data.get(name, {})
    if not isinstance(section, dict):
        raise FirmError(f"{name} must be a table: [{name}]")
    _known(section, known, f"{name}.")
    return section


def _colour(key: str, value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"#?[0-9A-Fa-f]{6}", value):
        raise FirmError(f'{key} must be a colour such as "#1F3864"')
    return value.removeprefix("#").upper()


def _date(key: str, value: object) -> date:
    if not isinstance(value, date):
        raise FirmError(f"{key} must be a date such as 2026-11-30, without quotes")
    return value


def _basis(value: object) -> int:
    if value not in (365, 366, 360) or isinstance(value, bool):
        raise FirmError("defaults.basis must be 365, 366 or 360")
    return int(value)


def _logo(path: Path) -> tuple[bytes, tuple[int, int]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FirmError(f"firm.logo: {path.name}: {error.strerror or error}") from None
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        raise FirmError(f"firm.logo: {path.name} is not a PNG picture")
    if len(data) > 2 << 20:
        raise FirmError(f"firm.logo: {path.name} is larger than 2 MB")
    return data, (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _text(key: str, value: object) -> T:
    """A text in both languages: `"Partner"` or `{ en = "Partner", es = "Socio" }`."""
    if isinstance(value, str):
        return T(value, value)
    if isinstance(value, dict):
        _known(value, ("en", "es"), f"{key}.")
        if value and all(isinstance(text, str) for text in value.values()):
            either = next(iter(value.values()))
            return T(value.get("en", either), value.get("es", either))
    raise FirmError(f'{key} must be text, or {{ en = "…", es = "…" }}')


def _template(key: str, name: object) -> str:
    from recargos.templates.catalogue import TEMPLATES

    if not isinstance(name, str):
        raise FirmError(f"{key} must be the name of a template")
    _known([name], list(TEMPLATES), "template ")
    return name


def _column_defaults(value: object) -> dict[str, dict[str, object]]:
    from recargos.templates.catalogue import TEMPLATES

    if not isinstance(value, dict):
        raise FirmError("defaults.columns must be a table: [defaults.columns.late-filing]")
    for name, columns in value.items():
        _template("defaults.columns", name)
        keys = [c.key for table in TEMPLATES[name].tables for c in table.columns if not c.computed]
        if not isinstance(columns, dict):
            raise FirmError(f"defaults.columns.{name} must be a table")
        _known(columns, keys, f"defaults.columns.{name}.")
    return value


def _columns(value: object) -> tuple[ExtraColumn, ...]:
    if not isinstance(value, list):
        raise FirmError("columns must be a list of tables: [[columns]]")
    found = []
    for number, column in enumerate(value, 1):
        where = f"columns[{number}]"
        if not isinstance(column, dict):
            raise FirmError(f"{where} must be a table")
        _known(column, ("template", "title", "kind", "width", "default", "help"), f"{where}.")
        for key in ("template", "title"):
            if key not in column:
                raise FirmError(f"{where}.{key} is missing")
        kind = column.get("kind", "text")
        if kind not in KINDS:
            raise FirmError(f"{where}.kind must be one of {', '.join(KINDS)}")
        width = column.get("width", 14)
        if isinstance(width, bool) or not isinstance(width, (int, float)) or not 3 <= width <= 80:
            raise FirmError(f"{where}.width must be a number from 3 to 80")
        found.append(
            ExtraColumn(
                _template(f"{where}.template", column["template"]),
                _text(f"{where}.title", column["title"]),
                kind,
                width,
                column.get("default"),
                _text(f"{where}.help", column["help"]) if "help" in column else None,
            )
        )
    return tuple(found)
