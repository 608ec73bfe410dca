"""What a person may do with what is held of them, by a link that was sent to their own number: see it, stop offers, be erased."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.audit import Acting, Actor, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.consent import ledger
from tablegram.crm.consent.ledger import Word
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import find_living
from tablegram.crm.own_data import links
from tablegram.crm.own_data.links import CUSTOMER, DataLink
from tablegram.crm.rows import ContactRow
from tablegram.crm.store import contacts as contact_store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, NotFound, QuotaExhausted, no_such
from tablegram.flows.contacts.answers import DataLinkSent, ErasureReceipt
from tablegram.flows.contacts.consents.words import link_text, spoken
from tablegram.flows.contacts.contacts import Contacts
from tablegram.flows.contacts.erasure import Erasure, read_receipt
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import Text
from tablegram.messaging.store import instances as line_store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.secrets import SecretBox

SOURCE = "page"
# Of a conversation that is longer the newest part is in the file.
MAX_MESSAGES = 5_000


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What the page shows. With a `receipt` the person is erased, and nothing else is known any more."""

    link: DataLink
    wants_offers: bool = False
    receipt: ErasureReceipt | None = None


class DataRights:
    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, idempotency: Idempotency, audit: Audit, announcer: Announcer,
        queue: Queueing, pool: Contacts, erasure: Erasure, base_url: str,
    ) -> None:  # fmt: skip
        self._db, self._box, self._clock = db, box, clock
        self._idempotency, self._audit, self._announcer = idempotency, audit, announcer
        self._queue, self._pool, self._erasure, self._base_url = queue, pool, erasure, base_url

    async def send(self, caller: Caller, contact_id: str, call: Call) -> Result[DataLinkSent]:
        """Send a contact the link, by the line that they wrote to last. Only the contact gets to see it."""
        caller.require("contacts:manage")
        acting, now = self._audit.acting(caller), self._clock.now_ms()
        lines: list[int] = []

        async def work(tx: Tx) -> Result[DataLinkSent]:
            contact = await find_living(tx, caller.account_id, contact_id)
            if contact is None:
                raise NotFound(no_such("contact"), code="contact_unknown")
            if (contact["window_until"] or 0) <= now or contact["last_instance_id"] is None:
                raise Conflict(
                    "The contact has not written within a day, so no free message may be sent. Ask them to write to you.",
                    code="contact_silent",
                )
            phone = (await known_phones(tx, [(caller.account_id, contact["id"])])).get(
                (caller.account_id, contact["id"]), ""
            )
            line = await tx.first(line_store.GET, {"b_account": caller.account_id, "b_id": contact["last_instance_id"]})
            if not phone or line is None or line["deleted_at"] is not None:
                raise Conflict("There is no number or line to send the link by.", code="contact_silent")
            way = Way(caller.account_id, line["id"], line["kind"])
            language = spoken("", contact["language"], phone)
            by = caller.key_name or caller.key_id
            link = await self.offer(tx, way, contact["id"], phone, language, by, now)
            if link is None:
                raise Conflict(f"They got {links.MOST} links today. Wait until tomorrow.", code="links_full")
            lines.append(line["id"])
            await acting.note(tx, "contact.data_link_sent", "contact", contact["id"])
            return Result(DataLinkSent(contact_id=contact["id"], expires_at=iso(link.expires_at)), 202)

        answer = await self._idempotency.once_for(DataLinkSent, caller.account_id, call, work)
        for line_id in lines[-1:]:
            self._queue.wake(caller.account_id, line_id)
        return answer

    async def offer(
        self, tx: Tx, way: Way, contact_id: str, phone: str, language: str, by: str, now: int
    ) -> DataLink | None:
        """Queue a message with a new link; nothing where they had enough of them."""
        if await links.is_asked_enough(tx, way.account_id, contact_id, now):
            return None
        link, key = await links.make(tx, self._box, way.account_id, contact_id, language, by, now)
        text = Text(link_text(language, f"{self._base_url}/my-data/{key}"))
        if await self._queue.put(tx, way, phone, text, now, by="data_link") is None:
            raise QuotaExhausted("There is no balance to send the link with.")
        return link

    async def show(self, key: str) -> Shown:
        link = await self._find(key)

        async def look(tx: Tx) -> Shown:
            receipt = await tx.first(contact_store.RECEIPT, {"b_account": link.account_id, "b_id": link.contact_id})
            if receipt is not None:
                return Shown(link=link, receipt=read_receipt(receipt))
            contact = await self._living(tx, link)
            return Shown(link=link, wants_offers=contact["consent"] == "granted")

        return await self._db.snapshot(look)

    async def file(self, key: str) -> bytes:
        """All that is held of the person, as JSON."""
        link = await self._find(key)
        contact = await self._db.snapshot(lambda tx: self._living(tx, link))
        caller = _on_behalf(link)
        held = [view async for view in self._pool.every(caller, ids=[contact["id"]])]
        messages: list[Any] = []
        cursor: str | None = None
        while len(messages) < MAX_MESSAGES:
            page = await self._pool.messages(caller, contact["id"], 200, cursor)
            messages += page.data
            cursor = page.next_cursor
            if cursor is None:
                break
        document = {"made_at": iso(self._clock.now_ms()), "held_by": link.account_name, "contact": held[0]}
        return msgspec.json.format(msgspec.json.encode({**document, "messages": messages}), indent=2)

    async def stop(self, key: str) -> Shown:
        link, now = await self._find(key), self._clock.now_ms()
        acting = self._acting(link)
        await self._announcer.refresh(link.account_id)

        async def work(tx: Tx) -> None:
            contact = await self._living(tx, link)
            word = Word(
                account_id=link.account_id, contact_id=contact["id"], state="denied", source=SOURCE,
                proof=f"link {link.id}", at=now,
            )  # fmt: skip
            turn = await ledger.hear(tx, word)
            if turn is not None and turn.is_new:
                who = (link.account_id, contact["id"])
                phone = (await known_phones(tx, [who])).get(who, "")
                for query, params in self._announcer.consented(*who, phone, turn.after):
                    await tx.run(query, params)
                detail = {"purpose": "marketing", "state": "denied"}
                await acting.note(tx, "contact.consent_noted", "contact", contact["id"], detail)

        await self._db.write(work)
        self._announcer.planned(link.account_id)
        return await self.show(key)

    async def erase(self, key: str) -> Shown:
        """Erase the person. Asked again, it is shown that it was done."""
        link = await self._find(key)
        await self._erasure.erase_for(link.account_id, link.contact_id, self._acting(link))
        return await self.show(key)

    async def _find(self, key: str) -> DataLink:
        now = self._clock.now_ms()
        link = await self._db.snapshot(lambda tx: links.find(tx, self._box, key, now))
        if link is None:
            raise NotFound("This link has ended. Write to us again for a new one.", code="link_over")
        return link

    async def _living(self, tx: Tx, link: DataLink) -> ContactRow:
        row = await find_living(tx, link.account_id, link.contact_id)
        if row is None:
            raise NotFound("This link has ended. Write to us again for a new one.", code="link_over")
        return row

    def _acting(self, link: DataLink) -> Acting:
        return Acting(self._clock, link.account_id, Actor("system", CUSTOMER, CUSTOMER), "")


def _on_behalf(link: DataLink) -> Caller:
    """The person themself, who sees everything that is theirs."""
    scopes = frozenset(["*"])
    return Caller(
        account_id=link.account_id, account_name="", key_id=CUSTOMER, key_name="", mode="live", scopes=scopes, rate=1.0,
        burst=1, plan="", prepaid=False, expires_at=None,
    )  # fmt: skip
