"""Couriers who write: "1", "aldım", "2 42", "teslim hepsi", "4 43" to take one that waits. What they say moves what
they bring, and nothing else.

Whoever works a shift or has something to bring is heard as a courier, whatever they write: their words are no order and
get no automatic reply. Only the ready text of a cart is their own lunch. At all other times they are a guest like others.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from tablegram.delivery.couriers import keeping as couriers
from tablegram.delivery.couriers import shifts
from tablegram.delivery.couriers.model import Courier
from tablegram.delivery.tours import keeping as tours
from tablegram.delivery.tours.keeping import Delivery, Mover
from tablegram.delivery.tours.reading import Reply, read_reply, short_number
from tablegram.delivery.tours.states import Action, step
from tablegram.errors import Conflict, NotFound
from tablegram.events.planning import Statement
from tablegram.flows.delivery.couriers.dispatching import Dispatching, Stepped, free_to_take, refuse
from tablegram.flows.delivery.couriers.telling import method_of, to_collect
from tablegram.flows.delivery.couriers.words import speak
from tablegram.flows.gateway.answering import COURIERS, Answered, Heard, Written
from tablegram.flows.restaurant.texts.said import is_told_enough
from tablegram.restaurant import venues
from tablegram.restaurant.carts.codes import find_codes
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import left_to_pay
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import FRESH_S, MINUTE_MS, Clock
from tablegram.values.money import written as money
from tablegram.values.texts.reasons import MAX_REASON

# The clocks of phones and networks differ from ours by so much.
_SKEW_MS = MINUTE_MS
_DIGITS: dict[Action, str] = {"pick_up": "1", "deliver": "2", "bring_back": "3"}


class CourierReplies:
    """`prepare` before a unit of work, `answer` in it, `committed` after its commit."""

    precedence = COURIERS
    max_failures = 3

    def __init__(self, db: Database, clock: Clock, dispatching: Dispatching) -> None:
        self._db = db
        self._clock = clock
        self._dispatching = dispatching
        # The numbers of an account's couriers, and when they were looked up.
        self._phones: dict[int, tuple[float, set[str]]] = {}
        self._spoke: list[Stepped] = []

    async def prepare(self, written: Sequence[Written]) -> None:
        now_s = time.monotonic()
        for account_id in {one.account_id for one in written}:
            known = self._phones.get(account_id)
            if known is None or now_s - known[0] > FRESH_S:
                self._phones[account_id] = now_s, await self._reached(account_id)
            if self._phones[account_id][1]:
                await self._dispatching.refresh(account_id)

    async def _reached(self, account_id: int) -> set[str]:
        return await self._db.snapshot(lambda tx: couriers.reached(tx, account_id))

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        """The events that follow from what a courier writes; nothing where it is no courier at work."""
        written, item = heard.written, heard.written.message
        known = self._phones.get(written.account_id)
        if known is None or item.address not in known[1]:
            return None
        found = await self._at_work(tx, written)
        if found is None:
            return None
        if written.change or item.type not in ("text", "button"):
            # Pictures and places are for people; what was said once is not unsaid.
            return Answered()
        if find_codes(item.text).codes:
            return None
        venue, courier = found
        reply = read_reply(item.text)
        if reply is None:
            if not await is_told_enough(tx, written.account_id, item.address, self._clock.now_ms()):
                await self._say(tx, venue, courier, ["unread"])
            return Answered()
        return await self._do(tx, venue, courier, reply, item.text, item.at_ms)

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        spoke, self._spoke = self._spoke, []
        for stepped in spoke:
            self._dispatching.told(stepped)

    async def _at_work(self, tx: Tx, written: Written) -> tuple[Venue, Courier] | None:
        for courier in await couriers.by_phone(tx, written.account_id, written.message.address):
            try:
                venue = await venues.find(tx, written.account_id, courier.venue_id)
            except NotFound:
                continue
            if venue.instance_id != written.instance_id:
                continue
            if await shifts.current(tx, courier) is not None:
                return venue, courier
        return None

    async def _do(self, tx: Tx, venue: Venue, courier: Courier, reply: Reply, text: str, at: int) -> Answered:
        stops = await tours.stops(tx, courier.account_id, courier.id)
        if reply.said == "list":
            return await self._end(tx, venue, courier, stops, await self._free(tx, courier))
        if reply.said == "take":
            return await self._take(tx, venue, courier, reply)
        if reply.said == "undo":
            return await self._undo(tx, venue, courier, at)
        action: Action = reply.said
        why = text if action == "bring_back" else ""
        # What was given to them after they wrote it cannot be what they mean.
        meant = [one for one in stops if one.assigned_at <= at + _SKEW_MS]
        chosen = [one for one in meant if self._would_move(one, action)]
        if reply.numbers:
            chosen = [one for one in meant if short_number(one.order_id) in reply.numbers]
            if len(chosen) < len(set(reply.numbers)):
                return await self._missing(tx, venue, courier, reply, chosen)
        elif action == "deliver" and not reply.is_all and any(one.state == "picked_up" for one in chosen):
            # What they have with them is what they hand over.
            chosen = [one for one in chosen if one.state == "picked_up"]
        if not chosen:
            return await self._nothing(tx, venue, courier, action, meant)
        if len(chosen) > 1 and not reply.is_all and not reply.numbers:
            numbers = _numbers(chosen)
            facts = {"digit": _DIGITS[action], "number": numbers.split(",")[0], "numbers": numbers}
            return await self._say(tx, venue, courier, ["which"], **facts)
        return await self._move(tx, venue, courier, reply, action, chosen, why)

    def _would_move(self, delivery: Delivery, action: Action) -> bool:
        outcome = step(delivery.state, action)
        return outcome is not None and outcome[0] != delivery.state

    async def _move(
        self, tx: Tx, venue: Venue, courier: Courier, reply: Reply, action: Action, chosen: list[Delivery], why: str
    ) -> Answered:
        """All of them or none: whatever stands in the way is found out before anything is written."""
        now = self._clock.now_ms()
        held = [
            await self._dispatching.hold(tx, one.account_id, one.id)
            for one in sorted(chosen, key=lambda one: one.order_key)
        ]
        for order, delivery in held:
            refusal = refuse(order, delivery, action)
            if refusal is not None:
                kind = "not_ready" if refusal.code == "not_ready" else f"none_{action}"
                return await self._say(tx, venue, courier, [kind], number=short_number(order.order_id))
        lines: list[str] = []
        statements: list[Statement] = []
        words = speak(courier.language)
        mover = Mover(courier.name, "message")
        for order, delivery in held:
            left = await left_to_pay(tx, order)
            paid = reply.paid or ("card_on_delivery" if method_of(order) == "card_on_delivery" else "cash")
            stepped = await self._dispatching.step(
                tx, delivery.account_id, delivery.id, action, mover, now,
                paid=None if reply.is_unpaid else paid, reason=why[:MAX_REASON],
            )  # fmt: skip
            self._spoke.append(stepped)
            statements += stepped.statements
            if action == "deliver" and left:
                kind = "noted" if stepped.collected else "not_noted"
                amount = money(left, order.currency, courier.language)
                lines.append(words[kind].format(amount=amount, method=words[paid]))
            if action == "pick_up" and left:
                lines.append(to_collect(order, left, courier.language))
        done = words[f"did_{action}"].format(numbers=_numbers([delivery for _, delivery in held]))
        stops = await tours.stops(tx, courier.account_id, courier.id)
        return await self._end(tx, venue, courier, stops, [done, *lines])

    async def _take(self, tx: Tx, venue: Venue, courier: Courier, reply: Reply) -> Answered:
        """One that nobody brings yet becomes theirs; what is told of it is what is told of one that was given."""
        now, mover = self._clock.now_ms(), Mover(courier.name, "message")
        free = await free_to_take(tx, courier.account_id, courier.venue_id, now)
        chosen = [one for one in free if not reply.numbers or short_number(one.order_id) in reply.numbers]
        if not free:
            return await self._say(tx, venue, courier, ["none_take"])
        if len(chosen) < len(set(reply.numbers)):
            here = {short_number(one.order_id) for one in chosen}
            strange = next(number for number in reply.numbers if number not in here)
            return await self._say(tx, venue, courier, ["not_free"], number=strange)
        if len(chosen) > 1 and not reply.is_all and not reply.numbers:
            numbers = _numbers(chosen)
            return await self._say(
                tx, venue, courier, ["which"], digit="4", number=numbers.split(",")[0], numbers=numbers
            )
        for order in sorted(chosen, key=lambda one: one.id):
            try:
                stepped = await self._dispatching.assign(
                    tx, order.account_id, order.order_id, courier.id, mover, now, takes=True
                )
            except Conflict:
                number = short_number(order.order_id)
                return await self._say(tx, venue, courier, ["not_free"], number=number)
            self._spoke.append(stepped)
        return Answered(is_settled=True)

    async def _free(self, tx: Tx, courier: Courier) -> list[str]:
        free = await free_to_take(tx, courier.account_id, courier.venue_id, self._clock.now_ms())
        return [speak(courier.language)["free"].format(numbers=_numbers(free))] if free else []

    async def _undo(self, tx: Tx, venue: Venue, courier: Courier, written_at: int) -> Answered:
        """The courier's last step, whichever delivery it was of."""
        now = self._clock.now_ms()
        stops = await tours.stops(tx, courier.account_id, courier.id)
        ended = await tours.recent(tx, courier.account_id, courier.id, now)
        last = max([*stops, *ended], key=lambda one: one.step, default=None)
        if last is None:
            return await self._say(tx, venue, courier, ["none_undo"])
        try:
            # By when it was written: the network may have kept it for a while.
            stepped = await self._dispatching.undo(
                tx, last.account_id, last.id, last.step, Mover(courier.name, "message"), min(now, written_at)
            )
        except (Conflict, NotFound):
            return await self._say(tx, venue, courier, ["none_undo"])
        self._spoke.append(stepped)
        done = speak(courier.language)["did_undo"].format(numbers=_numbers([last]))
        stops = await tours.stops(tx, courier.account_id, courier.id)
        return await self._end(tx, venue, courier, stops, [done])

    async def _missing(self, tx: Tx, venue: Venue, courier: Courier, reply: Reply, chosen: list[Delivery]) -> Answered:
        """A number that is not among their stops: finished just now, or never theirs."""
        here = {short_number(one.order_id) for one in chosen}
        strange = next(number for number in reply.numbers if number not in here)
        for one in await tours.recent(tx, courier.account_id, courier.id, self._clock.now_ms()):
            if short_number(one.order_id) == strange and one.state in ("delivered", "brought_back"):
                kind = "again_deliver" if one.state == "delivered" else "again_bring_back"
                return await self._say(tx, venue, courier, [kind], numbers=str(strange))
        return await self._say(tx, venue, courier, ["not_yours"], number=strange)

    async def _nothing(self, tx: Tx, venue: Venue, courier: Courier, action: Action, meant: list[Delivery]) -> Answered:
        """A step that nothing waits for: most often one that came twice."""
        if action == "pick_up" and meant:
            return await self._say(tx, venue, courier, ["again_pick_up"], numbers=_numbers(meant))
        return await self._say(tx, venue, courier, [f"none_{action}"])

    async def _end(self, tx: Tx, venue: Venue, courier: Courier, stops: list[Delivery], lines: list[str]) -> Answered:
        words = speak(courier.language)
        left = words["left"].format(numbers=_numbers(stops)) if stops else words["nothing_left"]
        await self._dispatching.telling.say(tx, venue, courier, "\n".join([*lines, left]), self._clock.now_ms())
        return Answered(is_settled=True)

    async def _say(self, tx: Tx, venue: Venue, courier: Courier, kinds: Sequence[str], **facts: str | int) -> Answered:
        text = "\n".join(speak(courier.language)[kind].format(**facts) for kind in kinds)
        await self._dispatching.telling.say(tx, venue, courier, text, self._clock.now_ms())
        return Answered(is_settled=kinds[0] != "unread")


def _numbers(found: Sequence[Delivery | Order]) -> str:
    return ", ".join(str(short_number(one.order_id)) for one in found)
