"""When the inbox looks again, with whom a body shares its commit, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.engine import inbox as inbox_module
from tablegram.engine.courtesy import Courtesy
from tablegram.engine.inbox import Inbox
from tablegram.engine.rows import TakenBody
from tablegram.engine.together.turns import Turns
from tablegram.errors import Unavailable
from tablegram.storage.database import Row
from tests.drained import drain_once
from tests.engine.test_inbox import box, noted


async def test_while_something_rests_the_next_look_is_when_its_rest_ends(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "REST_S", 50.0)
    monkeypatch.setattr(inbox_module, "COURTESY", Courtesy())
    async with box(database_url) as one:
        await one.store(b"status 1")
        # Nothing rests: it looks by itself, as always.
        assert await one.inbox.step() == one.inbox._wait_s < 20
        await one.store(b"status 2")
        assert 20 < await one.inbox.step() <= 50
        assert await one.done() == ["status 1"]


async def test_a_handler_hears_what_was_committed_and_nothing_else(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with box(database_url) as one:
        heard: list[str] = []

        def hear(rows: list[Row]) -> None:
            heard.extend(bytes(row["body"]).decode() for row in rows)

        monkeypatch.setattr(one.inbox._handlers["cloud"], "done", hear)
        one.bad = {b"bad"}
        await one.store(b"good", b"bad")
        await drain_once(one.inbox)
        assert heard == ["good"]


async def test_who_writes_alone_shares_no_commit_with_a_crowd_or_with_what_nobody_waits_for(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with box(database_url) as one:
        write, patient = one.db.write, []

        async def noting(unit: Any, **more: Any) -> Any:
            patient.append(more.get("patient"))
            return await write(unit, **more)

        monkeypatch.setattr(one.db, "write", noting)
        crowd = [b"%d" % number for number in range(inbox_module.CROWD)]
        for bodies, is_patient in (([b"a"], False), ([b"status 1"], True), (crowd, True)):
            await one.store(*bodies)
            patient.clear()
            await one.inbox._drain_fresh()
            assert patient == [is_patient], bodies


async def test_what_cannot_be_looked_up_keeps_its_place(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with box(database_url) as one:
        lots, turns = noted(one, monkeypatch), one.inbox._turns

        async def away(*asked: Any) -> Any:
            raise Unavailable("The store does not answer.")

        monkeypatch.setattr(one.inbox, "_is_alone", lambda: False)
        whose = turns.whose
        monkeypatch.setattr(turns, "whose", away)
        await one.store(b"a 1", b"b 1")
        with pytest.raises(Unavailable):
            await one.inbox._drain_fresh()
        monkeypatch.setattr(turns, "whose", whose)
        await one.store(b"c 1")
        assert await one.inbox._drain_fresh() == 3
        assert lots == [["a 1", "b 1", "c 1"]]


async def test_who_wrote_elsewhere_before_is_waited_for_and_nobody_else(database_url: str) -> None:
    async with box(database_url) as one:
        other = Inbox(one.db, one.clock, one.inbox._handlers)
        await other.store(1, "cloud:7", b"a 1")
        await other.store(1, "cloud:8", b"b 1")
        one.clock.advance(0.001)
        await one.store(b"a 2", b"b 2", b"c 1")
        bodies = [row["body"] for row in one.inbox._fresh]
        assert bodies == [b"a 2", b"b 2", b"c 1"]
        now, waiting = await one.inbox._turns.whose([*one.inbox._fresh])
        # Another line's body is another matter.
        assert ([row["body"] for row in now], [row["body"] for row in waiting]) == ([b"b 2", b"c 1"], [b"a 2"])
        await drain_once(other)
        assert await one.inbox._turns.whose([*one.inbox._fresh]) == (one.inbox._fresh, [])


async def test_what_came_later_elsewhere_and_what_failed_there_hold_nobody_up(database_url: str) -> None:
    async with box(database_url) as one:
        other = Inbox(one.db, one.clock, one.inbox._handlers)
        one.bad = {b"a bad"}
        await other.store(1, "cloud:7", b"a bad")
        await drain_once(other)
        one.clock.advance(0.001)
        await one.store(b"a 2")
        one.clock.advance(0.001)
        await other.store(1, "cloud:7", b"a 3")
        assert await one.inbox._turns.whose([*one.inbox._fresh]) == (one.inbox._fresh, [])


async def test_a_writer_is_found_wherever_a_body_of_others_names_them(database_url: str) -> None:
    async with box(database_url) as one:
        bodies = {
            b'{"from":"905"}': True,
            b'{"to":"9051","wa_id" : "905"}': True,
            rb'{"text":"said \"905\" and \\","wa_id":"905"}': True,
            b'{"from":"9051","text":"call 905"}': False,
            rb'{"text":"said \"905\" and left"}': False,
        }
        ours: set[tuple[str, str]] = set()
        turns = Turns(one.db, ours, lambda row: frozenset({b'"905"'} & {bytes(row["body"])[8:13]}))
        for number, (body, is_waited_for) in enumerate(bodies.items()):
            await one.inbox.store(1, f"cloud:{number}", body)
            one.clock.advance(0.001)
            now = one.clock.now_ms()
            row: TakenBody = {
                "account_id": 1, "source": f"cloud:{number}", "external_id": "x", "body": b'{"from":"905"}',
                "received_at": now, "due_at": now, "attempts": 0,
            }  # fmt: skip
            assert await turns.whose([row]) == (([], [row]) if is_waited_for else ([row], [])), body


async def test_a_body_of_others_is_read_once_however_long_it_waits(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with box(database_url) as one:
        other = Inbox(one.db, one.clock, one.inbox._handlers)
        everything, read = one.db.all, list[str]()

        async def noting(query: Any, params: Any = None) -> Any:
            rows = await everything(query, params)
            read.extend(bytes(row["body"]).decode() for row in rows if "body" in [*row.keys()])
            return rows

        monkeypatch.setattr(one.db, "all", noting)
        await other.store(1, "cloud:7", b"a 1")
        one.clock.advance(0.001)
        await one.store(b"a 3")
        for _ in range(3):
            assert (await one.inbox._turns.whose([*one.inbox._fresh]))[1]
        assert read == ["a 1"]
        one.clock.advance(0.001)
        await other.store(1, "cloud:7", b"d 1")
        one.clock.advance(0.001)
        await one.store(b"d 2")
        await one.inbox._turns.whose([*one.inbox._fresh])
        # Our own, which came in between, is not read either.
        assert read == ["a 1", "d 1"]
        await drain_once(other)
        await one.inbox._turns.whose([*one.inbox._fresh])
        assert one.inbox._turns._words == {}
