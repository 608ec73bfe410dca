"""What may stand between a guest and a dish: a code for programs, and words for them in their language."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from tablegram.restaurant.menu.model import UNTIL_TOLD
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


_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "item_unknown": "This is no longer on the menu.",
        "quantity_invalid": "Order {least} to {most} of {name}.",
        "sold_out": "{name} is sold out{until}.",
        "not_available_now": "{name} cannot be ordered at this time.",
        "not_for_order_type": "{name} cannot be ordered this way.",
        "option_unknown": "One of the choices is no longer on the menu.",
        "option_not_offered": "{name} does not go with this.",
        "option_sold_out": "{name} is sold out{until}.",
        "option_too_often": "{name} can be taken {most} times at most.",
        "too_few_options": "{name}: choose at least {least}.",
        "too_many_options": "{name}: choose at most {most}.",
        "price_negative": "{name} cannot be ordered with these choices.",
        "until": " until {time}",
    },
    "tr": {
        "item_unknown": "Bu ürün artık menüde yok.",
        "quantity_invalid": "{name}: {least} ile {most} arası sipariş verilebilir.",
        "sold_out": "{name} tükendi{until}.",
        "not_available_now": "{name} bu saatte sipariş edilemiyor.",
        "not_for_order_type": "{name} bu şekilde sipariş edilemiyor.",
        "option_unknown": "Seçimlerden biri artık menüde yok.",
        "option_not_offered": "{name} bununla seçilemiyor.",
        "option_sold_out": "{name} tükendi{until}.",
        "option_too_often": "{name} en çok {most} kez eklenebilir.",
        "too_few_options": "{name}: en az {least} seçim yapın.",
        "too_many_options": "{name}: en çok {most} seçim yapabilirsiniz.",
        "price_negative": "{name} bu seçimlerle sipariş edilemiyor.",
        "until": " ({time} itibarıyla yeniden var)",
    },
}


def explain(obstacle: Obstacle, language: str, time_zone: str) -> str:
    """The sentence for the guest; English where their language is not spoken here."""
    words = _WORDS.get(language.partition("-")[0].lower(), _WORDS["en"])
    until = ""
    if obstacle.until_ms is not None and obstacle.until_ms < UNTIL_TOLD:
        moment = datetime.fromtimestamp(obstacle.until_ms / 1_000, zone(time_zone))
        until = words["until"].format(time=f"{moment:%d.%m. %H:%M}")
    # A name may hold braces; only ours are filled in.
    return words[obstacle.code].format(name=obstacle.name, least=obstacle.least, most=obstacle.most, until=until)
