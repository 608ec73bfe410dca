"""Every rule says what it asks, in every language of the product, with its own gaps and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import tablegram
from tablegram.campaigns.segments import reached
from tablegram.campaigns.segments.rules import Choice, Phrase, Rule, Yes
from tablegram.flows.contacts import segment_rules as of_contacts
from tablegram.flows.loyalty import segment_rules as of_loyalty
from tablegram.flows.restaurant import segment_rules as of_restaurant
from tablegram.flows.stores import segment_rules as of_stores
from tablegram.values.words import LANGUAGES

RULES: tuple[Rule, ...] = tuple(
    rule for area in (reached, of_contacts, of_loyalty, of_restaurant, of_stores) for rule in area.RULES
)
PHRASES = [pytest.param(one, id=f"{rule.name} {' '.join(one.gaps)}") for rule in RULES for one in rule.phrases]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("phrase", PHRASES)
def test_a_sentence_has_its_gaps(phrase: Phrase, language: str) -> None:
    named = {name for _, name, _, _ in Formatter().parse(phrase.words(language)) if name is not None}
    assert named == {name for name, gap in phrase.gaps.items() if not isinstance(gap, Yes)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_can_be_chosen_has_a_word(language: str) -> None:
    said = [gap.word(language, option) for gap in _choices() for option in gap.options]
    assert all(said)
    assert len(said) > len(PHRASES)


def test_nothing_is_written_down_that_no_rule_says() -> None:
    spoken = {phrase.words("en") for rule in RULES for phrase in rule.phrases}
    spoken |= {gap.word("en", option) for gap in _choices() for option in gap.options}
    root = Path(tablegram.__file__).parent
    written = {
        text
        for path in root.rglob("words/en.json")
        for key, text in json.loads(path.read_text()).items()
        if key.startswith("segment.")
    }
    assert written
    assert written <= spoken


def _choices() -> Iterator[Choice]:
    for rule in RULES:
        for phrase in rule.phrases:
            yield from [gap for gap in phrase.gaps.values() if isinstance(gap, Choice)]
