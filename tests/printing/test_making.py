"""An order's changes as paper: only what changed, and in sum what the order is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import msgspec

from tablegram.printing.printers.model import Extra
from tablegram.printing.tickets.content import Door, TicketContent
from tablegram.printing.tickets.making import MOST_LINES, Dish, House, Sheet, TicketDraft, tickets_for

HOUSE = House(venue="Safran", time_zone="Europe/Istanbul", language="tr")
ALL: frozenset[Extra] = frozenset(("pass", "receipt"))
NONE: frozenset[Extra] = frozenset()


def dish(name: str, quantity: int = 1, station: str = "kitchen", **more: object) -> Dish:
    return Dish(station=station, quantity=quantity, name=name, **more)  # type: ignore[arg-type]


def sheet(*dishes: Dish, **more: object) -> Sheet:
    given: dict[str, object] = {
        "order_key": "k", "order_id": "ORD-20270115-0001", "revision": 1, "order_type": "dine_in", "is_on": True,
        "is_paid": False, "table": "5", "placed_at": 1_800_000_000_000, "dishes": dishes,
    }  # fmt: skip
    return Sheet(**{**given, **more})  # type: ignore[arg-type]


def told(drafts: Iterable[TicketDraft]) -> list[tuple[str, str, list[tuple[str, int, str]]]]:
    return [
        (one.kind, one.station, [(line.change, line.quantity, line.name) for line in one.content.lines])
        for one in drafts
    ]


def test_a_confirmed_order_is_one_ticket_for_each_station() -> None:
    order = sheet(dish("Lahmacun", 2), dish("Ayran", 2, "bar"), dish("Lahmacun"), notes="Birlikte", waiter="Elif")
    drafts = tickets_for(HOUSE, sheet(is_on=False), order, NONE)
    assert told(drafts) == [
        ("order", "kitchen", [("same", 3, "Lahmacun")]),
        ("order", "bar", [("same", 2, "Ayran")]),
    ]
    assert {(one.content.table, one.content.notes, one.content.language) for one in drafts} == {("5", "Birlikte", "tr")}
    assert tickets_for(HOUSE, None, sheet(is_on=False), ALL) == []


def test_a_change_is_only_what_changed() -> None:
    before = sheet(dish("Lahmacun", 3), dish("Pide"), dish("Ayran", 1, "bar"), notes="Birlikte")
    after = sheet(
        dish("Lahmacun", 2), dish("Pide"), dish("Pide", note="Soğansız"), dish("Ayran", 2, "bar"), notes="Birlikte"
    )
    drafts = tickets_for(HOUSE, before, after, ALL)
    assert told(drafts) == [
        ("change", "kitchen", [("removed", 1, "Lahmacun"), ("added", 1, "Pide")]),
        ("change", "bar", [("added", 1, "Ayran")]),
        # The pass sees all of it.
        ("pass", "", [("same", 2, "Lahmacun"), ("same", 1, "Pide"), ("added", 1, "Pide"), ("same", 2, "Ayran"),
                      ("removed", 1, "Lahmacun")]),
    ]  # fmt: skip
    assert [one.content.notes for one in drafts] == ["", "", "Birlikte"]
    news = tickets_for(HOUSE, before, msgspec.structs.replace(before, notes="Acele"), NONE)
    assert [(one.kind, one.station, one.content.notes) for one in news] == [
        ("change", "kitchen", "Acele"),
        ("change", "bar", "Acele"),
    ]
    assert tickets_for(HOUSE, before, before, ALL) == []


def test_who_changes_the_table_and_what_is_called_off() -> None:
    before = sheet(dish("Lahmacun", 3), dish("Ayran", 1, "bar"))
    moved = tickets_for(HOUSE, before, msgspec.structs.replace(before, table="7"), ALL)
    assert [(one.kind, one.station, one.content.moved_from, one.content.table) for one in moved] == [
        ("moved", "kitchen", "5", "7"),
        ("moved", "bar", "5", "7"),
        ("moved", "", "5", "7"),
    ]
    void = tickets_for(HOUSE, before, msgspec.structs.replace(before, is_on=False), frozenset(("pass",)))
    assert told(void) == [
        ("void", "kitchen", [("removed", 3, "Lahmacun")]),
        ("void", "bar", [("removed", 1, "Ayran")]),
        ("void", "", [("removed", 3, "Lahmacun"), ("removed", 1, "Ayran")]),
    ]


def test_a_receipt_is_in_the_bag_or_comes_with_the_payment() -> None:
    def kinds(before: Sheet | None, after: Sheet) -> list[str]:
        return [one.kind for one in tickets_for(HOUSE, before, after, frozenset(("receipt",)))]

    dishes = (dish("Lahmacun", amount=9000, guest_name="Lahmacun (thin)"),)
    away = sheet(*dishes, order_type="takeaway", totals=(("Total", 9000),), language="en", currency="TRY")
    assert kinds(None, away) == ["order", "receipt"]
    receipt = tickets_for(HOUSE, None, away, ALL)[-1].content
    assert (receipt.lines[0].name, receipt.lines[0].amount, receipt.totals) == (
        "Lahmacun (thin)",
        9000,
        (("Total", 9000),),
    )
    here = sheet(*dishes)
    paid = msgspec.structs.replace(here, is_paid=True)
    assert [kinds(None, here), kinds(here, paid), kinds(paid, paid)] == [["order"], ["receipt"], []]
    assert kinds(None, paid) == ["order", "receipt"]


def test_only_the_paper_that_goes_with_a_delivery_says_where_to() -> None:
    door = Door(address="Lale Sk. 12", phone="+905551112233", route_url="https://maps.example/1", due=9_000)
    bag = sheet(
        dish("Lahmacun"), dish("Ayran", 1, "bar"), order_type="delivery", table="", door=door, notes="Zil bozuk",
        promised_at=1_800_000_900_000, currency="TRY",
    )  # fmt: skip

    def doors(before: Sheet | None, after: Sheet) -> list[tuple[str, Door | None]]:
        return [(one.kind, one.content.door) for one in tickets_for(HOUSE, before, after, ALL)]

    assert doors(None, bag) == [("order", None), ("order", None), ("pass", door), ("receipt", door)]
    drafts = tickets_for(HOUSE, None, bag, ALL)
    # Whoever brings it asks for money, and the receipt tells of it.
    assert [(one.kind, one.content.currency) for one in drafts if one.content.currency] == [
        ("pass", "TRY"),
        ("receipt", "TRY"),
    ]
    here = msgspec.structs.replace(bag, door=None)
    assert {one.content.currency for one in tickets_for(HOUSE, None, here, frozenset(("pass",)))} == {""}
    assert [(one.content.notes, one.content.promised_at) for one in drafts] == [("Zil bozuk", bag.promised_at)] * 4
    # Another door, or money that came meanwhile, is new paper for the bag, and none for the stations.
    moved = msgspec.structs.replace(door, address="Gül Sk. 3")
    paid = msgspec.structs.replace(door, due=0)
    for other in (moved, paid):
        assert doors(bag, msgspec.structs.replace(bag, door=other)) == [("pass", other), ("receipt", other)]
        assert doors(bag, msgspec.structs.replace(bag, door=other, is_here=False)) == []
    assert doors(bag, bag) == []


def test_a_long_share_is_several_tickets() -> None:
    long = sheet(*(dish(f"Dish {number}") for number in range(MOST_LINES * 2 + 1)))
    contents = [one.content for one in tickets_for(HOUSE, None, long, NONE)]
    assert [(one.part, one.parts, len(one.lines)) for one in contents] == [
        (1, 3, MOST_LINES),
        (2, 3, MOST_LINES),
        (3, 3, 1),
    ]


def paper(contents: Iterable[TicketContent]) -> Counter[tuple[str, str, tuple[str, ...], str]]:
    """What a station holds in its hands: the sum of all its tickets."""
    held: Counter[tuple[str, str, tuple[str, ...], str]] = Counter()
    for content in contents:
        if content.station and content.kind in ("order", "change", "void"):
            for line in content.lines:
                sign = -1 if line.change == "removed" else 1
                held[content.station, line.name, line.options, line.notes] += sign * line.quantity
    return +held if all(count >= 0 for count in held.values()) else held


def test_any_sequence_of_changes_leaves_the_paper_equal_to_the_order() -> None:
    for seed in range(200):
        chance = random.Random(seed)
        names = ["Lahmacun", "Pide", "Künefe", "Ayran", "Çay"]

        def some(chance: random.Random = chance, names: list[str] = names) -> tuple[Dish, ...]:
            return tuple(
                dish(
                    chance.choice(names),
                    chance.randint(1, 3),
                    chance.choice(("kitchen", "bar", "ızgara")),
                    note=chance.choice(("", "", "Soğansız")),
                    options=chance.choice(((), ("Büyük",))),
                )
                for _ in range(chance.randint(1, 6))
            )

        now = sheet(*some(), is_on=chance.random() < 0.5)
        contents = [one.content for one in tickets_for(HOUSE, None, now, ALL)]
        for _ in range(8):
            changes: list[dict[str, object]] = [
                {"dishes": some()}, {"table": chance.choice("123")}, {"notes": chance.choice(("", "Acele"))},
                {"is_paid": True}, {"is_on": chance.random() < 0.7}, {"dishes": some(), "table": chance.choice("123")},
            ]  # fmt: skip
            then = msgspec.structs.replace(now, **chance.choice(changes))
            contents += [one.content for one in tickets_for(HOUSE, now, then, ALL)]
            now = then
            wanted: Counter[tuple[str, str, tuple[str, ...], str]] = Counter()
            for one in now.dishes if now.is_on else ():
                wanted[one.station, one.name, one.options, one.note] += one.quantity
            assert paper(contents) == wanted, seed
