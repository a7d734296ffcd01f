"""The command line with which the add-in starts Python: `XLPyCommand` of the shipped VBA, for the tests under Windows.

`test_excel_vba.py` holds this equal to what the VBA itself makes.
"""

from __future__ import annotations


def server_command(interpreter: str, path: str = "", generation: int = 0) -> str:
    """For `cmd.exe`, with `$(CLSID)` left for xlwings' DLL to fill in. `generation` counts the restarts."""
    sys_path = "false;;;;;" + (f";{path}" if path else "")
    sys_path = sys_path.replace("\\", "\\\\").replace("'", "\\'").replace("&", "^&")
    serve = (
        f'import sys, os;import xlwings.utils;xlwings.utils.prepare_sys_path(\\"{sys_path}\\");'
        "import xlwings; xlwings.serve('$(CLSID)')"
    )
    return f'cmd.exe  /C ""{interpreter}" -B -P -X recargos={generation} -c "{serve}""'
