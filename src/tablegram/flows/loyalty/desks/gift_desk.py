"""Gift cards as people and programs manage them: sold or given away, sent, looked up, cancelled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.contacts import Sender, know
from tablegram.crm.merging import find_living
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.events.planning import Statement
from tablegram.flows.loyalty.desks.desk import LoyaltyDesk
from tablegram.flows.loyalty.fields import GiftFields, ReceiverFields
from tablegram.flows.loyalty.gifts.answers import CheckedGift, GiftFigures, GiftPage, OutstandingGifts, WholeGift
from tablegram.flows.loyalty.gifts.telling import GiftTelling
from tablegram.flows.loyalty.gifts.views import gift_views, whole_gift
from tablegram.flows.loyalty.gifts.words import speak
from tablegram.flows.restaurant.bills.bills import who_is
from tablegram.flows.restaurant.bills.forms import figure
from tablegram.flows.restaurant.orders.seeing import MONEY
from tablegram.loyalty.gifts import codes, keeping, listing
from tablegram.loyalty.gifts.model import Gift, Move
from tablegram.restaurant import venues
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.till.model import Kind as TillKind
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tablegram.values.money import to_wire

READ, MANAGE = "loyalty:read", "loyalty:manage"
# A card as it is now, the event of what moved, and the venue whose line has something to send.
Done = tuple[Gift, list[Statement], Venue | None]


class GiftDesk(LoyaltyDesk):
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, telling: GiftTelling
    ) -> None:
        super().__init__(db, idempotency, clock, audit)
        self._telling = telling

    # Looking.

    async def page(
        self, caller: Caller, *, state: str | None = None, contact_id: str | None = None, limit: int = 50,
        cursor: str | None = None,
    ) -> GiftPage:  # fmt: skip
        """The newest first."""
        caller.require(READ)
        now = self._clock.now_ms()

        async def look(tx: Tx) -> GiftPage:
            found, following = await listing.page(tx, caller.account_id, state, contact_id, now, cursor, limit)
            return GiftPage(data=await gift_views(tx, caller, found, now), next_cursor=following)

        return await self._db.snapshot(look)

    async def get(self, caller: Caller, gift_id: str) -> WholeGift:
        caller.require(READ)

        async def look(tx: Tx) -> WholeGift:
            gift = await keeping.find(tx, caller.account_id, gift_id)
            return await whole_gift(tx, caller, gift, self._clock.now_ms())

        return await self._db.snapshot(look)

    async def check(self, caller: Caller, code: str, call: Call) -> Result[CheckedGift]:
        """What is left on the card of a code, and whether it pays at this moment."""
        caller.require(READ)

        async def work(tx: Tx) -> Result[CheckedGift]:
            now = self._clock.now_ms()
            gift = await keeping.by_code(tx, caller.account_id, code)
            if gift is None:
                detail = "There is no gift card with this code."
                return Result(CheckedGift(holds=False, reason="gift_code_unknown", detail=detail, gift=None))
            (shown,) = await gift_views(tx, caller, [gift], now)
            try:
                keeping.must_hold(gift, gift.currency, now)
            except Conflict as refused:
                return Result(CheckedGift(holds=False, reason=refused.code, detail=refused.detail, gift=shown))
            return Result(CheckedGift(holds=True, reason="", detail="", gift=shown))

        return await self._idempotency.once_for(CheckedGift, caller.account_id, call, work)

    async def figures(self, caller: Caller) -> GiftFigures:
        """What is owed to who holds cards."""
        caller.require(READ)
        found = await self._db.snapshot(lambda tx: listing.outstanding(tx, caller.account_id))
        return GiftFigures(
            outstanding=[
                OutstandingGifts(currency=one.currency, amount=to_wire(one.amount, one.currency), cards=one.cards)
                for one in found
            ]
        )

    # Doing.

    async def issue(self, caller: Caller, fields: GiftFields, call: Call) -> Result[WholeGift]:
        """`amount`, and `paid_by` cash, card or online; or `given` with a `reason`. With a `phone` or `contact_id` it is
        sent there, unless `sends` says no. `expires_at` is in milliseconds."""
        sold = fields["paid_by"] != "given"
        if not (sold and caller.is_person and caller.has(MONEY)):
            caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx, now: int) -> Done:
            venue = await _venue(tx, caller, fields.get("venue_id"))
            contact_id = await _receiver(tx, caller, fields, now)
            made = await keeping.issue(tx, _gift(caller, venue, contact_id, fields, now))
            (moved,) = await keeping.moves(tx, caller.account_id, made.id)
            await _to_till(tx, made, moved, "taken")
            detail = {"amount": to_wire(made.value, made.currency), "paid_by": made.paid_by, "reason": made.reason}
            await acting.note(tx, "loyalty.gift_made", "gift_card", made.id, detail)
            plan, spoke = await self._telling.moved(tx, made, moved), None
            if fields.get("sends", True) and await self._telling.hand_over(tx, venue, made, now):
                made, spoke = await keeping.change(tx, made, now, sent_at=now), venue
            return made, plan, spoke

        return await self._do(caller, call, work, 201)

    async def send(self, caller: Caller, gift_id: str, fields: ReceiverFields, call: Call) -> Result[WholeGift]:
        """Write the card to its receiver, or to another `phone` or `contact_id`, whose it is from then on."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx, now: int) -> Done:
            gift = await keeping.find(tx, caller.account_id, gift_id, lock=True)
            keeping.must_hold(gift, gift.currency, now)
            contact_id = await _receiver(tx, caller, fields, now) or gift.contact_id
            if contact_id is None:
                raise Invalid.field("phone", "receiver_missing", "Say who gets the card.")
            gift = await keeping.change(tx, gift, now, contact_id=contact_id)
            venue = await venues.find_ever(tx, caller.account_id, gift.venue_id)
            if not await self._telling.hand_over(tx, venue, gift, now):
                raise Conflict(
                    "No message can be sent there now. Show the code, or let them write “gift card” to you.",
                    code="gift_unsent",
                )
            await acting.note(tx, "loyalty.gift_sent", "gift_card", gift.id)
            return await keeping.change(tx, gift, now, sent_at=now), [], venue

        return await self._do(caller, call, work)

    async def cancel(
        self, caller: Caller, gift_id: str, reason: str, call: Call, *, gives_money_back: bool = False
    ) -> Result[WholeGift]:
        """It pays nothing any more; what is left goes back in money, the way it came, if somebody says so."""
        caller.require(MANAGE)
        acting, who = self._audit.acting(caller), who_is(caller)

        async def work(tx: Tx, now: int) -> Done:
            gift = await keeping.find(tx, caller.account_id, gift_id, lock=True)
            moved = await keeping.cancel(tx, gift, reason, who, now, pays_back=gives_money_back)
            await _to_till(tx, gift, moved, "given_back")
            await acting.note(tx, "loyalty.gift_cancelled", "gift_card", gift.id, {"reason": moved.reason})
            return await keeping.find(tx, caller.account_id, gift_id), await self._telling.moved(tx, gift, moved), None

        return await self._do(caller, call, work)

    async def _do(
        self, caller: Caller, call: Call, work: Callable[[Tx, int], Awaitable[Done]], status: int = 200
    ) -> Result[WholeGift]:
        """Once; programs and the line hear of it after the commit."""
        after: list[tuple[list[Statement], Venue | None]] = []
        await self._telling.refresh(caller.account_id)

        async def unit(tx: Tx) -> Result[WholeGift]:
            after.clear()
            now = self._clock.now_ms()
            gift, plan, spoke = await work(tx, now)
            after.append((plan, spoke))
            return Result(await whole_gift(tx, caller, gift, now), status)

        answer = await self._idempotency.once_for(WholeGift, caller.account_id, call, unit)
        if not answer.replayed:
            for plan, spoke in after:
                self._telling.sent(caller.account_id, plan, spoke)
        return answer


