"""What an order's change is on paper: pure, from the order as it was and as it is.

The sum of all tickets of a station (`order` and `change`, less what `change` strikes and what `void` takes back) is what
the station has to make of the order. `moved`, `pass` and `receipt` tell of it and add nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.printing.printers.model import Extra
from tablegram.printing.tickets.content import Door, LineChange, TicketContent, TicketKind, TicketLine

# More than this on one ticket is not read from two metres.
MOST_LINES = 30


class Dish(msgspec.Struct, frozen=True, kw_only=True):
    """A line of an order, in the kitchen's words and in the guest's."""

    station: str
    quantity: int
    name: str
    options: tuple[str, ...] = ()
    note: str = ""
    allergens: tuple[str, ...] = ()
    guest_name: str = ""
    guest_options: tuple[str, ...] = ()
    amount: int = 0


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """An order as printing sees it."""

    order_key: str
    order_id: str
    revision: int
    order_type: str
    # Whether the kitchen has to know of it: it is confirmed, paid where that comes first, and not called off.
    is_on: bool
    is_paid: bool
    table: str = ""
    guest: str = ""
    waiter: str = ""
    notes: str = ""
    allergy: str = ""
    dishes: tuple[Dish, ...] = ()
    totals: tuple[tuple[str, int], ...] = ()
    placed_at: int
    promised_at: int | None = None
    # The guest's.
    language: str = "en"
    currency: str = ""
    # Of a delivery.
    door: Door | None = None
    # It has not left the house: paper can still go with it.
    is_here: bool = True


class House(msgspec.Struct, frozen=True, kw_only=True):
    """The venue, and the language that its kitchen reads."""

    venue: str
    time_zone: str
    language: str = "en"


class TicketDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket that is to be kept. The station is empty for what belongs to none."""

    station: str
    kind: TicketKind
    content: TicketContent


def tickets_for(house: House, before: Sheet | None, after: Sheet, wanted: frozenset[Extra]) -> list[TicketDraft]:
    """What is to be printed now that `before` has become `after`. `wanted`: tickets of no station that a printer takes."""
    was_on = before is not None and before.is_on
    made: list[TicketDraft] = []
    if after.is_on and not was_on:
        made += _whole(house, after, "order")
        if "pass" in wanted:
            made += _draft(house, after, "", "pass", _lines(after.dishes))
    elif before is not None and was_on and not after.is_on:
        made += _whole(house, before, "void", after)
        if "pass" in wanted:
            made += _draft(house, after, "", "void", _lines(before.dishes, "removed"))
    elif before is not None and was_on:
        made += _changed(house, before, after, wanted)
    if "receipt" in wanted and (_is_receipt_due(before, after, was_on) or _goes_elsewhere(before, after, was_on)):
        made.append(_receipt(house, after))
    return made


def _is_receipt_due(before: Sheet | None, after: Sheet, was_on: bool) -> bool:
    """What leaves the house has its receipt in the bag; who sits at a table gets it with the payment."""
    if not after.is_on:
        return False
    if after.order_type != "dine_in":
        return not was_on
    return after.is_paid and not (before is not None and before.is_paid and was_on)


def _goes_elsewhere(before: Sheet | None, after: Sheet, was_on: bool) -> bool:
    """The paper that goes with a delivery names another door, or a sum that is no longer to be taken."""
    return before is not None and was_on and after.is_on and after.is_here and before.door != after.door


def _whole(house: House, sheet: Sheet, kind: TicketKind, now: Sheet | None = None) -> list[TicketDraft]:
    """One ticket for each station that has something to do with the order."""
    made: list[TicketDraft] = []
    change: LineChange = "removed" if kind == "void" else "same"
    for station in stations_of(sheet):
        made += _draft(house, now or sheet, station, kind, _lines(_of(sheet, station), change))
    return made


def _changed(house: House, before: Sheet, after: Sheet, wanted: frozenset[Extra]) -> list[TicketDraft]:
    made: list[TicketDraft] = []
    has_news = before.notes != after.notes or before.allergy != after.allergy
    everything: list[TicketLine] = []
    for station in dict.fromkeys((*stations_of(before), *stations_of(after))):
        difference = _difference(_of(before, station), _of(after, station))
        everything += difference
        if difference or (has_news and _of(after, station)):
            # Words that were on an earlier ticket already are not said again, but for those about an allergy.
            shown = after if has_news else msgspec.structs.replace(after, notes="")
            made += _draft(house, shown, station, "change", difference)
    moved_from = before.table if before.table != after.table else ""
    if moved_from:
        for station in stations_of(after):
            made += _draft(house, after, station, "moved", _lines(_of(after, station)), moved_from)
        if "pass" in wanted:
            made += _draft(house, after, "", "moved", _lines(after.dishes), moved_from)
    if "pass" in wanted and (everything or has_news or _goes_elsewhere(before, after, was_on=True)):
        struck = [line for line in everything if line.change == "removed"]
        made += _draft(house, after, "", "pass", [*_marked(before, after), *struck])
    return made


