"""Builds `recargos.oxt`, the add-in for LibreOffice Calc, from the catalogue and the hand-written component.

The texts that LibreOffice wants of every function (types in IDL, names and help in CalcAddIns.xcu) are written here by
one loop each. The type library ships as IDL text, which LibreOffice reads itself: nothing of its SDK is needed.
The same sources give the same bytes: members are sorted, undated and stored, for no two zlibs compress alike.
"""

# ruff: noqa: SIM905 - a list of words reads better as words

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from recargos import __version__, shipped
from recargos.calc import HIDDEN, INTERFACE, METHODS, MODULE, SERVICE, Method
from recargos.law import Argument, T

IDENTIFIER = MODULE
OLDEST = "7.4"
OXT = "recargos.oxt"
COMPONENT = "recargos_calc.py"
CORE = ("__init__.py", "law.py", "money.py", "cells.py", "calc.py")
"""What of the package goes into the add-in, beside `statutes/`."""
_UNDATED = (1980, 1, 1, 0, 0, 0)
_IDL_WORDS = frozenset(
    "any attribute boolean bound byte case char const constants constrained default double enum exception "
    "false float get hyper in inout interface ireadonly long maybeambiguous maybedefault maybevoid module "
    "optional out property published raises readonly removable sequence service set short singleton string "
    "struct switch transient true type typedef union unsigned void".split()
)

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _parameters(method: Method) -> list[str]:
    names = [*([HIDDEN] if method.dated else []), *method.arguments]
    if len({name.lower() for name in names}) < len(names) or _IDL_WORDS & set(names):
        raise ValueError(f"{method.function.name}: an argument's name is taken in IDL: {', '.join(names)}")
    return names


def idl() -> str:
    """The type library: every argument `any`: a cell, a range, or left out; every result rows of cells."""
    lines = ["// Generated from the catalogue by `recargos addin build --host calc`. Do not edit."]
    lines += [f"module {name} {{" for name in MODULE.split(".")]
    lines += [f"interface {INTERFACE}", "{"]
    for method in METHODS.values():
        kinds = {HIDDEN: "com::sun::star::beans::XPropertySet"} if method.dated else {}
        parameters = ", ".join(f"[in] {kinds.get(name, 'any')} {name}" for name in _parameters(method))
        lines.append(f"    sequence< sequence<any> > {method.name}({parameters});")
    lines += ["};", *["};" for _ in MODULE.split(".")], ""]
    return "\n".join(lines)


def _prop(name: str, text: T) -> str:
    values = "".join(f"<value xml:lang={quoteattr(lang)}>{escape(text.in_(lang))}</value>" for lang in ("en", "es"))
    return f"<prop oor:name={quoteattr(name)}>{values}</prop>"


def _argument(name: str, argument: Argument) -> str:
    optional = T(" (optional)", " (opcional)") if argument.optional else T("", "")
    help_ = T(argument.help.en + optional.en, argument.help.es + optional.es)
    texts = _prop("DisplayName", T(argument.name, argument.name)) + _prop("Description", help_)
    return f'<node oor:name="{name}" oor:op="replace">{texts}</node>'


def xcu() -> str:
    """CalcAddIns.xcu: what the function wizard shows, and the name under which .xlsx files carry a function."""
    lines = [
        XML + "<!-- Generated from the catalogue by `recargos addin build` for Calc. Do not edit. -->",
        '<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" oor:name="CalcAddIns" oor:package="org.openoffice.Office">',
        f'<node oor:name="AddInInfo"><node oor:name="{SERVICE}" oor:op="replace"><node oor:name="AddInFunctions">',
    ]
    for method in METHODS.values():
        function = method.function
        cited = T(*(f"{function.help.in_(lang)}. {function.citation(lang)}".rstrip(" ") for lang in ("en", "es")))
        lines += [
            f'<node oor:name="{method.name}" oor:op="replace">',
            _prop("DisplayName", T(function.name, function.name)),
            _prop("Description", cited),
            '<prop oor:name="Category"><value>Add-In</value></prop>',
            f'<prop oor:name="CompatibilityName"><value xml:lang="en-US">{function.name}</value></prop>',
            '<node oor:name="Parameters">',
        ]
        if method.dated:
            lines.append(f'<node oor:name="{HIDDEN}" oor:op="replace">{_prop("DisplayName", T(HIDDEN, HIDDEN))}</node>')
        lines += [
            _argument(name, argument) for name, argument in zip(method.arguments, function.arguments, strict=True)
        ]
        lines.append("</node></node>")
    lines += ["</node></node></node>", "</oor:component-data>", ""]
    return "\n".join(lines)


