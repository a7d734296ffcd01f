"""The built `recargos.xlam`: up to date, whole, the same from the same sources, and readable by others than its maker."""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from recargos.addin import doctor_addin, excel_build, excel_vba
from recargos.statutes import FUNCTIONS

FOLDER = Path(__file__).parents[1] / "addin/excel"
ADDIN = FOLDER / excel_build.NAME
_CONTENT = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def test_the_tree_is_up_to_date() -> None:
    assert excel_build.drift(FOLDER) == [], "run: recargos addin build"


def test_drift_is_seen(tmp_path: Path) -> None:
    """A hand-written source or a generated file that was touched is named."""
    for file in FOLDER.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "boot.bas").write_text((FOLDER / "boot.bas").read_text(encoding="utf-8") + "'\n", encoding="utf-8")
    (tmp_path / "udfs.bas").write_text("", encoding="utf-8")
    assert excel_build.drift(tmp_path) == ["udfs.bas", "recargos.xlam: xl/vbaProject.bin"]


def test_two_builds_are_equal(tmp_path: Path) -> None:
    first, second = (excel_build.build(FOLDER, write=False) for _ in range(2))
    assert first == second


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of olevba's own parser
def test_olevba_reads_every_module_identical() -> None:
    """An independent reader of the VBA project finds our sources, line by line."""
    from oletools.olevba import VBA_Parser

    parser = VBA_Parser(str(ADDIN))
    try:
        found = {name.rsplit(".", 1)[0]: code for _, _, name, code in parser.extract_macros()}
    finally:
        parser.close()
    for name in (*excel_build.HAND_WRITTEN, *excel_build.GENERATED):
        source = (FOLDER / f"{name}.bas").read_text(encoding="utf-8")
        code = [line for line in found[name].splitlines() if not line.startswith("Attribute VB_")]
        assert code == [line for line in source.splitlines() if not line.startswith("Attribute VB_")], name
    assert (FOLDER / "ThisWorkbook.cls").read_text(encoding="utf-8").splitlines() == [
        line for line in found["ThisWorkbook"].splitlines() if not line.startswith("Attribute VB_")
    ]
    assert set(found) == {*excel_build.HAND_WRITTEN, *excel_build.GENERATED, "ThisWorkbook", "Sheet1"}


def test_every_module_declares_its_variables() -> None:
    for name in (*excel_build.HAND_WRITTEN, *excel_build.GENERATED):
        assert "\nOption Explicit\n" in (FOLDER / f"{name}.bas").read_text(encoding="utf-8"), name


def test_lines_fit_the_editor() -> None:
    for file in FOLDER.glob("*.bas"):
        text = file.read_text(encoding="utf-8")
        text.encode("cp1252")
        assert max(len(line) for line in text.splitlines()) <= 1023, file.name
        statements = text.replace(" _\n", "\0").splitlines()
        assert max(statement.count("\0") for statement in statements) <= 24, f"{file.name}: too many continued lines"


def test_help_fits_the_wizard() -> None:
    for function in FUNCTIONS.values():
        texts = [*function.help, *(text for argument in function.arguments for text in argument.help)]
        assert all(len(text) <= 255 for text in texts), f"{function.name}: would be cut"


def test_package_is_consistent() -> None:
    """Every part has a content type, every relationship a target, and the ribbon hangs where Excel looks for it."""
    with zipfile.ZipFile(ADDIN) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
        assert archive.testzip() is None
    types = ElementTree.fromstring(members["[Content_Types].xml"])
    defaults = {e.get("Extension") for e in types.iter(f"{_CONTENT}Default")}
    overrides = {str(e.get("PartName")): e.get("ContentType") for e in types.iter(f"{_CONTENT}Override")}
    for name in members:
        if name != "[Content_Types].xml":
            assert f"/{name}" in overrides or name.rsplit(".", 1)[-1] in defaults, name
    assert all(part.lstrip("/") in members for part in overrides)
    assert overrides["/xl/workbook.xml"] == "application/vnd.ms-excel.addin.macroEnabled.main+xml"
    ribbons = []
    for name in [n for n in members if n.endswith(".rels")]:
        base = posixpath.dirname(posixpath.dirname(name))
        ids = []
        for relationship in ElementTree.fromstring(members[name]).iter(_RELATIONSHIP):
            ids.append(relationship.get("Id"))
            target = posixpath.normpath(posixpath.join(base, str(relationship.get("Target"))))
            assert target in members, f"{name}: {target}"
            if str(relationship.get("Type")).endswith("/ui/extensibility"):
                ribbons.append((name, target))
        assert len(ids) == len(set(ids)), name
    assert ribbons == [("_rels/.rels", "customUI/customUI14.xml")]
    for name, data in members.items():
        if name.endswith((".xml", ".rels")):
            ElementTree.fromstring(data)


