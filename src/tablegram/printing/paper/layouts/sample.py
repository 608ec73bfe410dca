"""A ticket of a made-up order, with everything that a layout can show."""

from __future__ import annotations

from typing import Literal

from tablegram.printing.paper.layouts.words import WORDS
from tablegram.printing.tickets.content import Door, TicketContent, TicketKind, TicketLine

# A lunch that somebody may remember.
_AT = 1_794_825_120_000
_ROUTE = "https://www.google.com/maps/dir/?api=1&destination=41.036900,28.985000"
_KINDS: dict[str, TicketKind] = {"station": "order", "pass": "pass", "receipt": "receipt"}


def sample(
    kind: Literal["station", "pass", "receipt"], station: str, venue: str, time_zone: str, language: str, currency: str
) -> TicketContent:
    words = {key.removeprefix("sample."): text for key, text in WORDS.of(language).items() if key.startswith("sample.")}
    first, second = words["course_1"], words["course_2"]
    lines = (
        TicketLine(quantity=1, name=words["soup"], course=first, amount=9_000),
        TicketLine(
            quantity=2,
            name=words["dish"],
            options=(words["done"], words["without"]),
            notes=words["note"],
            allergens=("milk",),
            course=second,
            amount=84_000,
        ),
        TicketLine(quantity=4, name=words["tea"], course=second, amount=10_000),
    )
    # What leaves the house shows where it goes; a station never hears of that.
    is_brought = kind != "station"
    door = Door(address=f"Lale Sk. 12/4, {words['bell']}", phone="+905550000012", route_url=_ROUTE, due=113_300)
    return TicketContent(
        kind=_KINDS[kind], venue=venue, order_id="ORD-20261116-0042", station=station,
        order_type="delivery" if is_brought else "dine_in", table="" if is_brought else "12",
        promised_at=_AT + 2_400_000 if is_brought else None, door=door if is_brought else None,
        guest=words["guest"], waiter="İbrahim", notes=words["notes"], allergy="" if kind == "receipt" else words["allergy"], lines=lines,
        placed_at=_AT, time_zone=time_zone, language=language, currency=currency,
        totals=((words["service"], 10_300), (words["total"], 113_300)) if kind == "receipt" else (),
    )  # fmt: skip
