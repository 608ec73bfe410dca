"""Paper as dots, as work for a child process: only there the program that draws letters is loaded."""

from __future__ import annotations

import msgspec

from tablegram.errors import FieldError
from tablegram.printing.paper.document import Buzzer, Cut, Document, Drawer, Feed, Picture
from tablegram.workshop.ports import Job, Limits

Drawn = Picture | Cut | Buzzer | Drawer | Feed


class Order(msgspec.Struct, frozen=True):
    """A document, and how many dots its paper is wide."""

    document: Document
    dots: int


class Logo(msgspec.Struct, frozen=True):
    """A picture of the venue, and the most dots that it may take on the paper."""

    raw: bytes
    dots: int


_LIMITS = Limits(cpu_s=10, wall_s=20.0, memory_bytes=256 * 1_048_576, answer_bytes=16 * 1_048_576)
_TOO_MUCH = FieldError("ticket", "ticket_too_much_work", "This ticket is too long to be drawn. Split the order.")
_UNREADABLE = FieldError("ticket", "ticket_undrawable", "This ticket cannot be drawn. Print it as text.")

DOTS = Job(
    work="tablegram.printing.paper.dots.drawing:draw_dots",
    made=list[Drawn], limits=_LIMITS, too_much=_TOO_MUCH, unreadable=_UNREADABLE,
)  # fmt: skip
PICTURE = Job(
    work="tablegram.printing.paper.dots.drawing:draw_png",
    made=bytes, limits=_LIMITS, too_much=_TOO_MUCH, unreadable=_UNREADABLE,
)  # fmt: skip
LOGO = Job(
    work="tablegram.printing.paper.dots.drawing:draw_logo",
    made=Picture, limits=_LIMITS,
    too_much=FieldError("logo", "logo_too_much_work", "This picture is too large for paper. Choose a smaller one."),
    unreadable=FieldError("logo", "logo_unreadable", "This picture cannot be read. Choose another one."),
)  # fmt: skip
