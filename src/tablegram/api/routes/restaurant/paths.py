"""What the addresses below a venue share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, Protocol, TypeVar, cast

import msgspec
from litestar.params import PathParameter

from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor

VENUES = "/restaurant/venues"
VENUE = VENUES + "/{venue_id:str}"

READ = {"scope": "restaurant:read"}
MANAGE = {"scope": "restaurant:manage"}

VenueId = Annotated[str, PathParameter(description="The venue.")]


_Kind = TypeVar("_Kind")


def given(data: msgspec.Struct, kind: type[_Kind]) -> _Kind:
    """What was given, as it was given, as the kind of fields that a flow takes; absent fields are not there."""
    wanted: Any = kind
    _must_fit(type(data), wanted)
    return cast(_Kind, msgspec.to_builtins(data))


@cache
def _must_fit(body: type[msgspec.Struct], kind: Any) -> None:
    """Nothing that a body may say is lost on the way."""
    lost = set(body.__struct_fields__) - kind.__required_keys__ - kind.__optional_keys__
    if lost:
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(lost))}")


class _Listed(Protocol):
    @property
    def id(self) -> str: ...


def page_of(kind: Callable[..., _Kind], things: Sequence[_Listed], limit: int, cursor: str | None) -> _Kind:
    """A page of a list that is short enough to be read whole, in whatever order it has."""
    start = 0
    if cursor is not None:
        place, _, last = decode_cursor(cursor).partition(":")
        if not (place.isascii() and place.isdigit()):
            raise cursor_wrong()
        known = [one.id for one in things]
        # Where the last one is gone, those behind it have moved up.
        start = known.index(last) + 1 if last in known else int(place[:9])
    shown = things[start : start + limit]
    is_more = start + limit < len(things)
    return kind(data=shown, next_cursor=encode_cursor(f"{start + limit - 1}:{shown[-1].id}") if is_more else None)
