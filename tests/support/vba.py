"""Excel without Excel: pyOpenVBA's interpreter runs the VBA of the built `recargos.xlam`, over the real `xlwings.CallUDF`.

A formula in a cell calls our VBA wrapper, the wrapper calls `XLPy.CallUDF`, that is xlwings' own COM server object, and
what it answers goes back over the stubbed COM boundary of `com.py` into the wrapper and into the cell. Replaced are only
`machine.bas` (files, registry, dialogs) and the DLL call that makes the Python process.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyopenvba import ExcelFile
from pyopenvba.apps.excel import ExcelApplication
from pyopenvba.apps.excel._model import Application, Range, Workbook
from pyopenvba.formula._calc import registry
from pyopenvba.formula._calc.cells import CellError
from pyopenvba.formula._calc.values import EMPTY as BLANK
from pyopenvba.formula._calc.values import VALUE, Array, Reference
from pyopenvba.interpreter._objects import MemberSpec, VBAObject, method
from pyopenvba.interpreter._values import (
    EMPTY,
    MISSING,
    NOTHING,
    NULL,
    VBAArray,
    VBACurrency,
    VBADate,
    VBAErrorValue,
    VBAInt,
    error,
)

from recargos.law import CellError as RecargosError
from support import com

MACHINE = """Attribute VB_Name = "machine"
Option Explicit
Public Function ConfigValue(ByVal key As String) As String
    ConfigValue = Double_.Config(key)
End Function
Public Function SavedLanguage() As String
    SavedLanguage = Double_.Language
End Function
Public Sub SaveLanguage(ByVal code As String)
    Double_.Language = code
End Sub
Public Function OfficeLanguage() As Long
    OfficeLanguage = Double_.OfficeLanguage
End Function
Public Sub ShowFunctionWizard()
End Sub
Public Function AskWhere(ByVal proposed As String) As String
    AskWhere = Double_.Where(proposed)
End Function
Public Function UserName_() As String
    UserName_ = "A. Contable"
End Function
Public Sub OpenWorkbook(ByVal path As String)
    Double_.Opened = path
End Sub
"""
PYTHON = """
Public Function XLPy()
    Set XLPy = Double_.Start()
End Function
Public Sub KillPy()
    Double_.Kill
