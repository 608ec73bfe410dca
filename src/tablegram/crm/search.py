"""Finding contacts: by name, number, tag, note or what was said, those seen last first.

Two ways lead to a page. A rare word leads straight to its few contacts. A common one ("a") matches so many that the
contacts seen last are looked through instead. Neither ever sorts more than a few thousand rows, but for several common
words that rarely meet.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.crm.rows import BriefContact, ContactRow, SilentContact, WithId
from tablegram.crm.store import terms as store
from tablegram.crm.terms import Word
from tablegram.storage.database import Params, Tx
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor

# Up to this many terms a word leads straight to its contacts.
RARE = 4_000
# As far as each word is counted at first, and then: a name that few have makes it needless to count how many share the other.
FEW = (50, 500)
# So many contacts are looked through for common words.
REACH = 2_000


class ContactSearch(msgspec.Struct, frozen=True):
    """What to find; without words everybody."""

    account_id: int
    words: list[Word]
    since_ms: int | None
    # The last contact of the previous page.
    after: tuple[int, str] | None
    most: int

    def params(self) -> Params:
        params: dict[str, Any] = {"b_account": self.account_id, "most": self.most}
        for number, word in enumerate(self.words):
            for one, term in enumerate(word):
                params |= {f"low_{number}_{one}": term.low, f"high_{number}_{one}": term.high}
        if self.since_ms is not None:
            params["since"] = self.since_ms
        if self.after is not None:
            params |= {"at": self.after[0], "id": self.after[1]}
        return params


async def find(tx: Tx, wanted: ContactSearch) -> list[ContactRow]:
    """The contacts, at most `most`."""
    params = wanted.params()
    shape = tuple(len(word) for word in wanted.words)
    since, after = wanted.since_ms is not None, wanted.after is not None
    if not shape:
        return await tx.all(store.by_time(shape, since=since, after=after, active=since), params)
    rare = await _rare(tx, shape, params)
    if rare is None:
        return []
    if not rare:
        rows = await _look_through(tx, shape, wanted, since, after)
        if rows is not None:
            return rows
    query = store.by_word(shape, rare or (0,), RARE if rare else None, since=since, after=after)
    return await tx.all(query, params)


async def find_in_order(tx: Tx, wanted: ContactSearch, behind: str) -> list[ContactRow]:
    """At most `most` of all who are found, by their ids, from behind one of them.

    However long it takes to go through all of them, nobody who writes meanwhile is left out or met twice.
    """
    params, shape = wanted.params(), tuple(len(word) for word in wanted.words)
    rare = await _rare(tx, shape, params)
    if rare is None:
        return []
    query = store.in_order(shape, rare, RARE if rare else None, since=wanted.since_ms is not None)
    return await tx.all(query, {**params, "behind": behind})


async def briefs(tx: Tx, wanted: ContactSearch) -> list[BriefContact]:
    """At most `most` of all who are found, in no order, with no more than what a list may be put in order by."""
    params, shape = wanted.params(), tuple(len(word) for word in wanted.words)
    rare = await _rare(tx, shape, params)
    if rare is None:
        return []
    return await tx.all(store.briefs(shape, rare, RARE if rare else None, since=wanted.since_ms is not None), params)


async def count(tx: Tx, wanted: ContactSearch) -> int:
    """How many are found, counted as far as `most`."""
    params, shape = wanted.params(), tuple(len(word) for word in wanted.words)
    rare = await _rare(tx, shape, params)
    if rare is None:
        return 0
    query = store.how_many(shape, rare, RARE if rare else None, since=wanted.since_ms is not None)
    row = await tx.first(query, params)
    return int(row["n"]) if row is not None else 0


async def _rare(tx: Tx, shape: store.Shape, params: Params) -> tuple[int, ...] | None:
    """The words that few contacts have; nothing when there is one that nobody has."""
    for few in sorted({min(some, RARE) for some in (*FEW, RARE)}):
        counts = [await _count(tx, number, alternatives, params, few) for number, alternatives in enumerate(shape)]
        if 0 in counts:
            return None
        rare = tuple(number for number, found in enumerate(counts) if found <= few)
        if rare:
            return rare
    return ()


async def _count(tx: Tx, word: int, alternatives: int, params: Params, few: int) -> int:
    """How many terms a word has, as far as somewhat more than `few`."""
    rows = [await tx.first(store.count(word, one), {**params, "most": few + 1}) for one in range(alternatives)]
    return sum(int(row["n"]) for row in rows if row is not None)


async def _look_through(
    tx: Tx, shape: store.Shape, wanted: ContactSearch, since: bool, after: bool
) -> list[ContactRow] | None:
    """The page, if the contacts seen last make a full one."""
    params = wanted.params()
    edge = await tx.first(store.far_back(since=since, after=after), {**params, "reach": REACH})
    reached = params if edge is None else {**params, "since": edge["last_seen_at"]}
    query = store.by_time(shape, since=since or edge is not None, after=after, active=since)
    rows = await tx.all(query, reached)
    return rows if edge is None or len(rows) >= wanted.most else None


def position(row: SilentContact) -> str:
    """The cursor behind a contact."""
    return place(row, row["last_seen_at"])


def place(row: WithId, at: int) -> str:
    """The cursor behind what a list shows that is in the order of a time."""
    return encode_cursor(f"{at}:{row['id']}")


def read_position(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    at, _, contact_id = decode_cursor(cursor).partition(":")
    if not at.isascii() or not at.isdigit() or len(at) > 15 or not contact_id:
        raise cursor_wrong()
    return int(at), contact_id
