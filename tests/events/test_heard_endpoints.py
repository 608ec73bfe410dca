"""Of an endpoint that is made or changed in one process the others hear at once, and its first events keep their order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tablegram.events import addressee, planning
from tablegram.events.endpoints import EndpointChange
from tablegram.events.planning import Statement
from tablegram.values.ids import new_id
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import receiver
from tests.storage.opened import opened

pytestmark = pytest.mark.shared


@asynccontextmanager
async def two(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Office, Office]]:
    """They hear each other; what is known of endpoints is not read again by itself, and nobody makes up for anything later."""
    for module in (planning, addressee):
        monkeypatch.setattr(module, "FRESH_S", 3_600.0)
    async with office(database_url) as one, opened(database_url) as db:
        other = Office(db, one.clock)
        try:
            await other.owner.register()
            for each in (one, other):
                each.endpoints.share(each.bus)
                each.tasks.keep("bus", each.bus.attend)
            await _hears(one, other)
            await _hears(other, one)
            yield one, other
        finally:
            await other.stop()


async def _hears(listener: Office, teller: Office) -> None:
    """Whatever was told before."""
    heard: list[str] = []
    listener.bus.listen("ping", heard.append)
    word = new_id()

    def told() -> bool:
        teller.bus.tell("ping", word)
        return word in heard

    await until(told, "a word to be heard")


async def test_what_another_process_planned_before_it_heard_of_an_endpoint_goes_first(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver() as there, two(database_url, monkeypatch) as (one, other):
        for each in (one, other):
            await each.planner.reload(1)
        one.tasks.keep("deliveries", one.deliveries.couriers.scan_forever)
        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, there.url, ["*"], ""))
        # The other one does not know of it yet, whoever writes to it.
        await other.tell("first")
        await one.endpoints.changed(1, made.id)
        await until(lambda: bool(other.planner.takers(1, "messages.upsert")), "the other one to hear of it")
        await until(lambda: texts(there) == ["first"], "the first event to come")
        await other.tell("second")
        await one.tell("third")
        await until(lambda: len(there.taken) == 3, "all events to come")
        assert texts(there) == ["first", "second", "third"]


async def test_what_is_planned_as_soon_as_an_endpoint_is_known_comes_behind_what_was_planned_before(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver() as there, two(database_url, monkeypatch) as (one, other):
        for each in (one, other):
            await each.planner.reload(1)
        one.tasks.keep("deliveries", one.deliveries.couriers.scan_forever)
        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, there.url, ["*"], ""))
        await other.tell("first")
        reload = other.planner.reload

        async def reads(account_id: int) -> None:
            await reload(account_id)
            # The endpoint is known from here on, and somebody writes at this very moment.
            await other.tell("second")
            await until(lambda: "second" in texts(there), "the second event to come")

        monkeypatch.setattr(other.planner, "reload", reads)
        await one.endpoints.changed(1, made.id)
        await until(lambda: len(there.taken) == 2, "both events to come")
        assert texts(there) == ["first", "second"]


async def test_who_delivers_to_an_endpoint_that_another_process_changes_goes_by_the_change(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiver() as before, receiver() as after, two(database_url, monkeypatch) as (one, other):
        made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, before.url, ["*"], ""))
        await one.planner.reload(1)

        def plan(text: str) -> list[Statement]:
            body = {"event": "messages.upsert", "data": {"text": text}}
            return one.planner.plan(1, "messages.upsert", body, "s")

        async def happens(planned: list[Statement]) -> None:
            # The other one delivers it, and has planned nothing.
            await one.db.put(*planned)
            one.clock.advance(0.001)
            other.deliveries.wake(1, made.id)

        await happens(plan("first"))
        await until(lambda: texts(before) == ["first"], "the first event to come")
        assert not other.planner.knows(1)
        await one.endpoints.update(1, made.id, EndpointChange(url=after.url))
        await _hears(other, one)
        await happens(plan("second"))
        await until(lambda: len(before.taken + after.taken) == 2, "the second event to come")
        assert texts(after) == ["second"]
        # One that plans for it, too; and nothing goes to one that is switched off.
        await other.planner.reload(1)
        late = plan("late")
        await one.endpoints.update(1, made.id, EndpointChange(state="disabled"))
        await _hears(other, one)
        await happens(late)
        await until(lambda: (1, made.id) not in other.deliveries.couriers, "it to be let go of")
        assert (texts(before), texts(after)) == (["first"], ["second"])
        assert await one.states(made.id) == ["delivered", "delivered", "pending"]
