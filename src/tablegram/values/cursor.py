"""Opaque cursors: where a list goes on. Their inside is ours to change."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence

from tablegram.errors import Invalid


def cursor_wrong() -> Invalid:
    """What whoever brings another cursor than a list has answered is told."""
    return Invalid.field("cursor", "cursor_invalid", "Use the next_cursor of the previous page, unchanged.")


def encode_cursor(position: str) -> str:
    return base64.urlsafe_b64encode(position.encode()).decode().rstrip("=")


def decode_cursor(cursor: str) -> str:
    """The position inside, or a clear error: a cursor is only ever what a list has answered."""
    try:
        position = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        position = "\0"
    # No list answers with it, and not every database takes it in a text.
    if "\0" in position:
        raise cursor_wrong()
    return position


def following(rows: Sequence[Mapping[str, object]], limit: int) -> str | None:
    """Behind the last row that is shown, where one more was read than that; nothing on the last page."""
    return encode_cursor(str(rows[limit - 1]["id"])) if len(rows) > limit else None


def from_newest(cursor: str | None) -> str:
    """The id that a page of a list begins before, in which the newest is first. No id is larger than the first page's."""
    return "~" if cursor is None else decode_cursor(cursor)