End Sub
"""
_ERROR_BASE = -2146828288  # the SCODE of CVErr(n) is this plus n
_CODES = {"#NULL!": 2000, "#DIV/0!": 2007, "#VALUE!": 2015, "#REF!": 2023, "#NAME?": 2029, "#NUM!": 2036, "#N/A": 2042}
_NAMES = {number: name for name, number in _CODES.items()}


def to_python(value: Any) -> Any:
    """A VBA value as pywin32 hands it to Python."""
    if value is EMPTY or value is NULL or value is NOTHING:
        return None
    if value is MISSING:
        return com.MISSING
    if isinstance(value, VBADate):
        moment = value.to_datetime()
        return com.pytime(*moment.timetuple()[:6])
    if isinstance(value, VBAErrorValue):
        return _ERROR_BASE + value.number
    if isinstance(value, VBACurrency):
        return Decimal(value)
    if isinstance(value, VBAArray):
        if value.dimensions == 1:
            return tuple(to_python(item) for item in value.items)
        (top, bottom), (left, right) = value.bounds
        return tuple(
            tuple(to_python(value.get([i, j])) for j in range(left, right + 1)) for i in range(top, bottom + 1)
        )
    if isinstance(value, Workbook):
        return com.Book("recargos.xlam")
    if isinstance(value, VBAObject):
        raise TypeError("a live object crossed to Python: each costs a dozen calls back into Excel")
    if isinstance(value, VBAInt):
        return float(value) if value.type_name not in ("Integer", "Long", "Byte") else int(value)
    return value


def to_vba(variant: Any) -> Any:
    """A variant from Python as VBA sees it."""
    if isinstance(variant, list):
        if variant and isinstance(variant[0], list):
            array = VBAArray([(0, len(variant) - 1), (0, len(variant[0]) - 1)])
            for i, row in enumerate(variant):
                for j, cell in enumerate(row):
                    array.set([i, j], to_vba(cell))
            return array
        array = VBAArray([(0, len(variant) - 1)])
        for i, cell in enumerate(variant):
            array.set([i], to_vba(cell))
        return array
    if variant.vt == com.EMPTY:
        return EMPTY
    if variant.vt == com.DATE:
        return VBADate.from_datetime(variant.value)
    if variant.vt == com.I4:
        return VBAInt(variant.value, "Long")
    return variant.value


class Python(VBAObject):
    """What `XLPy()` gives: a live xlwings COM server, which can be killed."""

    vba_type_name = "XLPython"

    def __init__(self, server: Any) -> None:
        self.server, self.alive, self.calls = server, True, 0

    @method
    def CallUDF(self, script: Any, name: Any, arguments: Any, book: Any = MISSING, caller: Any = MISSING) -> Any:
        if not self.alive:
            raise error(462, "The remote server machine does not exist or is unavailable")
        self.calls += 1
        try:
            answer = self.server.XLPython().CallUDF(
                str(script), str(name), to_python(arguments), to_python(book), to_python(caller)
            )
        except Exception as failure:
            raise error(-2147352567, f"Unexpected Python Error: {failure}") from failure
        return to_vba(com.to_variant(answer))


class Double(VBAObject):
    """Answers for the machine: settings, dialogs, and the start of Python."""

    vba_type_name = "Double"

    def __init__(self, server: Any) -> None:
        self.server, self.started, self.startable = server, 0, True
        self.python: Python | None = None
        self.settings: dict[str, str] = {}
        self.language, self.office_language, self.where, self.opened = "en", 1033, "", ""

    @method
    def Start(self) -> Any:
        self.started += 1
        if not self.startable:
            raise error(1000, "Could not activate Python COM server, hr = -2147221164")
        self.python = Python(self.server)
        return self.python

    @method
    def Kill(self) -> Any:
        if self.python is not None:
            self.python.alive = False
        return EMPTY

    @method
    def Config(self, key: Any) -> Any:
        return self.settings.get(str(key).upper(), "")

    @method
    def Where(self, proposed: Any) -> Any:
        return self.where

    @property
    def members(self) -> dict[str, Any]:
        return {}


def _properties() -> None:
    def setter(name: str) -> Any:
        return lambda self, value, *_: setattr(self, name, str(value))

    def getter(name: str) -> Any:
        return lambda self, *_: getattr(self, name)

    Double.vba_add_member(
        MemberSpec(name="Language", kind="property", getter=getter("language"), setter=setter("language"))
    )
    Double.vba_add_member(
        MemberSpec(name="OfficeLanguage", kind="property", getter=lambda self: VBAInt(self.office_language, "Long"))
    )
    Double.vba_add_member(MemberSpec(name="Opened", kind="property", getter=getter("opened"), setter=setter("opened")))


_properties()


class Office:
    """An Excel with the add-in loaded and an empty workbook in front."""

    def __init__(self, addin: Path, windows: Any, *, date1904: bool = False) -> None:
        self.app = ExcelApplication.open(addin, with_vba=False)
        self.addin = self.app.workbook
        with ExcelFile(addin) as book:
            self.sources = {name: book.get_module(name) for name in book.module_names()}
        self.double = Double(windows.server)
        host = self.app.interpreter.host
        known = host.global_object
        host.global_object = lambda name: self.double if name == "double_" else known(name)  # type: ignore[method-assign]
        for name, text in self.sources.items():
            if name in ("ThisWorkbook", "Sheet1"):
                continue
            text = MACHINE if name == "machine" else text
            if name == "xlwings":
                text = text[: text.index("Function XLPy()")] + PYTHON
            self.app.add_module(text, name=name)
        self.options: dict[str, dict[str, Any]] = {}
        self._teach_excel(date1904)
        self.book = self.app.add_workbook()
        self._register()

    def _teach_excel(self, date1904: bool) -> None:
        """Members of Excel's objects that pyOpenVBA leaves out."""
        self.caller: Any = VBAErrorValue(2023)

        def macro_options(
            _app: Any, Macro: Any = "", Description: Any = "", Category: Any = "", ArgumentDescriptions: Any = ()
        ) -> None:
            helps = (
                [str(text) for text in ArgumentDescriptions.items] if isinstance(ArgumentDescriptions, VBAArray) else []
            )
            self.options[str(Macro)] = {"description": str(Description), "category": str(Category), "arguments": helps}

        replace(Application, MemberSpec(name="Caller", kind="property", getter=lambda _: self.caller))
        replace(
            Application,
            MemberSpec(
                name="MacroOptions",
                kind="method",
                getter=macro_options,
                parameters=("Macro", "Description", "Category", "ArgumentDescriptions"),
            ),
        )
        replace(Workbook, MemberSpec(name="Date1904", kind="property", getter=lambda _: date1904))

    # -- formulas that call our VBA

    def _register(self) -> None:
        from recargos.statutes import FUNCTIONS

        for function in FUNCTIONS.values():
            registry.FUNCTIONS[function.name] = registry.Function(
                function.name,
                self._implementation(function.name, len(function.arguments), function.required),
                (registry.R,) * len(function.arguments),
                function.required,
                len(function.arguments),
            )

    def _implementation(self, name: str, most: int, required: int) -> Any:
        def run(context: Any, *given: Any) -> Any:
            if BLANK in given[:required]:  # F(1,) leaves out what VBA requires: the wrapper is not even called
                return VALUE
            before, self.caller = self.caller, self.range(context.sheet, context.row, context.column)
            try:
                arguments = [self._argument(value) for value in given] + [MISSING] * (most - len(given))
                return _from_vba(self.app.interpreter.run(name, arguments))
            finally:
                self.caller = before

        return run

    def _argument(self, value: Any) -> Any:
        if value is BLANK:
            return MISSING
        if isinstance(value, Reference):
            area = value.areas[0]
            return self.range(area.sheet, area.top, area.left, area.bottom, area.right)
        if isinstance(value, Array):
            array = VBAArray([(1, value.height), (1, value.width)])
            for i, row in enumerate(value.rows, start=1):
                for j, cell in enumerate(row, start=1):
                    array.set([i, j], self._argument(cell))
            return array
        return VBAErrorValue(_CODES[value.code]) if isinstance(value, CellError) else value

    def range(self, sheet: str, top: int, left: int, bottom: int = 0, right: int = 0) -> Any:
        """A Range object of the workbook in front."""
        worksheet = next(s for s in self.app.workbook.sheets_ if s.name.lower() == sheet.lower())
        first = worksheet.vba_get("Cells", [VBAInt(top, "Long"), VBAInt(left, "Long")])
        if bottom in (0, top) and right in (0, left):
            return first
        last = worksheet.vba_get("Cells", [VBAInt(bottom, "Long"), VBAInt(right, "Long")])
        return worksheet.vba_get("Range", [first, last])

    # -- for the tests

    def run(self, macro: str, *arguments: Any) -> Any:
        """Run a procedure of the add-in."""
        return self.app.run(macro, *arguments)

    def put(self, address: str, value: Any) -> None:
        """Type a value into a cell: a date lands in a date format, a CellError as a true error, None as a blank."""
        cell = self.app.sheet(1).sheet.vba_get("Range", [address])
        if isinstance(value, RecargosError):
            value = VBAErrorValue(_CODES[value.value])
        elif isinstance(value, dt.date):
            cell.vba_set("NumberFormat", "yyyy-mm-dd", [], {})
            value = VBADate.from_datetime(value)
        elif isinstance(value, str):
            cell.vba_set("NumberFormat", "@", [], {})
        elif isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        cell.vba_set("Value", EMPTY if value is None else value, [], {})

    def enter(self, address: str, formula: str) -> None:
        """Type a formula."""
        self.app.sheet(1).sheet.vba_get("Range", [address]).vba_set("Formula2", formula, [], {})

    def value(self, address: str) -> Any:
        """What the cell holds: a number, text, TRUE/FALSE, a date, None, or an error as its name behind "!"."""
        return plain(self.app.sheet(1).sheet.vba_get("Range", [address]).vba_get("Value"))


