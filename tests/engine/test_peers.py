"""Processes of one machine ask each other, and know when nobody was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tablegram.engine.timers import Tasks
from tablegram.engine.together.peers import NotThere, Peers, Silent

Make = Callable[[str], Awaitable[Peers]]


@asynccontextmanager
async def processes() -> AsyncIterator[Make]:
    tasks, made = Tasks(), list[Peers]()
    # A socket's name is short, and the suite's folders are not.
    with TemporaryDirectory(prefix="peers-") as folder:

        async def one(name: str) -> Peers:
            peers = Peers(Path(folder), name, tasks)
            made.append(peers)
            await peers.open()
            return peers

        yield one
        for peers in made:
            await peers.close()
        assert not list(Path(folder).glob("*.sock"))
    await tasks.stop()


async def shout(body: bytes) -> bytes:
    return body.upper()


async def test_many_questions_at_once_get_each_its_own_answer() -> None:
    async with processes() as make:
        one, two = await make("one"), await make("two")
        two.answer(shout)
        asked = [f"question {number} {'x' * number}" for number in range(200)]
        answers = await asyncio.gather(*[one.ask("two", body.encode(), 30) for body in asked])
        assert answers == [body.upper().encode() for body in asked]
        assert await one.figures() == {"peers_asked_total": 200, "peers_silent_total": 0}


async def test_who_is_not_there_was_not_asked() -> None:
    async with processes() as make:
        one = await make("one")
        with pytest.raises(NotThere):
            await one.ask("nobody", b"hello", 30)
        two = await make("two")
        await two.close()
        with pytest.raises(NotThere):
            await one.ask("two", b"hello", 30)


async def test_who_ends_or_takes_too_long_is_silent() -> None:
    async with processes() as make:
        one, two = await make("one"), await make("two")
        begun, never = asyncio.Event(), asyncio.Event()

        async def wait(body: bytes) -> bytes:
            begun.set()
            await never.wait()
            return body

        two.answer(wait)
        with pytest.raises(Silent):
            await one.ask("two", b"hello", 0.01)
        asking = asyncio.create_task(one.ask("two", b"hello", 60))
        await begun.wait()
        await two.close()
        with pytest.raises(Silent):
            await asyncio.wait_for(asking, 30)


async def test_what_dead_processes_left_is_put_away_and_what_lives_is_not() -> None:
    async with processes() as make:
        one = await make("one")
        two = await make("two")
        two.answer(shout)
        dead = one._path("dead")
        dead.touch()
        await make("three")
        assert not dead.exists()
        assert await one.ask("two", b"still here", 30) == b"STILL HERE"
