"""Client data read from CSV or xlsx: encoding and delimiter found and told, never silently guessed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recargos.fill.problem import FillError
from recargos.workbook.syntax import address, column_letters

DELIMITERS = ",;\t|"
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
_ENCODINGS = ["cp1252", "latin_1", "cp850", "mac_roman", "utf_16", "utf_16_le", "utf_16_be"]
_SPANISH = frozenset("áéíóúüñÁÉÍÓÚÜÑ¿¡ªº°«»–—‘’“”…·€")


@dataclass
class Data:
    """Rows of client data, each with the number of its line or row."""

    path: Path
    headings: list[str]
    cells: list[str]
    """Where each heading stands."""
    rows: list[tuple[int, Sequence[Any]]]
    """Line or row number, and the values: text for a CSV, typed for an xlsx."""
    told: str
    """What was found out about the file, for stderr: `encoding cp1252, delimiter semicolon`."""
    blank: int = 0
    """Rows without any value, which are left out."""
    textual: bool = True


def read(path: Path, *, encoding: str = "", delimiter: str = "", sheet: str = "") -> Data:
    """Read a file of client data. Raises :class:`FillError`."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise FillError(f"{path}: {error.strerror or error}", f"{path}: {error.strerror or error}") from None
    data = _xlsx(path, sheet) if start[:4] == b"PK\x03\x04" else _csv(path, start, encoding, delimiter)
    if not data.headings:
        raise FillError(f"{path.name} has no headings.", f"{path.name} no tiene encabezados.")
    return data


# --------------------------------------------------------------------------------------------------------------- CSV


def _csv(path: Path, start: bytes, encoding: str, delimiter: str) -> Data:
    if start == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise FillError(
            f"{path.name} is an old .xls or a password-protected workbook; save it as .xlsx or CSV.",
            f"{path.name} es un .xls antiguo o un libro con contraseña; guárdelo como .xlsx o CSV.",
        )
    raw = path.read_bytes()
    text, encoding = decoded(raw, encoding, path.name)
    found = delimiter or sniffed(text)
    csv.field_size_limit(1 << 24)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=found, strict=False)
    headings: list[str] = []
    cells: list[str] = []
    rows: list[tuple[int, Sequence[Any]]] = []
    blank = 0
    try:
        for row in reader:
            if not any(row) or not any(map(str.strip, row)):
                blank += bool(headings)
            elif headings:
                rows.append((reader.line_num, row))
            else:
                headings = [heading.strip() for heading in row]
                cells = [f"{column_letters(n)}{reader.line_num}" for n in range(1, len(row) + 1)]
    except csv.Error as error:
        raise FillError(
            f"{path.name}, line {reader.line_num}: {error}.", f"{path.name}, línea {reader.line_num}: {error}."
        ) from None
    return Data(
        path, headings, cells, rows, f"encoding {encoding}, delimiter {DELIMITER_NAMES.get(found, repr(found))}", blank
    )


def decoded(raw: bytes, encoding: str, name: str) -> tuple[str, str]:
    """The text of a file and its encoding: the one asked for, or by its mark, or UTF-8 where it is that, or detected."""
    if encoding:
        try:
            return raw.decode(encoding), encoding
        except (UnicodeDecodeError, LookupError) as error:
            raise FillError(
                f"{name} is not in the encoding {encoding}: {error}.",
                f"{name} no está en la codificación {encoding}: {error}.",
            ) from None
    for mark, codec in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            return _strict(raw, codec, name), codec
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    # Lines with letters outside of ASCII are what tells encodings apart.
    telling = b"\n".join(line for line in raw[: 16 << 20].splitlines() if not line.isascii())[: 64 << 10]
    codec = _by_letters(telling) or _by_statistics(telling)
    return _strict(raw, codec, name), codec


def _by_letters(sample: bytes) -> str:
    """The encoding in which nearly all that is not ASCII are letters and signs of Spanish; "" when none is that clear."""
    shares = []
    for codec in ("cp1252", "mac_roman", "cp850"):
        unusual = [c for c in sample.decode(codec, "replace") if not c.isascii()]
        shares.append((sum(c in _SPANISH for c in unusual) / max(len(unusual), 1), codec))
    best = max(share for share, _ in shares)
    return next(codec for share, codec in shares if share == best) if best >= 0.9 else ""


def _by_statistics(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_ENCODINGS).best()
    return best.encoding if best else "cp1252"


def _strict(raw: bytes, codec: str, name: str) -> str:
    try:
        return raw.decode(codec)
    except UnicodeDecodeError as error:
        raise FillError(
            f"{name} looks like {codec}, but byte {error.start} is not; name its encoding with --encoding.",
            f"{name} parece {codec}, pero el byte {error.start} no lo es; indique la codificación con --encoding.",
        ) from None


def sniffed(text: str) -> str:
    """The delimiter: what the sniffer says, if the headings hold it; else what the headings hold most of."""
    first = next((line for line in text[: 64 << 10].splitlines() if line.strip()), "")
    try:
        found = csv.Sniffer().sniff(text[: 64 << 10], DELIMITERS).delimiter
        if found in first:
            return found
    except csv.Error:
        pass
    return max(DELIMITERS, key=first.count)


# -------------------------------------------------------------------------------------------------------------- xlsx


def _xlsx(path: Path, sheet: str) -> Data:
    from openpyxl import load_workbook

    from recargos.workbook.package import Package
    from recargos.workbook.refusal import Refused

    try:
        Package.open(path).verify()  # limits and refusals first: the file comes from a client
    except Refused as refused:
        raise FillError(refused.reason.en, refused.reason.es) from None
    book = load_workbook(path, read_only=True, data_only=True)
    try:
        names = [s.title for s in book.worksheets]
        if sheet and sheet not in names:
            raise FillError(
                f"{path.name} has no sheet “{sheet}”, only {', '.join(names)}.",
                f"{path.name} no tiene la hoja «{sheet}», solo {', '.join(names)}.",
            )
        source = book[sheet] if sheet else book.worksheets[0]
        return _of_sheet(path, source)
    finally:
        book.close()


def _of_sheet(path: Path, source: Any) -> Data:
    headings: list[str] = []
    cells: list[str] = []
    rows: list[tuple[int, Sequence[Any]]] = []
    blank = 0
    for number, row in enumerate(_values(source), 1):
        if all(value is None or (isinstance(value, str) and not value.strip()) for value in row):
            blank += bool(headings)
        elif headings:
            rows.append((number, row[: len(headings)]))
        else:
            last = max(n for n, value in enumerate(row, 1) if value is not None)
            headings = ["" if value is None else str(value).strip() for value in row[:last]]
            cells = [address(number, n) for n in range(1, last + 1)]
    return Data(path, headings, cells, rows, f"sheet {source.title}", blank, textual=False)


class ErrorCell(str):
    """A true error cell of an xlsx, as opposed to text that looks like one."""

    __slots__ = ()


def _values(source: Any) -> Iterator[list[Any]]:
    for row in source.iter_rows(min_row=1, min_col=1):
        yield [ErrorCell(cell.value) if getattr(cell, "data_type", "") == "e" else cell.value for cell in row]
