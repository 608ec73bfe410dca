"""A guest pays the table's bill on their own phone: all that is open, a share of it, or an amount."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlencode

import msgspec

from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Forbidden, Invalid, NotFound
from tablegram.flows.restaurant.bills.links import GuestLink, must_offer, open_at, shown_to_guest
from tablegram.flows.restaurant.fields import GuestBillFields
from tablegram.flows.restaurant.guests.guests import Seat
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.restaurant import tables, venues
from tablegram.restaurant.bills.splitting import MAX_PARTS
from tablegram.restaurant.orders.forms import clean_language
from tablegram.restaurant.paying.ports import GUEST, TabReceipt, TabWish
from tablegram.restaurant.visitors.allowances import Allowances, Visitor
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.money import share
from tablegram.values.secrets import SecretBox

MAX_KEY = 100


class GuestReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a link, for who paid by it: see `TabReceipt`."""

    state: str
    amount: int
    tip: int


class GuestBill:
    def __init__(
        self,
        db: Database,
        box: SecretBox,
        clock: Clock,
        ordering: Ordering,
        idempotency: Idempotency,
        allowances: Allowances,
        api_url: str,
    ) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._ordering = ordering
        self._idempotency = idempotency
        self._allowances = allowances
        self._api_url = api_url

    async def pay(self, seat: Seat, fields: GuestBillFields, address: str) -> GuestLink:
        """A link for `amount` minor units, or for one of `parts` who still pay, else for all that nobody else is paying.

        `key` names the tap, which makes one link however often it arrives; `instead` is the link that this guest had
        before, which is taken back. A tip comes on top: `tip_percent` of what this guest pays, or `tip` minor units.
        """
        table, venue = seat.table, seat.venue
        if table is None or not seat.signed:
            raise Forbidden("The code on the table was not scanned. Scan it to pay.", code="call_code_needed")
        key = str(fields["key"])
        if not 16 <= len(key) <= MAX_KEY or not key.isascii() or not key.isprintable():
            raise Invalid.field("key", "key_invalid", f"A key has 16 to {MAX_KEY} letters and digits.")
        await self._ordering.refresh(venue.account_id)
        call = Call("pay a bill", f"{table.id}:{key}", repr(sorted(fields.items())))

        async def work(tx: Tx) -> Result[str]:
            now = self._clock.now_ms()
            present = await venues.find(tx, venue.account_id, venue.id)
            money = await must_offer(tx, self._ordering, present)
            bill = await open_at(tx, present, table.id)
            if bill is None:
                raise Conflict("Nothing is open on this bill.", code="nothing_open")
            # What another party at this table asked for is not this guest's.
            with suppress(NotFound):
                await money.take_back(tx, present, bill, fields.get("instead") or "", now, by=GUEST)
            room = await money.room(tx, bill)
            amount = _wanted(fields, room)
            self._allowances.take("call", Visitor(present, table, seat.signed, address))
            wish = TabWish(
                amount=amount,
                tip=_tip(fields, amount),
                language=clean_language(present, fields.get("language")),
                by=GUEST,
            )
            return Result(await money.ask(tx, present, bill, wish, now))

        made = await self._idempotency.once_for(str, venue.account_id, call, work)
        self._ordering.told(venue, [])
        assert self._ordering.tab_money is not None
        return shown_to_guest(await self._ordering.tab_money.hurry(venue.account_id, made.value))

    async def landing(self, account_id: int, link_id: str, *, has_left: bool = False) -> str | None:
        """The menu of the table at which somebody asked for the link, which then tells them what came of it.

        Who has left the payment page without paying is told nothing.
        """

        async def look(tx: Tx) -> str | None:
            found = await self._receipt(tx, account_id, link_id)
            if found is None:
                return None
            venue = await venues.find_ever(tx, account_id, found.venue_id)
            table = await tables.find(tx, account_id, found.venue_id, found.table_id)
            told = (
                {"lang": found.language}
                if has_left and found.state == "waiting"
                else {"lang": found.language, "paid": link_id}
            )
            return f"{tables.menu_link(self._api_url, self._box, venue, table)}&{urlencode(told)}"

        return await self._db.snapshot(look)

    async def outcome(self, seat: Seat, link_id: str) -> GuestReceipt:
        """What came of a link that a guest of this table asked for."""

        async def look(tx: Tx) -> GuestReceipt:
            found = await self._receipt(tx, seat.venue.account_id, link_id)
            table_id = seat.table.id if seat.table is not None and seat.signed else None
            if found is None or (found.venue_id, found.table_id) != (seat.venue.id, table_id):
                raise NotFound("This table has no such payment link.", code="payment_link_unknown")
            return GuestReceipt(state=found.state, amount=found.amount, tip=found.tip)

        return await self._db.snapshot(look)

    async def _receipt(self, tx: Tx, account_id: int, link_id: str) -> TabReceipt | None:
        money = self._ordering.tab_money
        return None if money is None else await money.receipt(tx, account_id, link_id)


def _wanted(fields: GuestBillFields, room: int) -> int:
    amount, parts = fields.get("amount"), fields.get("parts")
    if room <= 0:
        raise Conflict("Everything that is open is being paid by somebody else right now.", code="being_paid")
    if amount is not None and parts is not None:
        raise Invalid.field("amount", "split_unclear", "Say an amount or a share.")
    if parts is not None:
        if not 1 <= parts <= MAX_PARTS:
            raise Invalid.field("parts", "out_of_range", f"A bill is shared among 1 to {MAX_PARTS} people.")
        return max(1, room // int(parts))
    if amount is None:
        return room
    if not 0 < amount <= room:
        raise Conflict("This is more than is open, or somebody else is paying it right now.", code="more_than_open")
    return int(amount)


def _tip(fields: GuestBillFields, amount: int) -> int:
    """What the guest gives beside the bill; more than the bill itself is a slip of the finger."""
    percent, own = fields.get("tip_percent"), fields.get("tip")
    if percent is not None and own is not None:
        raise Invalid.field("tip", "tip_unclear", "Say a percentage or an amount.")
    tip = share(amount, int(percent) * 100) if percent is not None else int(own or 0)
    if not 0 <= tip <= amount:
        raise Invalid.field("tip", "tip_too_large", "A tip is at most as much as you pay.")
    return tip
