"""Functions about the law itself: any number in it, explanations, citations, versions. They need the whole catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Optional

from recargos import __version__
from recargos.law import SILENT, Argument, Function, Parameter, T, Trace, not_available

REVIEWED = date(2026, 11, 30)
"""Day on which the statutes here were last compared with their texts."""


def reference_functions(parameters: Mapping[str, Parameter], functions: Mapping[str, Function]) -> tuple[Function, ...]:
    """PR_LAW, PR_EXPLAIN, PR_EXPLICAR, PR_CITE, PR_CITA, PR_VERSION and PR_LAW_REVIEWED over the given catalogue."""

    def law(key: str, as_of: Optional[date] = None, trace: Trace = SILENT) -> Any:
        parameter = parameters.get(key.strip().lower())
        if parameter is None:
            raise not_available(
                f"“{key}” is not in the law; see `recargos law`", f"«{key}» no está en la ley; vea `recargos law`"
            )
        return parameter.version(as_of).value

    every: dict[str, Function] = dict(functions)

    def find(name: str, trace: Trace = SILENT) -> Function:
        function = every.get(name.strip().lstrip("=").upper())
        if function is None:
            raise not_available(
                f"“{name}” is not a function of the catalogue", f"«{name}» no es una función del catálogo"
            )
        return function

    def cite(name: str, trace: Trace = SILENT) -> str:
        return cited(find(name), "en")

    def cita(name: str, trace: Trace = SILENT) -> str:
        return cited(find(name), "es")

    def version(trace: Trace = SILENT) -> str:
        return __version__

    def reviewed(trace: Trace = SILENT) -> date:
        return REVIEWED

    which = Argument(
        "function",
        "text",
        T("Name of the function, such as PR_LATE_FILE", "Nombre de la función, como PR_LATE_FILE"),
        "PR_LATE_FILE",
    )
    most = max((len(function.arguments) for function in functions.values()), default=0)
    rest = tuple(
        Argument(
            f"argument_{n}",
            "any",
            T(f"Argument {n} of that function", f"Argumento {n} de esa función"),
            {1: 8000, 2: 47, 3: 5000, 4: 1200}.get(n),
            optional=True,
            whole_range=True,
        )
        for n in range(1, most + 1)
    )
    columns = (T("Step", "Paso"), T("Value", "Valor"), T("Citation", "Cita"))
    about = (
        Function(
            "PR_LAW",
            law,
            (
                Argument(
                    "key",
                    "text",
                    T("Dotted key, such as withholding.fine.max", "Clave con puntos, como withholding.fine.max"),
                    "withholding.fine.max",
                ),
                Argument(
                    "as_of",
                    "date",
                    T("Date whose law applies; omitted: the newest", "Fecha cuya ley aplica; omitida: la más reciente"),
                    date(2026, 5, 15),
                    optional=True,
                ),
            ),
            "any",
            T(
                "Any number in the law by its key; fines and prison terms are found here",
                "Cualquier número de la ley por su clave; las multas y penas están aquí",
            ),
            None,
        ),
        Function(
            "PR_EXPLAIN",
            find,
            (which, *rest),
            "table",
            T(
                "Every step of a call, with its citation, in English",
                "Cada paso de una llamada, con su cita, en inglés",
            ),
            None,
            columns=columns,
            explains="en",
        ),
        Function(
            "PR_EXPLICAR",
            find,
            (which, *rest),
            "table",
            T(
                "Every step of a call, with its citation, in Spanish",
                "Cada paso de una llamada, con su cita, en español",
            ),
            None,
            columns=columns,
            explains="es",
        ),
        Function(
            "PR_CITE",
            cite,
            (which,),
            "text",
            T(
                "Citation of a function, with the law's later history, in English",
                "Cita de una función, con la historia posterior de la ley, en inglés",
            ),
            None,
        ),
        Function(
            "PR_CITA",
            cita,
            (which,),
            "text",
            T(
                "Citation of a function, with the law's later history, in Spanish",
                "Cita de una función, con la historia posterior de la ley, en español",
            ),
            None,
        ),
        Function("PR_VERSION", version, (), "text", T("Version of Recargos", "Versión de Recargos"), None),
        Function(
            "PR_LAW_REVIEWED",
            reviewed,
            (),
            "date",
            T("Date the law was last reviewed", "Fecha en que la ley se revisó por última vez"),
            None,
        ),
    )
    every.update((function.name, function) for function in about)
    return about


def cited(function: Function, language: str) -> str:
    """Citation and later history in one line."""
    if function.statute is None:
        return T(
            "Not a rule of law: a function about the catalogue.", "No es una norma: función sobre el catálogo."
        ).in_(language)
    return f"{function.citation(language)}. {function.statute.later.in_(language)}"
