"""What a cart may hold: few lines of dishes that the menu has, short notes, and not many bytes in all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from tablegram.errors import FieldError, Invalid
from tablegram.restaurant.lines import DishLine, join_same, tidy
from tablegram.restaurant.menu.model import Menu

# A large party's order; a longer list is a mistake or mischief, and would not fit into one message.
MAX_LINES = 50
MAX_QUANTITY = 99
MAX_CHOICES = 30
# Longer than any id of a menu.
MAX_ID = 64
MAX_NOTE = 200
MAX_NOTES = 500
# As it is kept. Fifty lines with two options each fit, or fifty notes; no cart that a guest means is larger.
MAX_BYTES = 16 * 1024

encode_lines = msgspec.json.Encoder().encode


def clean_lines(lines: Sequence[DishLine]) -> tuple[DishLine, ...]:
    """The same lines, tidied and joined where they are equal; or everything that is wrong with them, in words."""
    if len(lines) > MAX_LINES:
        raise Invalid.field(
            "lines",
            "too_many_lines",
            f"A cart has at most {MAX_LINES} lines; this one has {len(lines):,}. Send it as several orders.",
        )
    errors: list[FieldError] = []
    tidy = [_tidy(line, f"lines[{index}]", errors) for index, line in enumerate(lines)]
    joined = join_same(tidy)
    if not errors and any(line.quantity > MAX_QUANTITY for line in joined):
        errors.append(FieldError("lines", "quantity_invalid", f"Of one dish at most {MAX_QUANTITY} can be ordered."))
    if errors:
        raise Invalid.fields(errors)
    return joined


def _tidy(line: DishLine, field: str, errors: list[FieldError]) -> DishLine:
    note = tidy(line.note)
    if not 1 <= line.quantity <= MAX_QUANTITY:
        detail = f"The quantity is a whole number from 1 to {MAX_QUANTITY}."
        errors.append(FieldError(f"{field}.quantity", "quantity_invalid", detail))
    if any(len(one) > MAX_ID for one in (line.item_id, *(choice.option_id for choice in line.choices))):
        errors.append(FieldError(f"{field}.item_id", "too_long", f"An id has at most {MAX_ID} characters."))
    if len(note) > MAX_NOTE:
        detail = f"A note has at most {MAX_NOTE} characters; this one has {len(note):,}."
        errors.append(FieldError(f"{field}.note", "too_long", detail))
    if len(line.choices) > MAX_CHOICES:
        detail = f"A line has at most {MAX_CHOICES} options."
        errors.append(FieldError(f"{field}.choices", "too_many_options", detail))
    elif any(not 1 <= choice.quantity <= MAX_QUANTITY for choice in line.choices):
        detail = f"An option's quantity is a whole number from 1 to {MAX_QUANTITY}."
        errors.append(FieldError(f"{field}.choices", "quantity_invalid", detail))
    return msgspec.structs.replace(line, note=note)


def clean_notes(text: str) -> str:
    notes = tidy(text)
    if len(notes) > MAX_NOTES:
        raise Invalid.field("notes", "too_long", f"The note has at most {MAX_NOTES} characters.")
    return notes


def check_menu(lines: Sequence[DishLine], menu: Menu, kept: Collection[DishLine] = ()) -> None:
    """Refuse dishes and options that the menu does not have.

    What is in the cart already was on the menu once and stays: the guest is told that it cannot be had.
    """
    items = {line.item_id for line in kept}
    options = {choice.option_id for line in kept for choice in line.choices}
    errors: list[FieldError] = []
    for index, line in enumerate(lines):
        if line.item_id not in items and line.item_id not in menu.items_by_id:
            detail = "This dish is not on the menu. Take it out of the cart."
            errors.append(FieldError(f"lines[{index}].item_id", "dish_unknown", detail))
        elif any(
            choice.option_id not in options and choice.option_id not in menu.options_by_id for choice in line.choices
        ):
            detail = "The menu has no such option. Take the dish out of the cart and choose it again."
            errors.append(FieldError(f"lines[{index}].choices", "dish_unknown", detail))
    if errors:
        raise Invalid(" ".join(dict.fromkeys(one.detail for one in errors)), code="dish_unknown", errors=tuple(errors))


def kept_form(lines: Sequence[DishLine]) -> str:
    """The lines as they are kept, or why they are too much."""
    text = encode_lines(lines)
    if len(text) > MAX_BYTES:
        detail = "This is too much for one cart. Shorten the notes, or send it as several orders."
        raise Invalid.field("lines", "cart_too_large", detail)
    return text.decode()
