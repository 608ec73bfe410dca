"""What is claimed and not begun goes back to its place, whatever the store does meanwhile, and nobody overtakes it there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tablegram.engine import timers
from tablegram.errors import Unavailable
from tablegram.messaging.transmission import draining, recording, returning
from tests.engine.waiting import settle, until
from tests.messaging.gateway import OTHER, PHONE, Gateway, body, gateway, phone

GIVING_BACK = "messages given back"
Do = Callable[[], Awaitable[Any]]
Instead = Callable[[Do], Awaitable[Any]]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed for the store's sake is tried again at once."""
    monkeypatch.setattr(draining, "SCAN_S", 0.02)
    monkeypatch.setattr(timers, "PAUSE_AFTER_ERROR_S", 0.02)
    monkeypatch.setattr(recording, "PAUSES_S", (0.01,))


def silent() -> Unavailable:
    return Unavailable("gone silent", retry_after_s=1)


def instead_of_storing(one: Gateway, monkeypatch: pytest.MonkeyPatch, instead: Instead) -> None:
    """What happens in place of storing a message that is claimed at once, in whichever way a database does it."""

    def wrap(name: str) -> None:
        do = getattr(one.db, name)

        async def wrapped(*asked: Any) -> Any:
            params = asked[0][1] if isinstance(asked[0], tuple) else asked[1]
            is_it = params.get("claimed_by") is not None
            return await instead(lambda: do(*asked)) if is_it else await do(*asked)

        monkeypatch.setattr(one.db, name, wrapped)

    wrap("put")
    wrap("tell")


def instead_of_writing(one: Gateway, monkeypatch: pytest.MonkeyPatch, function: str, instead: Instead) -> None:
    """What happens in place of the units of work of one function."""
    write = one.db.write

    async def wrapped(unit: Any, **how: Any) -> Any:
        is_it = unit.__qualname__.startswith(f"{function}.")
        return await instead(lambda: write(unit, **how)) if is_it else await write(unit, **how)

    monkeypatch.setattr(one.db, "write", wrapped)


def unheard(one: Gateway, times: int) -> tuple[Instead, list[int]]:
    """The store does it, and whoever asked so often does not hear of it. Time goes on: nothing else is of the same moment."""
    lost: list[int] = []

    async def instead(do: Do) -> Any:
        told = await do()
        if len(lost) < times:
            lost.append(1)
            one.clock.advance(0.001)
            raise silent()
        return told

    return instead, lost


class Away:
    """The store is away for who asks, as long as it `is_away`."""

    def __init__(self) -> None:
        self.is_away = True
        self.tries = 0

    async def __call__(self, do: Do) -> Any:
        self.tries += 1
        if self.is_away:
            raise silent()
        return await do()


async def send_while_it_hangs(one: Gateway, monkeypatch: pytest.MonkeyPatch, text: str) -> str:
    """This process hangs while the message is stored, and its line may be another's by then."""

    async def hanging(do: Do) -> Any:
        for line in one.switchboard.known():
            if line.lease is not None:
                line.lease.lose()
        return await do()

    with monkeypatch.context() as patch:
        instead_of_storing(one, patch, hanging)
        told = await one.send(PHONE, text)
    return str(body(told)["status_code"])


def giving_back() -> int:
    return sum(task.get_name() == GIVING_BACK for task in asyncio.all_tasks())


async def test_what_was_stored_for_nobody_is_sent_soon_and_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        instead, lost = unheard(one, 1)
        instead_of_storing(one, monkeypatch, instead)
        with pytest.raises(Unavailable):
            await one.send(PHONE, "a")
        assert len(lost) == 1
        await one.until_states("sent")
        await settle(db=one.db)
        assert one.network(line).texts() == ["a"]


