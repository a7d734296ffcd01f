"""The COM boundary, stubbed: everything of xlwings above it is real and takes its Windows branch.

What crosses the boundary is checked as pywin32 would: only variants that COM knows go out, each with its type, and what
comes in has the Python type that pywin32 gives it (an error cell is its SCODE, a currency cell a Decimal, an omitted
argument DISP_E_PARAMNOTFOUND). `xlwings.pro` is made impossible to import.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import importlib
import importlib.abc
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

RANGE = "{00020846-0000-0000-C000-000000000046}"
MISSING = -2147352572
"""DISP_E_PARAMNOTFOUND: what an omitted Optional of VBA is."""
SCODES = {
    "#NULL!": -2146826288,
    "#DIV/0!": -2146826281,
    "#VALUE!": -2146826273,
    "#REF!": -2146826265,
    "#NAME?": -2146826259,
    "#NUM!": -2146826252,
    "#N/A": -2146826246,
    "#SPILL!": -2146826243,
    "#CALC!": -2146826238,
}
EMPTY, I4, R8, DATE, BSTR, BOOL = "VT_EMPTY", "VT_I4", "VT_R8", "VT_DATE", "VT_BSTR", "VT_BOOL"


class ComError(Exception):
    """pywintypes.com_error."""

    def __init__(self, hresult: int = -2147352567, text: str = "", excepinfo: Any = None, argument: Any = None) -> None:
        super().__init__(hresult, text, excepinfo, argument)
        self.hresult, self.strerror, self.excepinfo, self.argerror = hresult, text, excepinfo, argument


class PyTime(dt.datetime):
    """pywintypes.datetime: a datetime that claims to be UTC."""


def pytime(year: int, month: int, day: int, *time: int) -> PyTime:
    """A date cell as pywin32 hands it over."""
    return PyTime(year, month, day, *time, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Variant:
    """What left Python, with the type that Excel sees."""

    vt: str
    value: Any


def to_variant(value: Any) -> Any:
    """As PyCom_VariantFromPyObject: a Variant, or rows of them; anything that COM cannot carry is a TypeError."""
    if value is None:
        return Variant(EMPTY, None)
    if isinstance(value, bool):
        return Variant(BOOL, value)
    if type(value) is int:
        if not -(2**31) <= value < 2**31:
            raise TypeError("an integer of more than 32 bits becomes VT_I8, which Excel does not know")
        return Variant(I4, value)
    if type(value) is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise TypeError("not a number that Excel can hold")
        return Variant(R8, value)
    if isinstance(value, str):
        return Variant(BSTR, str.__str__(value))
    if isinstance(value, dt.datetime):
        if value.tzinfo is None:
            raise TypeError("pywin32 would shift a naive time by the machine's zone")
        return Variant(DATE, value.replace(tzinfo=None))
    if isinstance(value, (list, tuple)):
        return [to_variant(item) for item in value]
    raise TypeError(f"COM cannot carry a {type(value).__name__}")


class _Info:
    def __init__(self, iid: str, name: str) -> None:
        self.iid, self._name = iid, name

    def GetTypeInfo(self) -> _Info:
        return self

    def GetTypeAttr(self) -> _Info:
        return self

    def GetDocumentation(self, _index: int) -> tuple[str, None, int, None]:
        return (self._name, None, 0, None)


class CDispatch:
    """Base of every object that Excel would hand over."""

    iid, kind = "{00000000-0000-0000-0000-000000000000}", "Object"

    @property
    def _oleobj_(self) -> _Info:
        return _Info(self.iid, self.kind)


class Range(CDispatch):
    """A Range argument. `.Value` gives scalars for one cell, else a tuple of rows, as Excel does."""

    iid, kind, CLSID = RANGE, "Range", RANGE

    def __init__(self, value: Any, sheet: Any = None, row: int = 1, column: int = 1) -> None:
        if isinstance(value, list):
            value = tuple(tuple(line) for line in value)
        if isinstance(value, tuple) and len(value) == 1 and len(value[0]) == 1:
            value = value[0][0]
        self.Value, self.Worksheet, self.Row, self.Column = value, sheet or Sheet(), row, column
        rows = value if isinstance(value, tuple) else ((value,),)
        self.Rows, self.Columns = types.SimpleNamespace(Count=len(rows)), types.SimpleNamespace(Count=len(rows[0]))

    def GetAddress(self, *_: Any, **__: Any) -> str:
        return "$A$1"

    Address = property(GetAddress)


class VBComponents(CDispatch):
    """Keeps what `import_udfs` imports."""

    def __init__(self) -> None:
        self.imported: list[str] = []

    def __call__(self, _name: str) -> str:
        raise ComError

    def Remove(self, name: str) -> None:
        raise ComError

    def Import(self, path: str) -> None:
        self.imported.append(Path(path).read_text(encoding="utf-8"))


class Application(CDispatch):
    """Keeps what MacroOptions registers."""

    Version, Hwnd = "16.0", 4711

    def __init__(self) -> None:
        self.macro_options: dict[str, dict[str, Any]] = {}

    def MacroOptions(self, macro: str, **options: Any) -> None:
        self.macro_options[macro] = options


class Book(CDispatch):
    """A workbook, `ThisWorkbook` of the wrapper."""

    kind = "Workbook"

    def __init__(self, name: str = "recargos.xlsm") -> None:
        self.Name, self.FullName = name, "C:\\work\\" + name
        self.Application, self.Sheets = Application(), []
        self.Worksheets = self.Sheets
        self.VBProject = types.SimpleNamespace(VBComponents=VBComponents())


class Sheet(CDispatch):
    """A worksheet, of a book of its own."""

    kind = "Worksheet"

    def __init__(self, name: str = "Sheet1", book: Book | None = None) -> None:
        self.Name, self.Parent = name, book or Book("Book1.xlsx")


class _Nothing:
    """Stands for any system call that the tested paths never depend on."""

    def __getattr__(self, _name: str) -> _Nothing:
        return _Nothing()

    def __call__(self, *_: Any, **__: Any) -> int:
        return 0


class _NoPro(importlib.abc.MetaPathFinder):
    """`xlwings.pro` is under another licence: nothing here may need it."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "xlwings.pro" or name.startswith("xlwings.pro."):
            raise ImportError(f"{name} must not be imported")


