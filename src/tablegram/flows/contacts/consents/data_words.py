"""Who asks for their data by message gets the link to it, on the number that asked."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.crm.own_data.asking import read_text
from tablegram.crm.own_data.links import CUSTOMER
from tablegram.errors import QuotaExhausted
from tablegram.flows.contacts.consents.data_rights import DataRights
from tablegram.flows.gateway.answering import CONSENT, Answered, Heard, Written
from tablegram.flows.gateway.queueing import Queueing, Waiting, Way
from tablegram.messaging.store import instances as line_store
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock


class DataWords:
    precedence = CONSENT + 1
    max_failures = 6

    def __init__(self, clock: Clock, queue: Queueing, rights: DataRights) -> None:
        self._clock = clock
        self._rights = rights
        self._waiting = Waiting(queue)

    async def prepare(self, written: Sequence[Written]) -> None:
        """Nothing is read before the transaction."""

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        written, item, now = heard.written, heard.written.message, self._clock.now_ms()
        language = read_text(item.text) if item.type == "text" and not written.change else None
        if language is None or not item.sender_phone or item.is_late(now):
            return None
        line = await tx.first(line_store.GET, {"b_account": written.account_id, "b_id": written.instance_id})
        if line is None:
            return None
        way = Way(written.account_id, written.instance_id, line["kind"])
        contact_id = heard.contact.contact_id
        try:
            link = await self._rights.offer(tx, way, contact_id, item.sender_phone, language, CUSTOMER, now)
        except QuotaExhausted:
            # People of the team see the message, and answer it.
            return None
        if link is not None:
            self._waiting.add(written.account_id, written.instance_id)
        return Answered(is_settled=link is not None)

    def committed(self) -> None:
        """The links are committed: their lines may send them."""
        self._waiting.committed()
