"""The queue of print jobs: one in a printer's hands, first come first, told once, and never lost."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from tablegram.engine.timers import Bell
from tablegram.printing.jobs import RETRY_S, STALE_S, Job, _may_go, read_token
from tablegram.printing.printers.model import Printer
from tablegram.printing.rows import HeldJob, JobState
from tablegram.printing.tickets.keeping import new_job
from tablegram.values.clock import CLOCKS_MS, HOUR_MS
from tests.engine.waiting import until
from tests.measured import measured, since
from tests.printing.kitchen import Kitchen, kitchen


async def test_a_job_is_claimed_shown_again_and_told_of(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen", copies=2)
        assert await one.jobs.next(printer) is None
        number = await one.take()
        job = await one.claim(printer)
        assert (job.content.order_id, job.marks.copy, job.marks.copies, job.marks.doubt) == (number, 1, 2, False)
        assert len(job.token) <= 30
        assert read_token(job.token) == (job.id, job.fence)
        # While it is in the printer's hands there is no other, and asking for it again changes nothing.
        assert await one.jobs.next(printer) is None
        assert [await one.jobs.again(printer), await one.jobs.again(printer, job.token)] == [job, job]
        assert await one.jobs.again(printer, "another.1") is None
        before = measured("print_confirm_seconds", kind=printer.kind)
        one.clock.advance(7)
        assert await one.jobs.printed(printer, job.id, job.fence + 1) is False
        assert await one.jobs.printed(printer, job.id, job.fence) is True
        assert await one.jobs.printed(printer, job.id, job.fence) is False
        # Told once, and measured once: from when it was to be printed.
        count, seconds = since(before, "print_confirm_seconds", kind=printer.kind)
        assert count == 1
        assert 7 <= seconds < 3_600
        assert await one.jobs.failed(printer, job.id, job.fence, "late", retry=True) is False
        second = await one.claim(printer)
        assert (second.marks.copy, second.content) == (2, job.content)
        assert await one.states() == ["printed", "claimed"]


async def test_who_does_not_answer_in_time_prints_once_more_with_a_mark(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        await one.take()
        first = await one.claim(printer)
        await one.run_out()
        assert await one.jobs.again(printer) is None
        second = await one.claim(printer)
        assert (second.id, second.fence, second.attempt, second.marks.doubt) == (first.id, first.fence + 1, 2, True)
        # What the first claim tells now counts no more.
        assert await one.jobs.printed(printer, first.id, first.fence) is False
        await one.run_out()
        # Nobody has claimed it since: an answer that comes late is an answer.
        assert await one.jobs.printed(printer, second.id, second.fence) is True
        assert await one.jobs.next(printer) is None


async def test_what_fails_waits_in_its_place_and_what_cannot_be_printed_makes_way(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        first, second = await one.take(), await one.take()
        job = await one.claim(printer)
        assert await one.jobs.failed(printer, job.id, job.fence, "paper_out".ljust(81, "_"), retry=True)
        assert (await one.queue())[0]["error"] == "paper_out".ljust(80, "_")
        assert one.jobs.counts == {"printed": 0, "retried": 1, "failed": 0}
        # The next ticket does not overtake it.
        assert await one.jobs.next(printer) is None
        one.clock.advance(5)
        again = await one.claim(printer)
        assert (again.id, again.content.order_id, again.marks.doubt) == (job.id, first, False)
        assert await one.jobs.failed(printer, again.id, again.fence, "decode_error", retry=False, doubt=True)
        assert (await one.claim(printer)).content.order_id == second
        rows = await one.queue()
        assert [(row["state"], row["error"], row["doubt"]) for row in rows] == [
            ("failed", "decode_error", 1),
            ("claimed", "", 0),
        ]
        assert one.jobs.counts == {"printed": 0, "retried": 1, "failed": 1}


async def test_who_has_nothing_to_print_asks_the_store_for_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        await one.jobs.scan()
        assert await one.jobs.next(printer) is None
        assert not one.jobs.has_work(printer)
        # Nobody has looked for long: it is worth asking, whoever may have rung elsewhere.
        with monkeypatch.context() as later:
            later.setattr(one.jobs, "_looked_at", time.monotonic() - STALE_S - 1)
            assert one.jobs.has_work(printer)
        bell, gone = Bell(), Bell()
        with one.jobs.listening(printer, bell):
            with one.jobs.listening(printer, gone):
                pass
            await one.take()
            assert (bell.has_rung, gone.has_rung) == (True, False)
        assert one.jobs.has_work(printer)
        # Made by another process: a look at the store finds it.
        key = (1, printer.id)
        monkeypatch.setattr(one.jobs, "_waiting", set())
        assert not one.jobs.waits(key)
        looking = asyncio.create_task(one.jobs.scan_forever())
        await until(lambda: one.jobs.waits(key))
        looking.cancel()


def _first(state: JobState, due_at: int, *, is_held: bool = False) -> HeldJob:
    printer = Printer(
        account_id=1, id="prn_1", venue_id="ven_1", name="", kind="sandbox", key_hash="", key_sealed="",
        created_at=0, updated_at=0,
    )  # fmt: skip
    return {
        **new_job(printer, "tic_1", "order", 0),
        "state": state,
        "due_at": due_at,
        "content": "",
        "is_held": is_held,
    }


def test_the_first_in_line_goes_when_it_is_due_and_in_nobodys_hands() -> None:
    now, last = 10**12, RETRY_S[-1] * 1_000 + CLOCKS_MS
    waits = [_may_go(_first("queued", now + later), now) for later in (-1, 0, 1, last, last + 1)]
    assert waits == [True, True, False, False, True]
    assert [_may_go(_first("claimed", now, is_held=held), now) for held in (False, True)] == [True, False]


async def test_a_clock_that_is_set_back_lets_no_ticket_wait(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        await one.take()
        job = await one.claim(printer)
        assert await one.jobs.failed(printer, job.id, job.fence, "paper_out", retry=True)
        one.clock.at_ms -= 2 * HOUR_MS
        assert (await one.claim(printer)).id == job.id


async def test_a_printer_that_comes_back_in_the_morning_leaves_last_nights_tickets(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        await one.take()
        one.clock.advance(31 * 60)
        fresh = await one.take()
        assert [job.content.order_id for job in await one.print_all(printer)] == [fresh]


async def test_two_who_serve_one_printer_never_have_the_same_job(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        for _ in range(4):
            await one.take()
        came: list[Job] = []
        for _ in range(4):
            found = [await one.jobs.next(printer, f"agent {number}") for number in (1, 2)]
            (job,) = [one_of for one_of in found if one_of is not None]
            came.append(job)
            assert await one.jobs.printed(printer, job.id, job.fence)
        assert len({job.id for job in came}) == 4


class Walk:
    """Anything that can happen to a queue, in any order, beside what must be true of it all the time."""

    def __init__(self, one: Kitchen, printer: Printer, chance: random.Random) -> None:
        self.one, self.printer, self.chance = one, printer, chance
        self.claims: list[Job] = []
        self.told_printed: list[tuple[str, int]] = []
        self.before: dict[str, tuple[str, int]] = {}
        self.ended: dict[str, str] = {}
        self.first_claims: list[str] = []

    async def step(self) -> None:
        one, printer, chance = self.one, self.printer, self.chance
        what = chance.choice(
            ("next", "next", "next", "again", "printed", "printed", "failed", "run_out", "wait", "take")
        )
        claim = chance.choice(self.claims) if self.claims else None
        if what == "next":
            job = await one.jobs.next(printer)
            if job is not None:
                if job.attempt == 1:
                    self.first_claims.append(job.id)
                self.claims.append(job)
        elif what == "again":
            held = await one.jobs.again(printer)
            assert held is None or held.token in {claim.token for claim in self.claims}
        elif what == "printed" and claim is not None:
            if await one.jobs.printed(printer, claim.id, claim.fence):
                self.told_printed.append((claim.id, claim.fence))
        elif what == "failed" and claim is not None:
            await one.jobs.failed(printer, claim.id, claim.fence, "why", retry=chance.random() < 0.7)
        elif what == "run_out":
            await one.run_out()
        elif what == "wait":
            one.clock.advance(chance.choice((1, 6, 31)))
        elif what == "take":
            await one.take(one.house.line("Lahmacun"))
        await self.look()

    async def look(self) -> None:
        rows = await self.one.queue()
        now = {row["id"]: row for row in rows}
        assert sum(row["state"] == "claimed" for row in rows) <= 1
        for job_id, (_, fence) in self.before.items():
            assert now[job_id]["fence"] >= fence
        for job_id, state in self.ended.items():
            assert now[job_id]["state"] == state, "what is over stays as it is"
        self.before = {row["id"]: (row["state"], row["fence"]) for row in rows}
        self.ended |= {row["id"]: row["state"] for row in rows if row["state"] not in ("queued", "claimed")}
        last = {row["id"]: row["fence"] for row in rows}
        # Each is told printed once, and only by who claimed it last.
        assert len({job_id for job_id, _ in self.told_printed}) == len(self.told_printed)
        assert all(last[job_id] == fence for job_id, fence in self.told_printed)
        assert self.first_claims == sorted(self.first_claims), "first come, first claimed"


async def test_any_interleaving_keeps_the_queues_promises(database_url: str) -> None:
    async with kitchen(database_url) as one:
        for seed in range(4):
            printer = await one.printer(f"Kitchen {seed}", "kitchen")
            walk = Walk(one, printer, random.Random(seed))
            for _ in range(40):
                await walk.step()
            # Whatever happened, the printer gets everything that is not over and not too old.
            await one.run_out()
            one.clock.advance(31)
            await one.print_all(printer)
            assert set(await one.states()) <= {"printed", "failed"}
            await one.services.printers.remove(one.owner, printer.id)
