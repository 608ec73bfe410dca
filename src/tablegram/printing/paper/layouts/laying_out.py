"""Lays a ticket out: from what stands on it, and how its station wants it, to a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tablegram.printing.paper.document import (
    Block,
    Buzzer,
    Columns,
    Cut,
    Document,
    Drawer,
    Feed,
    Picture,
    Qr,
    Rule,
    Text,
)
from tablegram.printing.paper.layouts.layout import KITCHEN, PASS, RECEIPT, Layout, Section, Size
from tablegram.printing.paper.layouts.trial import trial_sheet
from tablegram.printing.paper.layouts.words import WORDS, allergen, station_name, word
from tablegram.printing.paper.letters import upper
from tablegram.printing.tickets.content import Marks, TicketContent, TicketLine
from tablegram.values.figures.writing import clock, stamp
from tablegram.values.money import is_currency, written

# How many times as wide and high as plain letters.
_SCALE: dict[Size, tuple[int, int]] = {"small": (1, 1), "large": (2, 2), "huge": (3, 3)}
_NO_MARKS = Marks()
# A code of more signs is wider than the narrowest paper in dots that a phone reads.
MOST_SIGNS = 210


def usual_layout(kind: str) -> Layout:
    """For who has not chosen another."""
    return RECEIPT if kind == "receipt" else PASS if kind == "pass" else KITCHEN


def lay_out(
    content: TicketContent, layout: Layout | None = None, marks: Marks = _NO_MARKS, logo: Picture | None = None
) -> Document:
    """One sheet of paper, from its first line to the cut."""
    layout = layout or usual_layout(content.kind)
    return _Sheet(content, layout, marks, logo).document()


class _Sheet:
    def __init__(self, content: TicketContent, layout: Layout, marks: Marks, logo: Picture | None) -> None:
        self._content, self._layout, self._marks, self._logo = content, layout, marks, logo
        wanted = layout.language or content.language
        self._language = WORDS.spoken(wanted)
        self._zone = _zone(content.time_zone)

    def document(self) -> Document:
        content = self._content
        blocks: list[Block] = []
        if content.kind == "receipt":
            blocks.append(Drawer())
        elif content.kind != "test":
            blocks.append(Buzzer())
        blocks += self._told()
        if content.kind == "test":
            blocks += trial_sheet(content.venue, content.station, self._clock(content.placed_at), self._language)
        else:
            for section in self._layout.sections:
                blocks += self._sections[section](self)
        blocks += [*self._told(), Feed(2), Cut()]
        title = " · ".join(filter(None, (content.venue, content.station, content.order_id)))
        return Document(tuple(blocks), self._language, title)

    def _told(self) -> Iterator[Block]:
        """What the sheet says about itself, whatever the layout shows: above and below."""
        marks = self._marks
        if marks.reprint:
            yield Text(self._loud("reprint"), 2, 2, bold=True, reverse=True, align="center")
        if marks.doubt:
            yield Text(self._loud("doubt"), 1, 2, bold=True, reverse=True, align="center")
        if marks.instead_of:
            yield Text(word("instead", self._language, name=marks.instead_of), bold=True, align="center")
        if marks.copies > 1:
            yield Text(word("copy", self._language, number=marks.copy, all=marks.copies), align="center")

    def _logo_shown(self) -> Iterator[Block]:
        if self._logo is not None:
            yield self._logo

    def _venue(self) -> Iterator[Block]:
        large = self._content.kind == "receipt"
        yield Text(self._content.venue, 2 if large else 1, 2 if large else 1, bold=True, align="center")

    def _station(self) -> Iterator[Block]:
        content = self._content
        part = word("part", self._language, number=content.part, all=content.parts) if content.parts > 1 else ""
        named = station_name(content.station, self._language)
        station = named or (self._word("pass") if content.kind == "pass" else "")
        if station or part:
            yield Columns(upper(station, self._language), part, 1, 2, bold=True)
        if content.kind in ("change", "void", "moved"):
            yield Text(self._loud(content.kind), 2, 2, bold=True, reverse=True, align="center")
        if content.kind == "void":
            yield Text(self._loud("void_do"), 1, 2, bold=True, align="center")

    def _place(self) -> Iterator[Block]:
        content = self._content
        wide, high = _SCALE[self._layout.head]
        where = f"{self._word('table')} {content.table}" if content.table else self._type() or content.order_id
        if content.kind == "moved" and content.moved_from:
            where = f"{self._word('table')} {content.moved_from} → {content.table}"
        time = self._time(content.placed_at)
        if self._layout.head == "small":
            yield Columns(where, self._clock(content.placed_at), bold=True)
        else:
            yield Columns(where, time, wide, high, bold=True, whole=True)
        if content.promised_at is not None:
            said = "arrives" if content.order_type == "delivery" else "promised"
            yield Columns(self._word(said), self._time(content.promised_at), 1, 2, bold=True)

    def _order(self) -> Iterator[Block]:
        content = self._content
        kind = self._type() if content.table else ""
        yield Columns(content.order_id, kind)

    def _people(self) -> Iterator[Block]:
        for key, name in (("guest", self._content.guest), ("waiter", self._content.waiter)):
            if name:
                yield Text(f"{self._word(key)}: {name}", hang=2)

    def _allergy(self) -> Iterator[Block]:
        if self._content.allergy:
            yield Text(f"{self._word('allergy')}: {self._content.allergy}", 1, 2, bold=True, reverse=True)

    def _lines(self) -> Iterator[Block]:
        yield Rule(heavy=True)
        course = ""
        for number, line in enumerate(self._content.lines):
            if self._layout.courses and line.course and line.course != course:
                yield Text(f"— {upper(line.course, self._language)} —", bold=True, align="center")
            elif number and self._layout.dishes != "small":
                yield Rule()
            course = line.course
            yield from self._line(line)
        yield Rule(heavy=True)

    def _line(self, line: TicketLine) -> Iterator[Block]:
        content = self._content
        wide, high = _SCALE[self._layout.dishes]
        strike = line.change == "removed" or content.kind == "void"
        sign = "+" if line.change == "added" else "− " if strike else ""
        times = f"{sign}{line.quantity}" + ("" if sign else " ×")
        dish = f"{times} {line.name}"
        bold = self._layout.dishes != "small"
        if self._layout.prices and line.amount is not None:
            yield Columns(dish, self._money(line.amount), wide, high, bold=bold, strike=strike)
        else:
            yield Text(dish, wide, high, bold=bold, strike=strike, hang=len(times) + 1)
        for option in line.options:
            yield Text(f"· {option}", 1, high if high < 3 else 2, indent=4, hang=2, strike=strike)
        if line.notes:
            yield Text(line.notes, 1, 1 if high == 1 else 2, bold=True, box=True, indent=2)
        if self._layout.allergens and line.allergens:
            names = ", ".join(upper(allergen(one, self._language), self._language) for one in line.allergens)
            yield Text(f"! {names}", bold=True, reverse=True, indent=4, hang=2)

    def _notes(self) -> Iterator[Block]:
        if self._content.notes:
            yield Text(f"{self._word('notes')}: {self._content.notes}", 1, 2, bold=True, box=True)

    def _totals(self) -> Iterator[Block]:
        totals = self._content.totals
        for number, (label, amount) in enumerate(totals):
            last = number == len(totals) - 1
            size = 2 if last else 1
            yield Columns(label, self._money(amount), size, size, bold=last, whole=last)

    def _door(self) -> Iterator[Block]:
        """Where it goes, whom to ring up, what to take there, and the way as a code for the courier's phone."""
        door = self._content.door
        if door is None:
            return
        yield Rule(heavy=True)
        if door.address:
            yield Text(door.address, 1, 2, bold=True)
        if door.phone:
            yield Columns(self._word("phone"), door.phone, bold=True)
        if door.due:
            yield Columns(self._loud("collect"), self._money(door.due), 2, 2, bold=True, whole=True)
        else:
            yield Text(self._loud("paid"), 2, 2, bold=True, align="center")
        if door.route_url and len(door.route_url) <= MOST_SIGNS:
            yield Qr(door.route_url)
            yield Text(self._word("route"), align="center")

    def _footer(self) -> Iterator[Block]:
        if self._layout.footer.strip():
            yield Feed(1)
            yield Text(self._layout.footer.strip(), align="center")
        if self._layout.link:
            yield Qr(self._layout.link)

    def _word(self, key: str) -> str:
        return word(key, self._language)

    def _loud(self, key: str) -> str:
        return upper(word(key, self._language), self._language)

    def _type(self) -> str:
        kind = self._content.order_type
        return self._word(kind) if kind in ("dine_in", "takeaway", "delivery") else kind

    def _money(self, amount: int) -> str:
        currency = self._content.currency
        return written(amount, currency, self._language) if is_currency(currency) else str(amount)

    def _time(self, at: int) -> str:
        return clock(at, self._zone)

    def _clock(self, at: int) -> str:
        return stamp(self._language, at, self._zone)

    _sections: ClassVar[dict[Section, Callable[[_Sheet], Iterator[Block]]]] = {
        "logo": _logo_shown, "venue": _venue, "station": _station, "place": _place, "order": _order, "people": _people,
        "allergy": _allergy, "lines": _lines, "notes": _notes, "totals": _totals, "door": _door, "footer": _footer,
    }  # fmt: skip


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
