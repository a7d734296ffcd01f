"""Drives one LibreOffice through UNO, for `office.py`: a line of JSON in, a line of JSON out.

Runs in whatever Python has LibreOffice's `uno`: standard library and `uno` only, Python 3.9 syntax. Everything large
goes through files. The end of the input is the end of LibreOffice.

    python office_worker.py FOLDER '["/usr/bin/soffice", …]'

FOLDER is the private folder of the instance. Should the program that started us die, we end LibreOffice and remove it.
"""

# ruff: noqa: B905, PTH119, PTH122, PTH123
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

START = 80.0
PRIVATE = "recargos-office-"
FILTERS = {
    ".xlsx": "Calc MS Excel 2007 XML",
    ".ods": "calc8",
    ".pdf": "calc_pdf_Export",
    ".fods": "OpenDocument Spreadsheet Flat XML",
}
OOXML = 5  # FormulaLanguage.OOXML
ERROR_RESULT = 4  # FormulaResult.ERROR
LAST_CELL = (16383, 1048575)  # a place for scratch formulas that no used range reaches
FORMULA = 16  # CellFlags.FORMULA
LOGICAL = 1024  # NumberFormat.LOGICAL


def properties(**values: Any) -> Any:
    made = []
    for name, value in values.items():
        prop = PropertyValue()
        prop.Name, prop.Value = name, value
        made.append(prop)
    return tuple(made)


class Stop(Exception):
    """A request that cannot be done, in one sentence."""