def test_ribbon_is_what_stands_in_the_tree() -> None:
    parts = excel_build.parts(ADDIN.read_bytes())
    assert parts[excel_build.RIBBON_PART] == (FOLDER / "ribbon.xml").read_bytes()
    root = ElementTree.fromstring(parts[excel_build.RIBBON_PART])
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {"functions", "templates", "explain", "freeze", "language", "check", "about", "selftest"} <= set(ids)


def test_intellisense_sheets() -> None:
    """Hidden; A1 is FunctionInfo; every function with its arguments, in both languages."""
    parts = excel_build.parts(ADDIN.read_bytes())
    sheets = ElementTree.fromstring(parts["xl/workbook.xml"]).iter(f"{_MAIN}sheet")
    states = {sheet.get("name"): sheet.get("state") for sheet in sheets}
    assert {name: states[name] for name in excel_build.SHEETS} == dict.fromkeys(excel_build.SHEETS, "hidden")
    assert [name for name, state in states.items() if state is None] == ["Sheet1"], (
        "Excel needs one sheet that is not hidden"
    )
    for number, language in enumerate(excel_build.SHEETS.values(), start=2):
        rows = [
            {str(c.get("r")).rstrip("0123456789"): "".join(c.itertext()) for c in row}
            for row in ElementTree.fromstring(parts[f"xl/worksheets/sheet{number}.xml"]).iter(f"{_MAIN}row")
        ]
        assert rows[0]["A"] == "FunctionInfo"
        told = {row["A"]: row for row in rows[1:]}
        assert list(told) == list(FUNCTIONS)
        for function in FUNCTIONS.values():
            row = told[function.name]
            assert row["B"] == function.help.in_(language)
            helps = [row[excel_build._column(5 + 2 * n)] for n in range(len(function.arguments))]
            assert helps == [argument.help.in_(language) for argument in function.arguments]


def test_bound_to_the_installed_xlwings() -> None:
    version = excel_vba.xlwings_version()
    assert doctor_addin.bound_version(ADDIN) == version
    text = (FOLDER / "xlwings.bas").read_text(encoding="utf-8")
    assert f'Lib "xlwings64-{version}.dll"' in text
    assert "BSD 3-clause" in text, "xlwings' licence goes with its code"
    assert "Redistributions in binary form must reproduce the above copyright" in text


def test_another_xlwings_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_vba, "xlwings_version", lambda: "0.99.0")
    with pytest.raises(ValueError, match=r"not of version 0\.99\.0"):
        excel_vba.xlwings_module()


def test_texts_outside_the_code_page_stop_the_build() -> None:
    with pytest.raises(UnicodeEncodeError):
        excel_vba.quoted("≤ 30 días")
    assert excel_vba.quoted('Sección § 5221 "x"') == '"Sección § 5221 ""x"""'


@pytest.mark.parametrize(
    ("name", "declared"), [("function", "function_"), ("tax", "tax"), ("date", "date_"), ("as_of", "as_of")]
)
def test_words_of_vba_are_no_argument_names(name: str, declared: str) -> None:
    assert excel_vba.argument_name(name) == declared


def test_nothing_personal_and_no_path_in_the_file() -> None:
    for name, data in excel_build.parts(ADDIN.read_bytes()).items():
        for word in (b"William Smith", str(Path(__file__).parents[1]).encode(), b"/home/", b"C:\\Users"):
            assert word not in data, f"{name}: {word!r}"


def soffice() -> str:
    found = shutil.which("soffice")
    if not found:
        if os.environ.get("CI") == "true":
            pytest.fail("LibreOffice is missing")
        pytest.skip("LibreOffice is missing")
    return found


def test_libreoffice_lists_the_modules(tmp_path: Path) -> None:
    """A third reader: LibreOffice imports the VBA project and every module in it."""
    command = [
        soffice(), f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--norestore",
        "--infilter=Calc MS Excel 2007 VBA XML", "--convert-to", "ods", "--outdir", str(tmp_path), str(ADDIN),
    ]  # fmt: skip
    subprocess.run(command, check=True, timeout=150, capture_output=True, stdin=subprocess.DEVNULL)
    with zipfile.ZipFile(tmp_path / "recargos.ods") as archive:
        modules = {
            Path(name).stem: archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith("Basic/VBAProject/")
        }
    for name in (*excel_build.HAND_WRITTEN, *excel_build.GENERATED):
        assert name in modules, name
    assert all(f"Public Function {name}(" in modules["udfs"] for name in FUNCTIONS)