def description() -> str:
    """description.xml: identity, version and the oldest LibreOffice."""
    names = {
        "en": "Recargos: Puerto Rico tax surcharges",
        "es": "Recargos: recargos, intereses y penalidades de Puerto Rico",
    }
    display = "".join(f'<name lang="{lang}">{escape(name)}</name>' for lang, name in names.items())
    texts = "".join(f'<src xlink:href="description_{lang}.txt" lang="{lang}"/>' for lang in names)
    return (
        XML + '<description xmlns="http://openoffice.org/extensions/description/2006" '
        'xmlns:d="http://openoffice.org/extensions/description/2006" '
        'xmlns:lo="http://libreoffice.org/extensions/description/2011" xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f'<identifier value="{IDENTIFIER}"/>\n<version value="{__version__}"/>\n<platform value="all"/>\n'
        f'<dependencies><lo:LibreOffice-minimal-version value="{OLDEST}" d:name="LibreOffice {OLDEST}"/>'
        "</dependencies>\n"
        f"<display-name>{display}</display-name>\n"
        f"<extension-description>{texts}</extension-description>\n</description>\n"
    )


ABOUT = T(
    "Puerto Rico's surcharges, interest and penalties as =PR_ functions.\n"
    "Opens .ods files on LibreOffice 7.4 and newer, and .xlsx files with PR_ formulas on 25.2 and newer.\n",
    "Los recargos, intereses y penalidades de Puerto Rico como funciones =PR_.\n"
    "Abre archivos .ods desde LibreOffice 7.4, y archivos .xlsx con fórmulas PR_ desde 25.2.\n",
)


def components() -> str:
    """The list of components: one, in Python."""
    return (
        XML + '<components xmlns="http://openoffice.org/2010/uno-components">\n'
        f'<component loader="com.sun.star.loader.Python" uri="{COMPONENT}">'
        f'<implementation name="{SERVICE}"><service name="{SERVICE}"/></implementation></component>\n</components>\n'
    )


def manifest() -> str:
    """META-INF/manifest.xml: which member is what."""
    kinds = {
        f"{INTERFACE}.idl": "application/vnd.sun.star.uno-typelibrary;type=RDB",
        "recargos.components": "application/vnd.sun.star.uno-components",
        "CalcAddIns.xcu": "application/vnd.sun.star.configuration-data",
    }
    entries = "".join(
        f'<manifest:file-entry manifest:media-type="{kind}" manifest:full-path="{name}"/>\n'
        for name, kind in kinds.items()
    )
    return (
        XML
        + f'<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">\n{entries}</manifest:manifest>\n'
    )


def texts() -> dict[str, str]:
    """The generated members by name, as they also lie in `addin/calc/` for people to read."""
    return {
        f"{INTERFACE}.idl": idl(),
        "CalcAddIns.xcu": xcu(),
        "META-INF/manifest.xml": manifest(),
        "description.xml": description(),
        "description_en.txt": ABOUT.en,
        "description_es.txt": ABOUT.es,
        "recargos.components": components(),
    }


def members() -> dict[str, bytes]:
    """Every member of the add-in by name."""
    package = Path(__file__).resolve().parents[1]
    core = [package / name for name in CORE] + sorted((package / "statutes").glob("*.py"))
    parts = {name: text.encode() for name, text in texts().items()}
    parts[COMPONENT] = shipped.path(f"addin/calc/{COMPONENT}").read_bytes()
    for source in core:
        parts[f"pythonpath/recargos/{source.relative_to(package).as_posix()}"] = source.read_bytes()
    return {name: data.replace(b"\r\n", b"\n") for name, data in parts.items()}


def packed(parts: dict[str, bytes]) -> bytes:
    """The members as an .oxt, byte for byte the same everywhere."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(parts):
            info = zipfile.ZipInfo(name, _UNDATED)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, parts[name])
    return buffer.getvalue()


def build_calc(target: Path) -> list[Path]:
    """Write the generated texts and `recargos.oxt` into the folder `target` (`addin/calc`). Returns the files."""
    files = {name: text.encode() for name, text in texts().items()} | {OXT: packed(members())}
    written = []
    for name, data in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        written.append(path)
    return written
