"""The words of the report, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recargos.law import T

if TYPE_CHECKING:
    from recargos.workbook.report.run import Run

STATUS = {
    "recalculated": T("recalculated", "recalculado"),
    "unchanged": T("unchanged", "sin cambios"),
    "refused": T("refused", "rechazado"),
    "failed": T("failed", "falló"),
}
CHECKED = {"recalculated": T("differs", "difiere"), "unchanged": T("agrees", "coincide")}
"""For `check`, which writes nothing."""
CELL = {
    "changed": T("changed", "cambiada"),
    "stale": T("stale", "desactualizada"),
    "flagged": T("flagged", "señalada"),
    "unsupported": T("unsupported", "no admitida"),
}
MEANING = {
    "flagged": T(
        "computed, but something in its row needs a look: a blank, an error, a text that could not be read, a cap",
        "calculada, pero algo en su renglón pide una mirada: un blanco, un error, un texto ilegible, un tope",
    ),
    "stale": T(
        "kept its old value, because what it rests on could not be vouched for",
        "conservó su valor anterior, porque no se pudo responder por aquello en que descansa",
    ),
    "unsupported": T(
        "kept its old value, because the engine does not compute this formula as Excel does",
        "conservó su valor anterior, porque el motor no calcula esta fórmula como Excel",
    ),
}

WORDS = {
    "title": T("Recalculation report", "Informe de recálculo"),
    "title_check": T("Check report", "Informe de verificación"),
    "nothing_written": T(
        "Nothing was written: this run only checked.", "No se escribió nada: esta corrida solo verificó."
    ),
    "stopped": T("The run was stopped before it was done.", "La corrida se detuvo antes de terminar."),
    "workbooks": T("Workbooks", "Libros"),
    "workbook": T("Workbook", "Libro"),
    "status": T("Status", "Estado"),
    "changed": T("Changed", "Cambiadas"),
    "differ": T("Different", "Distintas"),
    "same": T("Same", "Iguales"),
    "flagged": T("Flagged", "Señaladas"),
    "stale": T("Stale", "Desactualizadas"),
    "unsupported": T("Unsupported", "No admitidas"),
    "not_done": T("Not done", "Sin hacer"),
    "agreement": T("Agreement", "Concordancia"),
    "agreement_of": T("{equal:,} of {checked:,}", "{equal:,} de {checked:,}"),
    "agreement_help": T(
        "Agreement: formulas that no PR_ function feeds, recomputed and compared with their stored values.",
        "Concordancia: fórmulas que ninguna función PR_ alimenta, recalculadas y comparadas con sus valores guardados.",
    ),
    "attention": T("Needs a person", "Requiere atención"),
    "refusals": T("Files not done", "Archivos sin hacer"),
    "amounts": T("Amounts by statute", "Importes por ley"),
    "amounts_help": T(
        "Sum of each function's cells. Functions overlap (a payoff holds its interest): they are not added together.",
        "Suma de las celdas de cada función. Se solapan (un saldo incluye sus intereses): no se suman entre sí.",
    ),
    "before": T("Before", "Antes"),
    "after": T("After", "Después"),
    "difference": T("Difference", "Diferencia"),
    "cell": T("Cell", "Celda"),
    "cells": T("cells", "celdas"),
    "sheet": T("Sheet", "Hoja"),
    "function": T("Function", "Función"),
    "value": T("Value", "Valor"),
    "why": T("Why", "Por qué"),
    "reason": T("Reason", "Motivo"),
    "file": T("File", "Archivo"),
    "changes": T("Changes", "Cambios"),
    "steps": T("How it was worked out", "Cómo se calculó"),
    "rule": T("Rule", "Regla"),
    "citation": T("Citation", "Cita"),
    "more": T(
        "{count:,} more changed cells are not listed (--report-cells).",
        "{count:,} celdas cambiadas más no se listan (--report-cells).",
    ),
    "first_steps": T(
        "Steps are shown for the first cells; recargos calc FUNCTION … --explain shows those of any call.",
        "Se muestran los pasos de las primeras celdas; recargos calc FUNCIÓN … --explain da los de cualquier llamada.",
    ),
    "more_look": T("{count:,} more are listed in the JSON report.", "{count:,} más se listan en el informe JSON."),
    "no_changes": T("No value changed.", "Ningún valor cambió."),
    "disagreements": T(
        "Where the engine and the stored values disagree", "Donde el motor y los valores guardados no concuerdan"
    ),
    "stored": T("Stored", "Guardado"),
    "computed": T("Computed", "Calculado"),
    "law": T("The law used", "La ley aplicada"),
    "files_hashes": T("Files and their SHA-256", "Archivos y su SHA-256"),
    "written_to": T("written to", "escrito en"),
    "versions": T("Versions", "Versiones"),
    "law_reviewed": T("law reviewed", "ley revisada"),
    "engine": T("engine", "motor"),
    "verified_by": T("verified by", "verificado por"),
    "run_on": T("Run on", "Corrida el"),
    "took": T("{seconds:.1f} s", "{seconds:.1f} s"),
    "prepared": T("Prepared by", "Preparado por"),
    "reviewed": T("Reviewed by", "Revisado por"),
    "date": T("Date", "Fecha"),
    "not_advice": T(
        "Not legal advice: the readings of the law that the figures rest on are named beside them.",
        "No es asesoría legal: las lecturas de la ley en que descansan las cifras se nombran junto a ellas.",
    ),
    "warnings": T("About the workbook", "Sobre el libro"),
    "everything": T("every formula (--all)", "toda fórmula (--all)"),
    "pr_only": T("PR_ cells and what rests on them", "celdas PR_ y lo que descansa en ellas"),
    "scope": T("Scope", "Alcance"),
    "page": T("Page", "Página"),
    "of": T("of", "de"),
    "and_more": T("… and {count:,} more changed", "… y {count:,} más cambiadas"),
    "listed_more": T(
        "… and {count:,} more; --report FILE.html or .json lists all.",
        "… y {count:,} más; --report ARCHIVO.html o .json los lista todos.",
    ),
}


def plural(count: int, one: T, many: T, language: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{count:,} {(one if count == 1 else many).in_(language)}"


CELLS = (T("cell", "celda"), T("cells", "celdas"))
BOOKS = (T("workbook", "libro"), T("workbooks", "libros"))
FILES = (T("file", "archivo"), T("files", "archivos"))


def verdict(run: Run, language: str) -> str:
    """The run in one sentence."""
    changed, not_done = run.counts.changed, len(run.not_done)
    attention = run.counts.flagged + run.counts.stale + run.counts.unsupported
    books = sum(bool(file.counts.changed) for file in run.done) if changed else len(run.done)
    cells, workbooks = plural(changed, *CELLS, language), plural(books, *BOOKS, language)
    one = changed == 1
    parts = []
    if run.check and changed:
        parts.append(
            T(f"{cells} would change in {workbooks}", f"{cells} {'cambiaría' if one else 'cambiarían'} en {workbooks}")
        )
    elif run.check and books:
        parts.append(
            T(f"Every value in {workbooks} is as it should be", f"Todo valor en {workbooks} es el que debe ser")
        )
    elif changed:
        parts.append(T(f"{cells} changed in {workbooks}", f"{cells} {'cambió' if one else 'cambiaron'} en {workbooks}"))
    elif books:
        parts.append(T(f"Nothing had to change in {workbooks}", f"Nada tuvo que cambiar en {workbooks}"))
    if attention:
        parts.append(
            T(
                f"{plural(attention, *CELLS, 'en')} {'needs' if attention == 1 else 'need'} a person",
                f"{plural(attention, *CELLS, 'es')} {'requiere' if attention == 1 else 'requieren'} atención",
            )
        )
    if not_done:
        parts.append(
            T(
                f"{plural(not_done, *FILES, 'en')} could not be done",
                f"{plural(not_done, *FILES, 'es')} no se {'pudo' if not_done == 1 else 'pudieron'} hacer",
            )
        )
    return (
        "; ".join(part.in_(language) for part in parts or [T("No workbook was found", "No se encontró ningún libro")])
        + "."
    )
