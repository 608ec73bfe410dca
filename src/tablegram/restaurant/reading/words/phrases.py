"""Phrases by the word that begins them: most words of a text begin none, and are held against none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Phrases = Mapping[str, Sequence[tuple[str, ...]]]


def by_first_word(phrases: Iterable[tuple[str, ...]]) -> Phrases:
    """Each in the order in which they came."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return found
