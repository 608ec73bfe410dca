"""Whoever holds a lease is asked by the others, over everything that carries the bus, and nobody else does what is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tablegram.engine.bus import carried
from tablegram.engine.bus.choosing import choose_bus
from tablegram.engine.bus.port import Alone, Bus
from tablegram.engine.bus.wakeups import Wakeups
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.owners import Owner
from tablegram.engine.timers import Tasks
from tablegram.engine.together import questions
from tablegram.engine.together.peers import NotThere, Silent
from tablegram.engine.together.questions import ANSWER, ASK, MAX_BYTES, Questions
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox
from tests.engine.carriers import Carried, carrier
from tests.engine.waiting import until

__all__ = ["carrier"]

pytestmark = pytest.mark.shared

LINE = "line:1"
KEY = "a secret key that all servers of one test have"
# Nobody waits for so long.
LONG_S = 60.0
# What is spelt out as twice as much.
QUOTES = '"' * 3_000


class Process:
    def __init__(self, settings: Settings, key: str = KEY) -> None:
        self.db = open_database(settings)
        self.tasks = Tasks()
        self.clock = Clock()
        self.bus: Bus = choose_bus(settings, self.db)
        # Nobody renews leases here: however long a test takes, it holds what it holds.
        self.owner = Owner(self.db, 10 * LONG_S)
        self.leases = Leases(self.db, self.owner, wakeups=Wakeups(self.bus))
        self.questions = Questions(self.bus, self.leases, self.owner.id, SecretBox(key), self.clock, self.tasks)
        self.questions.answer("shout", self.shout)
        self.heard: list[str] = []
        self.fences: list[int] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def shout(self, lease: Lease, body: str) -> str:
        self.heard.append(body)
        self.fences.append(lease.fence)
        await self.gate.wait()
        if body == "fail":
            raise ValueError("the body is not told")
        return QUOTES if body == "long" else body.upper()

    async def ask(self, body: str, within_s: float = LONG_S) -> str:
        return await self.questions.ask(LINE, "shout", body, within_s)


@asynccontextmanager
async def processes(settings: Settings, *keys: str) -> AsyncIterator[list[Process]]:
    """They hear each other."""
    made = [Process(settings, key) for key in keys]
    for one in made:
        await one.db.open()
        await one.owner.register()
        one.tasks.keep("bus", one.bus.attend)
    try:
        for one in made:
            await _hears(one.bus, [other.bus for other in made if other is not one])
        yield made
    finally:
        for one in made:
            await one.tasks.stop()
            await one.db.close()


async def _hears(bus: Bus, others: list[Bus]) -> None:
    for other in others:
        rung = asyncio.Event()
        bus.listen("ping", lambda _, rung=rung: rung.set())  # type: ignore[misc]

        def told(other: Bus = other, rung: asyncio.Event = rung) -> bool:
            other.tell("ping", "")
            return rung.is_set()

        await until(told, "a word to be heard")


async def test_who_holds_it_answers_and_nobody_else_does_anything(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "SILENT_S", LONG_S)
    monkeypatch.setattr(questions, "BEGIN_WITHIN_S", LONG_S)
    async with processes(carrier.settings(make_database_url()), KEY, KEY, KEY) as (one, holder, third):
        # Nobody has it: nobody is asked, and it is known at once.
        with pytest.raises(NotThere):
            await one.ask("nobody")
        lease = await holder.leases.hold(LINE)
        assert lease is not None
        bodies = [f"question {number} ş {'x' * number}" for number in range(40)]
        assert await asyncio.gather(*[one.ask(body) for body in bodies]) == [body.upper() for body in bodies]
        assert await third.ask("me too") == "ME TOO"
        assert (one.heard, third.heard) == ([], [])
        assert set(holder.fences) == {lease.fence}
        # A process does not ask itself.
        with pytest.raises(NotThere):
            await holder.ask("myself")
        # What nobody knows how to do is not begun; what fails may have been done.
        with pytest.raises(NotThere):
            await one.questions.ask(LINE, "sing", "", LONG_S)
        with pytest.raises(Silent):
            await one.ask("fail")
        # It is another's: that one is asked from now on.
        await holder.leases.free(holder.owner.id)
        assert await third.leases.hold(LINE) is not None
        assert await one.ask("who is it now") == "WHO IS IT NOW"
        assert third.heard == ["who is it now"]


async def test_what_no_word_can_carry_is_not_asked_and_whoever_waits_for_it_is_told(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "SILENT_S", LONG_S)
    monkeypatch.setattr(questions, "BEGIN_WITHIN_S", LONG_S)
    assert len(f"{ANSWER} ") + MAX_BYTES < carried.MAX_BYTES
    async with processes(carrier.settings(make_database_url()), KEY, KEY) as (one, holder):
        assert await holder.leases.hold(LINE) is not None
        assert await one.ask("x" * 5_000) == "X" * 5_000
        holder.heard.clear()
        # How long a word is shows when it is spelt out and sealed.
        for body in ("x" * 6_000, QUOTES):
            with pytest.raises(NotThere):
                await one.ask(body, 5.0)
        assert holder.heard == []
        asking = asyncio.create_task(one.ask("long"))
        await until(asking.done, "it to be told of")
        with pytest.raises(Silent):
            await asking
        assert holder.heard == ["long"]
        assert (await holder.questions.figures())["questions_answered_total"] == 1


async def test_who_dies_or_hangs_is_silent_and_who_takes_long_is_not(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "STILL_EVERY_S", 0.02)
    monkeypatch.setattr(questions, "SILENT_S", LONG_S)
    monkeypatch.setattr(questions, "BEGIN_WITHIN_S", LONG_S)
    async with processes(carrier.settings(make_database_url()), KEY, KEY) as (one, holder):
        assert await holder.leases.hold(LINE) is not None
        holder.gate.clear()
        # It says again and again that it is at it.
        came, answered = list[str](), one.questions._answered

        def counted(opened: str) -> None:
            # Only what somebody waits for: of what was given up it goes on to say so.
            if questions._said(opened).number in one.questions._open:
                came.append(opened)
            answered(opened)

        monkeypatch.setattr(one.questions, "_answered", counted)
        asking = asyncio.create_task(one.ask("slow"))
        await until(lambda: len(came) >= 3, "it to say so")
        assert not asking.done()
        holder.gate.set()
        assert await asking == "SLOW"
        # Longer than its time nobody waits, whoever is at it.
        holder.gate.clear()
        with pytest.raises(Silent):
            await one.ask("for ever", 0.3)
        # It dies while it is at it. Whoever waits goes by the new limit when it has heard something more.
        asking = asyncio.create_task(one.ask("last"))
        await until(lambda: "last" in holder.heard, "it to be begun")
        monkeypatch.setattr(questions, "SILENT_S", 0.3)
        known = len(came)
        await until(lambda: asking.done() or len(came) > known + 1, "it to say so")
        await holder.tasks.stop()
        with pytest.raises(Silent):
            await asking
        # It is dead, and its lease does not know yet.
        with pytest.raises(Silent):
            await one.ask("too late")
        assert (await one.questions.figures())["questions_silent_total"] == 3


async def test_a_question_that_comes_late_or_again_or_to_who_has_lost_the_lease_is_not_begun(
    make_database_url: Callable[..., str], carrier: Carried, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "SILENT_S", LONG_S)
    monkeypatch.setattr(questions, "BEGIN_WITHIN_S", LONG_S)
    async with processes(carrier.settings(make_database_url()), KEY, KEY, "another key, of another installation") as (
        one, holder, stranger,
    ):  # fmt: skip
        lease = await holder.leases.hold(LINE)
        assert lease is not None
        said: list[tuple[str, str]] = []
        tell = one.bus.tell

        def overheard(topic: str, word: str) -> None:
            said.append((topic, word))
            tell(topic, word)

        monkeypatch.setattr(one.bus, "tell", overheard)
        assert await one.ask("once") == "ONCE"
        # Word for word again, by whoever has heard it.
        ((topic, word),) = [told for told in said if told[0] == ASK]
        assert "once" not in word
        tell(topic, word)
        # Who has not the key cannot say anything, nor does it disturb.
        stranger.bus.tell(ASK, f"{holder.owner.id} {stranger.questions._box.seal('[]')}")
        stranger.bus.tell(ANSWER, f"{one.owner.id} nonsense")
        assert await one.ask("then") == "THEN"
        assert holder.heard == ["once", "then"]
        # It is not sure of its lease any more: it has hung. Whoever asks is told so.
        lease.lose()
        with pytest.raises(NotThere):
            await one.ask("unsure")
        # It has hung, and finds the question when it wakes up.
        await holder.leases.renew()
        assert lease.is_sure()
        monkeypatch.setattr(questions, "SILENT_S", 0.3)
        monkeypatch.setattr(questions, "BEGIN_WITHIN_S", -1.0)
        with pytest.raises(Silent):
            await one.ask("late")
        assert holder.heard == ["once", "then"]


async def test_who_hears_nobody_asks_nobody() -> None:
    asked: list[str] = []

    class Nothing:
        async def whose(self, name: str) -> tuple[str, int] | None:
            asked.append(name)
            return None

    lonely = Questions(Alone(), Nothing(), "me", SecretBox(KEY), Clock(), Tasks())  # type: ignore[arg-type]
    with pytest.raises(NotThere):
        await lonely.ask(LINE, "shout", "", LONG_S)
    assert asked == []
