"""What people read, in their language: an area's sentences stand in files beside it, one for each language.

`words/en.json` and `words/tr.json`, or folders `words/en/` and `words/tr/` of such files where there are many.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from tablegram.values.figures import writing

# What the whole product speaks. What is said in few words may be there in more languages.
LANGUAGES = ("en", "tr")
# How people call their own language; others are shown by their two letters.
NAMES = {
    "en": "English", "tr": "Türkçe", "de": "Deutsch", "fr": "Français", "es": "Español", "it": "Italiano",
    "ru": "Русский", "ar": "العربية", "fa": "فارسی", "he": "עברית", "nl": "Nederlands", "pl": "Polski", "el": "Ελληνικά",
    "uk": "Українська", "zh": "中文", "ja": "日本語", "ko": "한국어", "pt": "Português", "sv": "Svenska", "az": "Azərbaycanca",
}  # fmt: skip
_decode = msgspec.json.Decoder(dict[str, str]).decode


class Words:
    """The sentences of one area. A language is read when something is first said in it."""

    def __init__(self, beside: str) -> None:
        """`beside`: the file of the module that speaks (`__file__`)."""
        self._folder = Path(beside).parent / "words"
        self._read: dict[str, dict[str, str]] = {}

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self._folder.iterdir()))

    def spoken(self, language: str) -> str:
        """The language that somebody gets who asks for one: theirs, or English."""
        short = language.partition("-")[0].lower()
        return short if short in self.languages else "en"

    def of(self, language: str) -> dict[str, str]:
        """Every sentence of a language, or of English where this area does not speak it."""
        spoken = self.spoken(language)
        if spoken not in self._read:
            self._read[spoken] = self._load(spoken)
        return self._read[spoken]

    def say(self, language: str, key: str, **values: object) -> str:
        """A sentence with its places filled; numbers are written as its language does.

        With `n`, the form is taken that the number has: the key's `.one`, `.other`, or whichever the language knows.
        """
        text, shown = self.parts(language, key, values)
        return text.format(**shown) if shown else text

    def parts(self, language: str, key: str, values: Mapping[str, object]) -> tuple[str, dict[str, object]]:
        """The sentence with its places still open, and what is to stand in them."""
        spoken, known = self.spoken(language), self.of(language)
        n = values.get("n")
        # What is said in the same way of every number has no forms.
        if isinstance(n, int | float) and key not in known:
            key += f".{writing.plural(spoken, n)}"
        shown = {name: writing.number(spoken, one) if isinstance(one, int) else one for name, one in values.items()}
        return known[key], shown

    def _load(self, language: str) -> dict[str, str]:
        # A further language may say less than the product does; the rest of it is English.
        found: dict[str, str] = {} if language in LANGUAGES else dict(self.of("en"))
        one = self._folder / f"{language}.json"
        for path in [one] if one.is_file() else sorted((self._folder / language).rglob("*.json")):
            found |= _decode(path.read_bytes())
        return found
