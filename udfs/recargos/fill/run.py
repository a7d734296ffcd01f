"""A fill from start to end: read, match, cast, extend, recalculate, write in one step."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recargos.fill import data as data_module
from recargos.fill import parts, rows, settings, values
from recargos.fill.data import Data
from recargos.fill.headings import plain, unique
from recargos.fill.mapping import Mapped
from recargos.fill.markup import taken_apart
from recargos.fill.problem import BadValue, FillError
from recargos.fill.shift import Shift
from recargos.fill.target import Column, Target, decide_kinds, find
from recargos.law import T
from recargos.workbook import saving
from recargos.workbook.archive import FAST
from recargos.workbook.package import Package
from recargos.workbook.refusal import Refused
from recargos.workbook.syntax import MAX_ROW

if TYPE_CHECKING:
    from recargos.workbook.recalc import FileResult


@dataclass
class Filled:
    """One workbook that was written."""

    path: Path
    rows: int
    recalculated: FileResult


@dataclass
class Outcome:
    """Everything about a fill."""

    told: str
    table: str = ""
    sheet: str = ""
    matched: list[tuple[str, str]] = field(default_factory=list)
    """Heading of the data, heading of the table."""
    ignored: list[str] = field(default_factory=list)
    """Headings of the data that no column of the table takes."""
    computed: list[str] = field(default_factory=list)
    """Headings of the data whose column the workbook computes itself."""
    unfilled: list[str] = field(default_factory=list)
    read: int = 0
    blank: int = 0
    rejected: list[tuple[int, Sequence[Any], str, T]] = field(default_factory=list)
    rejected_path: Path | None = None
    files: list[Filled] = field(default_factory=list)

    @property
    def added(self) -> int:
        """Rows written."""
        return sum(f.rows for f in self.files)


Say = Callable[[T], None]


@dataclass(frozen=True)
class Options:
    """How to fill."""

    mapped: Mapped = field(default_factory=Mapped)
    date_format: str = ""
    strict: bool = False
    split: int = 0
    table: str = ""
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Named cells to set."""
    force: bool = False
    """Existing files may be replaced."""


def fill(template: Path, source: Path, out: Path, options: Options = Options(), say: Say = lambda _: None) -> Outcome:
    """Fill the table of `template` with `source` into `out`. Raises :class:`FillError` or `Refused`; then nothing was written."""
    package = Package.open(template)
    if package.signed:
        raise FillError(
            "The workbook carries a digital signature, which filling would break.",
            "El libro lleva una firma digital, que llenarlo invalidaría.",
        )
    data = data_module.read(source, encoding=options.encoding, delimiter=options.delimiter, sheet=options.sheet)
    say(
        T(
            f"{source.name}: {data.told}, {len(data.rows):,} rows",
            f"{source.name}: {data.told}, {len(data.rows):,} filas",
        )
    )
    outcome = Outcome(data.told, read=len(data.rows), blank=data.blank)
    job = _prepare(package, data, options, outcome)
    chunks = _chunks(job, data, options)
    targets = _names(out, len(chunks))
    rejected_path = out.with_name(f"{out.stem}-rejected.csv")
    for path in (*targets, rejected_path):
        if path.exists() and not options.force:
            raise FillError(f"{path} exists already; --force replaces it.", f"{path} ya existe; --force lo reemplaza.")
        saving.check_writable(path)
    if options.strict and len(chunks) > 1:
        job.check(data.rows)  # before the first workbook is written
    for path, chunk in zip(targets, chunks, strict=True):
        written, changed = job.filled(chunk)
        changed.update(settings.changed_parts(package, options.settings, changed, job.target))
        outcome.rejected += written.rejected
        outcome.files.append(_finish(package, changed, path, len(chunk) - len(written.rejected)))
    if outcome.rejected:
        outcome.rejected_path = rejected_path
        _write_rejected(rejected_path, data, outcome.rejected)
    else:
        rejected_path.unlink(missing_ok=True)  # of an earlier run: it would mislead
    return outcome


