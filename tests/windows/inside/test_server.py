"""The Python process: made, killed, made again; and what Excel's person is told."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import pythoncom
import pywintypes
import server


def numbers_in_vba() -> set[int]:
    """The errors at which `boot.bas` makes a new process."""
    text = Path(os.environ["RECARGOS_ROOT"], "addin/excel/boot.bas").read_text(encoding="utf-8")
    body = text[text.index("Public Function ServerIsGone") :]
    return {int(n) for n in re.findall(r"-?\d{3,}", body[: body.index("End Function")])}


def test_a_killed_server_is_told_and_replaced() -> None:
    """As the VBA does: the error is known for what it is, and a new command line makes a new process."""

    def ask(python: Any, amount: float) -> Any:
        return python.CallUDF("recargos.excel", "PR_FRAUD", (amount, server.MISSING, False), None, None)

    first = server.activate(server.server_command(sys.executable, "", 1))
    pid = int(first.Str(first.Eval("__import__('os').getpid()")))
    assert ask(first, 5.0) == 5.0
    member = first._oleobj_.GetIDsOfNames("CallUDF")
    os.kill(pid, signal.SIGTERM)  # TerminateProcess, as the Task Manager does
    time.sleep(0.5)
    with pytest.raises(pywintypes.com_error) as gone:
        first._oleobj_.Invoke(
            member, 0, pythoncom.DISPATCH_METHOD, True, "recargos.excel", "PR_FRAUD", (5.0, server.MISSING, False)
        )
    number = gone.value.hresult
    assert number in numbers_in_vba(), f"boot.bas does not know {gone.value}: the cell would stay #VALUE!"
    assert gone.value.strerror
    second = server.activate(server.server_command(sys.executable, "", 2))
    assert ask(second, 6.0) == 6.0
    assert int(second.Str(second.Eval("__import__('os').getpid()"))) != pid


def test_restart_from_the_ribbon() -> None:
    """KillPy, then the next command line."""
    first = server.activate(server.server_command(sys.executable, "", 3))
    pid = first.Str(first.Eval("__import__('os').getpid()"))
    del first
    server.activate(server.server_command(sys.executable, "", 3), server.KILL)
    second = server.activate(server.server_command(sys.executable, "", 4))
    assert second.Str(second.Eval("__import__('os').getpid()")) != pid


def test_one_server_for_one_command_line(excel: Any) -> None:
    again = server.activate()
    pids = {p.Str(p.Eval("__import__('os').getpid()")) for p in (excel.python, again)}
    assert len(pids) == 1


def test_a_python_that_fails_is_told_at_once() -> None:
    """Where recargos or pywin32 is missing Excel must not hang: the process ends, and xlwings' DLL says so."""
    broken = server.server_command(sys.executable, "", 5).replace("import xlwings.utils;", "import no_such_module;")
    with pytest.raises(server.StartFailed, match="exited before"):
        server.activate(broken)


def test_an_unknown_function_is_an_exception_with_its_reason(excel: Any) -> None:
    with pytest.raises(pywintypes.com_error) as told:
        excel.call("PR_NO_SUCH", 5.0)
    assert "PR_NO_SUCH" in str(told.value)
