"""What a language model answered, checked like a cart that a stranger sends.

It may name dishes and options of the card that it was shown, how many, and words of the guest's own text; nothing else
of it is believed. There is no price in it: ours are put on later. Whatever does not fit makes the whole answer void,
because half an order is a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablegram.errors import Invalid
from tablegram.restaurant.carts.contents import MAX_CHOICES, MAX_LINES, MAX_NOTE, MAX_NOTES, MAX_QUANTITY, clean_lines
from tablegram.restaurant.guests import MAX_ADDRESS
from tablegram.restaurant.lines import Choice, DishLine, PricedLine, tidy
from tablegram.restaurant.menu.model import Item, Menu
from tablegram.restaurant.menu.pricing import asked_groups, price_line
from tablegram.restaurant.ports import Wanted
from tablegram.restaurant.readers.card import MenuCard
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.tables import MAX_LABEL
from tablegram.values import Json
from tablegram.values.folding import words

_Id = Annotated[str, Meta(max_length=12)]


class AnsweredLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: _Id
    quantity: Annotated[int, Meta(ge=1, le=MAX_QUANTITY)]
    # One that is wanted twice stands there twice.
    options: Annotated[list[_Id], Meta(max_length=MAX_CHOICES)]
    note: Annotated[str, Meta(max_length=MAX_NOTE)]


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["order", "other"]
    lines: Annotated[list[AnsweredLine], Meta(max_length=MAX_LINES)]
    table: Annotated[str, Meta(max_length=MAX_LABEL)]
    order_type: Literal["", "dine_in", "takeaway", "delivery"]
    address: Annotated[str, Meta(max_length=MAX_ADDRESS)]
    notes: Annotated[str, Meta(max_length=MAX_NOTES)]


_TEXT = {"type": "string"}
# The same for servers that hold their answers to a form. Figures are checked here; not every server knows `minimum`.
SCHEMA: Json = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind", "lines", "table", "order_type", "address", "notes"],
    "properties": {
        "kind": {"type": "string", "enum": ["order", "other"]},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "quantity", "options", "note"],
                "properties": {
                    "id": _TEXT,
                    "quantity": {"type": "integer"},
                    "options": {"type": "array", "items": _TEXT},
                    "note": _TEXT,
                },
            },
        },
        "table": _TEXT,
        "order_type": {"type": "string", "enum": ["", "dine_in", "takeaway", "delivery"]},
        "address": _TEXT,
        "notes": _TEXT,
    },
}

_decode = msgspec.json.Decoder(Answered).decode


class NotJson(Exception):
    """It is no JSON at all."""


class Unfit(Exception):
    """It is not what was asked for; the words are for the log and hold nothing of the answer."""


def check(content: str, card: MenuCard, wanted: Wanted) -> Reading | None:
    """The reading that an answer comes to; nothing where it says that the text is no order."""
    try:
        answered = _decode(_bare(content))
    except msgspec.ValidationError as error:
        raise Unfit("not of the form that was asked for") from error
    except (ValueError, RecursionError) as error:
        raise NotJson from error
    if answered.kind == "other":
        return None
    if not answered.lines:
        raise Unfit("an order of nothing")
    said = words(wanted.text)
    notes, table, address = tidy(answered.notes), tidy(answered.table), tidy(answered.address)
    for name, text in (("notes", notes), ("table", table), ("address", address)):
        _need_said(name, text, said)
    order_type = _order_type(answered.order_type, table, address, wanted.order_types)
    lines = [_line(one, card, wanted, said) for one in answered.lines]
    try:
        cleaned = clean_lines(lines)
    except Invalid as error:
        raise Unfit("more than a cart may hold") from error
    for line in cleaned:
        _need_fit(line, wanted, order_type)
    return Reading(
        cleaned, notes=notes, table=table, order_type=order_type, address=address, names_dish=True, is_guess=True
    )


def _bare(content: str) -> str:
    """Without the fence that many models put around JSON."""
    text = content.strip()
    if text.startswith("```"):
        text = text.removeprefix("```").removeprefix("json").removesuffix("```")
    return text.strip()


def _need_said(name: str, text: str, said: Sequence[str]) -> None:
    """Words for the kitchen, a table and an address are the guest's own, one after another as they wrote them."""
    told = words(text)
    if text and not told:
        raise Unfit(f"{name} without a word")
    if told and not any(said[at : at + len(told)] == told for at in range(len(said) - len(told) + 1)):
        raise Unfit(f"{name} that the guest did not write")


def _order_type(answered: str, table: str, address: str, offered: Sequence[str]) -> str:
    if answered and answered not in offered:
        raise Unfit("a kind of order that the venue does not take")
    if address and answered != "delivery":
        raise Unfit("an address for what is not delivered")
    if table and answered not in ("", "dine_in"):
        raise Unfit("a table for what is taken away")
    # At which table is what counts; that they sit at one is known with it.
    return "" if answered == "dine_in" else answered


def _line(answered: AnsweredLine, card: MenuCard, wanted: Wanted, said: Sequence[str]) -> DishLine:
    item_id = card.items.get(answered.id)
    options = [card.options.get(one) for one in answered.options]
    if item_id is None or None in options:
        raise Unfit("a dish or an option that is not on the card")
    note = tidy(answered.note)
    _need_said("note", note, said)
    counts: dict[str, int] = {}
    for option in options:
        assert option is not None
        counts[option] = counts.get(option, 0) + 1
    menu = wanted.vocabulary.menu
    _add_defaults(menu, menu.items_by_id[item_id], counts)
    return DishLine(item_id, answered.quantity, tuple(Choice(one, count) for one, count in counts.items()), note)


def _add_defaults(menu: Menu, item: Item, counts: dict[str, int]) -> None:
    """What the venue has chosen beforehand, where one must be chosen and none was; the rules do the same."""
    for group in asked_groups(menu, item, set(counts)):
        defaults = [option.id for option in group.options if option.is_default]
        if group.fewest and len(defaults) >= group.fewest and not any(one.id in counts for one in group.options):
            counts.update(dict.fromkeys(defaults, 1))


def _need_fit(line: DishLine, wanted: Wanted, order_type: str) -> None:
    """The menu as it is now must have the dish in this very way."""
    types = (order_type,) if order_type else wanted.order_types
    menu = wanted.vocabulary.menu
    if not any(
        isinstance(price_line(menu, line.item_id, line.choices, line.quantity, wanted.at_ms, one), PricedLine)
        for one in types
    ):
        raise Unfit("a dish that cannot be had in this way")
