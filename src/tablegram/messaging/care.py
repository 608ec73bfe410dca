"""Careful sending by a phone's own number: networks restrict those who write too much, too soon, to strangers.

Everything is counted from rows of the last 24 hours, so that a restart or another process forgets nothing. What may
not go yet stays queued, with the reason beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from tablegram.engine.leases import Lease
from tablegram.messaging.instances import Config
from tablegram.messaging.store import care as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, Clock, iso

# How many people a phone that was linked just now may write to first, day after day; after that only the cap holds.
WARM_UP = (10, 20, 40, 80, 160)


@dataclass(frozen=True, slots=True)
class Go:
    """It may be sent. `is_first`: the line and this number have not written to each other yet."""

    is_first: bool
    config: Config


@dataclass(frozen=True, slots=True)
class Wait:
    """Not before `until_ms`: this message and others to the same person, or the whole line."""

    code: str
    detail: str
    until_ms: int
    holds: Literal["recipient", "line"]


class Care:
    """Of one line."""

    def __init__(self, db: Database, clock: Clock, account_id: int, instance_id: int, daily_cap: int) -> None:
        self._db, self._clock = db, clock
        self._which = {"b_account": account_id, "b_id": instance_id}
        self._own = {"account_id": account_id, "instance_id": instance_id}
        self._daily_cap = daily_cap

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def admit(self, lease: Lease, message_id: str, phone: str, *, only_known: str = "") -> Go | Wait:
        """Count the message, if it may go now; one that was counted before may go again.

        `only_known` says why the network takes nothing right now but for people who have written to the line.
        """

        async def unit(tx: Tx) -> Go | Wait:
            await lease.guard(tx)
            return await self._admit(tx, message_id, phone, only_known)

        return await self._db.write(unit)

    async def _admit(self, tx: Tx, message_id: str, phone: str, only_known: str) -> Go | Wait:
        now = self._clock.now_ms()
        line = await tx.first(store.LINE, self._which)
        if line is None:
            # Taken away meanwhile; nobody counts for it any more.
            return Go(is_first=False, config=Config())
        config = msgspec.json.decode(line["config"], type=Config)
        counted = await tx.first(store.RESERVED, {**self._which, "b_message": message_id})
        if counted is not None:
            return Go(bool(counted["is_first"]), config)
        person = {**self._which, "b_phone": phone}
        is_first = await tx.first(store.KNOWN, person) is None
        if only_known and await tx.first(store.WROTE, person) is None:
            return Wait("strangers_restricted", only_known, now + DAY_MS // 24, "recipient")
        waits = await self._limits(tx, config, now, is_first, line["linked_at"] or 0)
        if waits is not None:
            if waits.holds == "line":
                await tx.run(store.PAUSE, {**self._which, "until": waits.until_ms, "why": waits.detail})
            return waits
        if line["paused_until"] is not None:
            await tx.run(store.GO_ON, self._which)
        row = {**self._own, "message_id": message_id, "at": now, "is_first": int(is_first)}
        await tx.run(store.RESERVE, row)
        return Go(is_first, config)

    async def _limits(self, tx: Tx, config: Config, now: int, is_first: bool, linked_at: int) -> Wait | None:
        since = {**self._which, "since": now - DAY_MS}
        counts = await tx.first(store.COUNT, since)
        assert counts is not None
        cap = self._daily_cap if config.daily_cap is None else config.daily_cap
        if cap and counts["n"] >= cap:
            freed = await tx.first(store.NTH, {**since, "skip": counts["n"] - cap})
            until = (now if freed is None else freed["at"]) + DAY_MS
            return Wait("daily_cap", daily_cap(cap, until), until, "line")
        day = max(0, now - linked_at) // DAY_MS if linked_at else 0
        if is_first and config.warm_up and day < len(WARM_UP) and counts["firsts"] >= WARM_UP[day]:
            freed = await tx.first(store.NTH_FIRST, {**since, "skip": counts["firsts"] - WARM_UP[day]})
            until = (now if freed is None else freed["at"]) + DAY_MS
            # The next day allows more.
            until = min(until, linked_at + (day + 1) * DAY_MS) if linked_at else until
            return Wait("warming_up", warming_up(WARM_UP[day], until), until, "recipient")
        return None

    async def give_back(self, message_id: str) -> None:
        """It was not handed to the network after all."""
        await self._db.put((store.GIVE_BACK, {**self._which, "b_message": message_id}))


def daily_cap(cap: int, until_ms: int) -> str:
    return f"The line has sent its {cap} messages of 24 hours. It goes on at {iso(until_ms)}."


def warming_up(most: int, until_ms: int) -> str:
    return (
        f"The phone was linked lately, so that the line writes to {most} new people in 24 hours. This one waits until "
        f"{iso(until_ms)}."
    )