@dataclass
class _Job:
    """A workbook and data matched to each other."""

    package: Package
    target: Target
    casts: dict[int, tuple[int, values.Cast, Column]]
    defaults: dict[int, str]
    headings: int
    strict: bool
    used: int = 0
    bottom: int = 0
    """Last row of the sheet that holds anything."""

    def filled(self, chunk: Sequence[tuple[int, Sequence[Any]]]) -> tuple[rows.Written, dict[str, bytes]]:
        """The parts that change when the chunk's rows are in the table."""
        target, package, name = self.target, self.package, self.target.sheet_name
        markup = taken_apart(package.read(target.sheet_part), name)
        masters = parts.shared_masters(markup, name)
        shift = Shift(
            name,
            target.first,
            target.last,
            max(0, self.used + len(chunk) - target.last),
            target.columns[0].number,
            target.columns[-1].number,
        )

        def master(attributes: bytes) -> tuple[int, int, str] | None:
            return next((masters[i] for i in parts.SI.findall(attributes) if i in masters), None)

        def write(shift: Shift) -> rows.Written:
            pattern = rows.pattern_of(
                markup, target, self.used, master, lambda text, row: shift.formula(text, True, row), name
            )
            return rows.write(
                markup, target, pattern, self.casts, self.defaults, chunk, self.used, self.headings, name, self._stop
            )

        written = write(shift)
        if written.added != shift.added:  # rejected rows made it shorter, and formulas may name the rows below
            shift = Shift(shift.sheet, shift.first, shift.last, written.added, shift.left, shift.right)
            written = write(shift)
        changed = self._assembled(markup, written, shift)
        return written, changed

    def check(self, chunk: Sequence[tuple[int, Sequence[Any]]]) -> None:
        """Read every row; stop at the first that cannot be taken."""
        markup = taken_apart(self.package.read(self.target.sheet_part), self.target.sheet_name)
        pattern = rows.pattern_of(
            markup, self.target, self.used, lambda _: None, lambda text, _: text, self.target.sheet_name
        )
        plan = rows.plan(self.target, pattern, self.casts, self.defaults)
        for line, row in chunk:
            try:
                rows.cells_of(plan, row, 1, self.headings)
            except BadValue as bad:
                self._stop(line, bad.heading, bad.reason)

    def _stop(self, line: int, heading: str, reason: T) -> None:
        if self.strict:
            where_en, where_es = (f"“{heading}”: ", f"«{heading}»: ") if heading else ("", "")
            raise FillError(
                f"Row {line}: {where_en}{reason.en}. Nothing was written (--strict).",
                f"Fila {line}: {where_es}{reason.es}. No se escribió nada (--strict).",
            )

    def _assembled(self, markup: Any, written: rows.Written, shift: Shift) -> dict[str, bytes]:
        target, package, name = self.target, self.package, self.target.sheet_name
        changed: dict[str, bytes] = {}
        last_before = max((number for number, _ in markup.rows), default=target.last)
        if shift.added:
            markup.rows = parts.moved_rows(markup, shift, True, name, target)
            markup.tail = parts.tail(markup.tail, shift, True)
            changed.update(parts.others(package, shift, target))
            changed[target.part] = parts.table_part(package.read(target.part), shift, target)
            markup.head = parts.dimension(
                markup.head, max(shift.row(last_before), target.last + shift.added + target.table.totals_rows)
            )
        before = [(n, raw) for n, raw in markup.rows if n < written.first]
        after = [(n, raw) for n, raw in markup.rows if n > written.last]
        markup.rows = [*before, *written.rows, *after]
        changed[target.sheet_part] = markup.joined()
        computed = [c.number for c in target.columns if c.computed]
        new = [(row, column) for row in range(target.last + 1, written.last + 1) for column in computed]
        changed.update(parts.calculation_chain(package, shift, target, new))
        return changed