class Office:
    def __init__(self, command: Any) -> None:
        pipe = "recargos" + uuid.uuid4().hex
        environment = {k: v for k, v in os.environ.items() if k != "URE_BOOTSTRAP"}  # importing uno sets it
        self.process = subprocess.Popen(
            [*command, f"--accept=pipe,name={pipe};urp;"],
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            stderr=sys.stderr,
            env=environment,
        )
        deadline = time.monotonic() + START
        while True:
            try:
                self.connect(pipe)
                break
            except Exception as refused:
                # A new profile makes LibreOffice start, set itself up and start again: the first connection may break.
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.process.kill()
                    raise Stop(f"LibreOffice did not start: {refused}") from None
                time.sleep(0.05)
        self.document: Any = None

    def connect(self, pipe: Any) -> None:
        local = uno.getComponentContext()

        def make(name: Any) -> Any:
            return local.ServiceManager.createInstanceWithContext(name, local)

        # Not the URL resolver: it keeps a broken bridge for ever.
        connection = make("com.sun.star.connection.Connector").connect(f"pipe,name={pipe}")
        bridge = make("com.sun.star.bridge.BridgeFactory").createBridge("", "urp", connection, None)
        self.context = bridge.getInstance("StarOffice.ComponentContext")
        if self.context is None:
            raise NoConnectException("no component context", None)
        self.desktop = self.make("com.sun.star.frame.Desktop")
        self.desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, properties(Hidden=True)).close(True)

    def make(self, name: Any, *arguments: Any) -> Any:
        manager = self.context.ServiceManager
        if arguments:
            return manager.createInstanceWithArgumentsAndContext(name, arguments, self.context)
        return manager.createInstanceWithContext(name, self.context)

    def version(self) -> Any:
        access = self.setting("/org.openoffice.Setup/Product")
        return access.getByName("ooSetupVersionAboutBox")

    def setting(self, path: Any, language: Any = None) -> Any:
        provider = self.make("com.sun.star.configuration.ConfigurationProvider")
        extra = {"locale": language} if language else {}
        return provider.createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationAccess", properties(nodepath=path, **extra)
        )

    def terminate(self) -> None:
        try:
            self.desktop.terminate()
            self.process.wait(8)
        except Exception:
            self.process.kill()

    # -- requests
    def open(self, path: Any) -> Any:
        """Load a file (recalculated on load), or a new workbook without `path`."""
        self.close()
        if path is None:
            self.document = self.desktop.loadComponentFromURL(
                "private:factory/scalc", "_blank", 0, properties(Hidden=True)
            )
        else:
            url = uno.systemPathToFileUrl(path)
            # Read-only: a lock file left behind would otherwise make it answer nothing.
            self.document = self.desktop.loadComponentFromURL(
                url, "_blank", 0, properties(Hidden=True, ReadOnly=True, MacroExecutionMode=0, UpdateDocMode=0)
            )
        if self.document is None or not hasattr(self.document, "Sheets"):
            raise Stop("LibreOffice could not open the file as a workbook.")
        return {"sheets": list(self.document.Sheets.ElementNames)}

    def close(self) -> Any:
        if self.document is not None:
            document, self.document = self.document, None
            document.close(True)
        return {}

    def sleep(self, seconds: Any) -> Any:
        """Do nothing for a while: for the test of the deadline."""
        time.sleep(seconds)
        return {}

    def store(self, path: Any) -> Any:
        kind = FILTERS[os.path.splitext(path)[1].lower()]
        self.document.storeToURL(uno.systemPathToFileUrl(path), properties(FilterName=kind, Overwrite=True))
        return {}

    def spelled(self, names: Any) -> Any:
        """How an .xlsx file spells functions so that this LibreOffice compiles them; None where it cannot."""
        mapper = self.document.createInstance("com.sun.star.sheet.FormulaOpCodeMapper")
        found = {}
        for prefix in ("_xlfn._xlws.", "_xlfn.", ""):
            tokens = mapper.getMappings(tuple((prefix + name).upper() for name in names), OOXML)
            found.update({n: prefix + n for n, t in zip(names, tokens) if t.OpCode != mapper.OpCodeUnknown})
        return {"spelled": {name: found.get(name) for name in names}}

    def programmatic(self, names: Any) -> Any:
        """The full names under which Calc knows add-in functions, by the name that people use."""
        mapper = self.document.createInstance("com.sun.star.sheet.FormulaOpCodeMapper")
        tokens = mapper.getMappings(tuple(names), 3)
        return {"names": {n: t.Data.upper() for n, t in zip(names, tokens) if t.OpCode == mapper.OpCodeExternal}}

    def rename(self, names: Any) -> Any:
        """Give the document sheets of these names, in this order."""
        sheets = self.document.Sheets
        for index, name in enumerate(names):
            if index < sheets.Count:
                sheets.getByIndex(index).Name = name
            else:
                sheets.insertNewByName(name, index)
        return {}

    def type(self, cells: Any) -> Any:
        """Fill cells of a new workbook: [sheet, column, row, kind, value, …], as a person would type them."""
        sheets = self.document.Sheets
        for sheet, column, row, kind, value, *rest in cells:
            while sheets.Count <= sheet:
                sheets.insertNewByName(f"S{sheets.Count}", sheets.Count)
            cell = sheets.getByIndex(sheet).getCellByPosition(column, row)
            if kind == "value":
                cell.Value = float(value)
            elif kind == "text":
                cell.String = value
            elif kind == "formula":
                cell.setFormula(value)
            elif kind == "array":
                width, height = rest
                area = sheets.getByIndex(sheet).getCellRangeByPosition(
                    column, row, column + width - 1, row + height - 1
                )
                area.setArrayFormula(value)
            elif kind == "format":
                formats = self.document.NumberFormats
                locale = uno.createUnoStruct("com.sun.star.lang.Locale", "en", "US", "")
                key = formats.queryKey(value, locale, False)
                cell.NumberFormat = formats.addNew(value, locale) if key == -1 else key
        return {}

    def formulas(self, cells: Any) -> Any:
        """The formulas of cells, as Calc stores them."""
        return {
            "formulas": [
                self.document.Sheets.getByIndex(sheet).getCellByPosition(column, row).getFormula()
                for sheet, column, row in cells
            ]
        }

    def all_formulas(self) -> Any:
        """The formulas of every sheet, by sheet: [column, row, formula] for each cell."""
        found: Any = {}
        for name in self.document.Sheets.ElementNames:
            sheet = self.document.Sheets.getByName(name)
            rows = found[name] = []
            areas = sheet.queryContentCells(FORMULA)
            for at in areas.RangeAddresses:
                area = sheet.getCellRangeByPosition(at.StartColumn, at.StartRow, at.EndColumn, at.EndRow)
                for down, texts in enumerate(area.getFormulaArray()):
                    rows += [[at.StartColumn + right, at.StartRow + down, text] for right, text in enumerate(texts)]
        return {"formulas": found}

    def peek(self, cells: Any) -> Any:
        """Values of cells as Calc holds them: a number, text, or {"error": code}."""
        values = []
        for sheet, column, row in cells:
            cell = self.document.Sheets.getByIndex(sheet).getCellByPosition(column, row)
            if cell.getError():
                values.append({"error": cell.getError()})
            else:
                values.append(cell.getDataArray()[0][0])
        return {"values": values}

    def null_date(self, year: Any, month: Any, day: Any) -> Any:
        zero = self.document.NullDate
        zero.Year, zero.Month, zero.Day = year, month, day
        self.document.NullDate = zero
        self.document.calculateAll()
        return {}

    def wizard(self, prefix: Any, language: Any) -> Any:
        """What the function wizard shows of functions, and their texts in `language`, by programmatic name."""
        described = self.make("com.sun.star.sheet.FunctionDescriptions")
        shown = {}
        for index in range(described.Count):
            parts = {p.Name: p.Value for p in described.getByIndex(index)}
            if parts["Name"].startswith(prefix):
                arguments = [[a.Name, a.Description] for a in parts["Arguments"] or ()]
                shown[parts["Name"]] = {"description": parts["Description"], "arguments": arguments}
        texts = {}
        root = self.setting(
            "/org.openoffice.Office.CalcAddIns/AddInInfo/org.recargos.calc.Functions/AddInFunctions", language
        )
        for name in root.ElementNames:
            node = root.getByName(name)
            parameters = node.getByName("Parameters")
            texts[name] = {
                "name": node.getByName("DisplayName"),
                "description": node.getByName("Description"),
                "arguments": {n: parameters.getByName(n).getByName("Description") for n in parameters.ElementNames},
            }
        return {"shown": shown, "texts": texts}

    def values(self, sheets: Any, path: Any) -> Any:
        """All that the sheets (by name) hold, into a file: numbers exact, errors by code, which numbers are logical."""
        result = {}
        for name in sheets:
            sheet = self.document.Sheets.getByName(name)
            cursor = sheet.createCursor()
            cursor.gotoEndOfUsedArea(False)
            end = cursor.RangeAddress
            rows = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow).getDataArray()
            result[name] = {
                "rows": rows,
                "errors": self.errors(sheet),
                "logical": self.logical(sheet, end),
                "empty": self.empty(sheet, end),
            }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(result, file)
        return {}

    def sizes(self, cells: Any) -> Any:
        """Height and width that the array formulas of cells [sheet's name, column, row] want, None where that fails."""
        found = []
        for name, column, row in cells:
            sheet = self.document.Sheets.getByName(name)
            formula = sheet.getCellByPosition(column, row).getFormula().strip("{}").lstrip("=")
            scratch = sheet.getCellRangeByPosition(*LAST_CELL, *LAST_CELL)
            size = []
            for measure in ("ROWS", "COLUMNS"):
                scratch.setArrayFormula(f"={measure}({formula})")
                cell = scratch.getCellByPosition(0, 0)
                size.append(None if cell.getError() else int(cell.Value))
                scratch.setArrayFormula("")
            found.append(None if None in size else size)
        return {"sizes": found}

    def empty(self, sheet: Any, end: Any) -> Any:
        """Ranges of blank cells: they read as empty text otherwise."""
        area = sheet.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
        return [[a.StartRow, a.StartColumn, a.EndRow, a.EndColumn] for a in area.queryEmptyCells().RangeAddresses]

    def errors(self, sheet: Any) -> Any:
        found = []
        # Error results of formulas; an error that a file holds as a constant Calc keeps as a formula too.
        areas = sheet.queryFormulaCells(ERROR_RESULT)
        for index in range(areas.Count):
            area = areas.getByIndex(index)
            at = area.RangeAddress
            for row in range(at.EndRow - at.StartRow + 1):
                for column in range(at.EndColumn - at.StartColumn + 1):
                    code = area.getCellByPosition(column, row).getError()
                    found.append([at.StartRow + row, at.StartColumn + column, code])
        return found

    def logical(self, sheet: Any, end: Any) -> Any:
        """Ranges whose numbers are TRUE or FALSE: Calc tells it by the format that a logical result gives a cell."""
        formats = self.document.NumberFormats
        is_logical = {}
        found = []
        groups = sheet.UniqueCellFormatRanges
        for index in range(groups.Count):
            group = groups.getByIndex(index)
            key = group.getByIndex(0).NumberFormat
            if key not in is_logical:
                is_logical[key] = bool(formats.getByKey(key).Type & LOGICAL)
            if is_logical[key]:
                for at in group.RangeAddresses:
                    if at.StartRow <= end.EndRow:
                        found.append([at.StartRow, at.StartColumn, min(at.EndRow, end.EndRow), at.EndColumn])
        return found


def main() -> None:
    try:
        office = Office(json.loads(sys.argv[2]))
    except Stop as refused:
        print(json.dumps({"error": str(refused)}), flush=True)
        return
    print(json.dumps({"version": office.version()}), flush=True)
    for line in sys.stdin:
        arguments = json.loads(line)
        request = arguments.pop("request")
        try:
            answer = getattr(office, request)(**arguments)
        except Stop as refused:
            answer = {"error": str(refused)}
        except Exception as failed:
            answer = {"error": f"LibreOffice failed ({request}): {type(failed).__name__}: {failed}"}
        print(json.dumps(answer), flush=True)
    office.terminate()
    folder = sys.argv[1]
    if os.path.basename(folder).startswith(PRIVATE):
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
