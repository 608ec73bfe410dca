"""What is answered about how tickets look."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.printing.paper.layouts.layout import MAX_FOOTER, MAX_LINK, Section, Size

LayoutKind = Literal["station", "pass", "receipt"]


class LayoutChoice(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """How a ticket looks. Marks of reprints and of what may have been printed before are always there."""

    sections: Annotated[
        list[Section],
        Meta(
            min_length=2,
            max_length=12,
            description="What is printed, from top to bottom, each once; `place` and `lines` are needed.",
        ),
    ]
    head: Annotated[Size, Meta(description="How large the table and the time are.")] = "huge"
    dishes: Annotated[Size, Meta(description="How large the dishes are.")] = "large"
    allergens: Annotated[bool, Meta(description="Below the dishes of whoever told of an allergy.")] = True
    courses: Annotated[bool, Meta(description="With a heading for each course.")] = True
    prices: Annotated[bool, Meta(description="Where the ticket knows them: on receipts.")] = False
    footer: Annotated[str, Meta(max_length=MAX_FOOTER, description="Words at the end of every ticket.")] = ""
    link: Annotated[
        str,
        Meta(max_length=MAX_LINK, pattern="^(https?://[!-~]+)?$", description="Printed as a QR code below the footer."),
    ] = ""
    language: Annotated[
        Literal["", "en", "tr", "de"],
        Meta(description="Of the paper's own words; empty for the language of the ticket."),
    ] = ""


class LayoutView(Struct, kw_only=True, frozen=True):
    """How the tickets of one station look, or those of the pass, or receipts."""

    kind: LayoutKind
    station: Annotated[str, Meta(description="Empty for the pass and for receipts.")]
    is_own: Annotated[bool, Meta(description="False while nobody has chosen: tickets look as usual.")]
    layout: LayoutChoice


class LayoutList(Struct, kw_only=True, frozen=True):
    """All of a venue: its stations in their order, the pass, and receipts."""

    data: list[LayoutView]
