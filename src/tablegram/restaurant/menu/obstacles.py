"""What may stand between a guest and a dish: a code for programs, and words for them in their language."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.restaurant.menu.model import UNTIL_TOLD
from tablegram.restaurant.menu.words import WORDS
from tablegram.values.figures.writing import moment
from tablegram.values.opening_hours import zone

Code = Literal[
    "item_unknown",
    "quantity_invalid",
    "sold_out",
    "not_available_now",
    "not_for_order_type",
    "option_unknown",
    "option_not_offered",
    "option_sold_out",
    "option_too_often",
    "too_few_options",
    "too_many_options",
    "price_negative",
]


class Obstacle(msgspec.Struct, frozen=True):
    """One thing that stands in the way. `name` is the dish's, the group's or the option's, in the guest's language."""

    code: Code
    name: str = ""
    item_id: str = ""
    group_id: str = ""
    option_id: str = ""
    # For what is sold out: until when.
    until_ms: int | None = None
    least: int | None = None
    most: int | None = None


def explain(obstacle: Obstacle, language: str, time_zone: str) -> str:
    """The sentence for the guest; English where their language is not spoken here."""
    words = WORDS.of(language)
    until = ""
    if obstacle.until_ms is not None and obstacle.until_ms < UNTIL_TOLD:
        until = words["until"].format(time=moment(WORDS.spoken(language), obstacle.until_ms, zone(time_zone)))
    # A name may hold braces; only ours are filled in.
    return words[obstacle.code].format(name=obstacle.name, least=obstacle.least, most=obstacle.most, until=until)
