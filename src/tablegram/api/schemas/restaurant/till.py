"""Bodies of the calls about the drawer."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import line, optional_line

_Amount = Annotated[float, Meta(gt=0, le=1e12, description="A decimal number of the venue's currency.")]
_Counted = Annotated[
    float, Meta(ge=0, le=1e12, description="What is in the drawer. Left out, it is what the notes come to.")
]
_Kept = Annotated[float, Meta(ge=0, le=1e12, description="What stays in the drawer. Left out, all of it stays.")]
_Expected = Annotated[
    float, Meta(ge=-1e12, le=1e12, description="Only if so much should be there; otherwise 409 till_changed.")
]


class MoveCash(Struct, kw_only=True, forbid_unknown_fields=True):
    """Cash that somebody puts in or pays out of the drawer."""

    kind: Annotated[
        Literal["put_in", "paid_out"], Meta(description="put_in: change, a float. paid_out: for goods, to the bank.")
    ]
    amount: _Amount
    reason: Annotated[str, line(200, "Why; it is written down.", "Bread from the market")]


class NotesOfValue(Struct, kw_only=True, forbid_unknown_fields=True):
    """So many notes or coins of one value."""

    value: _Amount
    count: Annotated[int, Meta(ge=0, le=1_000_000)]


class CountTill(Struct, kw_only=True, forbid_unknown_fields=True):
    """The drawer as somebody finds it: a sum, or notes and coins."""

    counted_amount: _Counted | None = None
    notes: Annotated[list[NotesOfValue], Meta(max_length=40, description="Each value once.")] = []
    kept_amount: _Kept | None = None
    reason: Annotated[
        str, optional_line(200, "Why it is not what should be there; needed where it differs.", "A wrong change")
    ] = ""
    expected_amount: _Expected | None = None
