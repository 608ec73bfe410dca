"""Why nothing was sent to somebody: what each part notes of it, told together, the newest first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import msgspec

from tablegram.storage.database import Params, Tx
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor

# Later than every time, and behind every key.
_END, _LAST = 9_000_000_000_000_000, "~"


class Unsent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody would have got."""

    # What decided: its id, and what people call it.
    source_id: str
    name: str
    kind: str
    reason: str
    at: int
    # Unique in its source.
    key: str


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What to read of one source: before a place, of one reason where there is one."""

    account_id: int
    contact_id: str
    before_at: int
    before_key: str
    reason: str
    most: int

    def params(self) -> Params:
        return {
            "b_account": self.account_id, "b_contact": self.contact_id, "before_at": self.before_at,
            "before_key": self.before_key, "only_reason": self.reason, "most": self.most,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Silence:
    """One source of reasons. `read` answers with the newest first, then by the key, the largest first."""

    source: str
    read: Callable[[Tx, Asked], Awaitable[list[Unsent]]]
    # What one must be allowed to, besides reading contacts, to see it.
    scope: str = ""


class Position(msgspec.Struct, frozen=True, array_like=True):
    """The last one that was shown."""

    at: int
    source: str
    key: str


_POSITION = msgspec.json.Decoder(Position)


def read_position(cursor: str | None) -> Position | None:
    if cursor is None:
        return None
    try:
        return _POSITION.decode(decode_cursor(cursor))
    except msgspec.DecodeError:
        raise cursor_wrong() from None


async def page(
    tx: Tx, silences: Iterable[Silence], account_id: int, contact_id: str, reason: str, limit: int, cursor: str | None
) -> tuple[list[tuple[str, Unsent]], str | None]:
    """What all of them tell, each with its source, and where the list goes on."""
    after = read_position(cursor)
    found: list[tuple[str, Unsent]] = []
    for one in silences:
        before_at, before_key = (_END, _LAST) if after is None else (after.at, _behind(one.source, after))
        asked = Asked(
            account_id=account_id, contact_id=contact_id, before_at=before_at, before_key=before_key, reason=reason,
            most=limit + 1,
        )  # fmt: skip
        found += [(one.source, row) for row in await one.read(tx, asked)]
    found.sort(key=lambda row: (row[1].at, row[0], row[1].key), reverse=True)
    if len(found) <= limit:
        return found, None
    source, last = found[limit - 1]
    place = msgspec.json.encode(Position(at=last.at, source=source, key=last.key)).decode()
    return found[:limit], encode_cursor(place)


def _behind(source: str, after: Position) -> str:
    """Of what happened in the same moment: all of a source that comes later, the rest of its own, nothing of those before."""
    if source == after.source:
        return after.key
    return _LAST if source < after.source else ""
