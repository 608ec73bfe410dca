"""The ledger of consent as people and programs work with it: listed, noted, exported; and the words customers are asked with."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.consent import ledger, registry, texts
from tablegram.crm.consent.ledger import Word
from tablegram.crm.consent.registry import RecipientType
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import find_living, require_living
from tablegram.crm.rows import ConsentRow, SpokenRow
from tablegram.crm.search import place, read_position
from tablegram.crm.store import consents as store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, no_such
from tablegram.flows.contacts.answers import ConsentPage, ConsentText, ConsentTextPage, ConsentWord
from tablegram.flows.gateway.announcing import Announcer
from tablegram.storage.database import Database, Params, Query, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.files.spreadsheets import harmless_in_csv

CHUNK = 500
# Later than every time.
_END = 9_000_000_000_000_000
_COLUMNS = ("id", "at", "contact_id", "phone", "purpose", "state", "source", "text_version", "proof", "by")


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which words a list shows; what is empty lets everything through."""

    purpose: str = ""
    state: str = ""
    source: str = ""
    contact_id: str = ""
    since_ms: int | None = None
    until_ms: int | None = None

    def query(self) -> Query[ConsentRow]:
        return store.page(self._given())

    def _given(self) -> tuple[str, ...]:
        return tuple(name for name in store.FILTERS if getattr(self, name))

    def params(self, account_id: int, after: tuple[int, str] | None, most: int) -> Params:
        until = _END if self.until_ms is None else self.until_ms
        # Before every id of that time: what was said then is not before it.
        before_at, before_id = after or (until, "")
        return {
            "b_account": account_id, "since": self.since_ms or 0, "until": until, "before_at": before_at,
            "before_id": before_id, "most": most,
            **{f"only_{name}": getattr(self, name) for name in self._given()},
        }  # fmt: skip


