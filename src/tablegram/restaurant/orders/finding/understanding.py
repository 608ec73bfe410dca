"""What somebody looks for among orders: a table, a dish by any of its names, or part of a number, name or phone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tablegram.restaurant.store import menus as store
from tablegram.restaurant.store import orders as order_store
from tablegram.storage.database import Tx
from tablegram.values.folding import fold, words

# So many dishes of one name are looked for; each is another look at every order.
MOST_DISHES = 12
MOST_LABEL = 40
# How people say a table: before its label, or behind its number.
_TABLE = re.compile(r"(?:masa|table|tisch)(?:\s*[:#.]\s*|\s+)(\S.*)|([0-9]+)\.?\s*masa")


class Sought(msgspec.Struct, frozen=True):
    """`table`: the orders of that table and no other. `text`: part of a field, or of a dish's name as it was ordered."""

    table: str = ""
    text: str = ""
    item_ids: tuple[str, ...] = ()


async def understand(tx: Tx, account_id: int, q: str) -> Sought:
    typed = " ".join(q.split())
    at_table = _TABLE.fullmatch(fold(typed))
    if at_table is not None:
        # As it was typed: a label keeps its letters.
        label = at_table[2] or typed[len(typed) - len(at_table[1]) :]
        return Sought(table=label.strip()[:MOST_LABEL])
    return Sought(text=typed, item_ids=tuple(await _dishes(tx, account_id, typed)))


async def _dishes(tx: Tx, account_id: int, typed: str) -> list[str]:
    """Dishes in whose name, in any language, every word begins a word."""
    wanted = [word for word in words(typed) if len(word) > 1]
    if not wanted or all(word.isdigit() for word in wanted):
        return []
    found = []
    for row in await tx.all(store.NAMES, {"b_account": account_id}):
        there = words(f"{row['name']} {row['kitchen_name']} {_translated(row['translations'])}")
        if all(any(word.startswith(part) for word in there) for part in wanted):
            found.append(row["id"])
    return found[:MOST_DISHES]


def _translated(raw: str) -> str:
    try:
        given = msgspec.json.decode(raw, type=dict[str, dict[str, str]])
    except msgspec.DecodeError:
        return ""
    return " ".join(one.get("name", "") for one in given.values())


async def keys_of(tx: Tx, account_id: int, order_ids: Sequence[str]) -> list[str]:
    """The keys of the rows of what people call by these names."""
    found = await tx.gather(order_store.KEY, [{"b_account": account_id, "b_order": one} for one in order_ids])
    return [row["id"] for row in found]
