"""Every case of `cases/` gives what it says, and its explanation names the rules that it proves."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from typing import Any

import pytest

from case_files import STATUTES, Case, load, same
from recargos.cells import OMITTED, call, explain
from recargos.law import CellError, Function
from recargos.statutes import FUNCTIONS, PARAMETERS, RULES

CASES = load()
RULES_OF_THE_TABLE = [
    *(f"RC-{n}" for n in range(1, 13)),
    *(f"LF-{n}" for n in range(1, 13)),
    *(f"PW-{n}" for n in range(1, 17)),
    *(f"RS-{n}" for n in range(1, 15)),
    *(f"PP-{n}" for n in range(1, 20)),
    "PP-4b",
]


def ids(case: Case) -> str:
    return case.id


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_case_gives_what_it_says(case: Case) -> None:
    got = call(FUNCTIONS[case.function], case.arguments)
    assert same(got, case.gives), f"{got!r} instead of {case.gives!r}: {case.why}"


@pytest.mark.parametrize("case", [c for c in CASES if not isinstance(c.gives, CellError) and c.rules], ids=ids)
def test_explanation_names_the_rules(case: Case) -> None:
    steps = explain(FUNCTIONS[case.function], case.arguments)
    assert set(case.rules) <= {step.rule for step in steps}


@pytest.mark.parametrize("case", [c for c in CASES if isinstance(c.gives, CellError)], ids=ids)
def test_explanation_of_a_refused_call_ends_in_its_error(case: Case) -> None:
    function = FUNCTIONS[case.function]
    if function.explains or case.ranges:
        return
    steps = explain(function, case.arguments)
    errors = [step for step in steps if isinstance(step.value, CellError)]
    assert [step.value for step in errors] == [case.gives]
    assert errors[0].label("en")
    assert errors[0].label("es")
    assert errors[0].label("en") != errors[0].label("es")


def test_all_74_rules_are_proved_by_a_case() -> None:
    assert len(RULES_OF_THE_TABLE) == 74
    proved = {rule for case in CASES if not isinstance(case.gives, CellError) for rule in case.rules}
    assert set(RULES_OF_THE_TABLE) - proved == set()
    assert proved - set(RULES) == set(), "rules that the statutes do not know"
    assert set(RULES_OF_THE_TABLE) <= set(RULES)


def test_every_function_and_argument_has_a_case() -> None:
    given: set[tuple[str, str]] = set()
    for case in load(*STATUTES, "common"):
        for argument, value in zip(FUNCTIONS[case.function].arguments, case.arguments, strict=False):
            if value is not OMITTED and value is not None:
                given.add((case.function, argument.name))
    wanted = {
        (function.name, argument.name)
        for function in FUNCTIONS.values()
        for argument in function.arguments
        if argument.kind != "any"
    }
    assert wanted - given == set()


def test_every_optional_argument_is_left_out_in_a_case() -> None:
    short = {(case.function, len(case.arguments)) for case in CASES}
    for function in FUNCTIONS.values():
        if not function.explains:
            assert any(
                (function.name, n) in short for n in range(function.required, len(function.arguments))
            ) or not any(argument.optional for argument in function.arguments), function.name


def test_every_money_function_has_a_case_of_each_refusal() -> None:
    refused = Counter((case.function, case.gives) for case in CASES if isinstance(case.gives, CellError))
    for function in FUNCTIONS.values():
        if any(argument.kind == "money" for argument in function.arguments):
            assert refused[function.name, CellError.NUM], f"{function.name}: no case of a negative amount"
        if any(argument.name == "as_of" and argument.optional for argument in function.arguments):
            assert refused[function.name, CellError.NA], f"{function.name}: no case before the law at hand"


def test_cases_are_told_once() -> None:
    counted = Counter((case.id.split("-")[0], case.function, repr(case.arguments)) for case in CASES)
    assert [call_ for call_, times in counted.items() if times > 1] == []
    assert all(case.why for case in CASES)


# ------------------------------------------------------------------------------------------- explanations, citations

EXAMPLES = [function for function in FUNCTIONS.values() if function.statute is not None]


def example(function: Function) -> list[Any]:
    return [[[argument.example]] if argument.whole_range else argument.example for argument in function.arguments]


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda function: function.name)
def test_explanation_in_both_languages(function: Function) -> None:
    arguments = example(function)
    english = call(FUNCTIONS["PR_EXPLAIN"], [function.name, *arguments])
    spanish = call(FUNCTIONS["PR_EXPLICAR"], [function.name, *arguments])
    assert isinstance(english, list)
    assert isinstance(spanish, list)
    assert [row[1] for row in english] == [row[1] for row in spanish], "the same values"
    for (label, _, citation), (rotulo, _, cita) in zip(english, spanish, strict=True):
        assert label.strip()
        assert rotulo.strip()
        assert "{" not in label + rotulo, "a field of the label was not filled in"
        if label != function.name:
            assert label != rotulo
        assert citation.strip(" ()")
        assert cita.strip(" ()")
        assert "()" not in citation + cita
        assert " last " not in cita
        assert not any(word in cita for word in ("Act ", "Article", "Section", "paragraph")), (
            "English in the Spanish citation"
        )
        assert not any(word in citation for word in ("Ley ", "Artículo", "Sección")), "Spanish in the English citation"


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda function: function.name)
def test_explanation_ends_with_the_result_and_the_later_history(function: Function) -> None:
    assert function.statute is not None
    steps = explain(function, example(function))
    assert steps[-1].text == function.statute.later
    if function.result != "table":
        result = call(function, example(function))
        assert any(same(_shown(step.value), result) for step in steps)


def _shown(value: Any) -> Any:
    return float(value) if value is not None and not isinstance(value, bool | str | date | int) else value


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda function: function.name)
def test_citation_names_the_law_and_what_became_of_it(function: Function) -> None:
    assert function.statute is not None
    english, spanish = (call(FUNCTIONS[name], [function.name]) for name in ("PR_CITE", "PR_CITA"))
    assert english != spanish
    assert function.statute.later.en in english
    assert function.statute.later.es in spanish
    assert function.statute.citation.act.es in spanish
    assert function.statute.citation.lpra in english
    assert "()" not in english + spanish


@pytest.mark.parametrize("name", ["pr_late_file", " PR_LATE_FILE ", "=PR_LATE_FILE"])
def test_functions_are_named_in_any_case(name: str) -> None:
    assert call(FUNCTIONS["PR_CITE"], [name]) == call(FUNCTIONS["PR_CITE"], ["PR_LATE_FILE"])


def texts(function: str, *arguments: Any) -> str:
    steps = explain(FUNCTIONS[function], arguments)
    return "\n".join(step.label("en") for step in steps)


CONTESTED = [
    ("RC-3", "PR_RETURNED_CHECK", (10000,)),
    ("RC-6", "PR_RETURNED_CHECK", (9880, 10400)),
    ("PP-1", "PR_INTEREST", (10000, 47)),
    ("PP-2", "PR_EXTENSION_INTEREST", (10000, 250, date(2026, 8, 13), date(2026, 9, 12))),
    ("PP-3", "PR_DEFICIENCY_INTEREST", (10000, date(2026, 1, 1), date(2026, 3, 1))),
    ("PP-5", "PR_NOTICE_INTEREST", (10000, date(2026, 1, 1), date(2026, 3, 1))),
    ("PP-11", "PR_SURCHARGE", (10000, 47)),
    ("PP-11", "PR_PAYOFF", (10000, date(2026, 5, 15), None, None, date(2026, 9, 15))),
    ("PP-14", "PR_PROPERTY_LATE_FILE", (10000, 47)),
    ("PP-15", "PR_DISCOUNT_LATE_FILE", (10000, 47)),
    ("PP-16", "PR_NEGLIGENCE", (10000,)),
    ("PW-7", "PR_WITHHOLDING_BOND", (10000,)),
    ("PW-13", "PR_BOND_RELEASE", (date(1993, 3, 1),)),
    ("RS-1", "PR_RETIREMENT_STATEMENT_DUE", (date(2026, 3, 10),)),
    ("RS-9", "PR_CRIM_REMITTANCE_DUE", (date(2026, 3, 15),)),
    ("RS-11", "PR_RETIREMENT_DEBT", (10000, 0.05, 31)),
]


@pytest.mark.parametrize(("rule", "function", "arguments"), CONTESTED)
def test_contested_reading_is_named(rule: str, function: str, arguments: tuple[Any, ...]) -> None:
    steps = [step for step in explain(FUNCTIONS[function], arguments) if step.rule == rule]
    assert any(step.label("en").startswith("Contested: ") for step in steps)
    assert any(step.label("es").startswith("Lectura disputada: ") for step in steps)


def test_hacienda_reading_is_named_only_at_exactly_ten_thousand() -> None:
    assert "1,000.00" in texts("PR_RETURNED_CHECK", 10000)
    assert "Contested" not in texts("PR_RETURNED_CHECK", 9999.99)
    assert "Contested" not in texts("PR_RETURNED_CHECK", 10000.01)


def test_what_is_not_verified_is_not_printed() -> None:
    """LAW.md marks these as inferred or as general knowledge: no host may print them as fact."""
    everything = "\n".join(
        text
        for rule in RULES.values()
        for pair in (rule.label, rule.contested, rule.statute.later, rule.statute.in_force_source)
        if pair is not None
        for text in pair
    )
    for unsure in (
        "7.151",
        "6060",
        "3.41",
        "Government Development Bank",
        "Banco Gubernamental",
        "2018",
        "4-109 repealed",
    ):
        assert unsure not in everything, unsure


# ------------------------------------------------------------------------------------------------ the law's numbers


@pytest.mark.parametrize("key", sorted(PARAMETERS))
def test_every_number_is_given_by_its_key(key: str) -> None:
    parameter = PARAMETERS[key]
    law = FUNCTIONS["PR_LAW"]
    value = call(law, [key])
    assert value == float(parameter.versions[-1].value)
    assert call(law, [key, parameter.versions[0].since]) == float(parameter.versions[0].value)
    day_before = date.fromordinal(parameter.versions[0].since.toordinal() - 1)
    assert call(law, [key, day_before]) is CellError.NA


def test_version_and_review() -> None:
    version = call(FUNCTIONS["PR_VERSION"], [])
    assert isinstance(version, str)
    assert version[0].isdigit()
    reviewed = call(FUNCTIONS["PR_LAW_REVIEWED"], [])
    assert isinstance(reviewed, date)
    assert not isinstance(reviewed, datetime)
    assert reviewed >= date(2026, 1, 1)
    assert call(FUNCTIONS["PR_VERSION"], ["too many"]) is CellError.VALUE
