"""The Calc add-in without LibreOffice: what is built, and what goes in and out of a call."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from recargos import calc, cells
from recargos.addin.calc_build import CORE, OXT, build_calc, idl, members, xcu
from recargos.addin.calc_templates import sources, stale
from recargos.calc import HANDLERS, METHODS, NUMBERS, Epoch, epoch, error_number, error_of, incoming, outgoing
from recargos.cells import OMITTED, to_serial
from recargos.law import CellError
from recargos.statutes import FUNCTIONS

ADDIN = Path(__file__).parents[1] / "addin" / "calc"
TEMPLATES = Path(__file__).parents[1] / "workbook_templates"
OOR = "{http://openoffice.org/2001/registry}"


# ------------------------------------------------------------------------------------------------------ the build


def test_the_committed_addin_is_what_the_sources_build(tmp_path: Path) -> None:
    built = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in build_calc(tmp_path)}
    there = {p.relative_to(ADDIN).as_posix() for p in ADDIN.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    stale = [name for name, data in built.items() if name not in there or (ADDIN / name).read_bytes() != data]
    assert stale == [], "run `recargos addin build --host calc`"
    assert there == set(built) | {"recargos_calc.py"}


def test_the_addin_holds_the_core_and_no_function_of_its_own() -> None:
    parts = members()
    assert {f"pythonpath/recargos/{name}" for name in CORE} <= set(parts)
    assert b"PR_" not in parts["recargos_calc.py"]


def test_the_addin_is_sorted_stored_and_undated() -> None:
    with zipfile.ZipFile(ADDIN / OXT) as archive:
        infos = archive.infolist()
    assert [i.filename for i in infos] == sorted(i.filename for i in infos)
    assert {(i.date_time, i.compress_type) for i in infos} == {((1980, 1, 1, 0, 0, 0), zipfile.ZIP_STORED)}


def test_the_ods_twins_are_made_from_the_templates_that_are_there() -> None:
    assert stale(TEMPLATES) == [], "run `python -m recargos.addin.calc_templates` (it needs LibreOffice)"
    assert {p.relative_to(TEMPLATES / "ods").as_posix() for p in (TEMPLATES / "ods").rglob("*.ods")} == set(
        sources(TEMPLATES)
    )


def test_only_the_standard_library_goes_into_the_addin() -> None:
    for name, source in members().items():
        if not name.endswith(".py") or name == "recargos_calc.py":
            continue
        for node in ast.walk(ast.parse(source, feature_version=(3, 9))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                modules.append(str(node.module))
            for module in modules:
                assert module.split(".")[0] in sys.stdlib_module_names | {"recargos", "__future__"}, (name, module)


def test_the_addin_runs_from_its_own_files_alone(tmp_path: Path) -> None:
    """In the oldest Python that is there, with nothing of this checkout in reach."""
    with zipfile.ZipFile(ADDIN / OXT) as archive:
        archive.extractall(tmp_path)
    python = next((p for v in ("3.9", "3.10") if (p := _pyenv(v) or shutil.which(f"python{v}"))), sys.executable)
    program = "from recargos.calc import HANDLERS; print(HANDLERS['prLateFile'](None, 8000.0, 47.0, 5000.0, 1200.0, None, None))"
    done = subprocess.run(
        [python, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / 'pythonpath')!r}); {program}"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == ("((270.0,),)", "")


def _pyenv(version: str) -> str | None:
    found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return str(found[-1]) if found else None


def test_every_function_and_argument_has_its_texts_in_both_languages() -> None:
    functions = ElementTree.fromstring(xcu().encode()).find(f"./node/node/node[@{OOR}name='AddInFunctions']")
    assert functions is not None
    nodes = {node.get(f"{OOR}name"): node for node in functions}
    assert list(nodes) == [method.name for method in METHODS.values()]
    for name, method in METHODS.items():
        node = nodes[method.name]
        assert _texts(node, "DisplayName") == {"en": name, "es": name}
        for language, text in _texts(node, "Description").items():
            assert text.startswith(method.function.help.in_(language))
        parameters = node.find(f"./node[@{OOR}name='Parameters']")
        assert parameters is not None
        shown = [p for p in parameters if p.get(f"{OOR}name") != calc.HIDDEN]
        assert [p.get(f"{OOR}name") for p in shown] == list(method.arguments)
        for parameter, argument in zip(shown, method.function.arguments, strict=True):
            for language, text in _texts(parameter, "Description").items():
                assert text.startswith(argument.help.in_(language))
        compatible = node.find(f"./prop[@{OOR}name='CompatibilityName']/value")
        assert compatible is not None
        assert compatible.text == name


def _texts(node: ElementTree.Element, name: str) -> dict[str, str]:
    values = node.findall(f"./prop[@{OOR}name='{name}']/value")
    texts = {str(v.get("{http://www.w3.org/XML/1998/namespace}lang")): v.text or "" for v in values}
    assert set(texts) == {"en", "es"}
    return texts


def test_the_interface_has_a_method_for_each_function() -> None:
    assert [
        line.split(">> ")[-1].split("> ")[-1].split("(")[0]
        for line in idl().splitlines()
        if "[in]" in line or "()" in line
    ] == [method.name for method in METHODS.values()]
    assert set(HANDLERS) == {method.name for method in METHODS.values()}
    assert len({method.calc_name for method in METHODS.values()}) == len(FUNCTIONS)


# ----------------------------------------------------------------------------------------------------------- a call


@pytest.mark.parametrize("error", list(CellError))
def test_errors_survive_the_way_through_a_nan(error: CellError) -> None:
    number = error_number(error)
    assert number != number
    assert error_of(number) is error


def test_an_unknown_error_code_is_no_figure() -> None:
    assert error_of(float("nan")) is CellError.VALUE


def argument(function: str, name: str) -> Any:
    return next(a for a in FUNCTIONS[function].arguments if a.name == name)


@pytest.mark.parametrize(
    ("name", "raw", "read"),
    [
        ("amount", None, OMITTED),
        ("amount", 0.0, 0.0),
        ("amount", "", ""),
        ("amount", ((1.0, ""), ("x", NUMBERS[CellError.NA])), [[1.0, None], ["x", CellError.NA]]),
        ("amount", (1.0, ""), [[1.0, None]]),
        ("as_of", 0.0, None),
        ("as_of", 46157.0, 46157.0),
        ("as_of", ((0.0,),), [[0.0]]),
    ],
)
def test_incoming(name: str, raw: Any, read: Any) -> None:
    assert incoming(argument("PR_INTEREST", name), raw) == read


def test_where_a_blank_is_refused_0_counts_as_blank() -> None:
    assert incoming(argument("PR_RETIREMENT_DEBT", "rate"), 0.0) is None
    assert incoming(argument("PR_RETIREMENT_DEBT", "rate"), ((0.0,),)) == [[0.0]]


def test_outgoing() -> None:
    assert [outgoing(v) for v in (True, False, 3, 2.5, "x", None)] == [1.0, 0.0, 3.0, 2.5, "x", ""]
    assert not any(isinstance(outgoing(v), bool) for v in (True, False)), "Calc reads a bool as whatever lies in memory"
    assert outgoing(date(2026, 5, 15)) == to_serial(date(2026, 5, 15))
    assert outgoing(date(2026, 5, 15), Epoch(date1904=True)) == to_serial(date(2026, 5, 15), True)


class Document:
    def __init__(self, *day: int) -> None:
        self.day = day

    def getPropertyValue(self, name: str) -> Any:
        assert name == "NullDate"
        return SimpleNamespace(Year=self.day[0], Month=self.day[1], Day=self.day[2])


def test_epoch() -> None:
    assert epoch(Document(1899, 12, 30)) == Epoch()
    assert epoch(Document(1904, 1, 1)) == Epoch(date1904=True)
    assert epoch(Document(1900, 1, 1)) == Epoch(shift=2)
    assert epoch(None) == Epoch()


def test_a_defect_is_an_error_and_a_log_line(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr(cells, "call", broken)
    ((value,),) = HANDLERS["prFraud"](None, ((1.0,), (2.0,)), None)
    assert error_of(value) is CellError.VALUE
    assert "PR_FRAUD failed in Calc" in caplog.text


def test_every_handler_answers_rows_whatever_it_gets() -> None:
    odd: list[Any] = [
        None,
        0.0,
        -1.0,
        1e300,
        float("inf"),
        NUMBERS[CellError.REF],
        "",
        "x",
        "2026-05-15",
        (),
        ((),),
        ((1.0, ""),),
        ((1.0,), ("x",)),
    ]
    for method in METHODS.values():
        width = len(method.arguments)
        for value in odd:
            rows = HANDLERS[method.name](*([None] if method.dated else []), *([value] * width))
            assert rows
            assert all(isinstance(cell, (float, str)) and not isinstance(cell, bool) for row in rows for cell in row)
            json.dumps(rows)
