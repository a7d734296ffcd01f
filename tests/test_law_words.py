"""Every number of the law stands beside words that are really in the statute, and the words name the number."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from pathlib import Path

import pytest

from recargos.law import Parameter, Rule
from recargos.statutes import PARAMETERS, RULES, STATUTES

TEXTS = Path(__file__).parents[1].parent / "shared" / "statutes"
TEXT_OF = {
    "returned_check": "000",
    "late_filing": "001",
    "withholding": "002",
    "retirement": "003",
    "property_tax": "004",
}


def statute_text(key: str) -> str:
    if not TEXTS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"the statutory texts are not at {TEXTS.name}")
        pytest.skip("the statutory texts lie beside the checkout, and are not here")
    (file,) = TEXTS.glob(f"{TEXT_OF[key]}_*.txt")
    return plain(file.read_text(encoding="utf-8"))


def plain(text: str) -> str:
    """One space between words; page breaks of the scan left out."""
    return " ".join(text.replace("---", " ").replace("’", "'").split())


def numbers(words: str) -> set[Decimal]:
    return {Decimal(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", words)}


ORDINALS = {"trigésimo": Decimal(30), "un año": Decimal(1)}


@pytest.mark.parametrize("key", sorted(PARAMETERS))
def test_words_are_the_statutes_own(key: str) -> None:
    parameter: Parameter = PARAMETERS[key]
    text = statute_text(parameter.statute.key)
    for version in parameter.versions:
        position = 0
        for fragment in version.words.split("…"):
            found = text.find(plain(fragment), position)
            assert found >= 0, f"“{fragment}” does not follow in the text"
            position = found


@pytest.mark.parametrize("key", sorted(PARAMETERS))
def test_words_name_the_number(key: str) -> None:
    parameter = PARAMETERS[key]
    for version in parameter.versions:
        named = numbers(version.words) | {n for word, n in ORDINALS.items() if word in version.words}
        value = Decimal(version.value) * (100 if parameter.unit == "rate" else 1)
        assert value in named, f"{value} is not among {sorted(named)} of “{version.words}”"
        if parameter.unit == "rate":
            assert "%" in version.words or "por ciento" in version.words
        if parameter.unit == "dollars":
            assert "dollars" in version.words or "dólares" in version.words or "$" in version.words
        if parameter.unit == "days":
            assert "days" in version.words or "día" in version.words


@pytest.mark.parametrize("key", sorted(PARAMETERS))
def test_words_stand_in_the_subdivision_cited(key: str) -> None:
    """The words follow the mark of their subdivision: (d)(2) comes after (d), and before (e)."""
    parameter = PARAMETERS[key]
    text = statute_text(parameter.statute.key)
    for version in parameter.versions:
        where = re.findall(r"\((\w)\)", version.where)
        assert where, version.where
        begin = 0
        for mark in where:
            begin = text.find(f"({mark})", begin)
            assert begin >= 0
        first = plain(version.words.split("…")[0])
        assert text.find(first, begin) >= 0, f"not after {version.where}"


def test_every_statute_with_numbers_has_its_text() -> None:
    assert {statute.key for statute in STATUTES if statute.parameters} == set(TEXT_OF)


QUOTED = re.compile(r"[“«]([^”»]+)[”»]")
NOT_THE_STATUTES = {("PP-17", "instead")}  # quoted to say that the text does not have it


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES.values() if rule.statute.key in TEXT_OF], ids=lambda rule: rule.id
)
def test_what_a_rule_quotes_is_in_the_text(rule: Rule) -> None:
    """In either language a quotation is the statute's own: a translation of ours carries no quotation marks."""
    quotations = [
        quoted for pair in (rule.label, rule.contested) if pair for text in pair for quoted in QUOTED.findall(text)
    ]
    for quoted in quotations:
        if (rule.id, quoted) not in NOT_THE_STATUTES:
            assert plain(quoted) in statute_text(rule.statute.key), quoted


def test_the_page_of_the_law_quotes_the_texts() -> None:
    """docs/law.md is what people read: every quotation in its tables of numbers is in the text of its statute."""
    page = (Path(__file__).parents[1] / "docs" / "law.md").read_text(encoding="utf-8")
    seen = set()
    for line in page.splitlines():
        row = re.match(r"\| `(\w+)\.([\w.]+)` \| .* “(.+)” \|$", line)
        if row:
            text = statute_text(row[1])
            for fragment in row[3].split("…"):
                assert plain(fragment) in text, fragment
            seen.add(f"{row[1]}.{row[2]}")
    assert seen == set(PARAMETERS)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES.values() if rule.statute.key in TEXT_OF], ids=lambda rule: rule.id
)
def test_subdivisions_cited_exist(rule: Rule) -> None:
    """Every mark of a citation, (d)(3) say, is a mark of the text, in that order."""
    text = statute_text(rule.statute.key)
    for place in re.split(r"[,-] ?", rule.where):
        begin = 0
        for mark in re.findall(r"\(\w\)", place):
            begin = text.find(mark, begin)
            assert begin >= 0, f"{place} of {rule.where}"
