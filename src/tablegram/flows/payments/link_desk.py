"""Payment links, as people and programs ask for them, look at them, take them back and give the money back."""

from __future__ import annotations

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import contacts
from tablegram.crm.merging import find_living
from tablegram.crm.store import contacts as contact_store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound, no_such
from tablegram.flows.payments.answers import LinkPage, LinkView, RefundView
from tablegram.flows.payments.fields import LinkFields, RefundFields
from tablegram.flows.payments.views import refund_view, views_of
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.hearing import read_signal
from tablegram.payments.keeping import USUAL_LIFE_S, Payments, unknown
from tablegram.payments.model import Link, WishedLink, read_link, read_refund
from tablegram.payments.rows import SignalRow
from tablegram.payments.store import links as store
from tablegram.payments.store import refunds as refund_store
from tablegram.payments.store import signals as signal_store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import SECOND_MS, Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import first_id
from tablegram.values.money import AMOUNT_WANTED, CURRENCY_WANTED, EXPONENTS, Money, from_wire

SCOPE = "payments:manage"


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Which links to show. Times are in ms."""

    state: str | None = None
    phone: str | None = None
    contact_id: str | None = None
    subject_kind: str | None = None
    subject_id: str | None = None
    search: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    undecided: bool = False


class Stray(msgspec.Struct, frozen=True, kw_only=True):
    """Money that was told of for a link that nobody knows. `reference`: what the provider calls it."""

    provider_id: str
    signal_id: str
    amount: Money | None
    reference: str
    received_at: int


class LinkDesk:
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        payments: Payments,
        caretaker: Caretaker,
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._payments = payments
        self._caretaker = caretaker

    # Looking.

    async def page(
        self, caller: Caller, filters: Filters | None = None, *, limit: int = 50, cursor: str | None = None
    ) -> LinkPage:
        caller.require(SCOPE)
        wanted = filters or Filters()
        query = store.page(
            caller.account_id, state=wanted.state, mode="test" if caller.mode == "test" else None, phone=wanted.phone,
            contact_id=wanted.contact_id, subject_kind=wanted.subject_kind, subject_key=wanted.subject_id,
            search=wanted.search, since=_id_at(wanted.since_ms), until=_id_at(wanted.until_ms),
            undecided=wanted.undecided, after=None if cursor is None else decode_cursor(cursor), most=limit + 1,
        )  # fmt: skip

        async def look(tx: Tx) -> LinkPage:
            found = [read_link(row) for row in await tx.all(query, {})]
            return LinkPage(
                data=await views_of(tx, caller.account_id, found[:limit]),
                next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
            )

        return await self._db.snapshot(look)

    async def get(self, caller: Caller, link_id: str) -> LinkView:
        caller.require(SCOPE)
        return await self._db.snapshot(lambda tx: self._shown(tx, caller, link_id))

    async def ready(self, caller: Caller) -> bool:
        return await self._db.snapshot(lambda tx: self._payments.ready(tx, caller.account_id))

    async def waiting(self, caller: Caller) -> int:
        """How many things wait for a decision."""
        caller.require(SCOPE)
        which = {"b_account": caller.account_id}
        rows = [await self._db.first(query, which) for query in (store.UNDECIDED_COUNT, signal_store.UNKNOWN_COUNT)]
        return sum(int(row["n"]) for row in rows if row is not None)

    async def strays(self, caller: Caller) -> list[Stray]:
        """Money that was told of for links that nobody knows, what came last first."""
        caller.require(SCOPE)
        return [_stray(row) for row in await self._db.all(signal_store.UNKNOWN, {"b_account": caller.account_id})]

    # Changing.

    async def create(self, caller: Caller, fields: LinkFields, call: Call) -> Result[LinkView]:
        """A link, made with the provider at once where it answers. Who repeats the call hears how the link is now."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._payments.prepare(caller.account_id)

        async def work(tx: Tx) -> Result[LinkView]:
            link = await self._payments.make(tx, await self._wish(tx, caller, fields), now)
            detail = {"amount": fields["amount"], "currency": link.currency, "mode": link.mode}
            await acting.note(tx, "payment_link.made", "payment_link", link.id, detail)
            return Result((await views_of(tx, caller.account_id, [link]))[0], 201)

        answer = await self._idempotency.once_for(LinkView, caller.account_id, call, work)
        if not answer.replayed:
            await self._caretaker.hurry(caller.account_id, answer.value.id)
        return answer.as_now(await self.get(caller, answer.value.id))

    async def cancel(self, caller: Caller, link_id: str, call: Call) -> Result[LinkView]:
        """Take a link back. The provider is told at once; who has paid meanwhile has paid, and the link says so."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._payments.prepare(caller.account_id)
        changed: list[Link] = []

        async def work(tx: Tx) -> Result[LinkView]:
            before = await self._mine(tx, caller, link_id)
            after = await self._payments.cancel(tx, caller.account_id, link_id, now)
            if after.state != before.state:
                await acting.note(tx, "payment_link.cancelled", "payment_link", link_id)
            changed[:] = [after]
            return Result((await views_of(tx, caller.account_id, [after]))[0])

        answer = await self._idempotency.once_for(LinkView, caller.account_id, call, work)
        if not answer.replayed:
            self._payments.told(*changed)
            await self._caretaker.hurry(caller.account_id, link_id)
        return answer.as_now(await self.get(caller, link_id))

    async def refund(self, caller: Caller, link_id: str, fields: RefundFields, call: Call) -> Result[RefundView]:
        """Give money back: `amount`, or all that is left."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._payments.prepare(caller.account_id)

        async def work(tx: Tx) -> Result[RefundView]:
            link = await self._mine(tx, caller, link_id)
            amount = fields.get("amount")
            minor = None if amount is None else _minor(amount, link.received_currency or link.currency)
            refund = await self._payments.refund(
                tx, caller.account_id, link_id, now, amount=minor, lines=fields.get("lines") or (),
                reason=fields.get("reason") or "", by=caller.author,
            )  # fmt: skip
            shown = refund_view(refund)
            detail = {"refund": refund.id, "amount": shown.amount, "currency": refund.currency}
            await acting.note(tx, "payment_link.refunded", "payment_link", link_id, detail)
            return Result(shown, 201)

        answer = await self._idempotency.once_for(RefundView, caller.account_id, call, work)
        if not answer.replayed:
            await self._caretaker.hurry_refund(caller.account_id, answer.value.id)
        row = await self._db.first(refund_store.GET, {"b_account": caller.account_id, "b_id": answer.value.id})
        return answer if row is None else answer.as_now(refund_view(read_refund(row)))

    async def accept(self, caller: Caller, link_id: str, call: Call) -> Result[LinkView]:
        """Let be what waits for a decision: the money stays."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._payments.prepare(caller.account_id)

        changed: list[Link] = []

        async def work(tx: Tx) -> Result[LinkView]:
            before = await self._mine(tx, caller, link_id)
            after = await self._payments.accept(tx, caller.account_id, link_id, caller.author, now)
            await acting.note(tx, "payment_link.accepted", "payment_link", link_id, {"attention": before.attention})
            changed[:] = [after]
            return Result((await views_of(tx, caller.account_id, [after]))[0])

        answer = await self._idempotency.once_for(LinkView, caller.account_id, call, work)
        self._payments.told(*changed)
        return answer

    async def settle_stray(self, caller: Caller, provider_id: str, signal_id: str) -> None:
        """Somebody has seen to money that no link was known for."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)
        which = {"b_account": caller.account_id, "b_provider": provider_id, "b_id": signal_id}

        async def work(tx: Tx) -> None:
            if await tx.run(signal_store.SETTLE, {**which, "new_by": caller.author, "now": self._clock.now_ms()}):
                await acting.note(tx, "payment_signal.settled", "payment_provider", provider_id, {"signal": signal_id})

        await self._db.write(work)

    # Inside.

    async def _mine(self, tx: Tx, caller: Caller, link_id: str) -> Link:
        """A test key never touches real money."""
        link = await self._payments.get(tx, caller.account_id, link_id)
        if caller.mode == "test" and link.mode == "live":
            raise unknown()
        return link

    async def _shown(self, tx: Tx, caller: Caller, link_id: str) -> LinkView:
        return (await views_of(tx, caller.account_id, [await self._mine(tx, caller, link_id)]))[0]

    async def _wish(self, tx: Tx, caller: Caller, fields: LinkFields) -> WishedLink:
        currency = fields["currency"]
        if currency not in EXPONENTS:
            raise Invalid.field("currency", "currency_unknown", CURRENCY_WANTED)
        contact_id, phone = await self._payer(tx, caller, fields.get("contact_id"), fields.get("phone") or "")
        return WishedLink(
            account_id=caller.account_id,
            amount=_minor(fields["amount"], currency),
            currency=currency,
            description=fields["description"].strip(),
            language=fields.get("language") or "en",
            contact_id=contact_id,
            phone=phone,
            lives_ms=(fields.get("expires_in_s") or USUAL_LIFE_S) * SECOND_MS,
            provider_id=fields.get("provider_id"),
            is_test=caller.mode == "test",
            made_by=caller.author,
        )

    async def _payer(self, tx: Tx, caller: Caller, contact_id: str | None, phone: str) -> tuple[str | None, str]:
        if contact_id:
            row = await find_living(tx, caller.account_id, contact_id)
            if row is None:
                raise NotFound(no_such("contact"), code="contact_unknown")
            who = caller.account_id, str(row["id"])
            return who[1], phone or (await contacts.known_phones(tx, [who])).get(who, "")
        if not phone:
            return None, ""
        alias = {"account_id": caller.account_id, "kind": "phone", "value": phone}
        found = await tx.first(contact_store.FIND_ALIAS, alias)
        return None if found is None else str(found["contact_id"]), phone


def _stray(row: SignalRow) -> Stray:
    signal = read_signal(row["signal"])
    is_told = signal.amount is not None and signal.currency in EXPONENTS
    return Stray(
        provider_id=row["provider_id"],
        signal_id=row["id"],
        amount=Money(signal.amount or 0, signal.currency) if is_told else None,
        reference=signal.reference or signal.link_id or row["id"],
        received_at=row["received_at"],
    )


def _minor(amount: float, currency: str) -> int:
    try:
        minor = from_wire(amount, currency)
    except ValueError:
        decimals = EXPONENTS[currency]
        words = (
            f"{currency} has {decimals} decimals: give an amount like {10 if not decimals else f'{10:.{decimals}f}'}."
        )
        raise Invalid.field("amount", "amount_wrong", words) from None
    if minor <= 0:
        raise Invalid.field("amount", "amount_wrong", AMOUNT_WANTED)
    return minor


def _id_at(at_ms: int | None) -> str | None:
    return None if at_ms is None else f"pay_{first_id(at_ms)}"
