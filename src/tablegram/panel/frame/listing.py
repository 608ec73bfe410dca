"""What lists that fit into memory have in common: searching, sorting, cutting into pages, and times as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar, overload

from litestar import Request
from msgspec import UNSET, Struct
from msgspec.structs import asdict

from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.folding import words

PER_PAGE = 25

One = TypeVar("One")


@dataclass(frozen=True, slots=True)
class Cut(Generic[One]):
    """A page of a list, and where the next one begins."""

    items: Sequence[One]
    next_cursor: str | None


def cut(items: Sequence[One], cursor: str, name: Callable[[One], str], per_page: int = PER_PAGE) -> Cut[One]:
    """The page behind a cursor. One that names something which is gone leads back to the beginning."""
    start = 0
    if cursor:
        last = decode_cursor(cursor)
        start = next((place + 1 for place, one in enumerate(items) if name(one) == last), 0)
    chosen = items[start : start + per_page]
    more = start + per_page < len(items)
    return Cut(chosen, encode_cursor(name(chosen[-1])) if more else None)


def arranged(items: Sequence[One], wanted: str, ways: Mapping[str, Callable[[One], Any]]) -> Sequence[One]:
    """The list in the order of a column, `name` or, the other way round, `-name`; as it was for any other word."""
    way = ways.get(wanted.removeprefix("-"))
    return items if way is None else sorted(items, key=way, reverse=wanted.startswith("-"))


def fits(search: str, *texts: str) -> bool:
    """Whether every word that was typed begins a word of the texts; case and accents make no difference."""
    there = words(" ".join(texts))
    return all(any(word.startswith(typed) for word in there) for typed in words(search))


def choice(request: Request[Any, Any, Any], name: str, allowed: Sequence[str]) -> str:
    """A filter from the address; anything that is not allowed counts as the first."""
    given = request.query_params.get(name, "")
    return given if given in allowed else allowed[0]


def asked(request: Request[Any, Any, Any], name: str) -> str:
    """A text from the address, cut to a length that somebody may have typed."""
    return str(request.query_params.get(name, ""))[:200].strip()


@overload
def at_ms(text: str) -> int: ...
@overload
def at_ms(text: str | None) -> int | None: ...
def at_ms(text: str | None) -> int | None:
    """A time as the services show it, as the number that pages format."""
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1_000)


def with_times(view: Struct | dict[str, Any]) -> dict[str, Any]:
    """What a service answered with, for a template, its times (`…_at`, `…_since`, `…_until`) as numbers."""
    fields = asdict(view) if isinstance(view, Struct) else view
    return {
        name: at_ms(value) if isinstance(value, str) and name.endswith(("_at", "_since", "_until")) else value
        for name, value in fields.items()
        if value is not UNSET
    }
