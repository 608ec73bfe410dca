"""The bus between processes: the same promises over everything that carries it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tablegram.engine.bus import carried, company
from tablegram.engine.bus.carried import MAX_BYTES, CarriedBus
from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.company import Company
from tablegram.engine.bus.port import Alone, Bus
from tablegram.settings import Settings, load
from tablegram.storage.database import Database, open_database
from tests.engine.carriers import Carried, carrier
from tests.engine.nats_server import nats_server

__all__ = ["carrier"]


def is_alone(one: Bus | Company) -> bool:
    """As it is now; a property that was read once counts as read for type checkers."""
    return one.is_alone


class Ear:
    """Whoever listens on a bus."""

    def __init__(self, bus: Bus, *topics: str) -> None:
        self.heard: list[tuple[str, str]] = []
        self._rung = asyncio.Event()
        for topic in topics:
            bus.listen(topic, lambda word, topic=topic: self._hear(topic, word))  # type: ignore[misc]

    def _hear(self, topic: str, word: str) -> None:
        self.heard.append((topic, word))
        self._rung.set()
        assert word != "nonsense"

    async def until(self, bus: Bus, topic: str, word: str) -> None:
        """Tell it until it is heard: whoever has just begun to listen may have missed the first time."""
        async with asyncio.timeout(60):
            while (topic, word) not in self.heard:
                self._rung.clear()
                bus.tell(topic, word)
                waiting = asyncio.ensure_future(self._rung.wait())
                await asyncio.wait({waiting}, timeout=0.3)
                waiting.cancel()


@asynccontextmanager
async def process(settings: Settings) -> AsyncIterator[tuple[Bus, Database]]:
    db = open_database(settings)
    await db.open()
    bus = choose_bus(settings, db)
    attending = asyncio.create_task(bus.attend())
    try:
        yield bus, db
    finally:
        attending.cancel()
        await asyncio.gather(attending, return_exceptions=True)
        await db.close()


@pytest.mark.shared
async def test_words_reach_the_other_processes_of_this_installation_and_nobody_else(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried, "TRY_AGAIN_S", 0.05)
    ours, theirs = carrier.settings(make_database_url()), carrier.settings(make_database_url())
    async with process(ours) as (one, _), process(ours) as (other, db), process(theirs) as (stranger, _):
        own, ear, foreign = Ear(one, "a"), Ear(other, "a", "b"), Ear(stranger, "a", "b")
        # A listener that fails harms neither the bus nor who listens beside it.
        await ear.until(one, "a", "nonsense")
        await own.until(other, "a", "back")
        for number in range(40):
            one.tell("b", f"{number} " + "ş" * 300)
        one.tell("b", "y" * MAX_BYTES)
        one.tell("c", "nobody listens")
        await ear.until(one, "a", "the end")
        assert {("b", f"{number} " + "ş" * 300) for number in range(40)} <= set(ear.heard)
        assert not any("y" * 99 in word for _, word in ear.heard)
        # What is taken away comes back by itself.
        await carrier.break_off(db)
        await ear.until(one, "a", "after the loss")
        await own.until(other, "a", "heard both ways")
        assert {word for _, word in own.heard} == {"back", "heard both ways"}
        assert foreign.heard == []
        # A process that leaves says so when it attends no more.
        await one.tell_last("a", "good-bye")
        async with asyncio.timeout(60):
            while ("a", "good-bye") not in ear.heard:
                await asyncio.sleep(0.01)
        figures = await one.figures()
        assert figures["bus_told_total"] >= 44
        assert [value for name, value in figures.items() if name.startswith("bus_connected")] == [1.0]


@pytest.mark.shared
async def test_who_is_alone_tells_nothing_until_somebody_comes(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(company, "ANSWER_S", 0.05)
    ours = carrier.settings(make_database_url())
    async with process(ours) as (one, _):
        assert not is_alone(one)
        async with asyncio.timeout(60):
            while not is_alone(one):
                await asyncio.sleep(0.01)
        one.tell("a", "to nobody")
        assert (await one.figures())["bus_told_total"] == 0
        # Who comes later is in the way of an answer that is late only here.
        monkeypatch.setattr(company, "ANSWER_S", 60.0)
        async with process(ours) as (other, _):
            ear = Ear(other, "a")
            async with asyncio.timeout(60):
                while is_alone(one):
                    await asyncio.sleep(0.01)
            await ear.until(one, "a", "to somebody")
            assert not is_alone(other)
            assert ("a", "to nobody") not in ear.heard


def test_company_is_what_was_heard_of_others() -> None:
    now = 100.0
    one = Company(lambda: now)
    one.heard()
    assert not is_alone(one), "nobody knows before they are connected"
    one.connected()
    assert not is_alone(one), "an answer may be on its way"
    now += company.ANSWER_S
    assert is_alone(one)
    one.heard()
    now += company.SILENT_S - 1
    assert not is_alone(one)
    now += 1
    assert is_alone(one)
    one.parted()
    assert not is_alone(one), "who hears nobody does not know"


async def test_a_bus_that_is_away_delays_nobody_and_tells_no_password(
    make_database_url: Callable[..., str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(carried, "TRY_AGAIN_S", 0.01)
    url = make_database_url()
    with nats_server("a-password-of-ours") as server, caplog.at_level(logging.DEBUG):
        server.stop()
        async with process(Settings(database_url=url, nats_url=server.url)) as (bus, db):
            for number in range(carried.MAX_WAITING + 9):
                bus.tell("a", str(number))
            if db.connect_listener is None:
                # A database in a file has one process, whatever the settings say.
                assert isinstance(bus, Alone)
                return
            assert isinstance(bus, CarriedBus)
            async with asyncio.timeout(60):
                while sum("are not heard" in one.getMessage() for one in caplog.records) < 3:
                    await asyncio.sleep(0.01)
    assert "a-password-of-ours" not in caplog.text
    assert [one.levelname for one in caplog.records if "are not heard" in one.getMessage()][:2] == ["WARNING", "DEBUG"]


def test_one_address_or_several_with_a_password_or_without() -> None:
    for url in ("nats://host", "tls://user:p%40ss@host:4222", "nats://a:1, nats://b:2"):
        assert load({"TABLEGRAM_NATS_URL": url}).nats_url == url
