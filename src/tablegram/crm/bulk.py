"""The same done with many contacts, a piece at a time and in the order of their ids.

How far it is stands in the job's own row, written with each piece: a crash repeats nothing but an erasure that was just
done, which changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from tablegram.crm import profiles, search
from tablegram.crm.rows import BulkAct, JobRow
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import jobs as store
from tablegram.crm.terms import parse_query, tag_word
from tablegram.storage.database import Tx

Act = BulkAct
# Hears in the transaction which tags a contact got that they did not have: account, contact, tags, time.
Tagged = Callable[[Tx, int, str, Sequence[str], int], Awaitable[None]]

# A piece is some milliseconds of the writer's time, and others take their turn between two of them.
PIECE = 100
MAX_TAGS = 50


class Chosen(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is meant: those with these ids, or all that a list is narrowed to."""

    ids: list[str] | None = None
    q: str = ""
    tag: str = ""
    since_ms: int | None = None

    def wanted(self, account_id: int, most: int) -> search.ContactSearch | None:
        """What to find; nothing when something was typed in which there is no word."""
        words = parse_query(self.q)
        if self.q.strip() and not words:
            return None
        if self.tag:
            words.append(tag_word(self.tag))
        return search.ContactSearch(account_id, words, self.since_ms, None, most)


_CHOSEN = msgspec.json.Decoder(Chosen)


async def following(tx: Tx, job: JobRow, most: int) -> list[str]:
    """The ids that come next."""
    chosen = _CHOSEN.decode(job["chosen"])
    if chosen.ids is not None:
        return [one for one in sorted(chosen.ids) if one > job["behind"]][:most]
    wanted = chosen.wanted(job["account_id"], most)
    return [] if wanted is None else [row["id"] for row in await search.find_in_order(tx, wanted, job["behind"])]


async def count(tx: Tx, account_id: int, chosen: Chosen, most: int) -> int:
    """How many are meant, counted as far as `most`."""
    if chosen.ids is not None:
        return len(set(chosen.ids))
    wanted = chosen.wanted(account_id, most)
    return 0 if wanted is None else await search.count(tx, wanted)


async def tag_piece(tx: Tx, job: JobRow, now_ms: int, followers: Sequence[Tagged] = ()) -> bool:
    """Put the tag on the next contacts, or take it from them; whether there may be more. `followers` hear who got it."""
    present = await tx.first(store.LOCK, {"b_account": job["account_id"], "b_id": job["id"]})
    if present is None or present["state"] != "running":
        return False
    ids = await following(tx, present, PIECE)
    for contact_id in ids:
        is_on = job["act"] == "tag"
        if await _tag(tx, job["account_id"], contact_id, job["tag"], is_on=is_on) and is_on:
            for follower in followers:
                await follower(tx, job["account_id"], contact_id, [job["tag"]], now_ms)
    await advance(tx, job, ids, now_ms, is_last=len(ids) < PIECE)
    return len(ids) == PIECE


async def advance(tx: Tx, job: JobRow, ids: list[str], now_ms: int, *, is_last: bool) -> None:
    """Note that it was done with these; after the last of them, that it is over."""
    which = {"b_account": job["account_id"], "b_id": job["id"]}
    if ids:
        await tx.run(store.ADVANCE, {**which, "far": ids[-1], "more": len(ids)})
    if is_last:
        await tx.run(store.FINISH, {**which, "now": now_ms})


async def _tag(tx: Tx, account_id: int, contact_id: str, tag: str, *, is_on: bool) -> bool:
    """Whether that changed something."""
    which = {"b_account": account_id, "b_id": contact_id}
    row = await tx.first(contact_store.LOCK, which)
    if row is None or row["merged_into"] is not None:
        return False
    old = profiles.tags_of(row)
    rest = [one for one in old if one != tag]
    # Who has as many as one may have keeps those.
    new = [*old, tag] if is_on and tag not in old and len(old) < MAX_TAGS else old if is_on else rest
    if new == old:
        return False
    kept: dict[str, Any] = {
        f"new_{name}": row[name]
        for name in ("name", "name_is_own", "language", "birthday", "notes", "consent", "consent_at", "consent_source")
    }
    await tx.run(contact_store.UPDATE, {**which, **kept, "new_tags": msgspec.json.encode(new).decode()})
    await profiles.tell_terms(tx, account_id, contact_id)
    return True
