"""What `XLPy()` does in VBA: xlwings' own DLL starts the COM server, here from Windows Python instead of Excel."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from typing import Any

import pythoncom
import win32com.client

from support.server_command import server_command

START, KILL = 1, -1
MISSING = win32com.client.VARIANT(pythoncom.VT_ERROR, -2147352572)
"""An argument that a formula leaves out."""
COMMAND = server_command(sys.executable)


class _Variant(ctypes.Structure):
    _fields_ = (
        ("vt", ctypes.c_ushort),
        ("r1", ctypes.c_ushort),
        ("r2", ctypes.c_ushort),
        ("r3", ctypes.c_ushort),
        ("p", ctypes.c_void_p),
        ("q", ctypes.c_void_p),
    )


class StartFailed(Exception):
    """The DLL's own sentence."""


def dll_name() -> str:
    """The DLL that the shipped VBA names."""
    from recargos.addin.excel_vba import xlwings_version

    return f"xlwings64-{xlwings_version()}.dll"


def activate(command: str = COMMAND, mode: int = START) -> Any:
    """`XLPyDLLActivateAuto`: the server's XLPython object.

    :raises StartFailed: as VBA raises 1000.
    """
    address = _address(command, mode)
    return win32com.client.Dispatch(pythoncom.ObjectFromAddress(address, pythoncom.IID_IDispatch)) if address else None


def _address(command: str, mode: int = START) -> int:
    dll = ctypes.WinDLL(str(Path(sys.executable).parent / dll_name()))
    call = dll.XLPyDLLActivateAuto
    call.argtypes, call.restype = [ctypes.POINTER(_Variant), ctypes.c_char_p, ctypes.c_long], ctypes.c_long
    answer = _Variant()
    if call(ctypes.byref(answer), command.encode("mbcs"), mode) != 0:
        raise StartFailed(
            ctypes.wstring_at(answer.p) if answer.vt == pythoncom.VT_BSTR else f"variant type {answer.vt}"
        )
    return int(answer.p) if answer.vt == pythoncom.VT_DISPATCH else 0


def raw_call(name: str, *arguments: object) -> object:
    """`CallUDF` with a true VT_ERROR for every int in the arguments, which pywin32 itself cannot send."""
    from comtypes.automation import VARIANT, VT_ERROR, IDispatch

    def sent(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(sent(item) for item in value)
        if type(value) is not int:
            return value
        variant = VARIANT()
        variant.vt, variant._.VT_I4 = VT_ERROR, value
        return variant

    python = ctypes.cast(_address(COMMAND), ctypes.POINTER(IDispatch))
    (member,) = python.GetIDsOfNames("CallUDF")
    return python.Invoke(
        member, "recargos.excel", name, tuple(sent(value) for value in (*arguments, False)), None, None
    )
