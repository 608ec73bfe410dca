"""What an order sent from the menu comes to."""

from __future__ import annotations

from typing import Any

from tests.restaurant.flows.house import House


async def sent(one: House, language: str = "tr", **fields: Any) -> str:
    """A guest has sent a cart; the number of its order."""
    cart = await one.cart(language=language, **fields)
    await one.write(cart["text"])
    return str((await one.placed())[-1]["order_id"])
