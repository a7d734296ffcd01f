"""The UNO component of the add-in: it only hands Calc's calls on to `recargos.calc`, whatever the functions are.

LibreOffice's Python loader runs this file; the core lies beside it in `pythonpath/`.
"""

import os
import sys

# First, not last: PYTHONPATH leaks into LibreOffice, and another copy of the package must not answer for this one.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "pythonpath"))

import unohelper  # noqa: E402
from com.sun.star.lang import XServiceInfo  # noqa: E402
from org.recargos.calc import XFunctions  # noqa: E402

from recargos.calc import HANDLERS, SERVICE  # noqa: E402


class Functions(unohelper.Base, XFunctions, XServiceInfo):
    def __init__(self, context):
        self.context = context

    def getImplementationName(self):  # noqa: N802
        return SERVICE

    def supportsService(self, name):  # noqa: N802
        return name == SERVICE

    def getSupportedServiceNames(self):  # noqa: N802
        return (SERVICE,)


for _name, _run in HANDLERS.items():
    setattr(Functions, _name, staticmethod(_run))

g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Functions, SERVICE, (SERVICE,))
