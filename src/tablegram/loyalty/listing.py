"""Members and movements, page by page, and what all of them come to."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.loyalty.model import Member, Movement, read_member, read_movement
from tablegram.loyalty.store import points as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor


def read_place(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    figure, _, name = decode_cursor(cursor).partition(":")
    if not (figure.isascii() and figure.isdecimal() and len(figure) < 16):
        raise cursor_wrong()
    return int(figure), name


async def members(
    tx: Tx, account_id: int, contact_ids: list[str] | None, cursor: str | None, limit: int
) -> tuple[list[Member], str | None]:
    """Those with the most points first; with `contact_ids`, of these alone."""
    if contact_ids == []:
        return [], None
    rows = await tx.all(store.members_page(account_id, contact_ids, read_place(cursor), limit + 1), {})
    found = [read_member(row) for row in rows]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else encode_cursor(f"{last.balance}:{last.contact_id}")


async def movements(
    tx: Tx, account_id: int, contact_id: str, cursor: str | None, limit: int
) -> tuple[list[Movement], str | None]:
    """The newest first."""
    rows = await tx.all(store.movements_page(account_id, contact_id, read_place(cursor), limit + 1), {})
    found = [read_movement(row) for row in rows]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else encode_cursor(f"{last.created_at}:{last.id}")


async def balances(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> dict[str, int]:
    """The points of these people, of those who ever had some."""
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    return {row["contact_id"]: int(row["balance"]) for row in await tx.gather(store.BALANCE, which)}


class Day(msgspec.Struct):
    """The points of one day of the stretch, all positive."""

    given: int = 0
    redeemed: int = 0
    expired: int = 0
    taken: int = 0


class Figures(msgspec.Struct, kw_only=True):
    members: int = 0
    outstanding: int = 0
    days: list[Day] = []


async def figures(tx: Tx, account_id: int, since: int, days: int) -> Figures:
    """What is outstanding, and the points of each day from a moment on."""
    row = await tx.first(store.TOTALS, {"b_account": account_id})
    found = [Day() for _ in range(days)]
    which = {"b_account": account_id, "since": since, "until": since + days * DAY_MS, "step": DAY_MS}
    for one in await tx.all(store.BY_KIND, which):
        day, points = found[int(one["slot"])], int(one["points"])
        if one["kind"] == "earn":
            day.given += points
        elif one["kind"] in ("redeem", "give_back"):
            day.redeemed -= points
        elif one["kind"] == "expire":
            day.expired -= points
        elif one["kind"] == "reverse":
            day.taken -= points
        elif points > 0:
            day.given += points
        else:
            day.taken -= points
    return Figures(members=int(row["members"]) if row else 0, outstanding=int(row["balance"]) if row else 0, days=found)
