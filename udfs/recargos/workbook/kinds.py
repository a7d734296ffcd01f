"""What a file really is, by its first bytes and parts: each kind that is no workbook of ours with its own sentence."""

from __future__ import annotations

import re
from collections.abc import Collection

from recargos.workbook.refusal import Refused, refused

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BIFF = tuple(bytes((9, generation)) for generation in (0, 2, 4, 8))
_SAVE_AS_XLSX = "Open it in Excel and save it as an Excel workbook (.xlsx)."
_GUARDE_XLSX = "Ábralo en Excel y guárdelo como libro de Excel (.xlsx)."


def skipped(name: str) -> bool:
    """Whether a file name belongs to an owner, lock or system file that a folder run passes over in silence."""
    return name.startswith(("~$", ".~", "._", ".recargos-")) or name in {".DS_Store", "Thumbs.db", "desktop.ini"}


def not_a_zip(data: bytes) -> Refused:
    """The refusal for a file that is no zip archive at all."""
    head = data[:4096]
    if not data:
        return refused("empty", "The file is empty.", "El archivo está vacío.")
    if head.startswith(_OLE):
        return _ole(data)
    if _is_owner_file(data):
        return refused(
            "owner_file",
            "This is the small owner file that Excel keeps while a workbook is open, not a workbook.",
            "Este es el pequeño archivo de propietario que Excel mantiene mientras un libro está abierto, no un libro.",
        )
    if head.startswith(_BIFF) and head[2:4] in (b"\x04\x00", b"\x06\x00", b"\x08\x00", b"\x10\x00"):
        return _xls()
    if head.startswith(b"%PDF"):
        return refused("pdf", "The file is a PDF, not a workbook.", "El archivo es un PDF, no un libro.")
    text = _text(head)
    if text is None:
        return refused(
            "corrupt",
            "The file is not a workbook: it is no zip archive, or its beginning is damaged.",
            "El archivo no es un libro: no es un archivo zip o su comienzo está dañado.",
        )
    start = text.lstrip("\ufeff \t\r\n").lower()
    if re.match(r"<(!doctype html|html|head|body|table|meta|style|div)\b", start) or start.startswith(
        ("mime-version:", "<!--[if")
    ):
        return refused(
            "html",
            f"The file is a web page (HTML) with a workbook's name. {_SAVE_AS_XLSX}",
            f"El archivo es una página web (HTML) con nombre de libro. {_GUARDE_XLSX}",
        )
    if start.startswith("<"):
        if "schemas-microsoft-com:office:spreadsheet" in start:
            return refused(
                "xml_spreadsheet",
                f"The file is an XML Spreadsheet 2003. {_SAVE_AS_XLSX}",
                f"El archivo es una hoja de cálculo XML 2003. {_GUARDE_XLSX}",
            )
        return refused(
            "xml", "The file is an XML document, not a workbook.", "El archivo es un documento XML, no un libro."
        )
    return refused(
        "csv",
        f"The file is plain text (CSV, for one) with a workbook's name. {_SAVE_AS_XLSX}",
        f"El archivo es texto sencillo (por ejemplo CSV) con nombre de libro. {_GUARDE_XLSX}",
    )


def other_archive(names: Collection[str], mimetype: bytes) -> Refused | None:
    """The refusal for a zip archive that is known to be something else, before its parts are read."""
    if mimetype.startswith(b"application/vnd.oasis.opendocument") or (
        "content.xml" in names and "META-INF/manifest.xml" in names
    ):
        return refused(
            "ods",
            "The file is an OpenDocument file (.ods). Save it as an Excel workbook (.xlsx) first.",
            "El archivo es un documento OpenDocument (.ods). Guárdelo primero como libro de Excel (.xlsx).",
        )
    if "Index/Document.iwa" in names or "Index.zip" in names:
        return refused(
            "numbers", "The file is an Apple Numbers document.", "El archivo es un documento de Apple Numbers."
        )
    if "[Content_Types].xml" not in names:
        return no_workbook("it is a zip archive of other files", "es un archivo zip de otros archivos")
    return None


def other_document(content_type: str) -> Refused | None:
    """The refusal for an Office document whose main part is no workbook in XML."""
    if "sheet.binary" in content_type:
        return refused(
            "xlsb",
            f"The file is a binary workbook (.xlsb). {_SAVE_AS_XLSX}",
            f"El archivo es un libro binario (.xlsb). {_GUARDE_XLSX}",
        )
    if "wordprocessingml" in content_type:
        return no_workbook("it is a Word document", "es un documento de Word")
    if "presentationml" in content_type:
        return no_workbook("it is a PowerPoint presentation", "es una presentación de PowerPoint")
    return None


def no_workbook(en: str, es: str) -> Refused:
    """The refusal for a package that lacks a workbook."""
    return refused(
        "no_workbook", f"There is no workbook in the file: {en}.", f"No hay ningún libro en el archivo: {es}."
    )


def _xls() -> Refused:
    return refused(
        "xls",
        f"The file is an old Excel workbook (.xls), whatever its name says. {_SAVE_AS_XLSX}",
        f"El archivo es un libro de Excel antiguo (.xls), diga lo que diga su nombre. {_GUARDE_XLSX}",
    )


def _ole(data: bytes) -> Refused:
    """An OLE container: encrypted, an old workbook, or something else, by the names of its streams."""

    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if has("EncryptedPackage") or has("EncryptionInfo"):
        return refused(
            "encrypted",
            "The workbook is protected with a password to open it. Remove the password and try again.",
            "El libro está protegido con una contraseña para abrirlo. Quítele la contraseña e intente de nuevo.",
        )
    if has("Workbook\0") or has("Book\0"):
        return _xls()
    return no_workbook("it is an old Office document of another kind", "es un documento antiguo de Office de otro tipo")


def _is_owner_file(data: bytes) -> bool:
    """`~$name.xlsx`: 165 bytes (old versions 54), a length byte, the user's name, blanks, again in UTF-16."""
    return len(data) in (54, 165) and 0 < data[0] <= 54 and data[1 + data[0] : 54].strip(b" \0") == b""


def _text(head: bytes) -> str | None:
    """`head` as text, or None when it is binary."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head[: len(head) & ~1].decode("utf-16", "replace")
    else:
        text = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    control = sum(1 for c in text if c < " " and c not in "\t\r\n\f")
    return None if control > len(text) // 100 else text
