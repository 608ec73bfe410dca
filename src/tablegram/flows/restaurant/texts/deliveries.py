"""Where a delivery goes that is ordered already: a shared place, or an address."""

from __future__ import annotations

import msgspec

from tablegram.events.planning import Statement
from tablegram.flows.delivery import terms
from tablegram.flows.delivery.terms import Looked
from tablegram.flows.delivery.words import minimum_words, outside_words
from tablegram.flows.restaurant.orders.ordering import Ordering, charges_for
from tablegram.flows.restaurant.orders.telling import charge_lines
from tablegram.flows.restaurant.texts.drafts.drafting import Drafts
from tablegram.flows.restaurant.texts.said import Said
from tablegram.restaurant.guests import DELIVERS_MS, MAX_ADDRESS, is_address
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.model import Order, OrderChanges, from_row
from tablegram.restaurant.orders.totals import subtotal
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.sentences.addresses import where_alone
from tablegram.restaurant.reading.sentences.details import detail_in, joined
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.texts import drafts as draft_rows
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx
from tablegram.values.coordinates import point_of, route_to
from tablegram.values.money import written as written_amount


class Deliveries:
    def __init__(self, ordering: Ordering, drafts: Drafts) -> None:
        self._ordering = ordering
        self._drafts = drafts

    async def take_place(self, tx: Tx, said: Said, body: object) -> list[Statement] | None:
        """A shared place is where the guest's delivery goes, be it ordered or only read back."""
        place = body if isinstance(body, dict) else {}
        point = point_of(place.get("latitude"), place.get("longitude"))
        if point is None:
            return None
        written = tidy(", ".join(str(place.get(name) or "") for name in ("name", "address")).strip(", "))
        draft = await draft_rows.latest(tx, said.venue.account_id, said.venue.id, said.phone, said.now)
        if draft is not None and draft.is_open(said.now) and draft.order_type == "delivery":
            return await self._drafts.take_place(tx, said, draft, point, written)
        order = await self._find(tx, said)
        if order is None:
            return None
        changes: OrderChanges = {"route_url": route_to(point)}
        if written and not order.address:
            changes["address"] = written[:MAX_ADDRESS]
        looked = await terms.look(tx, said.venue, point, said.now)
        if looked.destination.standing == "unknown":
            changes["destination"] = looked.destination
            return await self._deliver_to(tx, said, order, changes, "location_noted")
        return await self._settle(tx, said, order, looked, changes)

    async def _settle(self, tx: Tx, said: Said, order: Order, looked: Looked, changes: OrderChanges) -> list[Statement]:
        """The zone of an order is known now: what that costs comes on top, as long as nobody has accepted it."""
        venue, where, words = said.venue, looked.destination, speak(order.language)
        is_early = order.state == "awaiting_confirmation" and order.payment_state == "unpaid"
        if not is_early:
            # Staff took it as it was: nothing is added afterwards.
            where = msgspec.structs.replace(where, fee=0, minimum=0, free_from=None)
        charges = charges_for(venue, "delivery", order.lines, order.language, where) if is_early else None
        change = await revising.amend(
            tx, order.account_id, order.order_id, {**changes, "destination": where}, "guest", said.now, charges=charges
        )
        if not change.changed:
            return []
        after = change.order
        if where.standing == "outside":
            told = [
                *outside_words(words, venue, looked, order.language),
                words["outside_order"].format(order=order.order_id),
            ]
        else:
            told = [words["place_known"].format(order=order.order_id)]
            told += charge_lines(after.charges, after.currency, after.language)
            if after.total != order.total:
                amount = written_amount(after.total, after.currency, after.language)
                told.append(f"*{words['new_total'].format(total=amount)}*")
            if where.missing(subtotal(order.lines)):
                told.append(minimum_words(words, venue, where, subtotal(order.lines), order.language))
            if where.minutes is not None:
                told.append(words["arrives_in"].format(minutes=where.minutes))
        await self._ordering.telling.say(tx, venue, said.phone, "\n".join(told), said.now)
        return await self._ordering.follow(tx, venue, change, "amend", said.now, tells=False)

    async def take_address(self, tx: Tx, said: Said, heard: Reading) -> list[Statement] | None:
        """The words after "where shall we bring it?", if they look like an address and like nothing else."""
        address, detail = where_alone(tidy(said.text)), "" if heard.names_dish else detail_in(said.text)
        is_talk = heard.tells or any(question.kind == "asks" for question in heard.questions)
        if not (detail or is_address(address)) or heard.lines or (is_talk and not detail):
            return None
        order = await self._find(tx, said)
        if order is None:
            return None
        if order.address or order.route_url:
            fuller = joined(order.address, detail)[:MAX_ADDRESS]
            return await self._deliver_to(tx, said, order, {"address": fuller}, "address_noted") if detail else None
        if not is_address(address):
            return None
        return await self._deliver_to(tx, said, order, {"address": address}, "address_noted")

    async def _find(self, tx: Tx, said: Said) -> Order | None:
        row = await tx.first(order_store.TO_DELIVER, {**said.whose, "since": said.now - DELIVERS_MS})
        return None if row is None else from_row(row)

    async def _deliver_to(self, tx: Tx, said: Said, order: Order, changes: OrderChanges, word: str) -> list[Statement]:
        change = await revising.amend(tx, order.account_id, order.order_id, changes, "guest", said.now)
        if not change.changed:
            return []
        await self._ordering.telling.word(
            tx, said.venue, said.phone, order.language, said.now, word, order=order.order_id,
            address=change.order.address,
        )  # fmt: skip
        return await self._ordering.follow(tx, said.venue, change, "amend", said.now, tells=False)
