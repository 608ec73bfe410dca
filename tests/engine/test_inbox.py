"""What comes in is kept once, worked on once, and one bad body stops nobody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.engine import inbox as inbox_module
from tablegram.engine.courtesy import COURTESY
from tablegram.engine.inbox import MAX_ATTEMPTS, RETRIES, Inbox
from tablegram.engine.rows import NamedBody, TakenBody
from tablegram.errors import Conflict
from tablegram.storage.database import Database, Row, Tx
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox as table
from tablegram.values.clock import HOUR_MS, MINUTE_MS
from tests.accounts.opened import MovableClock
from tests.drained import drain_once
from tests.engine.waiting import until
from tests.measured import measured, since
from tests.storage.opened import SET, facts, opened


class Handling:
    """A handler that works on one body after another."""

    def __init__(self, work: Callable[[Tx, Row], Awaitable[None]]) -> None:
        self.work = work

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        """Each body begins with who wrote it."""
        return frozenset({bytes(row["body"]).split(b" ")[0]})

    def is_awaited(self, row: NamedBody) -> bool:
        return not bytes(row["body"]).startswith(b"status")

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        return None

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            await self.work(tx, row)

    def done(self, rows: Sequence[TakenBody]) -> None:
        return None


class Box:
    """An inbox whose handler notes each body as a fact, and fails for those it is told to fail for."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.clock = MovableClock()
        self.bad: set[bytes] = set()
        self.inbox = Inbox(db, self.clock, {"cloud": Handling(self._handle)})

    async def _handle(self, tx: Tx, row: Row) -> None:
        body = bytes(row["body"])
        await tx.run(SET, {"name": body.decode(), "value": row["source"]})
        if body in self.bad:
            raise ValueError(f"cannot read {body.decode()}")

    async def store(self, *bodies: bytes, **more: Any) -> None:
        for body in bodies:
            await self.inbox.store(1, "cloud:7", body, **more)

    async def done(self) -> list[str]:
        return sorted(await facts(self.db))

    async def rows(self) -> dict[str, Row]:
        found = await self.db.all(across_accounts(select(table), "a test looks at everything"))
        return {bytes(row["body"]).decode(): row for row in found}


@asynccontextmanager
async def box(database_url: str) -> AsyncIterator[Box]:
    async with opened(database_url) as db:
        yield Box(db)


async def test_a_body_is_kept_before_it_is_worked_on(database_url: str) -> None:
    async with box(database_url) as one:
        await one.store(b"first")
        assert await one.done() == []
        assert await one.inbox.waiting(1, "cloud:7") == 1
        assert await one.inbox.waiting(2, "cloud:7") == 0
        assert await one.inbox.waiting(1, "cloud:8") == 0
        before = measured("callback_lag_seconds")
        assert await drain_once(one.inbox) == 1
        assert since(before, "callback_lag_seconds")[0] == 1
        assert await one.done() == ["first"]
        assert await one.inbox.waiting(1, "cloud:7") == 0
        assert await drain_once(one.inbox) == 0


