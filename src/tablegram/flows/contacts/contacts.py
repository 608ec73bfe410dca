"""The pool of customers as the API manages it: found, looked at, changed, merged, exported."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import asdict

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.automations import people as automations
from tablegram.campaigns import people as campaigns
from tablegram.crm import birthdays, profiles, search
from tablegram.crm.answers.contacts import ContactPage, ContactView
from tablegram.crm.bulk import Tagged
from tablegram.crm.consent import ledger
from tablegram.crm.contacts import known_phones, new_contact
from tablegram.crm.merging import find_living, merge, require_living
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.widening import wide_enough
from tablegram.crm.rows import AliasRow, ContactRow, NewContact, OwnFields, SaidOfConsent
from tablegram.crm.store import contacts as store
from tablegram.crm.tags import common_tags
from tablegram.crm.terms import parse_query, tag_word
from tablegram.delivery.addresses import keeping as addresses
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, no_such
from tablegram.flows.contacts.answers import ContactOrderPage, ExportedContact
from tablegram.flows.contacts.fields import ContactChange, ContactDraft, GivenConsent
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.answers.messages import MessagePage
from tablegram.flows.gateway.answers.messages import show as show_message
from tablegram.loyalty import people as loyalty
from tablegram.messaging.records.waiting import why_waiting
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import messages as message_store
from tablegram.payments import people as payments
from tablegram.restaurant import customers
from tablegram.restaurant.orders.brief import brief
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Database, Tx
from tablegram.stores import people as stores
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor, following, from_newest
from tablegram.values.ids import new_id

EXPORT_CHUNK = 500
# More than an account may have; what is counted is bounded all the same.
MAX_COUNTED = 10_000_000


class Contacts:
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        library: MediaLibrary,
        audit: Audit,
        announcer: Announcer,
        holdings: Iterable[Holding],
        told: Callable[[int, str], None],
    ) -> None:
        # Called with the account and the contact when something of one was changed.
        self._told = told
        # What the parts of the product hold of a contact besides; an export shows it.
        self._holdings = holdings
        self._announcer = announcer
        self._audit = audit
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._library = library
        # Who hears, in the same transaction, which tags a contact got.
        self.tag_followers: list[Tagged] = []

    async def page(
        self, caller: Caller, *, q: str | None, tag: str | None, since_ms: int | None, limit: int, cursor: str | None
    ) -> ContactPage:
        """Those seen last first; with `since_ms`, only who wrote at or after that time."""
        caller.require("contacts:read")
        after = search.read_position(cursor)
        wanted = _wanted(caller, q, tag, since_ms, limit + 1, after)
        if wanted is None:
            return ContactPage(data=[], next_cursor=None)

        async def look(tx: Tx) -> ContactPage:
            rows = await search.find(tx, wanted)
            return ContactPage(
                data=await profiles.views(tx, rows[:limit], self._clock.now_ms()),
                next_cursor=search.position(rows[limit - 1]) if len(rows) > limit else None,
            )

        return await self._db.snapshot(look)

    async def count(self, caller: Caller, *, q: str | None, tag: str | None, since_ms: int | None, most: int) -> int:
        """How many a search finds, counted as far as `most`."""
        caller.require("contacts:read")
        wanted = _wanted(caller, q, tag, since_ms, most)
        return 0 if wanted is None else await self._db.snapshot(lambda tx: search.count(tx, wanted))

    async def tags(self, caller: Caller, most: int) -> list[str]:
        """The account's tags, those of most contacts first."""
        caller.require("contacts:read")
        return await self._db.snapshot(lambda tx: common_tags(tx, caller.account_id, most))

    async def get(self, caller: Caller, contact_id: str) -> ContactView:
        """The contact; the id of a merged one answers with the one that stayed."""
        caller.require("contacts:read")

        async def look(tx: Tx) -> ContactView:
            return await self._view(tx, await require_living(tx, caller.account_id, contact_id))

        return await self._db.snapshot(look)

    async def messages(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> MessagePage:
        """The whole conversation in both directions, under every name of theirs, newest first."""
        caller.require("contacts:read")
        caller.require("messages:read")
        before = None if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> list[MessageRow]:
            contact = await require_living(tx, caller.account_id, contact_id)
            rows: list[MessageRow] = []
            for _, value in await profiles.aliases_of(tx, caller.account_id, contact["id"]):
                params = {"b_account": caller.account_id, "b_phone": value, "most": limit + 1}
                query = message_store.CONVERSATION if before is None else message_store.CONVERSATION_BEFORE
                rows += await tx.all(query, {**params, "before": before})
            return sorted(rows, key=lambda row: str(row["id"]), reverse=True)

        rows = await self._db.snapshot(look)
        files = await self._library.of_messages(rows[:limit])
        waits = await why_waiting(self._db, caller.account_id, rows[:limit], self._clock.now_ms())
        return MessagePage(
            data=[show_message(row, files.get(row["id"]), waits.get(row["id"])) for row in rows[:limit]],
            next_cursor=following(rows, limit),
        )

    async def orders(self, caller: Caller, contact_id: str, limit: int, cursor: str | None = None) -> ContactOrderPage:
        """What they ordered, newest first."""
        caller.require("contacts:read")
        caller.require("restaurant:read")
        before = from_newest(cursor)

        async def look(tx: Tx) -> list[Order]:
            contact = await require_living(tx, caller.account_id, contact_id)
            return await customers.orders_of(tx, caller.account_id, [contact["id"]])

        found = [order for order in await self._db.snapshot(look) if order.id < before]
        return ContactOrderPage(
            data=[brief(order) for order in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    async def add(self, caller: Caller, draft: ContactDraft, call: Call) -> Result[ContactView]:
        """Add somebody who has not written yet."""
        caller.require("contacts:manage")
        acting = self._audit.acting(caller)
        now, contact_id = self._clock.now_ms(), new_id()
        row: NewContact = {
            **new_contact(caller.account_id, contact_id, draft.name, now),
            "name_is_own": int(bool(draft.name)),
            "language": draft.language,
            "birthday": _birthday(draft.birthday),
            "tags": _tags(draft.tags),
            "notes": draft.notes,
            **_consent(draft.consent, now),
        }
        alias = {"account_id": caller.account_id, "kind": "phone", "value": draft.phone}

        async def work(tx: Tx) -> Result[ContactView]:
            taken: AliasRow | None = await tx.first(store.FIND_ALIAS, alias)
            if taken is None:
                taken = await tx.first(store.CLAIM_ALIAS, {**alias, "contact_id": contact_id})
            assert taken is not None
            if taken["contact_id"] != contact_id:
                raise Conflict(
                    "There is a contact with this number already.", code="contact_exists",
                    extra={"contact_id": taken["contact_id"]},
                )  # fmt: skip
            await tx.run(store.INSERT, row)
            await profiles.add_terms(tx, [(row, [("phone", draft.phone)])])
            await _note_consent(tx, caller, contact_id, draft.consent, now)
            await self._tell_tags(tx, caller.account_id, contact_id, profiles.tags_of(row), now)
            await acting.note(tx, "contact.added", "contact", contact_id)
            return Result(await self._view(tx, await require_living(tx, caller.account_id, contact_id)), 201)

        return await self._idempotency.once_for(ContactView, caller.account_id, call, work)

    async def update(self, caller: Caller, contact_id: str, change: ContactChange) -> ContactView:
        """Change what is given and leave the rest. Consent that is taken back is an event."""
        caller.require("contacts:manage")
        acting = self._audit.acting(caller)
        await self._announcer.refresh(caller.account_id)

        async def work(tx: Tx) -> ContactView:
            old = await require_living(tx, caller.account_id, contact_id)
            now = self._clock.now_ms()
            changed: OwnFields = {**_changeable(old), **_consent(change.consent, now)}
            if change.language is not None:
                changed["language"] = change.language
            if change.notes is not None:
                changed["notes"] = change.notes
            if change.name is not None:
                changed["name"] = change.name
                # Without a name of our own, the network's is shown again when they write.
                changed["name_is_own"] = int(bool(change.name))
            if change.birthday is not None:
                changed["birthday"] = _birthday(change.birthday)
            if change.tags is not None:
                changed["tags"] = _tags(change.tags)
            which = {"b_account": caller.account_id, "b_id": old["id"]}
            await tx.run(store.UPDATE, {**which, **{f"new_{name}": value for name, value in changed.items()}})
            await _note_consent(tx, caller, old["id"], change.consent, now)
            await profiles.tell_terms(tx, caller.account_id, old["id"])
            had = profiles.tags_of(old)
            added = [tag for tag in profiles.tags_of(changed) if tag not in had]
            await self._tell_tags(tx, caller.account_id, old["id"], added, now)
            holds = (await require_living(tx, caller.account_id, old["id"]))["consent"]
            if holds != old["consent"]:
                await self._tell_consent(tx, caller.account_id, old["id"], holds)
            # What was changed, not to what: the log outlives the contact.
            await acting.note(tx, "contact.changed", "contact", old["id"], {"fields": sorted(change.given())})
            return await self._view(tx, await require_living(tx, caller.account_id, old["id"]))

        view = await self._db.write(work)
        if change.consent is not None:
            self._announcer.planned(caller.account_id)
        self._told(caller.account_id, view.id)
        return view

    async def _tell_tags(self, tx: Tx, account_id: int, contact_id: str, added: list[str], now: int) -> None:
        for follower in self.tag_followers if added else ():
            await follower(tx, account_id, contact_id, added, now)

    async def _tell_consent(self, tx: Tx, account_id: int, contact_id: str, state: str) -> None:
        who = (account_id, contact_id)
        phone = (await known_phones(tx, [who])).get(who, "")
        for query, params in self._announcer.consented(account_id, contact_id, phone, state):
            await tx.run(query, params)

    async def merge(self, caller: Caller, contact_id: str, into: str, call: Call) -> Result[ContactView]:
        """Let `into` answer for the contact from now on. Merging again what is merged changes nothing."""
        caller.require("contacts:manage")
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[ContactView]:
            gone = await require_living(tx, caller.account_id, contact_id)
            kept = await find_living(tx, caller.account_id, into)
            if kept is None:
                raise Invalid.field("into", "contact_unknown", no_such("contact"))
            if contact_id == into:
                raise Invalid.field("into", "not_allowed", "A contact cannot be merged into itself.")
            if gone["id"] != kept["id"]:
                await merge(tx, caller.account_id, gone["id"], kept["id"])
                await customers.move(tx, caller.account_id, gone["id"], kept["id"])
                await addresses.move(tx, caller.account_id, gone["id"], kept["id"])
                await stores.move(tx, caller.account_id, gone["id"], kept["id"])
                await loyalty.move(tx, caller.account_id, gone["id"], kept["id"])
                await payments.move(tx, caller.account_id, gone["id"], kept["id"])
                await campaigns.move(tx, caller.account_id, gone["id"], kept["id"])
                await automations.move(tx, caller.account_id, gone["id"], kept["id"])
                await acting.note(tx, "contact.merged", "contact", gone["id"], {"into": kept["id"]})
            return Result(await self._view(tx, await require_living(tx, caller.account_id, kept["id"])))

        answer = await self._idempotency.once_for(ContactView, caller.account_id, call, work)
        self._told(caller.account_id, into)
        return answer

    def holdings(self, caller: Caller) -> list[Holding]:
        """What an export shows this caller of a contact besides."""
        return [holding for holding in self._holdings if not holding.scope or caller.has(holding.scope)]

    async def every(
        self, caller: Caller, *, q: str | None = None, tag: str | None = None, since_ms: int | None = None,
        ids: list[str] | None = None,
    ) -> AsyncIterator[ExportedContact]:  # fmt: skip
        """All that a search finds, with the orders that the caller may see, oldest first; without one, everybody.

        With `ids`, those and nobody else.

        They are read piece by piece: no export holds the store or the memory.
        """
        caller.require("contacts:read")
        n = len(ids) if ids else await self.count(caller, q=q, tag=tag, since_ms=since_ms, most=MAX_COUNTED)
        # How many, and not who was looked for: the log outlives the contact.
        detail = {"contacts": n, **({"filtered": True} if ids or q or tag or since_ms else {})}
        await self._audit.note(caller, "contacts.exported", "contacts", "", detail)
        wanted = _wanted(caller, q, tag, since_ms, EXPORT_CHUNK)
        if wanted is None:
            return
        after = ""
        while True:
            position = after

            async def look(tx: Tx, position: str = position) -> list[ExportedContact]:
                rows = await (_those(tx, caller, ids) if ids else search.find_in_order(tx, wanted, position))
                views = await profiles.views(tx, rows, self._clock.now_ms())
                # Each part adds what it holds of them, in its own words.
                ids_seen = [view.id for view in views]
                held = {one.name: await one.read(tx, caller.account_id, ids_seen) for one in self.holdings(caller)}
                kind = wide_enough(ExportedContact, held, list[Any])
                told: list[dict[str, Any]] = [
                    {name: found.get(view.id, []) for name, found in held.items()} for view in views
                ]
                return [kind(**asdict(view), **more) for view, more in zip(views, told, strict=True)]

            chunk = await self._db.snapshot(look)
            for contact in chunk:
                yield contact
            if ids or len(chunk) < EXPORT_CHUNK:
                return
            after = chunk[-1].id

    async def _view(self, tx: Tx, row: ContactRow) -> ContactView:
        return (await profiles.views(tx, [row], self._clock.now_ms()))[0]


def _wanted(
    caller: Caller,
    q: str | None,
    tag: str | None,
    since_ms: int | None,
    most: int,
    after: tuple[int, str] | None = None,
) -> search.ContactSearch | None:
    """What to find; nothing when something was typed in which there is no word."""
    words = parse_query(q or "")
    if q is not None and q.strip() and not words:
        return None
    if tag is not None:
        words.append(tag_word(tag))
    return search.ContactSearch(caller.account_id, words, since_ms, after, most)


async def _those(tx: Tx, caller: Caller, ids: list[str]) -> list[ContactRow]:
    rows = await tx.gather(store.GET, [{"b_account": caller.account_id, "b_id": one} for one in sorted(set(ids))])
    return [row for row in rows if row["merged_into"] is None]


def _birthday(text: str) -> str:
    day = birthdays.read(text)
    if day is None:
        raise Invalid.field("birthday", "birthday_invalid", "Write the month and the day as MM-DD, such as 05-17.")
    return day


def _tags(tags: list[str]) -> str:
    """Each once, in the order given."""
    return msgspec.json.encode(list(dict.fromkeys(tag.strip() for tag in tags))).decode()


def _consent(given: GivenConsent | None, now_ms: int) -> SaidOfConsent:
    if given is None:
        return {}
    return {"consent": given.state, "consent_at": now_ms, "consent_source": _source(given)}


def _source(given: GivenConsent) -> str:
    return given.source or "api"


async def _note_consent(tx: Tx, caller: Caller, contact_id: str, given: GivenConsent | None, now_ms: int) -> None:
    """The ledger keeps every word; the contact's own row, the last one."""
    if given is not None:
        word = ledger.Word(
            account_id=caller.account_id, contact_id=contact_id, state=given.state, source=_source(given),
            by=caller.key_name or caller.key_id, at=now_ms,
        )  # fmt: skip
        await ledger.note(tx, [word])


def _changeable(row: ContactRow) -> OwnFields:
    return {
        "name": row["name"],
        "name_is_own": row["name_is_own"],
        "language": row["language"],
        "birthday": row["birthday"],
        "tags": row["tags"],
        "notes": row["notes"],
        "consent": row["consent"],
        "consent_at": row["consent_at"],
        "consent_source": row["consent_source"],
    }
