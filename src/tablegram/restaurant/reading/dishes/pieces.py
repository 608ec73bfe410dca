"""How many there are on one plate, where the menu says so: who writes `8 wings` may mean one portion of eight."""

from __future__ import annotations

from functools import lru_cache

from tablegram.restaurant.menu.model import Item
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.words.lexicon import PIECES, PORTIONS
from tablegram.restaurant.reading.words.tokens import take_apart_anew


def counts_pieces(number: Atom, item: Item) -> bool:
    """Whether so many may be meant of what is on one plate: eight wings, where eight are one portion."""
    if number.value < 2 or number.form in PORTIONS:
        return False
    pieces = pieces_of(item)
    if pieces < 2:
        return False
    # Three of a dish are three guests as well.
    return number.form in PIECES or 4 <= pieces <= number.value


def pieces_of(item: Item) -> int:
    """How many the menu says are in a portion: `Four pieces`. None where its words begin with no number."""
    texts = [item.description, *(fields.get("description", "") for fields in item.translations.values())]
    return next((count for text in texts if text and (count := _count_in(text))), 0)


# Of a menu's own words; a plate is looked at for each line of an order.
@lru_cache(maxsize=4_096)
def _count_in(text: str) -> int:
    first = take_apart_anew(text.partition(",")[0])[:1]
    return next((int(one.value) for one in first if one.kind == "number" and not one.bound and one.value > 1), 0)
