"""A toy drain: presses print sheets. Sheets of one press for one reader go in order, those of others side by side.

It is all that a queue of rows needs: a table, four statements, and what is done with a row.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import (
    BigInteger,
    Column,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    insert,
    null,
    select,
    text,
    update,
)

from tablegram.engine.drains import KeyedDrain, Work, guarded
from tablegram.engine.flights import Flight
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.owners import Owner
from tablegram.engine.retries import Retries
from tablegram.engine.timers import Tasks
from tablegram.storage.database import Database, Query, Row, Tx
from tablegram.storage.query import columns
from tests.accounts.opened import MovableClock

RETRIES = Retries((2.0, 10.0), max_attempts=4)
MOST = 3

sheets = Table(
    "toy_sheets",
    MetaData(),
    Column("id", String, primary_key=True),
    Column("press", String),
    Column("reader", String),
    Column("state", String),
    Column("due_at", BigInteger),
    Column("attempts", Integer),
    Column("claimed_by", String),
)
s = sheets.c
MAKE = Query(
    text(
        "CREATE TABLE toy_sheets (id TEXT PRIMARY KEY, press TEXT, reader TEXT, state TEXT, due_at BIGINT,"
        " attempts INTEGER, claimed_by TEXT)"
    )
)
DROP = Query(text("DROP TABLE IF EXISTS toy_sheets"))
INSERT = Query(insert(sheets).values(columns(sheets)))
PRESSES = Query(select(s.press).where(s.state == "waits").distinct())
# The first of each reader is found among all that wait, so that nobody is overtaken by who is due before them.
WAITING = Query(select(sheets).where(s.press == bindparam("b_press"), s.state == "waits").order_by(s.id))
_ONE = s.id == bindparam("b_id")
CLAIM = Query(
    update(sheets).where(_ONE, s.state == "waits", s.claimed_by.is_(None)).values(claimed_by=bindparam("owner"))
)
SETTLE = Query(
    update(sheets)
    .where(_ONE, s.state == "waits")
    .values(state=bindparam("new_state"), due_at=bindparam("next_at"), attempts=s.attempts + 1, claimed_by=null())
)
INHERIT = Query(update(sheets).where(s.state == "waits", s.claimed_by == bindparam("owner")).values(claimed_by=null()))
ALL = Query(select(sheets).order_by(s.id))


@dataclass
class World:
    """What happens outside. `bad` counts how often a sheet still fails; while `gate` is closed, presses wait."""

    printed: list[tuple[str, str]] = field(default_factory=list)
    bad: Counter[str] = field(default_factory=Counter)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: Counter[str] = field(default_factory=Counter)
    most_at_once: Counter[str] = field(default_factory=Counter)

    def ids(self) -> list[str]:
        return [sheet for _, sheet in self.printed]

    async def print(self, owner: str, row: Row) -> bool:
        names = (row["press"], f"{row['press']} {row['reader']}")
        self.at_once.update(names)
        self.most_at_once |= self.at_once
        try:
            await self.gate.wait()
        finally:
            self.at_once.subtract(names)
        if self.bad[row["id"]]:
            self.bad[row["id"]] -= 1
            return False
        self.printed.append((owner, row["id"]))
        return True


class Press(Work):
    def __init__(self, house: Printery, name: str) -> None:
        super().__init__()
        self._house = house
        self._name = name
        self.flight: Flight[str] = Flight(house.tasks, self.bell, MOST)

    async def step(self) -> float | None:
        now = self._house.clock.now_ms()
        self.flight.look()
        rows = await self._house.db.all(WAITING, {"b_press": self._name})
        firsts: dict[str, Row] = {}
        for row in rows:
            firsts.setdefault(row["reader"], row)
        due = [row for row in firsts.values() if row["due_at"] <= now and not self.flight.is_known(row["reader"])]
        for row in due[: self.flight.room]:
            if await self._house.db.write(guarded(self.lease, partial(lambda row, tx: self._claim(tx, row), row))):
                self.flight.begin(row["reader"], f"print {row['id']}", self._print(row, self.lease))
        later = [row["due_at"] - now for row in firsts.values() if row["due_at"] > now]
        return min([30.0, *[wait / 1_000 for wait in later]]) if rows else None

    async def _claim(self, tx: Tx, row: Row) -> bool:
        return await tx.run(CLAIM, {"b_id": row["id"], "owner": self._house.owner.id}) == 1

    async def _print(self, row: Row, lease: Lease) -> None:
        if not lease.is_sure():
            return
        now, attempts = self._house.clock.now_ms(), row["attempts"] + 1
        if await self._house.world.print(self._house.owner.id, row):
            state = "done"
        else:
            state = "dead" if RETRIES.is_over(attempts, 0, now) else "waits"
        settled = {"b_id": row["id"], "new_state": state, "next_at": RETRIES.next_ms(attempts, now)}
        await self._house.db.write(guarded(lease, lambda tx: tx.run(SETTLE, settled)))


class Printery:
    """One process. Several over one database are several processes that share a clock and a world."""

    def __init__(self, db: Database, clock: MovableClock, world: World, *, lease_s: float = 60.0) -> None:
        self.db, self.clock, self.world = db, clock, world
        self.tasks = Tasks()
        self.owner = Owner(db, lease_s)
        self.leases = Leases(db, self.owner)
        self.presses: KeyedDrain[str, Press] = KeyedDrain(
            "presses", self.leases, self.tasks, open=lambda name: Press(self, name),
            lease=lambda name: f"press:{name}", find=self._find, scan_s=0.02, retry_s=0.02,
        )  # fmt: skip

    async def _find(self) -> list[str]:
        return [row["press"] for row in await self.db.all(PRESSES)]

    async def add(self, sheet: str, press: str, reader: str) -> None:
        row = {"id": sheet, "press": press, "reader": reader, "state": "waits", "due_at": self.clock.now_ms()}
        await self.db.put((INSERT, {**row, "attempts": 0, "claimed_by": None}))
        self.presses.wake(press)

    async def later(self, seconds: float) -> None:
        self.clock.advance(seconds)
        for press in self.presses:
            press.wake()

    async def die(self, heir: Printery) -> None:
        """End as a crash does, whatever is under way; the heir takes up what was held."""
        await self.tasks.stop()
        await heir.leases.free(self.owner.id)
        await heir.db.put((INHERIT, {"owner": self.owner.id}))

    async def tried(self, times: int) -> bool:
        """Whether each sheet that still waits has been tried so often, and that is written."""
        return all(row["attempts"] >= times for row in await self.db.all(ALL) if row["state"] == "waits")

    async def states(self) -> Counter[str]:
        return Counter(row["state"] for row in await self.db.all(ALL))
