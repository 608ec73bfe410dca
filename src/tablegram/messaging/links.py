"""What belongs to a linked line alone, as rows, so that every process sees it and a backup carries it.

The process that holds the line's lease writes sessions and codes; whoever is asked for a code or to log out writes a
wish, which that process grants.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.engine.leases import Lease
from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.messaging.care import Care
from tablegram.messaging.rows.lines import SessionRow
from tablegram.messaging.store import links as store
from tablegram.storage.database import Database, Query, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

# So long after somebody asked for a code the line's program runs and shows one.
SOUGHT_MS = 10 * 60_000


class Shown(msgspec.Struct, frozen=True):
    """A code, and until when it is good."""

    code: str
    until_ms: int


class Link(msgspec.Struct, frozen=True, kw_only=True):
    # Grows when a pairing ends: what a program of before still says is about another pairing, and changes nothing.
    epoch: int
    # What the engine needs to come back as the same device; empty before the first pairing.
    session: str
    # Why the pairing is over, if it is: `logged_out_by_phone`, `logged_out_here`.
    ended: str
    wish: str
    wish_phone: str
    wish_at: int
    code: Shown | None
    typed: Shown | None
    # Whether somebody has looked for a code lately. Until then a line without a phone needs no program.
    is_sought: bool
    # When it was last seen connected, or 0.
    seen_at: int

    @property
    def is_paired(self) -> bool:
        return bool(self.session) and not self.ended


class Links:
    def __init__(self, db: Database, box: SecretBox, clock: Clock) -> None:
        self._db = db
        self._box = box
        self._clock = clock

    def of(self, account_id: int, instance_id: int) -> LinkRow:
        return LinkRow(self._db, self._box, self._clock, account_id, instance_id)

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def care(self, account_id: int, instance_id: int, daily_cap: int) -> Care:
        """Of the same lines: what they may send."""
        return Care(self._db, self._clock, account_id, instance_id, daily_cap)

    async def wished(self) -> frozenset[int]:
        """The lines that somebody wants something of."""
        return frozenset(row["instance_id"] for row in await self._db.all(store.WISHED))

    async def reseal(self) -> int:
        """Seal every session with the present secret key; returns how many were sealed by another."""

        def fresh(row: SessionRow) -> dict[str, object]:
            old, which = row["session"], {"b_account": row["account_id"], "b_id": row["instance_id"]}
            return {**which, "b_sealed": old, "fresh": again(self._box, old)}

        return await seal_again(
            self._db, self._box, store.EVERY_SEALED, store.RESEAL, lambda row: (row["session"],), fresh
        )


class LinkRow:
    """The row of one line."""

    def __init__(self, db: Database, box: SecretBox, clock: Clock, account_id: int, instance_id: int) -> None:
        self._db, self._box, self._clock = db, box, clock
        self._which = {"b_account": account_id, "b_id": instance_id}
        self._own = {"account_id": account_id, "instance_id": instance_id}

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def read(self) -> Link:
        row = await self._db.first(store.GET, self._which)
        if row is None:
            await self._db.put((store.MAKE, {**self._own, "updated_at": self._clock.now_ms()}))
            row = await self._db.first(store.GET, self._which)
            assert row is not None
        return Link(
            epoch=row["epoch"],
            session=self._open(row["session"]),
            ended=row["ended"],
            wish=row["wish"],
            wish_phone=row["wish_phone"],
            wish_at=row["wish_at"],
            code=self._shown(row["code"], row["code_until"]),
            typed=self._shown(row["typed"], row["typed_until"]),
            is_sought=row["pair_until"] > self._clock.now_ms(),
            seen_at=row["seen_at"],
        )

    def _shown(self, sealed: str, until: int) -> Shown | None:
        return Shown(self._open(sealed), until) if sealed and until > self._clock.now_ms() else None

    # What the process does that runs the line, for the pairing that it began with (`epoch`).

    async def keep_session(self, lease: Lease, epoch: int, session: str) -> None:
        await self._write(lease, epoch, store.KEEP_SESSION, sealed=self._seal(session))

    async def end(self, lease: Lease, epoch: int, why: str) -> None:
        """The pairing is over, and nothing of it stays."""
        await self._write(lease, epoch, store.END, why=why)

    async def show_code(self, lease: Lease, epoch: int, shown: Shown) -> None:
        await self._write(lease, epoch, store.SHOW_CODE, sealed=self._seal(shown.code), until=shown.until_ms)

    async def show_typed(self, lease: Lease, epoch: int, shown: Shown) -> None:
        await self._write(lease, epoch, store.SHOW_TYPED, sealed=self._seal(shown.code), until=shown.until_ms)

    async def hide_codes(self, lease: Lease, epoch: int) -> None:
        await self._write(lease, epoch, store.HIDE_CODES)

    async def seen(self, lease: Lease, epoch: int) -> None:
        """The line is connected right now."""
        await self._write(lease, epoch, store.SEEN)

    async def begin_anew(self, lease: Lease, epoch: int) -> None:
        await self._write(lease, epoch, store.BEGIN_ANEW)

    async def granted(self, wished_at: int) -> None:
        await self._db.put((store.GRANTED, {**self._which, "b_at": wished_at}))

    async def _write(self, lease: Lease, epoch: int, query: Query, **values: Any) -> None:
        params = {**self._which, "b_epoch": epoch, **values, "now": self._clock.now_ms()}

        async def unit(tx: Tx) -> None:
            await lease.guard(tx)
            await tx.run(query, params)

        await self._db.write(unit)

    # What anybody may want.

    async def seek(self, phone: str = "") -> None:
        """Somebody wants to pair: with a phone's number by a code to type there, else by one to scan."""
        known = await self.read()
        now = self._clock.now_ms()
        if phone or known.ended:
            wish = {"what": "pair", "phone": phone, "pair_until": now + SOUGHT_MS}
            await self._db.put((store.WISH, {**self._which, **wish, "now": now}))
        else:
            await self._db.put((store.WANT, {**self._which, "pair_until": now + SOUGHT_MS, "now": now}))

    async def log_out(self) -> None:
        await self.read()
        wish = {"what": "logout", "phone": "", "pair_until": 0}
        await self._db.put((store.WISH, {**self._which, **wish, "now": self._clock.now_ms()}))

    def _seal(self, text: str) -> str:
        return self._box.seal(text) if text else ""

    def _open(self, sealed: str) -> str:
        return self._box.open(sealed) if sealed else ""
