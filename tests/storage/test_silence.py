"""A connection that has fallen silent is given up, and one that is only slow is not."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select
from sqlalchemy.engine import make_url

from tablegram.errors import Unavailable
from tablegram.settings import Settings
from tablegram.storage.connections import silence
from tablegram.storage.connections.silence import LATE_S, Silence
from tablegram.storage.database import Query, open_database
from tablegram.storage.moment import DatabaseNow
from tests.faults.cluster.relay import Relay

_NOW = Query(select(DatabaseNow().label("now")))


class One:
    def __init__(self) -> None:
        self.steps = 0
        self.is_aborted = False

    def abort(self) -> None:
        self.is_aborted = True


def look_each_second(watch: Silence, begin: int, end: int) -> None:
    for second in range(begin, end):
        watch.look(float(second))


def test_who_hears_nothing_for_longer_than_a_statement_may_take_hangs_up() -> None:
    watch, slow, busy, over = Silence(lambda: None), One(), One(), One()
    for one in (slow, busy, over):
        watch.begin(one)
    watch.end(over)
    for second in range(35):
        watch.look(float(second))
        # Each is another statement.
        busy.steps += 1
    assert not slow.is_aborted
    look_each_second(watch, 35, 38)
    assert [one.is_aborted for one in (slow, busy, over)] == [True, False, False]


def test_a_silent_heart_tells_of_all_who_have_not_just_begun() -> None:
    gone: list[int] = []
    watch, heart, waiting, fresh = Silence(lambda: gone.append(1)), One(), One(), One()
    watch.begin(heart, is_short=True)
    look_each_second(watch, 0, 6)
    watch.begin(waiting)
    look_each_second(watch, 6, 10)
    assert not gone
    watch.begin(fresh)
    look_each_second(watch, 10, 12)
    assert (heart.is_aborted, waiting.is_aborted, fresh.is_aborted) == (True, True, False)
    assert gone == [1]


def test_who_was_frozen_first_reads_what_has_come() -> None:
    watch, one = Silence(lambda: None), One()
    watch.begin(one, is_short=True)
    look_each_second(watch, 0, 3)
    watch.look(120 + LATE_S)
    assert not one.is_aborted


@pytest.mark.shared
async def test_a_database_whose_route_is_gone_is_down_and_works_over_the_next(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENT_S", 2.0)
    monkeypatch.setattr(silence, "SHORT_SILENT_S", 2.0)
    address = make_url(database_url)
    target = (address.host or "", address.port or 0)
    way = Relay(target)
    await way.open()
    db = open_database(Settings(database_url=address.set(port=way.port).render_as_string(hide_password=False)))
    await db.open()
    try:
        assert await db.first(_NOW) is not None
        await db.write(lambda tx: tx.all(_NOW, {}))
        # Nobody is told: what is asked over these connections is never answered.
        way.lose(target)
        asked = [db.all(_NOW), db.write(lambda tx: tx.all(_NOW, {})), db.write_aside(lambda tx: tx.all(_NOW, {}))]
        answers = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        assert [type(one) for one in answers] == [Unavailable] * 3
        # Whoever waits for no answer at all, and asks later, finds a new way too.
        assert await asyncio.wait_for(db.first(_NOW), 60) is not None
        assert await asyncio.wait_for(db.write(lambda tx: tx.all(_NOW, {})), 60)
    finally:
        await db.close()
        await way.close()