def plain(value: Any) -> Any:
    """A VBA value for comparison: a true error is `Failed("#NUM!")`, never text."""
    if isinstance(value, VBAErrorValue):
        return Failed(_NAMES.get(value.number, str(value.number)))
    if isinstance(value, VBADate):
        return value.to_datetime().date()
    if value is EMPTY:
        return None
    if isinstance(value, VBAArray):
        (top, bottom), (left, right) = value.bounds
        return [[plain(value.get([i, j])) for j in range(left, right + 1)] for i in range(top, bottom + 1)]
    if isinstance(value, (bool, str)):
        return value
    return float(value)


class Failed(str):
    """A true error value, which no text equals."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Failed) and str.__eq__(self, other)

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"Failed({str.__str__(self)!r})"


def _from_vba(value: Any) -> Any:
    """A UDF's result as the formula engine holds it."""
    if isinstance(value, VBAErrorValue):
        return CellError(_NAMES[value.number])
    if isinstance(value, VBADate):
        return value.serial
    if value is EMPTY:
        return BLANK
    if isinstance(value, VBAArray):
        if value.dimensions == 1:
            return Array([[_from_vba(item) for item in value.items]])
        (top, bottom), (left, right) = value.bounds
        return Array([[_from_vba(value.get([i, j])) for j in range(left, right + 1)] for i in range(top, bottom + 1)])
    return value if isinstance(value, (bool, str)) else float(value)


def replace(cls: Any, spec: MemberSpec) -> None:
    """Give a class of pyOpenVBA a member, in place of "not implemented"."""
    cls._vba_members[spec.name.lower()] = spec


__all__ = ["Double", "Failed", "Office", "Python", "Range", "plain", "to_python", "to_vba"]
