"""Excel's part of a UDF call, served over real COM by pywin32: workbook, sheets and ranges with Excel's own IIDs.

Only what xlwings asks while a function computes, and what `import_udfs` writes to, is here. Runs under Windows Python.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pythoncom
import win32com.server.util as server_util
from win32com.server import policy
from win32com.server.exception import COMException

TYPES = str(Path(os.environ["RECARGOS_CACHE"], "excel.tlb"))
_library = pythoncom.LoadTypeLib(TYPES)
pythoncom.RegisterTypeLib(_library, TYPES)  # so that xlwings' own gencache.EnsureModule finds Excel's library
_infos = {_library.GetDocumentation(i)[0]: _library.GetTypeInfo(i) for i in range(_library.GetTypeInfoCount())}
_PUT = pythoncom.DISPATCH_PROPERTYPUT | pythoncom.DISPATCH_PROPERTYPUTREF
_MISSING = -2147352572
CALLS: list[tuple[str, str]] = []
"""Every question that Python asked back: kind of object, member."""


def _members(info: Any) -> tuple[dict[str, int], dict[int, str]]:
    ids, names = {}, {}
    for number in range(info.GetTypeAttr().cFuncs):
        member = info.GetFuncDesc(number).memid
        if member < 0x60000000:
            name = info.GetNames(member)[0]
            ids[name.lower()], names[member] = member, name
    return ids, names


_known = {kind: _members(info) for kind, info in _infos.items()}


class _Policy(policy.BasicWrapPolicy):
    """Gives a Python object the names, ids and type information of one of Excel's interfaces."""

    def _wrap_(self, item: Any) -> None:
        self._obj_ = item
        self.ids, self.names = _known[item.kind]

    def _QueryInterface_(self, iid: Any) -> Any:
        if iid == _infos[self._obj_.kind].GetTypeAttr().iid:
            return server_util.wrap(self._obj_, usePolicy=_Policy)
        return getattr(self._obj_, "_query_interface_", lambda _: 0)(iid)

    def _GetTypeInfoCount_(self) -> int:
        return 1

    def _GetTypeInfo_(self, _index: int, _lcid: int) -> tuple[int, Any]:
        return 0, _infos[self._obj_.kind]

    def _getidsofnames_(self, names: Any, _lcid: int) -> tuple[int]:
        try:
            return (self.ids[names[0].lower()],)
        except KeyError:
            raise COMException(scode=-2147352570, desc="unknown name " + names[0]) from None

    def _invoke_(self, dispid: int, lcid: int, flags: int, args: Any) -> Any:
        return 0, -1, self._invokeex_(dispid, lcid, flags, args, None, None)

    def _invokeex_(self, dispid: int, _lcid: int, flags: int, args: Any, _kwargs: Any, _provider: Any) -> Any:
        name = "_NewEnum" if dispid == -4 else self.names.get(dispid)
        if name is None:
            raise COMException(scode=-2147352573)
        CALLS.append((self._obj_.kind, name))
        if flags & _PUT:
            getattr(self._obj_, "set_" + name)(*args)
            return None
        given = [None if isinstance(a, int) and a == _MISSING else a for a in args]
        answer = getattr(self._obj_, name)(*given)
        return (
            (answer,) if isinstance(answer, tuple) else answer
        )  # a bare tuple would be (result, by-reference arguments)


class Item:
    """An object of Excel; `com` is what crosses to another process."""

    kind = ""

    @property
    def com(self) -> Any:
        if not hasattr(self, "_com"):
            self._com = server_util.wrap(self, usePolicy=_Policy)
        return self._com


class Application(Item):
    kind = "_Application"

    def __init__(self) -> None:
        self.options: list[Any] = []

    def Application(self) -> Any:
        return self.com

    def Name(self) -> str:
        return "Microsoft Excel"

    def Version(self) -> str:
        return "16.0"

    def Hwnd(self) -> int:
        return 1

    def MacroOptions(self, *given: Any) -> None:
        self.options.append(given)

    def Run(self, *_: Any) -> None:
        raise COMException(desc="there is no VBA here")


class Workbook(Item):
    kind = "_Workbook"

    def __init__(self, application: Application, path: str) -> None:
        self.application, self.path = application, path
        self.sheets = Sheets([Sheet(self, "Sheet1")])
        self.project = Project()

    def Name(self) -> str:
        return self.path.rsplit("\\", 1)[-1]

    def FullName(self) -> str:
        return self.path

    def Application(self) -> Any:
        return self.application.com

    def Worksheets(self) -> Any:
        return self.sheets.com

    Sheets = Worksheets

    def VBProject(self) -> Any:
        return self.project.com


class Sheets(Item):
    kind = "Sheets"

    def __init__(self, sheets: list[Sheet]) -> None:
        self.all = sheets

    def Count(self) -> int:
        return len(self.all)

    def Item(self, which: Any) -> Any:
        return next(s for n, s in enumerate(self.all, 1) if which in (s.name, n)).com

    _Default = Item

    def _NewEnum(self) -> Any:
        return server_util.NewEnum([sheet.com for sheet in self.all])


class Sheet(Item):
    kind = "_Worksheet"

    def __init__(self, book: Workbook, name: str) -> None:
        self.book, self.name = book, name

    def Name(self) -> str:
        return self.name

    def Parent(self) -> Any:
        return self.book.com

    def Application(self) -> Any:
        return self.book.application.com

    def Index(self) -> int:
        return 1


class Range(Item):
    """Cells with given values: one value, or rows of them."""

    kind = "Range"

    def __init__(self, sheet: Sheet, values: Any) -> None:
        self.sheet = sheet
        self.rows: list[list[Any]] = [list(row) for row in values] if isinstance(values, (list, tuple)) else [[values]]

    def Value(self, *_: Any) -> Any:
        if len(self.rows) == len(self.rows[0]) == 1:
            return self.rows[0][0]
        return tuple(tuple(row) for row in self.rows)

    Value2 = _Default = Value

    def Row(self) -> int:
        return 1

    def Column(self) -> int:
        return 1

    def Rows(self) -> Any:
        return Counted(len(self.rows), self).com

    def Columns(self) -> Any:
        return Counted(len(self.rows[0]), self).com

    def Count(self) -> int:
        return len(self.rows) * len(self.rows[0])

    def Worksheet(self) -> Any:
        return self.sheet.com

    Parent = Worksheet

    def Application(self) -> Any:
        return self.sheet.book.application.com

    def Address(self, *_: Any) -> str:
        return "$A$1"

    AddressLocal = Address


class Counted(Item):
    """`Range.Rows` and `Range.Columns`, of which only the number is asked."""

    kind = "Range"

    def __init__(self, number: int, of: Range) -> None:
        self.number, self.of = number, of

    def Count(self) -> int:
        return self.number

    def Worksheet(self) -> Any:
        return self.of.sheet.com

    Parent = Worksheet


class Project(Item):
    kind = "VBProject"

    def __init__(self) -> None:
        self.components = Components()

    def VBComponents(self) -> Any:
        return self.components.com


class Components(Item):
    kind = "VBComponents"

    def __init__(self) -> None:
        self.imported: list[str] = []

    def Item(self, _name: Any) -> Any:
        raise COMException(scode=-2147352567, desc="Subscript out of range")

    def Remove(self, _component: Any) -> None:
        return

    def Import(self, path: str) -> None:
        self.imported.append(Path(path).read_text(encoding="mbcs"))


def rows_of(values: Iterable[Any]) -> list[list[Any]]:
    """A column as rows of one cell."""
    return [[value] for value in values]
