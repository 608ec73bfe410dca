"""Printers are registered, changed and removed; tickets are printed again; a guest who is erased is on no ticket."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing
from tablegram.flows.contacts.services import ContactServices
from tablegram.printing.printers import sealing
from tablegram.values.secrets import SecretBox
from tests.printing.kitchen import kitchen, wire

pytestmark = pytest.mark.later

NO_CALL = Call("test")


async def test_a_printer_is_known_by_its_key_until_it_gets_another(database_url: str) -> None:
    async with kitchen(database_url) as one:
        desk, directory = one.services.printers, one.works.directory
        made = wire((await desk.create(one.owner, {"name": "  Mutfak\u2028", "kind": "epson"}, NO_CALL)).value)
        assert made["name"] == "Mutfak"
        assert made["url"].endswith(f"/print/epson/{made['key']}")
        found = await directory.find(made["key"])
        assert found is not None
        assert found.id == made["id"]
        assert wire(await desk.reveal(one.owner, made["id"]))["key"] == made["key"]
        # Who may only look sees no key, and nobody finds it in the store.
        assert made["key"] not in str(wire(await desk.page(one.house.staff)))
        with pytest.raises(ScopeMissing):
            await desk.reveal(one.house.staff, made["id"])
        other = wire((await desk.rotate(one.owner, made["id"], NO_CALL)).value)
        assert await directory.find(made["key"]) is None
        assert await directory.find(other["key"]) is not None
        for stranger in ("", "x", "0" * 32, "é" * 32, made["key"][:-1]):
            assert await directory.find(stranger) is None
        await desk.remove(one.owner, made["id"])
        assert await directory.find(other["key"]) is None
        with pytest.raises(NotFound):
            await desk.get(one.owner, made["id"])


async def test_what_makes_no_sense_is_refused_with_the_field_and_the_fix(database_url: str) -> None:
    async with kitchen(database_url) as one:
        desk = one.services.printers
        bar = await one.printer("Bar", "bar")
        refused: list[tuple[dict[str, Any], str, str]] = [
            ({"name": "\u202e \n"}, "name", "name_invalid"),
            ({"stations": ["nowhere"]}, "stations", "station_unknown"),
            ({"stations": ["bar", "bar"]}, "stations", "station_unknown"),
            ({"extras": ["pass", "pass"]}, "extras", "extra_unknown"),
            ({"copies": 6}, "copies", "out_of_range"),
            ({"fallback_after_s": 5}, "fallback_after_s", "out_of_range"),
            ({"fallback_id": "prn_nobody"}, "fallback_id", "printer_unknown"),
            ({"kind": "direct"}, "profile.host", "host_missing"),
        ]
        for fields, field, code in refused:
            with pytest.raises(Invalid) as problem:
                await desk.create(one.owner, {"name": "x", "kind": "agent", **fields}, NO_CALL)  # type: ignore[typeddict-item]
            assert [(error.field, error.code) for error in problem.value.errors] == [(field, code)]
        with pytest.raises(Invalid):
            await desk.change(one.owner, bar.id, {"fallback_id": bar.id})
        changed = await desk.change(
            one.owner, bar.id, {"profile": {"columns": 32, "user": "star", "password": "s3cret"}}
        )
        assert (changed.profile.columns, changed.profile.has_password) == (32, True)
        kept = await one.known(bar.id)
        assert (kept.profile.dots, "s3cret" in kept.profile.password) == (384, False)


async def test_secrets_of_printers_are_sealed_again_under_a_new_key(database_url: str) -> None:
    async with kitchen(database_url) as one:
        old = one.house.product.box
        printer = await one.printer("Bar", "bar", profile={"user": "star", "password": "s3cret"})
        key = old.open(printer.key_sealed)
        previous = old._all[0]
        new = SecretBox("n" * 40)
        new._all.append(previous)
        assert await sealing.reseal(one.db, new) == 2
        assert await sealing.reseal(one.db, new) == 0
        kept = await one.known(printer.id)
        alone = SecretBox("n" * 40)
        assert (alone.open(kept.key_sealed), alone.open(kept.profile.password)) == (key, "s3cret")
        assert kept.key_hash == alone.pepper_hash(key)


# Its statements are made for the occasion.
@pytest.mark.both
async def test_a_ticket_is_printed_again_and_says_so(database_url: str) -> None:
    async with kitchen(database_url) as one:
        desk, staff = one.services.tickets, one.house.staff
        await one.take(one.house.line("Lahmacun"))
        ((ticket,), bar) = ((await desk.page(staff)).data, await one.printer("Bar", "bar"))
        assert ticket.paper == "none"
        # Nobody prints for the kitchen yet.
        with pytest.raises(Conflict):
            await desk.reprint(staff, ticket.id, NO_CALL)
        hot = await one.printer("Mutfak", "kitchen", copies=2)
        for printer_id, printer in ((bar.id, bar), (None, bar)):
            again = (await desk.reprint(staff, ticket.id, NO_CALL, printer_id)).value
            assert again.paper == "waiting"
            (job,) = await one.print_all(printer)
            assert job.marks.reprint == (1 if printer_id else 2)
        number = await one.take(one.house.line("Lahmacun"))
        (fresh,) = (await desk.page(staff, order_id=number)).data
        (job, _) = await one.print_all(hot)
        await desk.reprint(staff, fresh.id, NO_CALL)
        (once_more,) = await one.print_all(hot)
        assert (once_more.content, once_more.marks.reprint, once_more.marks.copy) == (job.content, 1, 1)
        await desk.reprint(staff, fresh.id, NO_CALL)
        assert [job.marks.reprint for job in await one.print_all(hot)] == [2]
        shown = await desk.get(staff, fresh.id)
        assert (shown.paper, [job.reprint for job in shown.jobs]) == ("printed", [0, 0, 1, 2])
        states = await desk.by_order(staff, [number, "ORD-20270101-0001"])
        assert wire(states) == {number: [{"station": "kitchen", "paper": "printed"}]}
        with pytest.raises(NotFound):
            await desk.get(one.house.caller("staff", account_id=2), fresh.id)


async def test_a_test_page_waits_ten_minutes(database_url: str) -> None:
    async with kitchen(database_url) as one:
        hot = await one.printer("Mutfak", "kitchen", copies=3)
        made = (await one.services.printers.test(one.owner, hot.id, NO_CALL)).value
        assert (made.kind, made.order_id, made.paper) == ("test", "", "waiting")
        assert (await one.services.printers.get(one.owner, hot.id)).state.queue == 1
        await one.services.printers.test(one.owner, hot.id, NO_CALL)
        (first, second) = [await one.jobs.next(hot), await one.jobs.next(hot)]
        assert first is not None
        assert second is None
        # In the printer's own language, where it has one.
        assert first.content.language == one.house.venue.languages[0]
        other = "en" if first.content.language == "tr" else "tr"
        bar = await one.printer("Bar", "bar", profile={"language": other})
        await one.services.printers.test(one.owner, bar.id, NO_CALL)
        assert (await one.claim(bar)).content.language == other
        assert await one.jobs.printed(hot, first.id, first.fence)
        one.clock.advance(10 * 60)
        assert await one.jobs.next(hot) is None


async def test_a_printer_that_is_removed_leaves_nothing_waiting(database_url: str) -> None:
    async with kitchen(database_url) as one:
        hot = await one.printer("Mutfak", "kitchen")
        await one.printer("Bar", "bar", fallback_id=hot.id)
        await one.take()
        job = await one.claim(hot)
        await one.services.printers.remove(one.owner, hot.id)
        assert await one.jobs.printed(hot, job.id, job.fence) is False
        assert sorted(await one.states()) == ["dropped", "queued"]
        (left,) = (await one.services.printers.page(one.owner)).data
        assert left.fallback_id is None


async def test_who_is_erased_is_on_no_ticket(database_url: str) -> None:
    async with kitchen(database_url) as one:
        cart = await one.house.cart(
            one.house.line("Lahmacun", note="Ayşe için"), notes="Ayşe geliyor", table="5", language="tr"
        )
        await one.house.write(cart["text"], name="Ayşe Yılmaz")
        (before,) = await one.contents()
        assert "Ayşe" in str(before)
        contact_id = (await one.house.order())["contact_id"]
        erasure = one.house.product.of(ContactServices).erasure
        receipt = await erasure.erase(one.owner, contact_id)
        assert receipt.counts.tickets == 1
        (after,) = await one.contents()
        assert "Ayşe" not in str(after)
        assert [line.name for line in after.lines] == [line.name for line in before.lines]


async def test_tickets_are_forgotten_after_a_month(database_url: str) -> None:
    async with kitchen(database_url) as one:
        await one.printer("Mutfak", "kitchen")
        await one.take()
        one.clock.advance(29 * 86_400)
        assert (await one.house.product.retention.purge())["tickets"] == 0
        one.clock.advance(2 * 86_400)
        assert (await one.house.product.retention.purge())["tickets"] == 2
        assert [await one.tickets(), await one.queue()] == [[], []]
