"""What a guest has, on the menu's page: shown once their phone has sent a message, and chosen for the order to come."""

from __future__ import annotations

import time
from contextlib import suppress

from tablegram.engine.bus.port import Bus
from tablegram.errors import Conflict, NotFound, TooMany
from tablegram.flows.loyalty.answers.guests import (
    BegunProof,
    ChosenReward,
    HeldCoupon,
    KnownGuest,
    StampsOfGuest,
    UnknownGuest,
)
from tablegram.flows.loyalty.desks.redeem_desk import wanted
from tablegram.flows.loyalty.fields import RewardFields
from tablegram.flows.loyalty.rewards import offered
from tablegram.flows.loyalty.words import speak
from tablegram.flows.restaurant.guests.guests import Seat
from tablegram.flows.restaurant.guests.reaching import Reaching
from tablegram.loyalty import coupons, ledger, programme, proofs, redeeming, stamps
from tablegram.loyalty.redeeming import Redemption
from tablegram.restaurant.orders.forms import clean_language
from tablegram.restaurant.venues import Venue
from tablegram.restaurant.visitors.allowances import Allowances, Visitor
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import HOUR_MS, SECOND_MS, Clock
from tablegram.web.limits import Limiter, share_limits

# So often somebody chooses in an hour; whoever tries codes that others have is done soon.
CHOICES_H = 20


class GuestRewards:
    """Nothing here needs an account; a message from a phone shows whose points and coupons they are."""

    def __init__(self, db: Database, clock: Clock, reaching: Reaching, allowances: Allowances) -> None:
        self._db = db
        self._clock = clock
        self._reaching = reaching
        self._allowances = allowances
        self._choices = Limiter()

    def share(self, bus: Bus) -> None:
        """From now on what was chosen at other processes counts here too."""
        share_limits(bus, "choices", self._choices)

    async def begin(self, seat: Seat, language: str, address: str = "") -> BegunProof:
        """A code for a message, and the link that opens the app with it."""
        venue = seat.venue
        self._allowances.take("proof", Visitor(venue, seat.table, seat.signed, address))
        spoken, now = clean_language(venue, language), self._clock.now_ms()

        async def work(tx: Tx) -> tuple[proofs.Proof, str]:
            if not await offered(tx, venue):
                raise NotFound("There are no points and coupons here.", code="loyalty_off")
            return await proofs.begin(tx, venue.account_id, venue.id, spoken, now)

        made, secret = await self._db.write(work)
        text = speak(spoken)["prove"].format(code=proofs.shown(made.code))
        return BegunProof(code=made.code, secret=secret, text=text, link=await self._reaching.link(venue, text))

    async def look(self, venue: Venue, code: str, secret: str) -> KnownGuest | UnknownGuest:
        """What the guest has; only that nobody is known as long as the message has not come."""
        now = self._clock.now_ms()

        async def work(tx: Tx) -> KnownGuest | UnknownGuest:
            one = await proofs.find(tx, venue.account_id, venue.id, code, secret, now)
            return UnknownGuest() if one.contact_id is None else await _shown(tx, venue, one.contact_id, now)

        return await self._db.snapshot(work)

    async def choose(self, venue: Venue, code: str, secret: str, wish: RewardFields) -> KnownGuest:
        """Use a coupon's `code` or the points on the order to come, or nothing of it."""
        now = self._clock.now_ms()

        async def work(tx: Tx) -> KnownGuest:
            one = await proofs.find(tx, venue.account_id, venue.id, code, secret, now)
            if one.contact_id is None:
                raise Conflict("Send the message first.", code="proof_waits")
            self._count(venue.account_id, one.contact_id)
            if wish.get("code") is None and wish.get("points") is None:
                await redeeming.unchoose(tx, venue.account_id, one.contact_id, now)
            else:
                made = await wanted(tx, venue, one.contact_id, wish, "guest", now, one.language)
                await must_hold(tx, made, now)
                await redeeming.choose(tx, made)
            return await _shown(tx, venue, one.contact_id, now)

        return await self._db.write(work)

    def _count(self, account_id: int, contact_id: str) -> None:
        rate = CHOICES_H * SECOND_MS / HOUR_MS
        decision = self._choices.take(f"{account_id}:{contact_id}", rate, CHOICES_H, time.monotonic())
        if not decision.allowed:
            raise TooMany(
                "This was tried too often within an hour. Please ask the staff.",
                code="guests_limit",
                retry_after_s=decision.retry_after_s,
            )


async def _shown(tx: Tx, venue: Venue, contact_id: str, now: int) -> KnownGuest:
    rules = await programme.find(tx, venue.account_id)
    member = await ledger.member(tx, venue.account_id, contact_id)
    held = []
    for one in await coupons.of_contact(tx, venue.account_id, contact_id):
        with suppress(Conflict):
            await coupons.refuse(tx, one, contact_id, now)
            held.append(HeldCoupon(code=one.shown_code, name=one.name))
    chosen = await redeeming.chosen(tx, venue.account_id, contact_id, now)
    return KnownGuest(
        has_points=rules.is_on,
        points=member.balance,
        worth=rules.worth(member.balance, venue.currency) if rules.is_on else 0,
        cards=[
            StampsOfGuest(name=card.name, stamps=mine.balance, needed=card.needed)
            for card, mine in await stamps.collected(tx, venue.account_id, contact_id)
        ],
        coupons=held,
        chosen=[ChosenReward(kind=one.kind, name=one.name) for one in chosen],
    )


async def must_hold(tx: Tx, made: Redemption, now: int) -> None:
    """Nobody is promised what is not there."""
    if made.coupon_id is not None:
        await coupons.refuse(tx, await coupons.find(tx, made.account_id, made.coupon_id), made.contact_id, now)
    elif not (await ledger.member(tx, made.account_id, made.contact_id)).balance:
        raise Conflict("There are no points.", code="points_missing")