def noted(one: Box, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The bodies of each transaction, as they are worked on."""
    lots: list[list[str]] = []
    handler = one.inbox._handlers["cloud"]
    apply = handler.apply

    async def note(tx: Tx, rows: Sequence[TakenBody]) -> None:
        lots.append([bytes(row["body"]).decode() for row in rows])
        await apply(tx, rows)

    monkeypatch.setattr(handler, "apply", note)
    return lots


async def test_of_a_crowd_those_go_first_that_somebody_waits_for(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        statuses = [f"status {number:02}" for number in range(50)]
        await one.store(*[status.encode() for status in statuses[:30]], b"Ayse orders", b"Tom orders")
        await one.store(*[status.encode() for status in statuses[30:]])
        assert await drain_once(one.inbox) == 52
        assert lots == [["Ayse orders", "Tom orders"], statuses[:40], statuses[40:]]


async def test_who_is_not_waited_for_has_a_turn_also_among_many_who_write(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "LONGEST_REST_S", 0.0)
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        await one.store(*[f"status {number}".encode() for number in range(20)], b"Ayse writes")
        await one.inbox._drain_fresh()
        await one.store(b"Tom writes")
        for _ in range(2):
            await one.inbox._drain_fresh()
        assert [len(lot) for lot in lots] == [1, 20, 1]


async def test_what_nobody_waits_for_rests_and_who_writes_does_not_wait_for_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "REST_S", 600.0)
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        # What a former process left is looked for first.
        await one.inbox.step()
        working = asyncio.ensure_future(one.inbox.drain.run())
        try:
            await one.store(b"status 0")
            await until(lambda: lots == [["status 0"]])
            await one.store(*[f"status {number}".encode() for number in range(1, 30)])
            await one.store(b"Ayse orders")
            await until(lambda: len(lots) == 2)
            assert lots[1] == ["Ayse orders"]
            # As many as are worked on at a time rest no longer.
            await one.store(*[f"status {number}".encode() for number in range(30, 41)])
            await until(lambda: len(lots) == 3)
            assert lots[2] == [f"status {number}" for number in range(1, 41)]
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def test_what_nobody_waits_for_lets_pass_who_is_on_their_way(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "LONGEST_REST_S", 600.0)
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        await one.store(*[f"status {number}".encode() for number in range(20)], b"Ayse writes")
        await one.inbox._drain_fresh()
        COURTESY.passing(600.0)
        await one.store(b"Tom writes")
        await one.inbox._drain_fresh()
        assert lots == [["Ayse writes"], ["Tom writes"]]
        monkeypatch.setattr(COURTESY, "_until", 0.0)
        await one.inbox._drain_fresh()
        assert len(lots[2]) == 20


async def test_on_a_machine_that_has_just_started_the_first_ones_do_not_rest(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "REST_S", 600.0)
    monkeypatch.setattr(inbox_module, "time", SimpleNamespace(monotonic=lambda: 20.0))
    # Nobody is on their way, whatever the test before this did.
    monkeypatch.setattr(COURTESY, "_until", 0.0)
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        # What a former process left is looked for first.
        await one.inbox.step()
        await one.store(b"status 0")
        await one.inbox.step()
        assert lots == [["status 0"]]


async def test_a_rest_ends_by_itself(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "REST_S", 0.05)
    async with box(database_url) as one:
        lots = noted(one, monkeypatch)
        # What a former process left is looked for first.
        await one.inbox.step()
        working = asyncio.ensure_future(one.inbox.drain.run())
        try:
            for number in range(5):
                await one.store(f"status {number}".encode())
            await until(lambda: sum(map(len, lots)) == 5)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def test_the_same_body_is_worked_on_once_however_often_it_comes(database_url: str) -> None:
    async with box(database_url) as one:
        await asyncio.gather(*[one.store(b"same") for _ in range(20)])
        assert await drain_once(one.inbox) == 1
        await one.store(b"same")
        assert await drain_once(one.inbox) == 0
        assert await one.done() == ["same"]


async def test_a_name_of_its_own_decides_when_there_is_one(database_url: str) -> None:
    async with box(database_url) as one:
        await one.store(b"a", external_id="event 1")
        await one.store(b"b", external_id="event 1")
        await one.store(b"c", external_id="event 2")
        await drain_once(one.inbox)
        assert await one.done() == ["a", "c"]


async def test_the_same_body_of_another_source_is_another_one(database_url: str) -> None:
    async with box(database_url) as one:
        await one.inbox.store(1, "cloud:7", b"same")
        await one.inbox.store(1, "cloud:8", b"same")
        assert await one.inbox.waiting(1, "cloud:7") == await one.inbox.waiting(1, "cloud:8") == 1


async def test_one_bad_body_does_not_stop_the_others(database_url: str) -> None:
    async with box(database_url) as one:
        one.bad = {b"bad"}
        await one.store(b"a", b"bad", b"b")
        await drain_once(one.inbox)
        assert await one.done() == ["a", "b"]
        row = (await one.rows())["bad"]
        assert (row["attempts"], row["done_at"]) == (1, None)
        assert "cannot read bad" in row["error"]
        assert row["due_at"] == one.clock.now_ms() + RETRIES.after_s[0] * 1_000


async def test_a_bad_body_is_tried_again_and_may_succeed(database_url: str) -> None:
    async with box(database_url) as one:
        one.bad = {b"bad"}
        await one.store(b"bad")
        await drain_once(one.inbox)
        assert await drain_once(one.inbox) == 0
        one.bad = set()
        one.clock.advance(RETRIES.after_s[0])
        assert await drain_once(one.inbox) == 1
        assert await one.done() == ["bad"]
        row = (await one.rows())["bad"]
        assert row["done_at"] is not None
        assert row["error"] is None


async def test_a_body_that_always_fails_is_put_aside_and_stays_readable(database_url: str) -> None:
    async with box(database_url) as one:
        one.bad = {b"bad"}
        await one.store(b"bad")
        for tries in range(1, MAX_ATTEMPTS + 1):
            assert await drain_once(one.inbox) == 1
            assert (await one.rows())["bad"]["attempts"] == tries
            one.clock.advance(RETRIES.after_s[-1])
        assert await drain_once(one.inbox) == 0
        row = (await one.rows())["bad"]
        assert row["done_at"] is not None
        assert "cannot read bad" in row["error"]
        assert await one.done() == []


async def test_a_clock_that_is_set_back_leaves_nothing_waiting(database_url: str) -> None:
    async with box(database_url) as one:
        one.bad = {b"bad"}
        await one.store(b"bad")
        await drain_once(one.inbox)
        await one.store(b"left by a process that died")
        one.bad = set()
        # By minutes, and by more than any pause between two tries: what was never tried is due either way.
        for back_ms, now_done in ((20 * MINUTE_MS, ["left by a process that died"]), (3 * HOUR_MS, ["bad"])):
            one.clock.at_ms -= back_ms
            after = Inbox(one.db, one.clock, {"cloud": Handling(one._handle)})
            assert await drain_once(after) == len(now_done)
            assert set(now_done) <= set(await one.done())
            assert await drain_once(after) == 0


async def test_a_source_that_nobody_handles_waits_and_stops_nobody(database_url: str) -> None:
    async with box(database_url) as one:
        await one.inbox.store(1, "carrier-pigeon:1", b"coo")
        await one.store(b"a")
        await drain_once(one.inbox)
        assert await one.done() == ["a"]
        assert (await one.rows())["coo"]["attempts"] == 1


async def test_a_refusal_of_the_handler_is_a_failure_like_any_other(database_url: str) -> None:
    async with box(database_url) as one:

        async def refuse(tx: Tx, row: Row) -> None:
            raise Conflict("no")

        refusing = Inbox(one.db, one.clock, {"cloud": Handling(refuse)})
        await one.store(b"a")
        await drain_once(refusing)
        assert (await one.rows())["a"]["attempts"] == 1


async def test_the_drain_wakes_for_what_comes(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox_module, "IDLE_S", 60)
    async with box(database_url) as one:
        draining = asyncio.create_task(one.inbox.drain.run())
        for body in (b"a", b"b"):
            await asyncio.sleep(0.02)
            await one.store(body)
            await until(one.done)
        await until(lambda: _has(one, ["a", "b"]))
        draining.cancel()


async def _has(one: Box, names: list[str]) -> bool:
    return await one.done() == names


async def test_who_writes_to_two_processes_is_told_in_order(database_url: str) -> None:
    async with opened(database_url) as db:
        worked: list[str] = []
        clock = MovableClock()
        bad: set[str] = set()

        async def note(tx: Tx, row: Row) -> None:
            text = bytes(row["body"]).decode()
            if text in bad:
                raise ValueError(text)
            worked.append(text)

        one, other = (Inbox(db, clock, {"cloud": Handling(note)}, lambda: False) for _ in range(2))

        async def write(where: Inbox, *texts: str) -> None:
            for text in texts:
                clock.at_ms += 10
                await where.store(1, "cloud:7", text.encode())

        await write(one, "ayşe 1")
        await write(other, "ayşe 2", "mehmet 1", "ayşe 3")
        # Hers wait for what she wrote before; nobody else does.
        assert await other._drain_fresh() == 1
        assert worked == ["mehmet 1"]
        await one._drain_fresh()
        assert await other._drain_fresh() == 2
        assert worked == ["mehmet 1", "ayşe 1", "ayşe 2", "ayşe 3"]
        worked.clear()
        # Whoever took in the first one is gone: after a while it is everybody's, and comes before hers that waits.
        await write(one, "ayşe 4")
        await write(other, "ayşe 5")
        assert await other._drain_fresh() == 0
        clock.at_ms += 3_000
        other._unseen = False
        await other.drain_store()
        assert worked[:2] == ["ayşe 4", "ayşe 5"]
        worked.clear()
        # One that cannot be read holds nobody up once that is known.
        bad.add("ayşe 6")
        await write(one, "ayşe 6")
        await write(other, "ayşe 7")
        await one._drain_fresh()
        await other._drain_fresh()
        assert "ayşe 7" in worked