async def test_what_the_store_shows_only_after_it_answers_again_is_given_back_too(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        kept: list[Do] = []

        async def hangs(do: Do) -> Any:
            """Its commit hangs in the server, which answers everybody else."""
            kept.append(do)
            raise silent()

        instead_of_storing(one, monkeypatch, hangs)
        with pytest.raises(Unavailable):
            await one.send(PHONE, "a")
        await settle(db=one.db)
        await kept[0]()
        await one.until_states("sent")
        await settle(db=one.db)
        assert one.network(line).texts() == ["a"]


async def test_what_is_given_back_to_a_store_that_is_away_is_given_back_later(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(OTHER, "before")
        instead, lost = unheard(one, 3)
        instead_of_writing(one, monkeypatch, "Returning._write", instead)
        assert await send_while_it_hangs(one, monkeypatch, "a") == "queued"
        await one.until_states("sent", "sent")
        await until(lambda: len(lost) == 3)
        await settle(db=one.db)
        assert one.network(line).texts() == ["before", "a"]


@pytest.mark.parametrize("is_away", [False, True])
async def test_who_is_given_back_is_not_overtaken_by_who_comes_next(
    database_url: str, monkeypatch: pytest.MonkeyPatch, is_away: bool
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(OTHER, "before")
        away = Away()
        away.is_away = is_away
        instead_of_writing(one, monkeypatch, "Returning._write", away)
        assert await send_while_it_hangs(one, monkeypatch, "x") == "queued"
        assert body(await one.send(PHONE, "y"))["status_code"] == "queued"
        away.is_away = False
        await one.until_states("sent", "sent", "sent")
        assert one.network(line).texts() == ["before", "x", "y"]
        # As soon as nobody waits any more, who comes goes at once.
        await until(lambda: PHONE not in line.queued)


async def test_what_the_drain_claimed_unheard_is_sent_soon_and_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        instead, lost = unheard(one, 1)
        claims = 0

        async def counted(do: Do) -> Any:
            nonlocal claims
            claims += 1
            return await instead(do)

        instead_of_writing(one, monkeypatch, "guarded", counted)
        await one.queue(PHONE, "a")
        await one.until_states("sent")
        await settle(db=one.db)
        assert one.network(line).texts() == ["a"]
        assert (claims, lost) == (2, [1])


async def test_what_the_drain_claimed_unheard_is_not_overtaken(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(OTHER, "before")
        away = Away()
        instead_of_writing(one, monkeypatch, "Returning._write", away)
        instead, lost = unheard(one, 1)
        instead_of_writing(one, monkeypatch, "guarded", instead)
        await one.queue(PHONE, "x")
        await until(lambda: len(lost) == 1)
        # The drain has looked again, and not found it.
        await settle(db=one.db)
        assert body(await one.send(PHONE, "y"))["status_code"] == "queued"
        away.is_away = False
        await one.until_states("sent", "sent", "sent")
        assert one.network(line).texts() == ["before", "x", "y"]


async def test_one_task_gives_back_what_is_left_and_says_once_what_it_gives_up(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, try_s = 0.0, recording.AGAIN_FOR_S / 4
    monkeypatch.setattr(returning, "monotonic", lambda: now)
    async with gateway(database_url) as one:
        line = await one.add_line()
        tries = 0
        is_slow = asyncio.Event()

        async def away(do: Do) -> Any:
            raise silent()

        async def slow(do: Do) -> Any:
            """A silent store keeps each who asks it waiting for long."""
            nonlocal now, tries
            await is_slow.wait()
            tries += 1
            now += try_s
            raise silent()

        instead_of_storing(one, monkeypatch, away)
        instead_of_writing(one, monkeypatch, "Returning._write", slow)
        told = await asyncio.gather(*(one.send(phone(n), "a") for n in range(10)), return_exceptions=True)
        assert [type(one) for one in told] == [Unavailable] * 10
        assert giving_back() == 1
        with caplog.at_level(logging.ERROR, "tablegram.drains"):
            is_slow.set()
            await until(lambda: not giving_back())
        assert [record.getMessage() for record in caplog.records] == [
            "10 messages could not be given back: the store is down"
        ]
        assert tries == 4
        assert not line.is_busy(phone(0))


async def test_what_was_surely_not_stored_is_not_given_back(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway(database_url) as one:
        await one.add_line()

        async def refused(do: Do) -> Any:
            error = silent()
            error.is_undone = True
            raise error

        instead_of_storing(one, monkeypatch, refused)
        with pytest.raises(Unavailable):
            await one.send(PHONE, "a")
        assert giving_back() == 0


async def test_a_caller_who_goes_while_it_is_given_back_leaves_nothing_behind(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line()
        await one.send(OTHER, "before")
        asked = asyncio.Event()

        async def never(do: Do) -> Any:
            if asked.is_set():
                return await do()
            asked.set()
            return await asyncio.Event().wait()

        instead_of_writing(one, monkeypatch, "Returning._write", never)
        sending = asyncio.ensure_future(send_while_it_hangs(one, monkeypatch, "a"))
        await asked.wait()
        sending.cancel()
        await one.until_states("sent", "sent")
        assert one.network(line).texts() == ["before", "a"]
