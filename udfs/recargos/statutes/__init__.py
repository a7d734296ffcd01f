"""The law. One file per statute; together they are the catalogue that every host reads."""

from __future__ import annotations

from recargos.law import Function, Parameter, Rule, Statute, catalogue
from recargos.statutes import (
    common,
    late_filing,
    payoff,
    property_tax,
    reference,
    retirement,
    returned_check,
    withholding,
)

STATUTES: tuple[Statute, ...] = (
    returned_check.LAW,
    late_filing.LAW,
    property_tax.LAW,
    withholding.LAW,
    retirement.LAW,
    common.LAW,
)
"""The five statutes, and the counting of days that they share."""

PARAMETERS: dict[str, Parameter] = {
    key: parameter for statute in STATUTES for key, parameter in statute.parameters.items()
}
"""Every number in the law by its dotted key."""

RULES: dict[str, Rule] = {id_: rule for statute in STATUTES for id_, rule in statute.rules.items()}
"""Every provision by its id."""

_OF_STATUTES = catalogue(
    (
        *returned_check.FUNCTIONS,
        *late_filing.FUNCTIONS,
        *property_tax.FUNCTIONS,
        *payoff.FUNCTIONS,
        *withholding.FUNCTIONS,
        *retirement.FUNCTIONS,
        *common.FUNCTIONS,
    )
)

FUNCTIONS: dict[str, Function] = catalogue(
    (*_OF_STATUTES.values(), *reference.reference_functions(PARAMETERS, _OF_STATUTES))
)
"""The catalogue: every function by its name, in the order in which the law is told."""

LAW_REVIEWED = reference.REVIEWED
