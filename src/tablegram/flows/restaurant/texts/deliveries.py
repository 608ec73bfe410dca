"""Where a delivery goes that is ordered already: a shared place, or an address."""

from __future__ import annotations

from typing import Any

from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.drafts.drafting import Drafts
from tablegram.flows.restaurant.texts.said import Said
from tablegram.restaurant.guests import DELIVERS_MS, MAX_ADDRESS, is_address
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.texts import drafts as draft_rows
from tablegram.storage.database import Tx
from tablegram.values.coordinates import route_link


class Deliveries:
    def __init__(self, ordering: Ordering, drafts: Drafts) -> None:
        self._ordering = ordering
        self._drafts = drafts

    async def take_place(self, tx: Tx, said: Said, body: Any) -> list[Statement] | None:
        """A shared place is where the guest's delivery goes, be it ordered or only read back."""
        place = body if isinstance(body, dict) else {}
        link = route_link(place.get("latitude"), place.get("longitude"))
        if link is None:
            return None
        written = tidy(", ".join(str(place.get(name) or "") for name in ("name", "address")).strip(", "))
        draft = await draft_rows.latest(tx, said.venue.account_id, said.venue.id, said.phone, said.now)
        if draft is not None and draft.is_open(said.now) and draft.order_type == "delivery":
            return await self._drafts.take_place(tx, said, draft, link, written)
        order = await self._find(tx, said)
        if order is None:
            return None
        changes = {"route_url": link}
        if written and not order.address:
            changes["address"] = written[:MAX_ADDRESS]
        return await self._deliver_to(tx, said, order, changes, "location_noted")

    async def take_address(self, tx: Tx, said: Said, heard: Reading) -> list[Statement] | None:
        """The words after "where shall we bring it?", if they look like an address and like nothing else."""
        address = tidy(said.text)
        is_talk = heard.tells or any(question.kind == "asks" for question in heard.questions)
        if not is_address(address) or heard.lines or is_talk:
            return None
        order = await self._find(tx, said)
        if order is None or order.address or order.route_url:
            return None
        return await self._deliver_to(tx, said, order, {"address": address}, "address_noted")

    async def _find(self, tx: Tx, said: Said) -> Order | None:
        row = await tx.first(order_store.TO_DELIVER, {**said.whose, "since": said.now - DELIVERS_MS})
        return None if row is None else from_row(row)

    async def _deliver_to(
        self, tx: Tx, said: Said, order: Order, changes: dict[str, str], word: str
    ) -> list[Statement]:
        change = await orders.amend(tx, order.account_id, order.order_id, changes, "guest", said.now)
        if not change.changed:
            return []
        await self._ordering.telling.word(
            tx, said.venue, said.phone, order.language, said.now, word, order=order.order_id,
            address=change.order.address,
        )  # fmt: skip
        return await self._ordering.follow(tx, said.venue, change, "amend", said.now, tells=False)
