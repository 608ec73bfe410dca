"""Events that wait for an endpoint, and the lanes that they stand in. Pure: no clock, no store, no network."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

# An event that fails alone holds its sender back for this long at most.
HOLD_MS = 60_000
# What failed so recently is not tried again only because the endpoint answers now; its own time is near anyway.
RECENT_MS = 15_000


@dataclass(slots=True)
class Item:
    """One delivery as the queue knows it. It is due when it is made, unless it waits for something or has failed."""

    # The event's id, which is the delivery's too: an endpoint gets each event once.
    id: str
    sender: str
    body: bytes
    attempts: int
    due_at: int
    created_at: int
    failed_at: int | None = None
    failed_first_at: int | None = None
    # Its next try, or the one under way, comes before it is due and spends no attempt.
    free: bool = False
    # How many events the endpoint had taken when this one was sent off.
    taken_before: int = 0
    # When it was last known to be in the store.
    read_at: int = 0
    # Erased while it was on its way: it is not tried again.
    gone: bool = False
    # The request that began what it tells of.
    trace: str = ""

    @property
    def waits(self) -> bool:
        """Whether it has a time to wait for, near or far."""
        return self.due_at > self.created_at and not self.free

    @property
    def at(self) -> int:
        """When it can go."""
        return 0 if self.free else self.due_at

    def is_due(self, now_ms: int) -> bool:
        # A clock that was set back behind the failure would otherwise make the event wait for all of that time again.
        return self.free or self.due_at <= now_ms or (self.failed_at is not None and now_ms < self.failed_at)

    def held_long_enough(self, now_ms: int) -> bool:
        """Whether those behind it may pass."""
        return self.failed_first_at is not None and not 0 <= now_ms - self.failed_first_at < HOLD_MS

    def fail(self, now_ms: int, next_at: int | None) -> None:
        self.failed_at = now_ms
        if next_at is not None:
            self.due_at = next_at
        if self.failed_first_at is None:
            self.failed_first_at = now_ms
        self.free = False

    def excuse(self, now_ms: int) -> None:
        """It was the endpoint's fault: it need not wait any longer, unless it was just tried."""
        if self.failed_at is not None and not 0 <= now_ms - self.failed_at < RECENT_MS:
            self.free = self.due_at > now_ms
            self.failed_first_at = None


@dataclass(slots=True)
class Lane:
    """The events of one sender, or one that stepped aside: then the lane is called by the event's id."""

    name: str
    items: deque[Item] = field(default_factory=deque)
    away: bool = False
    aside: bool = False

    @property
    def first(self) -> Item:
        return self.items[0]

    @property
    def at(self) -> int:
        """When its first event can go, or the one behind it may pass."""
        if self.first.failed_first_at is not None and len(self.items) > 1:
            return min(self.first.at, self.first.failed_first_at + HOLD_MS)
        return self.first.at

    def is_away_with(self, item: Item) -> bool:
        return self.away and self.first is item

    def insert(self, item: Item) -> None:
        """In the order of ids; what is on its way stays first."""
        if not self.items or self.items[-1].id < item.id:
            self.items.append(item)
            return
        first = [self.items.popleft()] if self.away else []
        self.items = deque([*first, *sorted([*self.items, item], key=lambda one: one.id)])

    def scouts(self, now_ms: int, *, without_first: bool) -> list[tuple[Item, int]]:
        """Events that may be tried while the endpoint is down, and from when on.

        The first one, and those behind it as far as all before them have held it up for long enough.
        """
        found: list[tuple[Item, int]] = []
        free_at = 0
        for item in self.items:
            if not (without_first and item is self.first):
                tried = item.failed_at is not None and not self.aside
                found.append((item, max(free_at, 0 if tried or item.is_due(now_ms) else item.due_at)))
            if item.failed_first_at is None or free_at > now_ms:
                break
            free_at = 0 if item.held_long_enough(now_ms) else item.failed_first_at + HOLD_MS
        return found
