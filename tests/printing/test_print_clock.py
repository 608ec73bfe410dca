"""What is not on paper is somebody's business: people hear of it, another printer takes over, and old tickets end."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.engine.idempotency import Call
from tablegram.printing.printers.model import Status
from tests.printing.kitchen import Kitchen, kitchen

MANAGER = "905550001122"


async def failures(one: Kitchen) -> list[tuple[str, str, bool]]:
    told = await one.house.told("restaurant.ticket_failed")
    return [(body["code"], body["printer_name"], body["will_retry"]) for body in told]


async def phoned(one: Kitchen) -> list[str]:
    return [text for text in await one.house.said(MANAGER) if "🖨" in text]


async def test_a_ticket_that_is_not_printed_is_told_of_once_and_ends_when_it_is_old(database_url: str) -> None:
    async with kitchen(database_url) as one:
        await one.house.change_venue(details={"alert_phone": MANAGER})
        hot = await one.printer("Mutfak", "kitchen")
        number = await one.take(one.house.line("Lahmacun"))
        await one.works.clock.look()
        assert await failures(one) == []
        one.clock.advance(60)
        for _ in range(2):
            await one.works.clock.look()
        assert await failures(one) == [("not_printed", "Mutfak", True)]
        (said,) = await phoned(one)
        assert number in said
        assert "Mutfak" in said
        # The next one is told of to programs, and not to the phone again right away.
        await one.take(one.house.line("Lahmacun"))
        one.clock.advance(61)
        await one.works.clock.look()
        assert len(await failures(one)) == 2
        assert len(await phoned(one)) == 1
        one.clock.advance(30 * 60)
        for _ in range(2):
            await one.works.clock.look()
        assert await one.states() == ["expired", "expired"]
        assert (await failures(one))[2:] == [("expired", "Mutfak", False)] * 2
        assert len(await phoned(one)) == 2
        (shown, first) = (await one.services.tickets.page(one.house.staff)).data
        assert shown.paper == "failed"
        # The board rings for the printer until what is missing was printed again.
        (trouble,) = await one.services.tickets.troubles(one.house.staff, one.house.venue.id)
        assert (trouble.printer_name, trouble.count, trouble.order_ids[0]) == ("Mutfak", 2, number)
        for ticket in (shown, first):
            await one.services.tickets.reprint(one.house.staff, ticket.id, Call("test"))
        await one.print_all(hot)
        assert await one.services.tickets.troubles(one.house.staff, one.house.venue.id) == []


async def test_another_printer_takes_over_visibly_and_only_what_is_in_nobodys_hands(database_url: str) -> None:
    async with kitchen(database_url) as one:
        bar = await one.printer("Bar", "bar")
        hot = await one.printer("Mutfak", "kitchen", fallback_id=bar.id, fallback_after_s=90)
        await one.take(one.house.line("Lahmacun"))
        second = await one.take(one.house.line("Künefe"))
        held = await one.claim(hot)
        one.clock.advance(91)
        await one.works.clock.look()
        # The first one is in the printer's hands: it may be coming out right now.
        moved = await one.claim(bar)
        assert (moved.content.order_id, moved.marks.instead_of, moved.marks.doubt) == (second, "Mutfak", False)
        assert await one.jobs.printed(bar, moved.id, moved.fence)
        await one.run_out()
        await one.works.clock.look()
        doubtful = await one.claim(bar)
        assert (doubtful.ticket_id, doubtful.marks.instead_of, doubtful.marks.doubt) == (held.ticket_id, "Mutfak", True)
        assert await one.jobs.printed(hot, held.id, held.fence) is False
        assert await one.jobs.next(hot) is None
        assert await one.states() == ["dropped", "dropped", "printed", "claimed"]


async def test_who_has_the_ticket_anyway_takes_nothing_over_and_two_never_pass_it_to_and_fro(database_url: str) -> None:
    async with kitchen(database_url) as one:
        first = await one.printer("One", "kitchen", fallback_after_s=30)
        second = await one.printer("Two", "bar", fallback_id=first.id, fallback_after_s=30)
        await one.services.printers.change(one.owner, first.id, {"fallback_id": second.id})
        await one.take(one.house.line("Lahmacun"))
        for _ in range(4):
            one.clock.advance(31)
            await one.works.clock.look()
        assert [(row["printer_id"], row["state"]) for row in await one.queue()] == [
            (first.id, "dropped"),
            (second.id, "queued"),
        ]


async def test_what_cannot_be_printed_is_told_of_at_once(database_url: str) -> None:
    async with kitchen(database_url) as one:
        await one.house.change_venue(details={"alert_phone": MANAGER})
        hot = await one.printer("Mutfak", "kitchen")
        await one.take(one.house.line("Lahmacun"))
        job = await one.claim(hot)
        assert await one.jobs.failed(hot, job.id, job.fence, "decode_error", retry=False)
        assert one.jobs.trouble.has_rung
        for _ in range(2):
            await one.works.clock.look()
        assert await failures(one) == [("decode_error", "Mutfak", False)]
        assert len(await phoned(one)) == 1


async def test_a_printer_is_written_down_when_it_says_something_new_and_when_it_falls_silent(database_url: str) -> None:
    async with kitchen(database_url) as one:
        hot = await one.printer("Mutfak", "kitchen")

        async def told() -> list[dict[str, Any]]:
            return await one.house.told("restaurant.printer_status")

        async def state() -> dict[str, Any]:
            shown = await one.services.printers.get(one.house.staff, hot.id)
            return dict(msgspec.to_builtins(shown.state))

        assert (await state())["online"] is False
        for _ in range(5):
            await one.works.watch.seen(hot, Status(paper="ok", cover="closed"))
            one.clock.advance(1)
        await one.works.watch.seen(hot, Status(paper="out", cover="closed"))
        assert [(body["online"], body["paper"]) for body in await told()] == [(True, "ok"), (True, "out")]
        assert (await state())["paper"] == "out"
        await one.works.watch.flush()
        one.clock.advance(61)
        for _ in range(2):
            await one.works.clock.look()
        assert [body["online"] for body in await told()] == [True, True, False]
        # It comes back with the same words as before, and that is news.
        await one.works.watch.seen(hot, Status(paper="out", cover="closed"))
        assert [body["online"] for body in await told()] == [True, True, False, True]
        # One that asks every two minutes is not gone after one of them, and is after some more.
        await one.works.watch.learn(hot, "", 120.0)
        await one.works.watch.flush()
        for passed_s, online in ((240, True), (300, False)):
            one.clock.advance(passed_s)
            await one.works.clock.look()
            assert (await state())["online"] is online
