"""The UNO component of the add-in: it only hands Calc's calls on to `recargos.calc`, whatever the functions are.

LibreOffice's Python loader runs this file; the core lies beside it in `pythonpath/`.
"""

import sys
from pathlib import Path

# First, not last: PYTHONPATH leaks into LibreOffice, and another copy of the package must not answer for this one.
sys.path.insert(0, str(Path(__file__).resolve().parent / "pythonpath"))

import unohelper
from com.sun.star.lang import XServiceInfo
from org.recargos.calc import XFunctions

from recargos.calc import HANDLERS, SERVICE


class Functions(unohelper.Base, XFunctions, XServiceInfo):
    def __init__(self, context):
        self.context = context

    def getImplementationName(self):
        return SERVICE

    def supportsService(self, name):
        return name == SERVICE

    def getSupportedServiceNames(self):
        return (SERVICE,)


for _name, _run in HANDLERS.items():
    setattr(Functions, _name, staticmethod(_run))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, SERVICE, (SERVICE,))
