"""What a changed order costs: what stays in it keeps its price."""

from __future__ import annotations

import msgspec

from tablegram.restaurant.lines import Line, LineProblem, PricedLine, Prices
from tablegram.restaurant.orders.model import Order


class KeptPrices:
    """An order's own prices for what stays in it, the menu's for what is new."""

    def __init__(self, order: Order, menu: Prices) -> None:
        self._known = {line.line.key: line for line in order.lines}
        self._menu = menu

    def price(self, line: Line) -> PricedLine | tuple[LineProblem, ...]:
        known = self._known.get(line.key)
        if known is None:
            return self._menu.price(line)
        if line.quantity > known.quantity:
            now = self._menu.price(line)
            if not isinstance(now, PricedLine):
                return now
        return msgspec.structs.replace(known, quantity=line.quantity)
