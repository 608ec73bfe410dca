"""What a rule is: its name, the sentences that it can be, and the condition that it puts on contacts.

Each part of the product brings the rules about what it keeps. A sentence has gaps; the same words show a rule in the
editor and tell why a contact is in.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.storage.database import Tx
from tablegram.values import Json, string
from tablegram.values.money import CURRENCY_WANTED, EXPONENTS, from_wire, written
from tablegram.values.words import Words

# By what the ids are called: what people call each.
Labels = Mapping[str, str]
Labelling = Callable[[Tx, int, str], Awaitable[Labels]]
MAX_TEXT = 64
MAX_DAYS = 3_650


class Wrong(ValueError):
    """Why a gap cannot be filled so: a stable code, and the fix."""

    def __init__(self, code: str, fix: str) -> None:
        super().__init__(fix)
        self.code = code


class Values(dict[str, str | int]):
    """What the gaps of a sentence mean, as they have read it: a rule knows which of them are numbers."""

    def whole(self, name: str) -> int:
        value = self[name]
        if isinstance(value, int):
            return value
        raise TypeError(f"{name} is no number")

    def text(self, name: str) -> str:
        return str(self[name])


@dataclass(frozen=True)
class Gap:
    """A gap in a sentence."""

    def read(self, value: object, given: Json) -> str | int:
        """What it means; raises `Wrong`."""
        raise NotImplementedError

    def said(self, value: object, given: Json, language: str, labels: Labels) -> str:
        return str(value)


@dataclass(frozen=True)
class Whole(Gap):
    least: int = 0
    most: int = 1_000_000

    def read(self, value: object, given: Json) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Wrong("type_invalid", "Give a whole number.")
        if not self.least <= value <= self.most:
            raise Wrong("out_of_range", f"Give a number from {self.least} to {self.most:,}.")
        return value


DAYS = Whole(1, MAX_DAYS)


@dataclass(frozen=True)
class Choice(Gap):
    """One of a few, each with a word."""

    options: tuple[str, ...]
    word: Callable[[str, str], str]

    def read(self, value: object, given: Json) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise Wrong("choice_invalid", f"Choose one of: {', '.join(self.options)}.")
        return value

    def said(self, value: object, given: Json, language: str, labels: Labels) -> str:
        return self.word(language, str(value))


@dataclass(frozen=True)
class Yes(Gap):
    """Nothing to choose: it is there, and true."""

    def read(self, value: object, given: Json) -> bool:
        if value is not True:
            raise Wrong("type_invalid", "Give true, or leave it out.")
        return True


@dataclass(frozen=True)
class TypedText(Gap):
    """One line that somebody types."""

    def read(self, value: object, given: Json) -> str:
        if not isinstance(value, str):
            raise Wrong("type_invalid", "Give a text.")
        text = " ".join(value.split())
        if not text or len(text) > MAX_TEXT or not text.isprintable():
            raise Wrong("text_invalid", f"Give a text of 1 to {MAX_TEXT} characters that can be shown.")
        return text


@dataclass(frozen=True)
class Named(TypedText):
    """One of the account's own things, by its id; `labelling` tells what there is."""

    labelling: Labelling

    def said(self, value: object, given: Json, language: str, labels: Labels) -> str:
        return labels.get(str(value), str(value))


@dataclass(frozen=True)
class Currency(Gap):
    def read(self, value: object, given: Json) -> str:
        if not isinstance(value, str) or value not in EXPONENTS:
            raise Wrong("currency_unknown", CURRENCY_WANTED)
        return value


@dataclass(frozen=True)
class Amount(Gap):
    """Money in the `currency` that stands beside it; minor units inside."""

    def read(self, value: object, given: Json) -> int:
        currency = string(given.get("currency"))
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Wrong("type_invalid", "Give an amount as a number.")
        if currency not in EXPONENTS:
            return 0
        try:
            amount = from_wire(value, currency)
        except ValueError:
            raise Wrong("amount_invalid", f"Give an amount of {currency} with the decimals that it has.") from None
        if amount < 0:
            raise Wrong("out_of_range", "Give an amount that is not negative.")
        return amount

    def said(self, value: object, given: Json, language: str, labels: Labels) -> str:
        return written(self.read(value, given), string(given["currency"]), language)


@dataclass(frozen=True)
class Phrase:
    """A sentence about a contact, with gaps in braces."""

    words: Callable[[str], str]
    gaps: Mapping[str, Gap] = field(default_factory=dict)

    def say(self, given: Json, language: str, labels: Mapping[Labelling, Labels]) -> str:
        known = {
            name: labels.get(gap.labelling, {}) if isinstance(gap, Named) else {} for name, gap in self.gaps.items()
        }
        return self.words(language).format(
            **{name: gap.said(given[name], given, language, known[name]) for name, gap in self.gaps.items()}
        )


Condition = Callable[[Frame, Values], Holds]


@dataclass(frozen=True)
class Rule:
    name: str
    phrases: tuple[Phrase, ...]
    condition: Condition

    def phrase(self, given: Iterable[str]) -> Phrase | None:
        """The sentence with exactly these gaps."""
        names = set(given)
        return next((one for one in self.phrases if one.gaps.keys() == names), None)


class Sentences:
    """What a part of the product says in rules: in the words beside it, by the rule's name and the sentence's gaps."""

    def __init__(self, beside: str) -> None:
        """`beside`: the file of the module whose rules they are (`__file__`)."""
        self._words = Words(beside)

    def rule(self, name: str, sentences: Sequence[Mapping[str, Gap]], condition: Condition) -> Rule:
        phrases = [Phrase(partial(self._said, f"{name}.{'+'.join(gaps)}"), gaps) for gaps in sentences]
        return Rule(name, tuple(phrases), condition)

    def choice(self, name: str, *options: str) -> Choice:
        return Choice(options, lambda language, option: self._said(f"{name}.{option}", language))

    def _said(self, key: str, language: str) -> str:
        return self._words.of(language)[f"segment.{key}"]