def _gift(caller: Caller, venue: Venue, contact_id: str | None, fields: GiftFields, now: int) -> Gift:
    return Gift(
        account_id=caller.account_id, id=new_id(now), code="", venue_id=venue.id, currency=venue.currency,
        value=figure(fields.get("amount"), "amount", venue.currency) or 0, paid_by=fields["paid_by"],
        reason=_line(fields.get("reason")), contact_id=contact_id, from_name=_line(fields.get("from_name")),
        greeting=_line(fields.get("greeting")), language=str(fields.get("language") or venue.languages[0]),
        expires_at=fields.get("expires_at"), by=who_is(caller), made_by=caller.key_id, created_at=now, updated_at=now,
    )  # fmt: skip


async def _venue(tx: Tx, caller: Caller, venue_id: str | None) -> Venue:
    try:
        if venue_id:
            return await venues.find(tx, caller.account_id, venue_id)
        return await venues.default(tx, caller.account_id)
    except NotFound:
        raise Invalid.field("venue_id", "venue_unknown", no_such("venue")) from None


async def _receiver(tx: Tx, caller: Caller, fields: ReceiverFields, now: int) -> str | None:
    """The contact that is named, by id or number; whoever has a new number is added."""
    if fields.get("contact_id"):
        row = await find_living(tx, caller.account_id, str(fields["contact_id"]))
        if row is None:
            raise Invalid.field("contact_id", "contact_unknown", no_such("contact"))
        return str(row["id"])
    if not fields.get("phone"):
        return None
    (found,) = await know(tx, [Sender(caller.account_id, 0, str(fields["phone"]), "", "", now)])
    return found.contact_id


async def _to_till(tx: Tx, gift: Gift, moved: Move, kind: TillKind) -> None:
    """Cash that was paid for a card is in the drawer, or no longer."""
    if moved.method != "cash":
        return
    venue = await venues.find_ever(tx, gift.account_id, gift.venue_id)
    label = speak(venue.languages[0])["till"].format(hint=codes.hint(gift.code))
    await till.note(
        tx, gift.account_id, gift.venue_id, gift.currency, kind, abs(moved.money), moved.by, moved.created_at,
        source=f"gift:{moved.id}", reason=label,
    )  # fmt: skip


def _line(text: Any) -> str:
    return " ".join(str(text or "").split())
