"""How a venue goes about its day."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tablegram.api.schemas.fields import Phone

AnswerWithin = Annotated[
    int, Meta(ge=1, le=1_440, description="Minutes after which an order that nobody accepted or rejected expires.")
]
ReadsTexts = Annotated[bool, Meta(description="Whether what guests write freely is read as an order.")]
SkipsReadBack = Annotated[
    bool, Meta(description="Whether a text that is read without any doubt is ordered without being read back first.")
]
AsksForOffers = Annotated[
    bool,
    Meta(
        description="Whether the menu page asks guests if they want offers, with the account's own sentence "
        "(`/consents/texts`). Without a sentence nobody is asked."
    ),
]
AlertPhone = Annotated[
    Phone | None, Meta(description="Who is told by message when tickets do not come out of a printer. Null: nobody.")
]
DayEndsAt = Annotated[
    str,
    Meta(
        pattern="^((0[0-9]|1[01]):(00|15|30|45)|12:00)$",
        description="When its business day ends, by its clock: what is sold and paid before that belongs to the day before.",
        examples=["06:00"],
    ),
]
