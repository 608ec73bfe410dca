"""Segments as somebody builds them without writing JSON: rows of sentences, of which all or any hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments.rules import Amount, Choice, Currency, Gap, Named, Phrase, TypedText, Whole, Yes
from tablegram.errors import NotFound
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Tx
from tablegram.values import Json, listed, mapping, string

MAX_ROWS = 12
_PART = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Control:
    """A gap as a form shows it."""

    name: str
    # number, amount, text, choice, currency or nothing at all.
    kind: str
    options: Sequence[tuple[str, str]] = ()
    least: int = 0
    most: int = 0
    value: str = ""


@dataclass(frozen=True)
class Sentence:
    """A phrase of a rule: its words with gaps between them."""

    key: str
    # As a choice among others: with dots where something is to be filled in.
    title: str
    parts: Sequence[str | Control]


@dataclass(frozen=True)
class Row:
    """A sentence that somebody chose, and whether it is to hold."""

    sentence: str
    holds: bool
    given: Mapping[str, str] = field(default_factory=dict)


class Editor:
    def __init__(self, db: Database, audience: Audience) -> None:
        self._db = db
        self._audience = audience

    async def sentences(self, caller: Caller, language: str) -> tuple[list[Sentence], str]:
        """Every sentence that can be chosen, and the currency that amounts are usually in."""
        caller.require("campaigns:read")

        async def look(tx: Tx) -> tuple[list[Sentence], str]:
            found: list[Sentence] = []
            labels: dict[object, Sequence[tuple[str, str]]] = {}
            currency = await currency_of(tx, caller.account_id)
            for rule in self._audience.rules.values():
                for place, phrase in enumerate(rule.phrases):
                    for gap in phrase.gaps.values():
                        if isinstance(gap, Named) and gap.labelling not in labels:
                            known = await gap.labelling(tx, caller.account_id, language)
                            labels[gap.labelling] = sorted(known.items(), key=lambda one: one[1])
                    sentence = _sentence(f"{rule.name}.{place}", phrase, language, labels, currency)
                    # Nothing to choose from: there is no campaign, or no shop.
                    if all(isinstance(one, str) or one.kind != "choice" or one.options for one in sentence.parts):
                        found.append(sentence)
            return found, currency

        return await self._db.snapshot(look)

    def rules_of(self, how: str, rows: Sequence[Row]) -> object:
        """The tree of rows; what cannot be read stays as it was typed, and is refused by its path."""
        return {"any" if how == "any" else "all": [self._rule_of(row) for row in rows]}

    def _rule_of(self, row: Row) -> object:
        name, _, place = row.sentence.partition(".")
        rule = self._audience.rules.get(name)
        if rule is None or not place.isdecimal() or len(place) > 2 or int(place) >= len(rule.phrases):
            leaf: dict[str, object] = {"rule": name}
        else:
            gaps = rule.phrases[int(place)].gaps
            leaf = {"rule": name, **{key: _typed(gap, row.given.get(key, "")) for key, gap in gaps.items()}}
        return leaf if row.holds else {"not": leaf}

    def rows_of(self, rules: object) -> tuple[str, list[Row]] | None:
        """A tree as rows; nothing where it is more than that."""
        tree = mapping(rules)
        how = next((one for one in ("all", "any") if one in tree), "")
        given = listed(tree[how]) if how else [rules]
        rows = [self._row_of(mapping(one)) for one in given]
        known = [row for row in rows if row is not None]
        return (how or "all", known) if len(known) == len(rows) <= MAX_ROWS else None

    def _row_of(self, given: Json) -> Row | None:
        holds = "not" not in given
        leaf = given if holds else mapping(given["not"])
        rule = self._audience.rules.get(string(leaf.get("rule")))
        if rule is None:
            return None
        rest = {key: value for key, value in leaf.items() if key != "rule"}
        phrase = rule.phrase(rest)
        if phrase is None:
            return None
        typed = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in rest.items()}
        return Row(f"{rule.name}.{rule.phrases.index(phrase)}", holds, typed)


async def currency_of(tx: Tx, account_id: int) -> str:
    """What amounts are usually in: the venue's."""
    try:
        return (await venues.default(tx, account_id)).currency
    except NotFound:
        return "TRY"


def _typed(gap: Gap, text: str) -> object:
    """What somebody typed, as the wire has it."""
    plain = text.strip()
    if isinstance(gap, Yes):
        return True
    if isinstance(gap, Whole) and re.fullmatch(r"[0-9]{1,9}", plain):
        return int(plain)
    if isinstance(gap, Amount) and re.fullmatch(r"[0-9]{1,12}([.,][0-9]{1,3})?", plain):
        figure = float(plain.replace(",", "."))
        return int(figure) if figure.is_integer() else figure
    return plain.upper() if isinstance(gap, Currency) else plain


def _sentence(
    key: str, phrase: Phrase, language: str, labels: Mapping[object, Sequence[tuple[str, str]]], currency: str
) -> Sentence:
    words = phrase.words(language)
    parts: list[str | Control] = []
    for place, piece in enumerate(_PART.split(words)):
        if place % 2:
            parts.append(_control(piece, phrase.gaps[piece], language, labels, currency))
        elif piece.strip():
            parts.append(piece.strip())
    return Sentence(key, _PART.sub("…", words), parts)


def _control(
    name: str, gap: Gap, language: str, labels: Mapping[object, Sequence[tuple[str, str]]], currency: str
) -> Control:
    if isinstance(gap, Whole):
        return Control(name, "number", least=gap.least, most=gap.most)
    if isinstance(gap, Choice):
        return Control(name, "choice", [(one, gap.word(language, one)) for one in gap.options])
    if isinstance(gap, Named):
        return Control(name, "choice", labels[gap.labelling])
    if isinstance(gap, Amount):
        return Control(name, "amount")
    if isinstance(gap, Currency):
        return Control(name, "currency", value=currency)
    return Control(name, "text" if isinstance(gap, TypedText) else "")