def _marked(before: Sheet, after: Sheet) -> list[TicketLine]:
    """All lines of the order as it is, with those marked that are new."""
    known = {_key(line) for line in _lines(before.dishes)}
    return [
        line if _key(line) in known else msgspec.structs.replace(line, change="added") for line in _lines(after.dishes)
    ]


def stations_of(sheet: Sheet) -> list[str]:
    return list(dict.fromkeys(dish.station for dish in sheet.dishes))


def _of(sheet: Sheet, station: str) -> list[Dish]:
    return [dish for dish in sheet.dishes if dish.station == station]


_Key = tuple[str, tuple[str, ...], str]


def _key(line: TicketLine) -> _Key:
    """Two lines with the same key are the same thing for who makes them."""
    return line.name, line.options, line.notes


def _lines(dishes: Iterable[Dish], change: LineChange = "same") -> list[TicketLine]:
    """What is the same stands there once, in the order in which it was asked for."""
    joined: dict[_Key, TicketLine] = {}
    for dish in dishes:
        line = TicketLine(
            quantity=dish.quantity,
            name=dish.name,
            options=dish.options,
            notes=dish.note,
            allergens=dish.allergens,
            change=change,
        )
        seen = joined.get(_key(line))
        joined[_key(line)] = (
            line if seen is None else msgspec.structs.replace(seen, quantity=seen.quantity + line.quantity)
        )
    return list(joined.values())


def _difference(before: Iterable[Dish], after: Iterable[Dish]) -> list[TicketLine]:
    """Only what changed: more of something is added, less of it is removed."""
    had = {_key(line): line for line in _lines(before)}
    has = {_key(line): line for line in _lines(after)}
    found: list[TicketLine] = []
    for key, line in {**has, **{key: line for key, line in had.items() if key not in has}}.items():
        more = (has[key].quantity if key in has else 0) - (had[key].quantity if key in had else 0)
        if more:
            change: LineChange = "added" if more > 0 else "removed"
            found.append(msgspec.structs.replace(line, quantity=abs(more), change=change))
    return found


def _draft(
    house: House, sheet: Sheet, station: str, kind: TicketKind, lines: list[TicketLine], moved_from: str = ""
) -> list[TicketDraft]:
    groups = [lines[at : at + MOST_LINES] for at in range(0, len(lines), MOST_LINES)] or [[]]
    return [
        TicketDraft(
            station=station,
            kind=kind,
            content=TicketContent(
                kind=kind,
                venue=house.venue,
                order_id=sheet.order_id,
                order_type=sheet.order_type,
                station=station,
                part=number,
                parts=len(groups),
                table=sheet.table,
                moved_from=moved_from,
                guest=sheet.guest,
                waiter=sheet.waiter,
                notes=sheet.notes,
                lines=tuple(group),
                placed_at=sheet.placed_at,
                time_zone=house.time_zone,
                language=house.language,
                allergy=sheet.allergy,
                promised_at=sheet.promised_at,
                currency=sheet.currency if kind == "pass" and sheet.door is not None else "",
                door=sheet.door if kind == "pass" and number == len(groups) else None,
            ),
        )
        for number, group in enumerate(groups, 1)
    ]


def _receipt(house: House, sheet: Sheet) -> TicketDraft:
    lines = tuple(
        TicketLine(
            quantity=dish.quantity,
            name=dish.guest_name or dish.name,
            options=dish.guest_options,
            notes=dish.note,
            amount=dish.amount,
        )
        for dish in sheet.dishes
    )
    content = TicketContent(
        kind="receipt",
        venue=house.venue,
        order_id=sheet.order_id,
        order_type=sheet.order_type,
        table=sheet.table,
        guest=sheet.guest,
        waiter=sheet.waiter,
        lines=lines,
        placed_at=sheet.placed_at,
        time_zone=house.time_zone,
        language=sheet.language,
        currency=sheet.currency,
        totals=sheet.totals,
        notes="" if sheet.door is None else sheet.notes,
        promised_at=None if sheet.door is None else sheet.promised_at,
        door=sheet.door,
    )
    return TicketDraft(station="", kind="receipt", content=content)