def _prepare(package: Package, data: Data, options: Options, outcome: Outcome) -> _Job:
    mapped = options.mapped
    names = {heading: mapped.columns.get(heading, heading) for heading in data.headings}
    for heading in mapped.columns:
        if heading not in data.headings:
            raise FillError(
                f"The map names the heading “{heading}”, which {data.path.name} does not have.",
                f"El mapa nombra el encabezado «{heading}», que {data.path.name} no tiene.",
            )
    unique(data.headings, data.cells, data.path.name, data.path.name)
    target = find(package, data.headings, names, options.table or mapped.table)
    outcome.table, outcome.sheet = target.table.name, target.sheet_name
    by_key: dict[str, Column] = {}
    for column in target.columns:
        for alias in column.aliases:
            by_key.setdefault(plain(alias), column)
    for column in target.columns:
        if plain(column.title):
            by_key[plain(column.title)] = column
    chosen: dict[int, tuple[int, Column]] = {}
    for index, heading in enumerate(data.headings):
        name = names[heading]
        found = by_key.get(plain(name)) if name else None
        if found is None:
            if name and heading in mapped.columns:
                raise FillError(
                    f"The map sends “{heading}” to “{name}”, which the table {target.table.name} does not have.",
                    f"El mapa envía «{heading}» a «{name}», que la tabla {target.table.name} no tiene.",
                )
            if heading:
                outcome.ignored.append(heading)
        elif found.computed:
            outcome.computed.append(heading)
        elif found.number in chosen:
            other = data.headings[chosen[found.number][0]]
            raise FillError(
                f"“{other}” ({data.cells[chosen[found.number][0]]}) and “{heading}” ({data.cells[index]}) both mean “{found.title}”; leave one out with --map.",
                f"«{other}» ({data.cells[chosen[found.number][0]]}) y «{heading}» ({data.cells[index]}) son ambos «{found.title}»; omita uno con --map.",
            )
        else:
            chosen[found.number] = (index, found)
            outcome.matched.append((heading, found.title))
    return _with_casts(package, target, data, options, outcome, chosen, by_key)


def _with_casts(
    package: Package,
    target: Target,
    data: Data,
    options: Options,
    outcome: Outcome,
    chosen: dict[int, tuple[int, Column]],
    by_key: Mapping[str, Column],
) -> _Job:
    markup = taken_apart(package.read(target.sheet_part), target.sheet_name)
    used = rows.used_until(markup, target, set(chosen), target.sheet_name)
    masters = parts.shared_masters(markup, target.sheet_name)
    pattern = rows.pattern_of(
        markup,
        target,
        used,
        lambda attributes: next((masters[i] for i in parts.SI.findall(attributes) if i in masters), None),
        lambda text, _: text,
        target.sheet_name,
    )
    decide_kinds(target, pattern.styles)
    date_format = options.date_format or options.mapped.date_format
    casts: dict[int, tuple[int, values.Cast, Column]] = {}
    for number, (index, column) in list(chosen.items()):
        if column.computed:  # its cells hold a formula although the table does not say so
            del chosen[number]
            heading = data.headings[index]
            outcome.computed.append(heading)
            outcome.matched = [m for m in outcome.matched if m[0] != heading]
            continue
        casts[number] = (index, _cast(column, data, index, date_format, package.date1904), column)
    defaults: dict[int, str] = {}
    for title, value in options.mapped.defaults.items():
        found = by_key.get(plain(title))
        if found is None or found.computed:
            raise FillError(
                f"The map gives a default for “{title}”, which is not a column to fill.",
                f"El mapa da un valor para «{title}», que no es una columna por llenar.",
            )
        cell = _cast(found, data, -1, date_format, package.date1904)(value)
        defaults[found.number] = f">{cell}" if cell.startswith("<") else cell
    for column in target.columns:
        if not column.computed and column.number not in chosen and column.number not in defaults:
            outcome.unfilled.append(column.title)
            if column.required:
                raise FillError(
                    f"The data has no column for “{column.title}”, which {package.path.name} requires. Name it with --map.",
                    f"Los datos no tienen columna para «{column.title}», que {package.path.name} requiere. Indíquela con --map.",
                )
    bottom = max((number for number, _ in markup.rows), default=0)
    bottom = max(bottom, target.last + target.table.totals_rows)
    return _Job(package, target, casts, defaults, len(data.headings), options.strict, used, bottom)


