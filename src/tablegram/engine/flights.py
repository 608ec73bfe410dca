"""What is under way: each thing once, so many at a time, and whoever started it hears when it has landed.

And what /metrics shows of a drain: what is under way, and how much waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tablegram.engine.rows import Backlog, NamedBacklog
from tablegram.engine.timers import Bell, Tasks
from tablegram.storage.database import Database, Query
from tablegram.values.clock import Clock
from tablegram.values.ids import time_of

Name = TypeVar("Name", bound=Hashable)


class Flight(Generic[Name]):
    """Things under way, by name. Those of one group, such as the files of one line, may have a limit of their own.

    `landed` is told the name of each as it lands, before the bell rings.
    """

    def __init__(
        self, tasks: Tasks, bell: Bell, most: int, most_of_group: int | None = None,
        landed: Callable[[Name], None] | None = None,
    ) -> None:  # fmt: skip
        self._tasks = tasks
        self._bell = bell
        self._most = most
        self._most_of_group = most if most_of_group is None else most_of_group
        self._away: dict[Name, Hashable] = {}
        self._groups: Counter[Hashable] = Counter()
        self._landed: set[Name] = set()
        self._tell_landed = landed

    def __len__(self) -> int:
        return len(self._away)

    def __iter__(self) -> Iterator[Name]:
        return iter(self._away)

    def __contains__(self, name: object) -> bool:
        return name in self._away

    @property
    def room(self) -> int:
        return self._most - len(self._away)

    def of_group(self, group: Hashable) -> int:
        """How many of a group are under way."""
        return self._groups[group]

    def room_for(self, group: Hashable) -> int:
        return min(self.room, self._most_of_group - self._groups[group])

    def look(self) -> None:
        """The store is about to be read. What lands from here on may still wait there in the rows that are read."""
        self._landed.clear()

    def is_known(self, name: Name) -> bool:
        """Whether it is under way, or has landed since the store was last read."""
        return name in self._away or name in self._landed

    def begin(self, name: Name, title: str, work: Coroutine[Any, Any, None], group: Hashable = None) -> None:
        """Start it; the bell rings when it has landed, however that went."""
        self._away[name] = group
        self._groups[group] += 1
        task = self._tasks.spawn(title, work)
        task.add_done_callback(lambda _: self._land(name, group))

    def _land(self, name: Name, group: Hashable) -> None:
        del self._away[name]
        self._landed.add(name)
        self._groups[group] -= 1
        if not self._groups[group]:
            del self._groups[group]
        if self._tell_landed is not None:
            self._tell_landed(name)
        self._bell.ring()


@dataclass(frozen=True, slots=True)
class Depth:
    """How much waits in the store, and since when."""

    db: Database
    clock: Clock
    query: Query[Backlog | NamedBacklog]

    async def figures(self, name: str) -> dict[str, float]:
        row = await self.db.first(self.query)
        assert row is not None
        oldest = row["oldest"]
        since = time_of(oldest) if isinstance(oldest, str) else oldest
        age_ms = 0 if since is None else max(0, self.clock.now_ms() - since)
        return {
            f'drain_waiting{{drain="{name}"}}': row["n"],
            f'drain_oldest_seconds{{drain="{name}"}}': age_ms / 1_000,
        }


async def figures(
    name: str, flights: Sequence[Flight[Any] | None], looks: int, errors: int, depth: Depth | None
) -> dict[str, float]:
    """The same names for each drain, told apart by a label. `flights`: what is under way for each of its keys."""
    counted: dict[str, float] = {
        f'drain_keys{{drain="{name}"}}': len(flights),
        f'drain_under_way{{drain="{name}"}}': sum(len(flight or ()) for flight in flights),
        f'drain_looks_total{{drain="{name}"}}': looks,
        f'drain_errors_total{{drain="{name}"}}': errors,
    }
    return counted if depth is None else {**counted, **await depth.figures(name)}