def _stubs() -> dict[str, types.ModuleType]:
    made: dict[str, types.ModuleType] = {}

    def module(name: str, **members: Any) -> types.ModuleType:
        made[name] = types.ModuleType(name)
        made[name].__dict__.update(members, __file__=f"<stub {name}>")
        return made[name]

    def no_object(*_: Any) -> Any:
        raise ValueError("not a wrapped object")

    class IID(str):
        def __new__(cls, text: str) -> IID:
            return str.__new__(cls, text.upper())

    class Zone:
        utc = staticmethod(lambda: dt.UTC)

    class VARIANT:
        def __init__(self, vt: int, value: Any) -> None:
            self.varianttype, self.value = vt, value

    module("pywintypes", com_error=ComError, error=OSError, TimeType=PyTime, IID=IID, datetime=PyTime)
    dispatch = IID("{00020400-0000-0000-C000-000000000046}")
    module(
        "pythoncom",
        com_error=ComError,
        ole_error=ComError,
        CoInitialize=lambda *_: None,
        CoUninitialize=lambda: None,
        IID_IDispatch=dispatch,
        IID_IEnumVARIANT="enum",
        TypeIIDs={dispatch: type("PyIDispatch", (), {})},
        VT_ERROR=10,
        Missing=object(),
        Empty=None,
    )
    module("win32process", GetWindowThreadProcessId=lambda _hwnd: (0, 4242))
    for name in ("win32api", "win32con", "win32gui", "win32event"):
        module(name)
    module("win32timezone", TimeZoneInfo=Zone)
    client = module(
        "win32com.client",
        CDispatch=CDispatch,
        Dispatch=lambda obj, *_, **__: obj,
        DispatchEx=lambda *_: None,
        DispatchBaseClass=type("DispatchBaseClass", (CDispatch,), {}),
        CoClassBaseClass=type("CoClassBaseClass", (), {}),
        VARIANT=VARIANT,
    )
    client.__dict__["gencache"] = module("win32com.client.gencache", EnsureModule=lambda *_, **__: None)
    server = module("win32com.server")
    util = module("win32com.server.util", wrap=lambda obj, *_, **__: obj, unwrap=no_object)
    policy = module("win32com.server.policy", DefaultPolicy=object)
    exception = module("win32com.server.exception", COMException=ComError)
    dispatcher = module("win32com.server.dispatcher")
    server.__dict__.update(util=util, policy=policy, dispatcher=dispatcher, exception=exception)
    module("win32com", client=client, server=server)
    return made


