"""How a guest pays who has said so of an order that was read back: kept with its notes, and told as what it is."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.restaurant.orders.states import PaymentMethod
from tablegram.restaurant.reading.dialogue.paying import Way, way_of, without_way
from tablegram.restaurant.texts.drafts import OrderDraft
from tablegram.restaurant.texts.words import speak

_CARDS: tuple[PaymentMethod, ...] = ("card_on_delivery", "pos_at_table")


def method_for(way: Way | None, offered: Sequence[PaymentMethod]) -> PaymentMethod | None:
    """What the venue calls it; nothing where it does not offer that."""
    wanted: tuple[PaymentMethod, ...] = () if way is None else ("cash",) if way == "cash" else _CARDS
    return next((one for one in wanted if one in offered), None)


def noted(draft: OrderDraft, said: str) -> str:
    """The notes with how it is paid; what was said of that before counts no more."""
    return "; ".join(one for one in (without_way(draft.notes), said) if one)


def said_of(draft: OrderDraft, offered: Sequence[PaymentMethod]) -> tuple[str, str]:
    """The notes as they are shown, and a line of how it is paid."""
    method = method_for(way_of(draft.notes), offered)
    if method is None:
        return draft.notes, ""
    words = speak(draft.language)
    return without_way(draft.notes), words["pays"].format(way=words[f"fact_{method}"])
