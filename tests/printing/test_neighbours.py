"""Who waits for tickets at one process is woken by an order that came to another."""

from __future__ import annotations

from tablegram.engine.timers import Bell
from tablegram.printing.jobs import Jobs
from tablegram.printing.neighbours import share
from tests.engine.room import Room
from tests.printing.kitchen import kitchen


async def test_a_ticket_wakes_who_waits_for_it_at_another_process(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        room, there = Room(), Jobs(one.db, one.clock)
        share(room.join(), one.jobs)
        share(room.join(), there)
        await there.scan()
        bell = Bell()
        with there.listening(printer, bell):
            await one.take()
            assert bell.has_rung
            # Said once, and by nobody who only heard it.
            assert room.told == [f"{printer.account_id} {printer.id}"]
            job = await there.next(printer)
        assert job is not None
        # What a look finds, all others find by looking.
        await one.jobs.scan()
        assert len(room.told) == 1
