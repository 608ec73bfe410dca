"""How a station wants its tickets: what is shown, in which order and size, and in which language."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablegram.errors import Invalid

Section = Literal[
    "logo",
    "venue",
    "station",
    "place",
    "order",
    "people",
    "allergy",
    "lines",
    "notes",
    "totals",
    "door",
    "footer",
]
SECTIONS: tuple[Section, ...] = (
    "logo", "venue", "station", "place", "order", "people", "allergy", "lines", "notes", "totals", "door",
    "footer",
)  # fmt: skip
Size = Literal["small", "large", "huge"]
SIZES: tuple[Size, ...] = ("small", "large", "huge")
MAX_FOOTER = 300
MAX_LINK = 300


class Layout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of one station, of the pass, or of receipts."""

    # From top to bottom; what is not named is not printed.
    sections: tuple[Section, ...] = (
        "station", "place", "order", "people", "allergy", "lines", "notes", "door", "footer",
    )  # fmt: skip
    # Of the table and the time.
    head: Size = "huge"
    dishes: Size = "large"
    allergens: bool = True
    courses: bool = True
    prices: bool = False
    footer: Annotated[str, Meta(max_length=MAX_FOOTER)] = ""
    # Printed below the footer as a code that phones read.
    link: Annotated[str, Meta(max_length=MAX_LINK)] = ""
    # Two letters; empty means the language of the ticket.
    language: Annotated[str, Meta(pattern="^([a-z]{2})?$")] = ""


KITCHEN = Layout()
PASS = Layout()
RECEIPT = Layout(
    sections=("logo", "venue", "order", "place", "people", "lines", "totals", "notes", "door", "footer"),
    head="small", dishes="small", allergens=False, courses=False, prices=True,
)  # fmt: skip


def check_layout(layout: Layout) -> Layout:
    """Raises `Invalid`: a ticket that names no dishes is of no use to a kitchen."""
    if len(set(layout.sections)) != len(layout.sections):
        raise Invalid.field("sections", "section_twice", "Name each section once.")
    for needed in ("place", "lines"):
        if needed not in layout.sections:
            raise Invalid.field(
                "sections", "section_missing", f"Keep the section “{needed}”: without it nobody can work with a ticket."
            )
    return layout