_STUBBED = frozenset(_stubs())


def _ours(name: str) -> bool:
    return name in _STUBBED or name.split(".")[0] == "xlwings" or name in ("recargos.excel", "recargos.addin.ribbon")


@contextmanager
def windows() -> Iterator[types.SimpleNamespace]:
    """Real xlwings as on Windows, and our host in it, for the length of the block: `.xlwings .server .excel .udfs`.

    Nothing of it stays in `sys.modules`, so other tests meet xlwings as it is on their own system.
    """
    # What looks at sys.platform when imported, and is not under test, must be there before the platform is swapped.
    for name in (
        "asyncio",
        "concurrent.futures",
        "subprocess",
        "tempfile",
        "multiprocessing",
        "importlib.metadata",
        "decimal",
    ):
        importlib.import_module(name)
    for name in ("numpy", "pandas", "dateutil.tz", "PIL", "matplotlib", "polars", "jinja2"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    saved = {name: module for name, module in sys.modules.items() if _ours(name)}
    for name in saved:
        del sys.modules[name]
    platform, pydll, finder = sys.platform, ctypes.PyDLL, _NoPro()
    sys.modules.update(_stubs())
    sys.meta_path.insert(0, finder)
    ctypes.windll = ctypes.oledll = _Nothing()  # type: ignore[attr-defined]
    ctypes.PyDLL = lambda *_, **__: _Nothing()  # type: ignore[assignment,misc]
    loop = None
    try:
        sys.platform = "win32"
        xlwings = importlib.import_module("xlwings")
        server = importlib.import_module("xlwings.com_server")
        sys.platform, ctypes.PyDLL = platform, pydll  # type: ignore[misc]
        loop = server.loop
        assert xlwings.func.__module__ == "xlwings.udfs", "xlwings did not take its Windows branch"
        excel = importlib.import_module("recargos.excel")
        yield types.SimpleNamespace(
            xlwings=xlwings,
            server=server,
            excel=excel,
            udfs=importlib.import_module("xlwings.udfs"),
            call=_caller(server),
        )
    finally:
        sys.platform, ctypes.PyDLL = platform, pydll  # type: ignore[misc]
        if loop is not None:
            loop.close()
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if _ours(name)]:
            del sys.modules[name]
        del ctypes.windll, ctypes.oledll  # type: ignore[attr-defined]
        sys.modules.update(saved)


def _caller(server: Any) -> Any:
    book = Book("recargos.xlam")

    def call(
        name: str, *arguments: Any, date1904: bool = False, module: str = "recargos.excel", book: Any = book
    ) -> Any:
        """A cell's call: what comes back is a Variant or rows of them, after a trip over the boundary."""
        return to_variant(server.XLPython().CallUDF(module, name, (*arguments, date1904), book, Range(None)))

    return call


def shown(variant: Any) -> Any:
    """Variants as plain values; a date as a date."""
    if isinstance(variant, list):
        return [shown(item) for item in variant]
    return variant.value.date() if variant.vt == DATE else variant.value


def currency(amount: str) -> Decimal:
    """A currency or accounting cell: pywin32 gives a Decimal of four places."""
    return Decimal(amount).quantize(Decimal("0.0001"))
