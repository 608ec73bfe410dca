"""Orders become tickets and jobs in their own transaction, whoever orders and whatever changes."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress

import pytest

from tablegram.errors import Conflict
from tablegram.flows.restaurant.fields import ActFields
from tablegram.flows.restaurant.orders.ordering import OrderWish
from tablegram.printing.printers.model import Printer
from tablegram.printing.tickets.erasing import forget
from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Tx
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.printing.kitchen import Kitchen, kitchen, lines_of

pytestmark = pytest.mark.later


async def kinds(one: Kitchen) -> list[tuple[str, str]]:
    return [(row["kind"], row["station"]) for row in await one.tickets()]


async def test_an_order_makes_its_tickets_when_it_is_confirmed_and_not_before(database_url: str) -> None:
    async with kitchen(database_url, accepts=False) as one:
        bar = await one.printer("Bar", "bar")
        cart = await one.house.cart(one.house.line("Lahmacun", 2), one.house.line("Ayran"))
        await one.house.write(cart["text"])
        assert await one.tickets() == []
        number = str((await one.house.order())["order_id"])
        await one.house.act(number, "accept")
        # The kitchen has no printer: its ticket is there for displays, and nothing waits for paper.
        assert await kinds(one) == [("order", "kitchen"), ("order", "bar")]
        assert [(row["printer_id"], row["state"]) for row in await one.queue()] == [(bar.id, "queued")]
        for action in ("start", "finish"):
            await one.house.act(number, action)
        assert len(await one.tickets()) == 2
        # What is called off is taken back.
        await one.house.act(number, "cancel", reason="Gone")
        assert (await kinds(one))[2:] == [("void", "kitchen"), ("void", "bar")]
        assert [job.content.kind for job in await one.print_all(bar)] == ["order", "void"]


async def test_a_change_prints_the_difference_and_a_new_table_says_so(database_url: str) -> None:
    async with kitchen(database_url) as one:
        line = one.house.line
        both = await one.printer("Both", "kitchen", "bar", extras=["pass"])
        number = await one.take(line("Lahmacun", 2), line("Ayran"))
        await one.print_all(both)
        lines = [line("Lahmacun"), line("Ayran", 2)]
        await one.change(number, lines=lines, table_id=(await one.house.table("7")).id)
        came = [job.content for job in await one.print_all(both)]
        assert [(one_of.kind, one_of.station) for one_of in came] == [
            ("change", "kitchen"), ("change", "bar"), ("pass", ""), ("moved", "kitchen"), ("moved", "bar"), ("moved", ""),
        ]  # fmt: skip
        assert [lines_of(one_of) for one_of in came[:2]] == [[("removed", 1, "LAHMACUN")], [("added", 1, "AYRAN")]]
        assert {(one_of.moved_from, one_of.table) for one_of in came[3:]} == {("5", "7")}
        # The same again changes nothing.
        await one.change(number, lines=lines)
        assert await one.jobs.next(both) is None


async def test_a_station_with_two_printers_and_a_printer_with_two_stations(database_url: str) -> None:
    async with kitchen(database_url) as one:
        hot = await one.printer("Hot", "kitchen")
        all_of_it = await one.printer("All", "kitchen", "bar", copies=2)
        await one.take()

        async def stations(printer: Printer) -> list[tuple[str, int]]:
            return [(job.content.station, job.marks.copy) for job in await one.print_all(printer)]

        assert await stations(hot) == [("kitchen", 1)]
        assert await stations(all_of_it) == [("kitchen", 1), ("kitchen", 2), ("bar", 1), ("bar", 2)]


async def test_the_bags_paper_follows_the_address_and_the_money_until_it_has_left(database_url: str) -> None:
    async with kitchen(database_url) as one:
        bag = await one.printer("Pass", "kitchen", "bar", extras=["pass", "receipt"])
        number = await one.take(
            table=None, order_type="delivery", customer_name="Ayşe", customer_phone="905551112233",
            address="Lale Sk. 12, zil 4", latitude=41.0369, longitude=28.985,
        )  # fmt: skip

        async def came() -> list[tuple[str, str, str, int, str]]:
            doors = [(job.content.kind, job.content.door) for job in await one.print_all(bag)]
            return [
                (kind, "", "", 0, "") if door is None else (kind, door.address, door.phone, door.due, door.route_url)
                for kind, door in doors
            ]

        total = (await one.house.as_read())[0].total
        way = "https://www.google.com/maps/dir/?api=1&destination=41.036900,28.985000"
        first = ("Lale Sk. 12, zil 4", "+905551112233", total, way)
        assert await came() == [
            ("order", "", "", 0, ""), ("order", "", "", 0, ""), ("pass", *first), ("receipt", *first),
        ]  # fmt: skip
        # Other words are another place, and the way goes by the words until somebody shares the place.
        await one.change(number, address="Gül Sk. 3")
        moved = ("Gül Sk. 3", "+905551112233", "https://www.google.com/maps/dir/?api=1&destination=G%C3%BCl%20Sk.%203")
        assert await came() == [(kind, *moved[:2], total, moved[2]) for kind in ("pass", "receipt")]
        rung: list[str] = []
        one.jobs.rung.append(lambda _, printer_id: rung.append(printer_id))
        await one.house.act(number, "pay", payment_method="cash")
        assert rung == [bag.id]
        assert await came() == [(kind, *moved[:2], 0, moved[2]) for kind in ("pass", "receipt")]
        for action in ("start", "finish", "dispatch", "deliver"):
            await one.house.act(number, action)
        assert await came() == []
        # Whoever is forgotten is on no ticket.
        (order,) = await one.house.as_read()
        await one.db.write(lambda tx: forget(tx, 1, order.id))
        assert {content.door for content in await one.contents()} == {None}


async def test_what_is_paid_online_waits_for_the_money(database_url: str) -> None:
    async with kitchen(database_url, sandbox=True) as one:
        ordering, venue, now = one.house.product.of(RestaurantWorks).ordering, one.house.venue, one.clock.now_ms()
        lines = (
            DishLine(one.house.item("Ayran").id, choices=(Choice(one.house.line("Ayran")["choices"][0]["option_id"]),)),
        )

        async def place(tx: Tx) -> Order:
            reckoned = await ordering.reckon(tx, venue, lines, "takeaway", "tr", now)
            wish = OrderWish(
                order_type="takeaway", lines=reckoned.lines, language="tr", payment_method="online_card", by_staff=True
            )
            return (await ordering.place(tx, venue, wish, now))[0].order

        order = await one.db.write(place)
        assert (order.state, await one.tickets()) == ("awaiting_payment", [])
        await one.house.act(order.order_id, "pay_in_person", payment_method="cash")
        assert await kinds(one) == [("order", "bar")]


async def test_an_allergy_stands_out_and_its_dishes_say_what_they_contain(database_url: str) -> None:
    async with kitchen(database_url) as one:
        await one.take(one.house.line("Künefe"), notes="Fıstık alerjim var")
        await one.take(one.house.line("Künefe"), notes="Acele")
        told, plain = await one.contents()
        assert (told.allergy, told.notes) == ("Fıstık alerjim var", "")
        assert told.lines[0].allergens
        assert (plain.allergy, plain.notes, plain.lines[0].allergens) == ("", "Acele", ())


async def test_whatever_happens_to_an_order_its_paper_is_what_is_to_be_made(database_url: str) -> None:
    async with kitchen(database_url) as one:
        both = await one.printer("Both", "kitchen", "bar", extras=["pass"])
        names = ("Lahmacun", "Künefe", "Ayran", "Çay")
        for seed in range(3):
            chance = random.Random(seed)
            numbers = [await one.take(one.house.line(chance.choice(names))) for _ in range(2)]
            for _ in range(8):
                number, step = (
                    chance.choice(numbers),
                    chance.choice(("lines", "lines", "table", "notes", "start", "cancel")),
                )
                with suppress(Conflict):
                    if step == "lines":
                        chosen = chance.sample(names, chance.randint(1, 4))
                        notes = [chance.choice(("", "Soğansız")) for _ in chosen]
                        await one.change(
                            number,
                            lines=[
                                one.house.line(name, chance.randint(1, 3), note=note)
                                for name, note in zip(chosen, notes, strict=True)
                            ],
                        )
                    elif step == "table":
                        await one.change(number, table_id=(await one.house.table(chance.choice("567"))).id)
                    elif step == "notes":
                        await one.change(number, notes=chance.choice(("", "Acele", "Fıstık alerjisi var")))
                    else:
                        why: ActFields = {"reason": "Gone"} if step == "cancel" else {}
                        await one.house.act(number, step, **why)
                if chance.random() < 0.3:
                    await one.print_all(both)
        came = await one.print_all(both)
        assert came
        assert set(await one.states()) == {"printed"}
        for order in await one.house.as_read():
            wanted: Counter[tuple[str, str, str]] = Counter()
            for line in order.lines if order.state != "cancelled" else ():
                wanted[line.station, line.kitchen_name or line.name, line.note] += line.quantity
            held: Counter[tuple[str, str, str]] = Counter()
            for content in [one_of for one_of in await one.contents() if one_of.order_id == order.order_id]:
                for paper in content.lines if content.station and content.kind in ("order", "change", "void") else ():
                    sign = -1 if paper.change == "removed" else 1
                    held[content.station, paper.name, paper.notes] += sign * paper.quantity
            assert {key: count for key, count in held.items() if count} == dict(wanted), order.order_id
