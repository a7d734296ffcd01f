"""What a worker does: one job, with an engine that is loaded once a process."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recargos.batch.files import Job
from recargos.law import T
from recargos.workbook.result import FileResult, Options

if TYPE_CHECKING:
    from recargos.workbook.engine import Engine


@dataclass(frozen=True)
class Setup:
    """How every file of a run is worked on."""

    engine: str = "formualizer"
    verify: str | None = None
    timeout: float = 900.0
    """Seconds for one file."""
    options: Options = field(default_factory=Options)


_engines: dict[tuple[str, float], Engine] = {}


def engine(name: str, timeout: float) -> Engine:
    """An engine by name, loaded once per process."""
    from recargos.workbook.engine import load

    if (name, timeout) not in _engines:
        _engines[name, timeout] = load(name, timeout=timeout)
    return _engines[name, timeout]


def ready(names: list[str], timeout: float) -> None:
    """Load all that the first job will need."""
    gc.disable()  # imports make nothing but what stays
    try:
        from recargos.workbook import recalc  # noqa: F401

        if "formualizer" in names:
            import formualizer  # noqa: F401
        for name in names:
            engine(name, timeout)
    finally:
        gc.freeze()
        gc.enable()


def work(job: Job, setup: Setup) -> FileResult:
    """Do one file, in a worker. Raises nothing that a file could cause."""
    from recargos.workbook.recalc import recalc

    try:
        second = engine(setup.verify, setup.timeout) if setup.verify else None
        return recalc(job.source, job.target, engine(setup.engine, setup.timeout), verify=second, options=setup.options)
    except Exception as error:
        return defect(job, error)


def failed(job: Job, kind: str, reason: T) -> FileResult:
    """The result of a file that was not done."""
    return FileResult(job.source, "failed", reason=reason, kind=kind)


def defect(job: Job, error: BaseException) -> FileResult:
    """The result of a file at which something was raised."""
    from recargos.workbook.engine import EngineError

    if isinstance(error, MemoryError):
        return failed(
            job,
            "no_memory",
            T("There was not enough memory for this workbook.", "No alcanzó la memoria para este libro."),
        )
    if isinstance(error, EngineError):
        return failed(job, "engine", T(str(error), str(error)))
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return failed(
        job,
        "defect",
        T(
            f"A defect in the software: {what}. The file is as it was.",
            f"Un defecto del programa: {what}. El archivo está como estaba.",
        ),
    )
