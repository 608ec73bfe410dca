"""Bodies of the calls about bills."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import Phone, line, optional_line

_Id = Annotated[str, line(64, "An id.")]
_Amount = Annotated[float, Meta(gt=0, le=1e12, description="A decimal number of the bill's currency.")]
_Reason = Annotated[str, line(200, "Why; it is written down.", "The soup came cold")]
TabState = Literal["open", "closed"]


class PaidLine(Struct, kw_only=True, forbid_unknown_fields=True):
    """So many of one dish."""

    order_id: _Id
    line: Annotated[int, Meta(ge=0, le=200, description="The dish's place in the order, from 0.")]
    quantity: Annotated[int, Meta(ge=1, le=99)] = 1


_Parts = Annotated[
    int, Meta(ge=1, le=100, description="What is open is shared among so many, and one pays; the last pays the rest.")
]
_Given = Annotated[float, Meta(ge=0, le=1e12, description="Cash that is handed over; the change is told.")]
_Expected = Annotated[float, Meta(ge=0, le=1e12, description="Only if so much is open; otherwise 409 bill_changed.")]
_Percent = Annotated[float, Meta(gt=0, le=100, description="With at most two decimals.")]
_Line = Annotated[int, Meta(ge=0, le=200, description="With order_id: the dish's place in it, from 0.")]


class TakePayment(Struct, kw_only=True, forbid_unknown_fields=True):
    """Money that somebody takes: one of amount, order_ids, lines or parts, or none of them for all that is open."""

    method: Annotated[
        Literal["cash", "card", "gift"],
        Meta(description="What people of the restaurant take themselves. `gift` needs `gift_code`."),
    ]
    gift_code: Annotated[
        str,
        Meta(
            max_length=64,
            description="The code of the gift card, however it is typed. Without an amount it pays what is left on it.",
            examples=["7KMP-Q2RX-9TDA"],
        ),
    ] = ""
    amount: _Amount | None = None
    order_ids: Annotated[
        list[_Id], Meta(max_length=100, description="What is open of these orders: those of a person.")
    ] = []
    lines: Annotated[
        list[PaidLine],
        Meta(max_length=200, description="These dishes, with their part of the service charge and of discounts."),
    ] = []
    parts: _Parts | None = None
    tip: Annotated[float, Meta(ge=0, le=1e12, description="Beside the bill.")] = 0
    given: _Given | None = None
    expected_open: _Expected | None = None


class AskForPayment(Struct, kw_only=True, forbid_unknown_fields=True):
    """A payment link: for one of amount, order_ids, lines or parts, or none of them for all that is open."""

    amount: _Amount | None = None
    order_ids: Annotated[list[_Id], Meta(max_length=100, description="What is open of these orders.")] = []
    lines: Annotated[list[PaidLine], Meta(max_length=200, description="What these dishes come to.")] = []
    parts: _Parts | None = None
    phone: Annotated[Phone | None, Meta(description="Whom the link is sent to by message, if anybody.")] = None
    language: Annotated[str, Meta(max_length=10, description="Of the message and the payment page.")] = ""
    expected_open: _Expected | None = None


class GiveReceipt(Struct, kw_only=True, forbid_unknown_fields=True):
    """The bill as it stands: what is to be paid, or what was paid and how."""

    by: Annotated[Literal["message", "paper"], Meta(description="Paper comes from the printers that print receipts.")]
    phone: Annotated[
        Phone | None, Meta(description="By message: to whom. Left out, to the table's only guest who is known.")
    ] = None
    language: Annotated[str, Meta(max_length=10, description="Left out, as the guests ordered.")] = ""


class GiveBack(Struct, kw_only=True, forbid_unknown_fields=True):
    """A payment is given back, whole, with its tip."""

    reason: _Reason


class GiveDiscount(Struct, kw_only=True, forbid_unknown_fields=True):
    """Something is let off: an amount or a percentage, of all that is open, or of one dish."""

    reason: _Reason
    amount: _Amount | None = None
    percent: _Percent | None = None
    order_id: Annotated[_Id | None, Meta(description="With line: the dish's order.")] = None
    line: _Line | None = None


class CloseTab(Struct, kw_only=True, forbid_unknown_fields=True):
    """The guests have gone."""

    reason: Annotated[
        str, optional_line(200, "Why something stays unpaid. Needed only where something is open.", "Walked out")
    ] = ""


class MoveTab(Struct, kw_only=True, forbid_unknown_fields=True):
    """The guests sit down at another table."""

    table_id: _Id