def _cast(column: Column, data: Data, index: int, date_format: str, date1904: bool) -> values.Cast:
    kind = column.kind
    if kind == "any":
        kind = _seen(data, index) if index >= 0 else "text"
    if kind in ("money", "number"):
        return values.number
    if kind == "rate":
        return values.rate
    if kind == "days":
        return values.whole
    if kind == "date":
        return values.date_of(date_format, date1904)
    if kind == "flag":
        return values.flag_of((column.words[0], column.words[1]) if column.words else None)
    if kind == "choice" and column.words:
        return values.choice_of(column.words, column.translations)
    return values.text


def _seen(data: Data, index: int) -> Any:
    """Kind of a column about which the workbook says nothing: numbers only if every value is one and none looks like an ID."""
    import re
    from datetime import date

    seen = [row[index] for _, row in data.rows if index < len(row) and row[index] not in (None, "")]
    if seen and all(isinstance(v, date) for v in seen):
        return "date"
    if seen and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in seen):
        return "number"
    amount = re.compile(r"-?\$?(?:[0-9]{1,3}(?:,[0-9]{3})+|0|[1-9][0-9]{0,14})(?:\.[0-9]+)?")
    identity = re.compile(r"[0-9]{5,}")
    if (
        seen
        and all(isinstance(v, str) and amount.fullmatch(v.strip()) for v in seen)
        and not all(identity.fullmatch(str(v).strip()) for v in seen)
    ):
        return "number"
    return "text"


def _chunks(job: _Job, data: Data, options: Options) -> list[list[tuple[int, Sequence[Any]]]]:
    target = job.target
    room = MAX_ROW - job.used - (job.bottom - target.last)
    if options.split:
        size = min(options.split, room)
        return [data.rows[at : at + size] for at in range(0, len(data.rows), size)] or [[]]
    if len(data.rows) > room:
        raise FillError(
            f"{data.path.name} has {len(data.rows):,} rows; the sheet “{target.sheet_name}” has room for {room:,} more. Write several workbooks with --split {min(room, 500_000):,}.".replace(
                "--split 500,000", "--split 500000"
            ),
            f"{data.path.name} tiene {len(data.rows):,} filas; en la hoja «{target.sheet_name}» caben {room:,} más. Escriba varios libros con --split 500000.",
        )
    return [data.rows]


def _names(out: Path, count: int) -> list[Path]:
    if count == 1:
        return [out]
    digits = max(2, len(str(count)))
    return [out.with_name(f"{out.stem}-{n:0{digits}}{out.suffix}") for n in range(1, count + 1)]


def _finish(package: Package, changed: dict[str, bytes], path: Path, count: int) -> Filled:
    """Recalculate in a private folder, then put the result at `path` in one step."""
    from recargos.workbook.formualizer_engine import FormualizerEngine
    from recargos.workbook.recalc import Options as RecalcOptions
    from recargos.workbook.recalc import recalc

    with tempfile.TemporaryDirectory(prefix="recargos-") as folder:
        filled = Path(folder) / path.name
        filled.write_bytes(package.rewritten(changed, FAST))
        options = RecalcOptions(everything=True, inputs_changed=True, explain_cells=0)
        outcome = recalc(filled, path, FormualizerEngine(), options=options)
    if outcome.status in ("refused", "failed"):
        reason = outcome.reason or T("the workbook could not be recalculated", "el libro no pudo recalcularse")
        raise Refused(outcome.kind or "failed", reason)
    return Filled(path, count, outcome)


def _write_rejected(path: Path, data: Data, rejected: Sequence[tuple[int, Sequence[Any], str, T]]) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([*data.headings, "row", "column", "reason", "razón"])
    for line, row, heading, reason in rejected:
        padded = [*row, *[""] * (len(data.headings) - len(row))]
        writer.writerow(["" if v is None else v for v in padded] + [line, heading, reason.en, reason.es])
    saving.replace(path, buffer.getvalue().encode("utf-8-sig"))


__all__ = ["Filled", "Options", "Outcome", "fill"]
