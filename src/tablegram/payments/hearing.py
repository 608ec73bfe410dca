"""What providers tell, worked on from the inbox: each signal once, whatever the order they come in.

A signal for a link that is not there yet waits for it: the provider may be faster than our own commit. One that no link
came for is kept, and shown to people when it speaks of money.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from tablegram.engine import raw_callbacks
from tablegram.engine.drains import Drain, Work
from tablegram.engine.leases import Leases
from tablegram.engine.rows import NamedBody, TakenBody
from tablegram.engine.timers import Bell
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link, read_link
from tablegram.payments.ports import Signal
from tablegram.payments.rows import SignalRow
from tablegram.payments.states import Declined, Lapsed, Paid
from tablegram.payments.store import links as link_store
from tablegram.payments.store import signals as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import MINUTE_MS, Clock

KIND = "pay"
LOOK_EVERY_S = 5.0
# So long a signal waits for its link.
WAIT_MS = 15 * MINUTE_MS


class Heard(msgspec.Struct, frozen=True):
    """A callback as it is kept: what was read from it when its signature was proven, and the raw text."""

    signals: tuple[Signal, ...]
    raw: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Heard).decode
read_signal = msgspec.json.Decoder(Signal).decode


def source_of(provider_id: str) -> str:
    return f"{KIND}:{provider_id}"


def write_heard(signals: tuple[Signal, ...], body: bytes) -> bytes:
    return _encode(Heard(signals, body.decode("utf-8", "replace")))


class Hearing:
    """Works on callbacks of payment providers; a handler of the inbox."""

    def __init__(self, payments: Payments, clock: Clock) -> None:
        self._payments = payments
        self._clock = clock
        # Links that a callback changed, until it is committed; a batch that fails is worked on again.
        self._changed: dict[tuple[str, str], list[Link]] = {}
        # Rung when a link has come that something may wait for.
        self.bell = Bell()

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        """Nobody's: whichever word comes last, the later one holds."""
        return frozenset()

    def is_awaited(self, row: NamedBody) -> bool:
        return True

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        for account_id in {row["account_id"] for row in rows}:
            await self._payments.prepare(account_id)

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            provider_id = row["source"].partition(":")[2]
            changed: list[Link] = []
            for signal in _decode(row["body"]).signals:
                link = await self.hear(tx, row["account_id"], provider_id, signal, self._clock.now_ms())
                if link is not None:
                    changed.append(link)
            self._changed[row["source"], row["external_id"]] = changed
        # A payer's name and address are of no use any more; what was told of the link is kept apart.
        await raw_callbacks.empty(tx, rows)

    def done(self, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            self._payments.told(*self._changed.pop((row["source"], row["external_id"]), []))

    async def hear(self, tx: Tx, account_id: int, provider_id: str, signal: Signal, now: int) -> Link | None:
        """Keep a signal and do what it means. The link that it spoke of, where there is one."""
        row = {
            "account_id": account_id,
            "provider_id": provider_id,
            "id": signal.id,
            "signal": _encode(signal).decode(),
            "link_id": signal.link_id,
            "reference": signal.reference,
            "state": "waiting",
            "received_at": now,
            "settled_by": "",
            "settled_at": None,
        }
        if not await tx.all(store.INSERT, row):
            return None
        return await self.try_again(tx, account_id, provider_id, signal, now)

    async def try_again(self, tx: Tx, account_id: int, provider_id: str, signal: Signal, now: int) -> Link | None:
        """What a kept signal means now; it goes on waiting where there is no link for it yet."""
        link = await self._find(tx, account_id, provider_id, signal)
        after = None if link is None else await self._do(tx, link, signal, now)
        if after is not None:
            which = {"b_account": account_id, "b_provider": provider_id, "b_id": signal.id}
            await tx.run(store.MOVE, {**which, "new_state": "applied", "new_settled": None})
        return after

    async def _find(self, tx: Tx, account_id: int, provider_id: str, signal: Signal) -> Link | None:
        """A link of this very access: one of another, in another mode, is not meant."""
        if signal.link_id:
            row = await tx.first(link_store.GET, {"b_account": account_id, "b_id": signal.link_id})
            if row is not None:
                return read_link(row) if row["provider_id"] == provider_id else None
        if not signal.reference:
            return None
        which = {"b_account": account_id, "b_provider": provider_id, "b_reference": signal.reference}
        row = await tx.first(link_store.BY_REFERENCE, which)
        return None if row is None else read_link(row)

    async def _do(self, tx: Tx, link: Link, signal: Signal, now: int) -> Link | None:
        apply = self._payments.apply
        if signal.kind == "failed":
            return await apply(tx, link.account_id, link.id, Declined(), now)
        if signal.kind == "refunded" and not link.received:
            # It was faster than the news of the payment.
            return None
        if signal.must_ask or (signal.kind == "paid" and signal.amount is None):
            return await self._ask(tx, link, now)
        if signal.kind == "paid":
            paid = Paid(signal.amount or 0, signal.currency.upper())
            return await apply(tx, link.account_id, link.id, paid, now)
        if signal.kind == "expired":
            return await apply(tx, link.account_id, link.id, Lapsed(at_provider=True), now)
        if signal.refunded is None:
            return await self._ask(tx, link, now)
        return await self._payments.refunded_elsewhere(tx, link, signal.refunded, signal.id, now)

    async def _ask(self, tx: Tx, link: Link, now: int) -> Link:
        await tx.run(link_store.ASK_NOW, {"b_account": link.account_id, "b_id": link.id, "now": now})
        return msgspec.structs.replace(link, ask_at=now)


class SignalClock(Work):
    """Tries again what waits for its link, in one process of the installation."""

    def __init__(self, db: Database, clock: Clock, payments: Payments, hearing: Hearing, leases: Leases) -> None:
        super().__init__(hearing.bell)
        self._db = db
        self._clock = clock
        self._payments = payments
        self._hearing = hearing
        self.drain = Drain("payment signals", self, leases, retry_s=LOOK_EVERY_S)

    async def step(self) -> float:
        await self.look()
        return LOOK_EVERY_S

    async def look(self) -> None:
        for row in await self._db.all(store.WAITING):
            await self._payments.prepare(row["account_id"])
            after = await self._db.write(partial(self._try, row=row))
            if after is not None:
                self._payments.told(after)

    async def _try(self, tx: Tx, *, row: SignalRow) -> Link | None:
        now = self._clock.now_ms()
        signal = read_signal(row["signal"])
        after = await self._hearing.try_again(tx, row["account_id"], row["provider_id"], signal, now)
        if after is None and now - row["received_at"] > WAIT_MS:
            which = {"b_account": row["account_id"], "b_provider": row["provider_id"], "b_id": row["id"]}
            # Nobody has to decide about what speaks of no money.
            settled = None if signal.kind == "paid" else now
            await tx.run(store.MOVE, {**which, "new_state": "unknown", "new_settled": settled})
        return after