class ConsentDesk:
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, announcer: Announcer
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._announcer = announcer

    async def page(self, caller: Caller, wanted: Wanted, limit: int, cursor: str | None) -> ConsentPage:
        """What was said last first. A contact that was merged is asked for by any of its ids."""
        caller.require("contacts:read")
        after = read_position(cursor)

        async def look(tx: Tx) -> ConsentPage:
            rows = await tx.all(wanted.query(), wanted.params(caller.account_id, after, limit + 1))
            return ConsentPage(
                data=await _views(tx, caller.account_id, rows[:limit]),
                next_cursor=place(rows[limit - 1], rows[limit - 1]["at"]) if len(rows) > limit else None,
            )

        return await self._db.snapshot(look)

    async def of_contact(self, caller: Caller, contact_id: str, limit: int, cursor: str | None) -> ConsentPage:
        caller.require("contacts:read")
        contact = await self._db.snapshot(lambda tx: require_living(tx, caller.account_id, contact_id))
        return await self.page(caller, Wanted(contact_id=contact["id"]), limit, cursor)

    async def by_week(self, caller: Caller, weeks: int) -> list[dict[str, int]]:
        """How many said yes and no to marketing in each of the last weeks, the oldest first; `at` is its Monday."""
        caller.require("contacts:read")
        last = (self._clock.now_ms() + store.TO_MONDAY_MS) // store.WEEK_MS
        first = last - weeks + 1
        since = first * store.WEEK_MS - store.TO_MONDAY_MS
        rows = await self._db.all(store.WEEKS, {"b_account": caller.account_id, "since": since})
        counts = {(row["week"], row["state"]): row["n"] for row in rows}
        return [
            {
                "at": week * store.WEEK_MS - store.TO_MONDAY_MS,
                "granted": counts.get((week, "granted"), 0),
                "denied": counts.get((week, "denied"), 0),
            }
            for week in range(first, last + 1)
        ]

    async def note(self, caller: Caller, word: Word, call: Call) -> Result[ConsentWord]:
        """Note what a customer said somewhere else. The same word told again is noted once."""
        caller.require("contacts:manage")
        now = self._clock.now_ms()
        if word.at > now:
            raise Invalid.field("at", "time_invalid", "at must not be in the future.")
        if word.purpose == "marketing" and word.state == "granted" and not word.proof:
            raise Invalid.field(
                "proof", "proof_missing", "Say what shows that they agreed: a form, a recording, a message."
            )
        acting = self._audit.acting(caller)
        await self._announcer.refresh(caller.account_id)

        async def work(tx: Tx) -> Result[ConsentWord]:
            contact = await find_living(tx, caller.account_id, word.contact_id)
            if contact is None:
                raise Invalid.field("contact_id", "contact_unknown", no_such("contact"))
            said = msgspec.structs.replace(
                word, account_id=caller.account_id, contact_id=contact["id"], by=caller.key_name or caller.key_id,
                at=word.at or now,
            )  # fmt: skip
            turn = await ledger.hear(tx, said)
            if turn is not None and turn.is_new:
                who = (caller.account_id, contact["id"])
                phone = (await known_phones(tx, [who])).get(who, "")
                for query, params in self._announcer.consented(*who, phone, turn.after):
                    await tx.run(query, params)
            detail = {"purpose": word.purpose, "state": word.state}
            await acting.note(tx, "contact.consent_noted", "contact", contact["id"], detail)
            rows = await tx.all(store.SAME, {"b_account": said.account_id, "b_id": said.contact_id, **_key(said)})
            (view,) = await _views(tx, caller.account_id, rows[:1])
            return Result(view, 201)

        answer = await self._idempotency.once_for(ConsentWord, caller.account_id, call, work)
        self._announcer.planned(caller.account_id)
        return answer

    async def texts(self, caller: Caller) -> ConsentTextPage:
        caller.require("contacts:read")
        found = await self._db.snapshot(lambda tx: texts.listed(tx, caller.account_id))
        return ConsentTextPage(data=[_text(one) for one in found], next_cursor=None)

    async def write_text(self, caller: Caller, language: str, words: str, call: Call) -> Result[ConsentText]:
        """What customers are asked from now on. Earlier versions stay."""
        caller.require("contacts:manage")
        acting, by, now = self._audit.acting(caller), caller.key_name or caller.key_id, self._clock.now_ms()

        async def work(tx: Tx) -> Result[ConsentText]:
            made = await texts.write(tx, caller.account_id, language, words, by, now)
            await acting.note(tx, "contact.consent_text_written", "consent_text", made.label)
            return Result(_text(made), 201)

        return await self._idempotency.once_for(ConsentText, caller.account_id, call, work)

    async def every(self, caller: Caller) -> AsyncIterator[ConsentWord]:
        """The whole ledger, what was said last first, read piece by piece."""
        caller.require("contacts:read")
        await self._audit.note(caller, "contacts.consents_exported", "contacts", "", {})
        cursor: str | None = None
        while True:
            page = await self.page(caller, Wanted(), CHUNK, cursor)
            for view in page.data:
                yield view
            cursor = page.next_cursor
            if cursor is None:
                return

    async def as_csv(self, caller: Caller) -> AsyncIterator[bytes]:
        yield "\ufeff".encode() + _written([_COLUMNS])
        async for view in self.every(caller):
            yield _written([[harmless_in_csv(str(getattr(view, name))) for name in _COLUMNS]])

    async def for_registry(self, caller: Caller, recipient_type: RecipientType) -> AsyncIterator[bytes]:
        """One line for each Turkish number whose owner said yes or no: the last word, as the registry takes it."""
        caller.require("contacts:read")
        await self._audit.note(caller, "contacts.consents_exported", "contacts", "", {"form": "iys"})
        yield _written([registry.COLUMNS])
        behind = ""
        while True:
            which = {"b_account": caller.account_id, "behind": behind, "most": CHUNK}

            async def look(tx: Tx, which: dict[str, Any] = which) -> tuple[list[SpokenRow], dict[tuple[int, str], str]]:
                rows = await tx.all(store.SPOKEN, which)
                return rows, await known_phones(tx, [(caller.account_id, row["id"]) for row in rows])

            rows, phones = await self._db.snapshot(look)
            lines = [
                registry.line(
                    phones.get((caller.account_id, row["id"]), ""), row["consent"], row["consent_source"],
                    row["consent_at"] or 0, recipient_type,
                )
                for row in rows
            ]  # fmt: skip
            yield _written([line for line in lines if line is not None])
            if len(rows) < CHUNK:
                return
            behind = rows[-1]["id"]


def _key(word: Word) -> dict[str, Any]:
    return {name: getattr(word, name) for name in ("purpose", "state", "source", "proof", "at")}


async def _views(tx: Tx, account_id: int, rows: Sequence[ConsentRow]) -> list[ConsentWord]:
    phones = await known_phones(tx, {(account_id, row["contact_id"]) for row in rows})
    return [
        ConsentWord(
            id=row["id"], contact_id=row["contact_id"], phone=phones.get((account_id, row["contact_id"]), ""),
            purpose=row["purpose"], state=row["state"], source=row["source"], text_version=row["text_version"],
            proof=row["proof"], by=row["by"], at=iso(row["at"]),
        )
        for row in rows
    ]  # fmt: skip


def _text(one: texts.ConsentText) -> ConsentText:
    return ConsentText(
        text_version=one.label, language=one.language, version=one.version, words=one.words,
        created_by=one.created_by, created_at=iso(one.created_at),
    )  # fmt: skip


def _written(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
