"""Whether a server plans a statement anew, which takes it longer than to run most of them.

Planned once, a statement would be planned while its table is still empty, when any way to a row looks as good as its key; and
the server would keep to that way until it counts the rows for the first time. So statements are planned anew each time. Only
those that say so (`Query(planned_once=True)`) are not, and only once the server has counted their table: it then knows the way,
and plans them again whenever it has counted anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from tablegram.errors import Unavailable
from tablegram.storage.group_commit import Unit

ANEW, ONCE = "force_custom_plan", "force_generic_plan"
# A table of which so many rows were counted is read by its keys from then on.
COUNTED_ROWS = 1_000
LOOK_S = 20.0

_COUNTED = """
select relname from pg_class
where relkind = 'r' and relnamespace = current_schema()::regnamespace and reltuples >= $1
"""


class Planning:
    """What the server has counted so far."""

    def __init__(self) -> None:
        self._counted: frozenset[str] = frozenset()

    def of(self, batch: Sequence[Unit]) -> str:
        """The same for all statements of a transaction. Nobody knows what a function asks for that does not say so."""
        return ONCE if all(map(self._knows, batch)) else ANEW

    def _knows(self, unit: Unit) -> bool:
        if unit.work is not None and not unit.asks:
            return False
        asked = [*unit.asks, *[query for query, _ in unit.statements]]
        return self._counted.issuperset(query.form("postgresql").planned_once for query in asked)

    def count(self, tables: Iterable[str]) -> None:
        self._counted = frozenset(tables)

    async def watch_forever(self, ask: Callable[[str, int], Awaitable[Sequence[Sequence[Any]]]]) -> None:
        while True:
            try:
                self.count(name for (name,) in await ask(_COUNTED, COUNTED_ROWS))
            except Unavailable:
                # A store that cannot be reached plans nothing either.
                pass
            await asyncio.sleep(LOOK_S)


def told(way: str) -> str:
    return f"set plan_cache_mode = {way}"
