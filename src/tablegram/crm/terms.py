"""The words that find a contact, and what a search is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from tablegram.values.folding import MAX_WORD, fold, words
from tablegram.values.phone import calling_code

# A message that is all the words of a language says nothing about its writer.
MAX_SAID = 100
MAX_QUERY_WORDS = 8
# Numbers are also kept backwards, so that their end finds them; no word starts like this.
_BACKWARDS = "~"
# A tag as a whole, beside its words; all of them sort before the next character.
_TAG = "#"
TAGS = ("#", "$")
# Sorts behind everything that a term can go on with.
_LAST = "\U0010ffff"
_NUMBER = re.compile(r"[+0-9 ()./-]+", re.ASCII)
_RUN = re.compile(r"[0-9][+0-9 ()./-]*[0-9]", re.ASCII)
# With fewer digits than this, parted digits are more likely two words than one number.
_WHOLE_NUMBER = 7


class Range(msgspec.Struct, frozen=True):
    """Terms from `low` up to, and without, `high`."""

    low: str
    high: str


# One word of a search: any of its ranges will do.
Word = tuple[Range, ...]


def profile_terms(name: str, notes: str, tags: Iterable[str], aliases: Iterable[tuple[str, str]]) -> set[str]:
    """Everything that a contact is found by apart from what was said."""
    tags = list(tags)
    terms = {*map(tag_term, tags)}
    for text in (name, notes, *tags):
        terms.update(words(text), _numbers_in(text))
    for kind, value in aliases:
        terms.update(_number(value) if kind == "phone" else words(value))
    return terms


def said_terms(text: str) -> list[str]:
    """The words of a message, each once. A single letter is not worth a row."""
    return list(dict.fromkeys(word for word in [*words(text), *_numbers_in(text)] if len(word) > 1))[:MAX_SAID]


def _numbers_in(text: str) -> list[str]:
    """Numbers that are written in parts, such as dates, as a search that is all digits asks for them: in one piece."""
    runs = [re.sub(r"[^0-9]", "", run) for run in _RUN.findall(text)]
    return [digits[:MAX_WORD] for digits in runs if len(digits) >= _WHOLE_NUMBER]


def _number(digits: str) -> set[str]:
    terms = {digits, _BACKWARDS + digits[::-1]}
    code = calling_code(digits)
    # People type the number as they dial it at home.
    return terms | {digits.removeprefix(str(code))} if code else terms


def parse_query(text: str) -> list[Word]:
    """A search: every word of it must be the beginning of a term. Nothing to look for is an empty list."""
    digits = re.sub(r"[^0-9]", "", text)
    if _NUMBER.fullmatch(text.strip()) and len(digits) >= _WHOLE_NUMBER:
        return [_digits(digits[:MAX_WORD])]
    found = list(dict.fromkeys(words(text)))[:MAX_QUERY_WORDS]
    # A word that begins another one of the same search asks for nothing more.
    kept = [word for word in found if not any(other != word and other.startswith(word) for other in found)]
    return [_digits(word) if word.isascii() and word.isdigit() else (_beginning(word),) for word in kept]


def tag_word(tag: str) -> Word:
    """Finds the contacts with exactly this tag, whatever its case and accents."""
    term = tag_term(tag)
    return (Range(term, term + "\x01"),)


def tag_term(tag: str) -> str:
    """The term of a tag as a whole."""
    return _TAG + " ".join(fold(tag).split())[: 2 * MAX_WORD]


def _beginning(word: str) -> Range:
    return Range(word, word + _LAST)


def _digits(digits: str) -> Word:
    """Part of a number: its beginning with or without the country code or a trunk zero, or its end."""
    bare = digits.lstrip("0")
    ranges = [_beginning(digits)]
    if bare and bare != digits:
        ranges.append(_beginning(bare))
    if len(bare) > 2:
        ranges.append(_beginning(_BACKWARDS + bare[::-1]))
    return tuple(ranges)
