"""Texts as they come, before an account words them its own way."""

from __future__ import annotations

from tablegram.stores.notifications.kinds import Button, Kind, Language
from tablegram.values.words import Words

WORDS = Words(__file__)
# Minutes after the event, and between two reminders of a cart.
DELAYS: dict[Kind, tuple[int, ...]] = {"abandoned_cart": (60, 24 * 60, 48 * 60)}


def text(kind: Kind, step: int, language: Language) -> str:
    return WORDS.of(language)[f"{kind}.{step}"]


def button(which: Button, language: Language) -> str:
    return WORDS.of(language)[f"button.{which}"]
