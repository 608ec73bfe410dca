"""An order from the network's own catalogue: its products are dishes by their code, and it goes on like any order."""

from __future__ import annotations

from tablegram.flows.gateway.answering import Answered
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.free_texts import FreeTexts
from tablegram.flows.restaurant.texts.said import Said, may_complain
from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.texts.words import speak
from tablegram.storage.database import Tx
from tablegram.values.folding import fold

# More of one dish is a slip of the thumb, or worse; people see to it.
MAX_QUANTITY = 99
MAX_PRODUCTS = 50


class CatalogueOrders:
    def __init__(self, ordering: Ordering, free_texts: FreeTexts) -> None:
        self._ordering = ordering
        self._free_texts = free_texts

    async def hear(self, tx: Tx, said: Said, body: object) -> Answered | None:
        """What follows. What is not on the menu is for people: half an order is worse than a question."""
        fields = body if isinstance(body, dict) else {}
        products = fields.get("product_items")
        if not isinstance(products, list) or not products:
            return None
        lines = _lines(await self._ordering.menus.load(tx, said.venue), products)
        if lines is not None:
            return await self._free_texts.order(tx, said, lines, said.text)
        if await may_complain(tx, said):
            telling = self._ordering.telling
            await telling.word(tx, said.venue, said.phone, said.language, said.now, "catalogue_unknown")
        note = speak(said.venue.languages[0])["note_catalogue"]
        return Answered(await self._free_texts.ring_for(tx, said, note))


def _lines(menu: Menu, products: list[object]) -> tuple[DishLine, ...] | None:
    """The dishes that are meant, by their code or their id; nothing where one of them is none. Prices are ours."""
    known = {name: item.id for item in menu.items for name in (fold(item.code), item.id) if name and not item.is_hidden}
    lines: list[DishLine] = []
    for product in products[: MAX_PRODUCTS + 1]:
        fields = product if isinstance(product, dict) else {}
        name, quantity = fields.get("product_retailer_id"), _whole(fields.get("quantity"))
        item_id = known.get(fold(name)) or known.get(name) if isinstance(name, str) else None
        if item_id is None or not 1 <= quantity <= MAX_QUANTITY or len(lines) >= MAX_PRODUCTS:
            return None
        lines.append(DishLine(item_id, quantity))
    return join_same(lines)


def _whole(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 4:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
