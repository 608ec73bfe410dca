"""The list of contacts in the order of a column, with what each has ordered, and what all that were found come to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from tablegram.accounts.keys.keys import Caller
from tablegram.crm import contacts, profiles, search
from tablegram.crm.answers.contacts import ContactView
from tablegram.crm.bulk import Chosen
from tablegram.crm.rows import BriefContact, ContactRow
from tablegram.crm.store import contacts as store
from tablegram.restaurant import customers
from tablegram.restaurant.customers import Spent
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.folding import fold

# As many are put in order by name or value; of more, the list stays in the order of time.
SORTABLE = 20_000
SORTS = ("-seen", "seen", "name", "-name", "orders", "-orders", "value", "-value")

_NOTHING = Spent()


class ListedContact(ContactView, kw_only=True, frozen=True):
    """With what they ordered; nothing for who may not see it."""

    spent: Spent


class Totals(Struct, kw_only=True, frozen=True):
    """What all that were found come to; amounts by their currency."""

    contacts: int
    orders: int
    amounts: dict[str, int]


class ListedPage(Struct, kw_only=True, frozen=True):
    data: list[ListedContact]
    next_cursor: str | None
    sort: str
    totals: Totals | None = None


class ContactListing:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def called(self, caller: Caller, ids: Collection[str]) -> dict[str, str]:
        """What people call these contacts: the name, else a number. Whoever is gone is left out."""
        caller.require("contacts:read")

        async def look(tx: Tx) -> dict[str, str]:
            known = await contacts.by_ids(tx, caller.account_id, ids)
            phones = await contacts.known_phones(tx, [(caller.account_id, one) for one in known])
            return {one: row["name"] or phones.get((caller.account_id, one), "") for one, row in known.items()}

        return await self._db.snapshot(look)

    async def page(
        self, caller: Caller, chosen: Chosen, sort: str, limit: int, cursor: str | None, *, with_totals: bool
    ) -> ListedPage:
        """`sort`: one of `SORTS`. `totals` are of all that are found, unless those are too many to be counted."""
        caller.require("contacts:read")
        sees_orders = caller.has("restaurant:read")
        wanted = chosen.wanted(caller.account_id, SORTABLE + 1)
        if wanted is None:
            return ListedPage(data=[], next_cursor=None, sort=sort)

        async def look(tx: Tx) -> ListedPage:
            # Nobody is counted whom no figure is shown of.
            needs_all = with_totals or sort != "-seen"
            found = await search.briefs(tx, wanted) if needs_all else []
            is_few = len(found) <= SORTABLE
            spent = await customers.spent(tx, caller.account_id) if sees_orders and needs_all and is_few else {}
            if sort == "-seen" or not is_few:
                shown, following = await _by_time(tx, chosen, caller.account_id, limit, cursor)
            else:
                ordered = _arranged(found, sort, spent)
                place = _place(ordered, cursor)
                which = [{"b_account": caller.account_id, "b_id": one} for one in ordered[place : place + limit]]
                shown = await tx.gather(store.GET, which)
                more = place + limit < len(ordered)
                following = encode_cursor(ordered[place + limit - 1]) if more else None
            if sees_orders and not spent:
                spent = await customers.spent_by(tx, caller.account_id, [row["id"] for row in shown])
            views = await profiles.views(tx, shown, self._clock.now_ms())
            return ListedPage(
                data=[ListedContact(**asdict(view), spent=spent.get(view.id, _NOTHING)) for view in views],
                next_cursor=following,
                sort=sort if is_few else "-seen",
                totals=_totals(found, spent) if with_totals and is_few else None,
            )

        return await self._db.snapshot(look)


async def _by_time(
    tx: Tx, chosen: Chosen, account_id: int, limit: int, cursor: str | None
) -> tuple[list[ContactRow], str | None]:
    wanted = chosen.wanted(account_id, limit + 1)
    assert wanted is not None
    after = search.read_position(cursor)
    rows = await search.find(tx, search.ContactSearch(account_id, wanted.words, wanted.since_ms, after, limit + 1))
    return rows[:limit], search.position(rows[limit - 1]) if len(rows) > limit else None


def _arranged(found: Sequence[BriefContact], sort: str, spent: Mapping[str, Spent]) -> list[str]:
    """The ids in the order of a column; who has nothing there comes last, whichever way round."""
    keys: dict[str, Callable[[BriefContact], Any]] = {
        "name": lambda row: fold(row["name"]),
        "seen": lambda row: row["last_seen_at"],
        "orders": lambda row: spent.get(row["id"], _NOTHING).count,
        "value": lambda row: spent.get(row["id"], _NOTHING).most,
    }
    column = sort.removeprefix("-")
    key = keys[column]
    by_id = sorted(found, key=lambda row: str(row["id"]))
    ordered = sorted(by_id, key=key, reverse=sort.startswith("-"))
    is_empty = (lambda row: not row["name"]) if column == "name" else (lambda row: row["window_until"] is None)
    if column in ("name", "seen"):
        ordered.sort(key=is_empty)
    return [row["id"] for row in ordered]


def _place(ordered: list[str], cursor: str | None) -> int:
    """Behind the contact that a cursor names; one that is gone leads back to the beginning."""
    last = "" if cursor is None else decode_cursor(cursor)
    return ordered.index(last) + 1 if last in ordered else 0


def _totals(found: Sequence[BriefContact], spent: Mapping[str, Spent]) -> Totals:
    of_found = [spent[row["id"]] for row in found if row["id"] in spent]
    amounts: dict[str, int] = {}
    for one in of_found:
        for currency, amount in one.amounts.items():
            amounts[currency] = amounts.get(currency, 0) + amount
    return Totals(contacts=len(found), orders=sum(one.count for one in of_found), amounts=amounts)
