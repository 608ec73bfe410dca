"""Couriers on their own page: in by a private link and a PIN, and each tap acts once, however often it is sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct

from tablegram.accounts.people.throttle import too_many
from tablegram.delivery.couriers import access, keeping, shifts
from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.keeping import Mover
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.engine.timers import Bell, Bells
from tablegram.errors import Conflict, Invalid, NotFound, Unauthorized
from tablegram.flows.delivery.couriers.dispatching import Dispatching, Paid, Stepped
from tablegram.flows.delivery.couriers.page.shown import CourierPageView, shown_to
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import MINUTE_MS, Clock
from tablegram.values.secrets import SecretBox

Move = Literal["pick_up", "deliver", "bring_back"]


class Tapped(Struct, kw_only=True, frozen=True):
    """What a tap came to; kept under its key, and so without anything of the guest."""

    step_id: str = ""
    state: str = ""


class CourierPages:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, idempotency: Idempotency, dispatching: Dispatching,
        forget_min: int,
    ) -> None:  # fmt: skip
        self._db, self._box, self._clock = db, box, clock
        self._idempotency, self._dispatching = idempotency, dispatching
        self._forget_ms = forget_min * MINUTE_MS
        self._bells: Bells[str] = Bells()

    # Coming in.

    async def find(self, key: str) -> Courier:
        """Whose page it is. A link that was revoked is told from none."""
        courier = await self._db.snapshot(lambda tx: access.find(tx, self._box, key))
        if courier is None:
            raise NotFound("This link leads nowhere any more. Ask for a new one.", code="courier_link_unknown")
        return courier

    async def enter(self, key: str, pin: str) -> str:
        """What the phone shows from now on."""
        courier = await self.find(key)
        if not (pin.isascii() and pin.isdecimal() and len(pin) == access.PIN_DIGITS):
            raise Invalid.field("pin", "pin_invalid", f"A PIN has {access.PIN_DIGITS} digits.")
        now, which = self._clock.now_ms(), (courier.account_id, courier.id)
        found = await self._db.write(lambda tx: access.try_pin(tx, self._box, which, pin, now))
        if found is None:
            raise Invalid.field("pin", "pin_unknown", "This is not your PIN.")
        if isinstance(found, int):
            raise too_many(-(-found // 1_000))
        return access.begin_session(self._box, found, now)

    async def check(self, key: str, token: str) -> Courier:
        """Whose page it is, for a phone that has shown the PIN."""
        courier = await self.find(key)
        if not access.is_open(self._box, courier, token, self._clock.now_ms()):
            raise Unauthorized("Enter your PIN.", code="pin_needed")
        return courier

    # Looking.

    async def show(self, courier: Courier) -> CourierPageView:
        return await self._db.snapshot(lambda tx: shown_to(tx, courier, self._clock.now_ms(), self._forget_ms))

    def told(self, venue: Venue) -> None:
        """Something about an order of the venue was committed."""
        self._bells.ring(venue.id)

    def attend(self, venue_id: str, bell: Bell) -> None:
        self._bells.attend(venue_id, bell)

    def leave(self, venue_id: str, bell: Bell) -> None:
        self._bells.leave(venue_id, bell)

    # Tapping.

    async def take(self, courier: Courier, order_id: str, once: str) -> Tapped:
        """One that nobody brings yet becomes theirs."""

        async def work(tx: Tx, now: int) -> Stepped:
            try:
                return await self._dispatching.assign(
                    tx, courier.account_id, order_id, courier.id, _mover(courier), now, takes=True
                )
            except (Invalid, NotFound):
                # Of another venue, or of nobody: one answer for both.
                raise Conflict("This order cannot be taken.", code="taken_already") from None

        return await self._move(courier, Call(_route(courier, "take"), once, order_id), work)

    async def step(
        self, courier: Courier, delivery_id: str, action: Move, once: str, *, paid: Paid | None = None, reason: str = ""
    ) -> Tapped:
        async def work(tx: Tx, now: int) -> Stepped:
            await _check_own(tx, courier, delivery_id)
            return await self._dispatching.step(
                tx, courier.account_id, delivery_id, action, _mover(courier), now, paid=paid, reason=reason
            )

        call = Call(_route(courier, action), once, f"{delivery_id} {paid} {reason}")
        return await self._move(courier, call, work)

    async def undo(self, courier: Courier, delivery_id: str, step_id: str, once: str) -> Tapped:
        async def work(tx: Tx, now: int) -> Stepped:
            await _check_own(tx, courier, delivery_id)
            return await self._dispatching.undo(tx, courier.account_id, delivery_id, step_id, _mover(courier), now)

        return await self._move(courier, Call(_route(courier, "undo"), once, f"{delivery_id} {step_id}"), work)

    async def set_shift(self, courier: Courier, working: bool, once: str) -> Tapped:
        """Begin a shift, or end it with empty hands; who works already, or not, stays so."""

        begun: list[Venue] = []

        async def work(tx: Tx) -> Result[Tapped]:
            begun.clear()
            locked, now = await keeping.lock(tx, courier.account_id, courier.id), self._clock.now_ms()
            if working:
                begun.append(await self._dispatching.begin_shift(tx, locked, courier.name, now))
            else:
                await shifts.end(tx, locked, courier.name, now)
            return Result(Tapped(state="working" if working else "off"))

        call = Call(_route(courier, "shift"), once, str(working))
        answer = await self._idempotency.once_for(Tapped, courier.account_id, call, work)
        for venue in begun:
            self._dispatching.began(venue)
        return answer.value

    async def _move(self, courier: Courier, call: Call, move: Callable[[Tx, int], Awaitable[Stepped]]) -> Tapped:
        after: list[Stepped] = []
        await self._dispatching.refresh(courier.account_id)

        async def work(tx: Tx) -> Result[Tapped]:
            after.clear()
            stepped = await move(tx, self._clock.now_ms())
            after.append(stepped)
            return Result(Tapped(step_id=stepped.delivery.step, state=stepped.delivery.state))

        answer = await self._idempotency.once_for(Tapped, courier.account_id, call, work)
        if not answer.replayed:
            for stepped in after:
                self._dispatching.told(stepped)
        return answer.value


async def _check_own(tx: Tx, courier: Courier, delivery_id: str) -> None:
    if (await tours.get(tx, courier.account_id, delivery_id)).courier_id != courier.id:
        raise NotFound("You have no such order.", code="order_delivery_unknown")


def _mover(courier: Courier) -> Mover:
    return Mover(courier.name, "page")


def _route(courier: Courier, what: str) -> str:
    return f"courier page {courier.id} {what}"
