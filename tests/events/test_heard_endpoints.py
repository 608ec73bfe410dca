"""Of an endpoint that is made in one process the others hear at once, and its first events keep their order."""

from __future__ import annotations

import pytest

from tablegram.events import planning
from tests.engine.waiting import until
from tests.events.office import Office, office, texts
from tests.events.receiver import receiver
from tests.storage.opened import opened

pytestmark = pytest.mark.shared


async def test_what_another_process_planned_before_it_heard_of_an_endpoint_goes_first(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is known of endpoints is not read again by itself, and nobody makes up for anything later.
    monkeypatch.setattr(planning, "FRESH_S", 3_600.0)
    async with receiver() as there, office(database_url) as one, opened(database_url) as db:
        other = Office(db, one.clock)
        try:
            await other.owner.register()
            for each in (one, other):
                each.endpoints.share(each.bus)
                each.tasks.keep("bus", each.bus.attend)
                await each.planner.reload(1)
            await _hear_each_other(one, other)
            one.tasks.keep("deliveries", one.deliveries.couriers.scan_forever)
            made = await one.db.write(lambda tx: one.endpoints.create(tx, 1, there.url, ["*"], ""))
            # The other one does not know of it yet, whoever writes to it.
            await other.tell("first")
            await one.endpoints.changed(1, made.id)
            await until(lambda: bool(other.planner.takers(1, "messages.upsert")), "the other one to hear of it")
            one.secrets[made.id] = made.secret
            await until(lambda: texts(there) == ["first"], "the first event to come")
            await other.tell("second")
            await one.tell("third")
            await until(lambda: len(there.taken) == 3, "all events to come")
            assert texts(there) == ["first", "second", "third"]
        finally:
            await other.stop()


async def _hear_each_other(one: Office, other: Office) -> None:
    for listener, teller in ((one, other), (other, one)):
        heard: list[str] = []
        listener.bus.listen("ping", heard.append)

        def told(teller: Office = teller, heard: list[str] = heard) -> bool:
            teller.bus.tell("ping", "")
            return bool(heard)

        await until(told, "a word to be heard")
