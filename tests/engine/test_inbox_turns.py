"""When the inbox looks again, with whom a body shares its commit, and who hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.engine import inbox as inbox_module
from tablegram.engine.courtesy import Courtesy
from tablegram.errors import Unavailable
from tablegram.storage.database import Row
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
        await one.inbox.drain_once()
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
        lots, whose_turn = noted(one, monkeypatch), inbox_module.whose_turn

        async def away(*asked: Any) -> Any:
            raise Unavailable("The store does not answer.")

        monkeypatch.setattr(one.inbox, "_is_alone", lambda: False)
        monkeypatch.setattr(inbox_module, "whose_turn", away)
        await one.store(b"a 1", b"b 1")
        with pytest.raises(Unavailable):
            await one.inbox._drain_fresh()
        monkeypatch.setattr(inbox_module, "whose_turn", whose_turn)
        await one.store(b"c 1")
        assert await one.inbox._drain_fresh() == 3
        assert lots == [["a 1", "b 1", "c 1"]]
