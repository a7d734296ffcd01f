"""Words that all templates share."""

from __future__ import annotations

from recargos.law import T
from recargos.templates.model import Column, Kind, entry, result

# ------------------------------------------------------------------------------------------------------------ sheets
ABOUT = T("About", "Acerca de")
INPUTS = T("Inputs", "Datos")
SUMMARY = T("Summary", "Resumen")
CHECKS = T("Checks", "Verificaciones")
LAW = T("Law", "Ley")
HOLIDAYS = T("Holidays", "Feriados")
AUDIT = T("Audit", "Auditoría")
LISTS = T("Lists", "Listas")

# ------------------------------------------------------------------------------------------------------------- bands
WHO = T("Client", "Cliente")
FACTS = T("Facts", "Hechos")
DATES = T("Dates", "Fechas")
AMOUNTS = T("Amounts", "Cantidades")
CONDUCT = T("Circumstances", "Circunstancias")
RESULT = T("Result", "Resultado")
PAPER = T("Workpaper", "Papel de trabajo")

YES = T("Yes", "Sí")
NO = T("No", "No")

OK = "OK"
"""Status of a row that is computed; the same word in both languages, because formulas compare it."""
MISSING = T("Missing: ", "Falta: ")
UNKNOWN = T("Check: ", "Revise: ")

RESULT_WORDS: dict[str, T] = {
    "none": T("None", "Ninguno"),
    "misdemeanor": T("Misdemeanor", "Delito menos grave"),
    "felony": T("Felony", "Delito grave"),
    "third-degree felony": T("Third-degree felony", "Delito grave de tercer grado"),
    "pending": T("Pending", "Pendiente"),
    "late": T("Late", "Tardía"),
    "under review": T("Under review", "En revisión"),
    "approved by silence": T("Approved by silence", "Aprobada por silencio"),
    "approved": T("Approved", "Aprobada"),
    "assess": T("Assess", "Tasar"),
}
"""How the catalogue's fixed result words are shown."""


# ----------------------------------------------------------------------------------------------------- usual columns
def client(width: float = 26) -> Column:
    """Name of the client."""
    return entry(
        "client",
        T("Client", "Cliente"),
        WHO,
        width,
        kind="text",
        required=True,
        total="label",
        help=T(
            "Name of the taxpayer or employer, as in the engagement.",
            "Nombre del contribuyente o patrono, según el encargo.",
        ),
    )


TAXPAYER = T("Taxpayer ID", "Número de contribuyente")


def taxpayer(title: T = TAXPAYER, width: float = 14, required: bool = False) -> Column:
    """Identification number, kept as text."""
    return entry(
        "id",
        title,
        WHO,
        width,
        kind="id",
        required=required,
        aliases=("Núm. de contribuyente", "Núm. patronal", "Taxpayer number", "Tax ID", "EIN", "SSN"),
        help=T(
            "Identification as text: leading zeros stay.",
            "Identificación como texto: los ceros a la izquierda se conservan.",
        ),
    )


def period(help: T, width: float = 11) -> Column:
    """Period or year, free text."""
    return entry("period", T("Period", "Período"), WHO, width, kind="id", help=help)


def note(width: float = 22) -> Column:
    """Free remark."""
    return entry(
        "note",
        T("Note", "Nota"),
        PAPER,
        width,
        kind="text",
        help=T(
            "Cause, decision or document that supports the row.", "Causa, decisión o documento que sustenta la fila."
        ),
    )


def tick() -> Column:
    """Tick-marks of preparer and reviewer."""
    return entry(
        "tick",
        T("Tick", "Marca"),
        T("W/P", "P/T"),
        6.5,
        kind="tick",
        choices_name="TickMarks",
        help=T(
            "Tick-marks; the legend is on the About sheet.", "Marcas de cotejo; la leyenda está en la primera hoja."
        ),
    )


def money(
    key: str, title: T, formula: str, source: str = "", width: float = 13, group: T = RESULT, total: str = "sum"
) -> Column:
    """A computed amount, empty until the row is complete, summed in the totals row."""
    return result(key, title, group, width, "money", when_ok(formula), source, total=total)


def computed(
    key: str, title: T, kind: Kind, formula: str, source: str = "", width: float = 11, group: T = RESULT, **more: object
) -> Column:
    """A computed value, empty until the row is complete."""
    return result(key, title, group, width, kind, when_ok(formula), source, **more)


def when_ok(formula: str) -> str:
    """`formula` only in a complete row: a missing figure shows as missing, never as 0."""
    return f'IF({{status}}<>"{OK}","",{formula})'


def status(width: float = 17) -> Column:
    """Whether a row is complete; its formula is made from the required columns."""
    return Column(
        "status",
        T("Row status", "Estado de la fila"),
        "text",
        width,
        RESULT,
        formula="status",
        help=T(
            "OK when every required figure is there; otherwise what is missing. Nothing is computed until then.",
            "OK cuando están todos los datos requeridos; si no, qué falta. Hasta entonces nada se computa.",
        ),
    )


def of_key(summed: str, keys: str, key: str, condition: str = "") -> str:
    """The sum of the rows of one account or employer. SUMIFS would take the text "007" for the number 7."""
    return f"SUMPRODUCT(--({keys}={key}),{f'--({condition}),' if condition else ''}{summed})"
