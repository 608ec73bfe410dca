"""The order in which an endpoint's events go out. Pure: no clock, no store, no network.

Events of one sender form a lane and go one after another; lanes go side by side.

    ready       its first event can go now
    waiting     its first event is due later
    away        its first event is on its way
    aside       an event that fails alone, in a lane of its own, so that its sender's others pass

An event that fails while others are taken fails alone: it keeps its sender waiting for a minute at most. When nothing
is taken, the endpoint is down and only its oldest event, the probe, is tried. So that one bad event is not mistaken
for a dead endpoint, another sender's event is tried once right behind the probe: at once when the endpoint goes down,
and once a minute while it stays so. Such tries are free, they spend no attempts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

# An event that fails alone holds its sender back for this long at most.
HOLD_MS = 60_000
SCOUT_EVERY_MS = 60_000
# What failed so recently is not tried again only because the endpoint answers now; its own time is near anyway.
RECENT_MS = 15_000
MAX_AWAY = 64


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


@dataclass(slots=True)
class Lane:
    name: str
    items: deque[Item] = field(default_factory=deque)
    away: bool = False
    aside: bool = False


class Lanes:
    def __init__(self) -> None:
        self._lanes: dict[str, Lane] = {}
        # Lanes whose first event can go, in the order in which they came to be so; and those that wait for a time.
        self._ready: dict[str, Lane] = {}
        self._waiting: dict[str, Lane] = {}
        # Everything that is in here, by id: loaded and not yet settled.
        self.known: dict[str, Item] = {}
        self.away = 0
        # Their senders. An event that stepped aside does not go while another of its sender is away, nor the other way.
        self._busy: set[str] = set()
        self.down = False
        self._taken = 0
        self._paused_from, self._paused_until = 0, 0
        # The event whose failure brought the endpoint down, and whether another one has failed since.
        self._suspect: Item | None = None
        self._confirmed = False
        self._scouted_at = 0
        self._companion_due = False
        # Events that stepped aside only to let a later one of their sender scout.
        self._tentative: list[Item] = []

    def add(self, item: Item) -> None:
        """Take in a delivery, in the order of ids among its sender's. One that is known already is left alone."""
        if item.id in self.known:
            return
        self.known[item.id] = item
        lane = self._lanes.get(item.sender)
        if lane is None:
            lane = self._lanes[item.sender] = Lane(item.sender)
        if lane.items and lane.items[-1].id > item.id:
            _insert(lane, item)
        else:
            lane.items.append(item)
        self._place(lane)

    def hasten(self, event_id: str, due_at: int) -> None:
        """What an event waited for is here. One that is on its way or has failed keeps its own time."""
        item = self.known.get(event_id)
        if item is not None and not item.attempts and item.failed_at is None and due_at < item.due_at:
            item.due_at = due_at
            self._place(self._lane_of(item))

    def forget(self, event_id: str) -> None:
        """It is not there any more. One that is on its way is only marked: whoever sends it lets it go."""
        item = self.known.get(event_id)
        if item is None:
            return
        lane = self._lane_of(item)
        if lane.away and lane.items[0] is item:
            item.gone = True
            return
        self._tentative = [other for other in self._tentative if other is not item]
        self._leave(item)

    def clear(self) -> None:
        """Forget everything but what is on its way, and that the endpoint was down."""
        self._lanes = {lane.name: lane for lane in self._lanes.values() if lane.away}
        for lane in self._lanes.values():
            lane.items = deque([lane.items[0]])
        self.known = {lane.items[0].id: lane.items[0] for lane in self._lanes.values()}
        self._ready.clear()
        self._waiting.clear()
        self._up()
        self._paused_until = 0

    def pause(self, now_ms: int, until_ms: int) -> None:
        """Send nothing for a while: the endpoint has asked for it."""
        self._paused_from, self._paused_until = now_ms, max(until_ms, self._paused_until)

    def is_paused(self, now_ms: int) -> bool:
        # A clock that was set back must not make a pause longer.
        return self._paused_from <= now_ms < self._paused_until

    @property
    def any_ready(self) -> bool:
        """Whether some sender's first event waits for nothing but its turn."""
        return bool(self._ready)

    def take(self, now_ms: int) -> list[Item]:
        """The events to send now; each is away until it is settled."""
        if self.is_paused(now_ms):
            return []
        probe = self._probe() if self.down else None
        return self._take_all(now_ms) if probe is None else self._take_probe(probe, now_ms)

    def counts(self, item: Item) -> bool:
        """Whether a failure of this event, now, spends an attempt: while the endpoint is down only its oldest does."""
        if item.free:
            return False
        lane = self._lane_of(item)
        return not self.down or lane.aside or lane is self._probe()

    def succeeded(self, item: Item, now_ms: int) -> None:
        """It was taken: it leaves, and the endpoint is up."""
        self._taken += 1
        lane = self._lane_of(item)
        self._leave(item)
        if not self.down:
            return
        if self._confirmed and not lane.aside:
            # It was the endpoint and not the events: what waits because of it need not wait any longer.
            for other in list(self._lanes.values()):
                self._excuse(other, now_ms)
        self._up()

    def dropped(self, item: Item) -> None:
        """It is dead or no longer wanted: it leaves, and says nothing about the endpoint."""
        self._leave(item)
        self._come_back()

    def failed(self, item: Item, now_ms: int, next_at: int | None) -> None:
        """It was not taken. `next_at` is when it is due again; nothing when the failure does not count."""
        lane = self._lane_of(item)
        self._arrive(lane, item)
        item.failed_at = now_ms
        if next_at is not None:
            item.due_at = next_at
        if item.failed_first_at is None:
            item.failed_first_at = now_ms
        item.free = False
        self._place(lane)
        self._come_back()
        if lane.aside or self._taken != item.taken_before:
            return
        if self.down:
            self._confirmed = self._confirmed or item is not self._suspect
            return
        self.down, self._suspect, self._confirmed = True, item, False
        self._companion_due, self._scouted_at = True, now_ms

    def next_at(self, now_ms: int) -> int | None:
        """When something can go that cannot go now; nothing when only an answer or a new event changes that."""
        if self.is_paused(now_ms):
            return self._paused_until
        probe = self._probe() if self.down else None
        if probe is None:
            if self.away >= MAX_AWAY:
                return None
            free = [lane for lane in self._waiting.values() if lane.items[0].sender not in self._busy]
            return min([_lane_at(lane) for lane in free], default=None)
        if self.away:
            return None
        times = [_due(probe.items[0])]
        companion_at = self._companion_at(probe, now_ms)
        if companion_at is not None:
            times.append(max(companion_at, 0 if self._companion_due else self._scouted_at + SCOUT_EVERY_MS))
        return min(times)

    def _take_all(self, now_ms: int) -> list[Item]:
        taken: list[Item] = []
        for lane in list(self._waiting.values()):
            if self.away >= MAX_AWAY:
                return taken
            if lane.items[0].sender in self._busy:
                continue
            if _is_due(lane.items[0], now_ms):
                taken.append(self._send_off(lane))
            elif len(lane.items) > 1 and _held_long_enough(lane.items[0], now_ms):
                self._step_aside(lane)
        for lane in list(islice(self._ready.values(), MAX_AWAY + len(self._busy))):
            if self.away >= MAX_AWAY:
                break
            if lane.items[0].sender not in self._busy:
                taken.append(self._send_off(lane))
        return taken

    def _take_probe(self, probe: Lane, now_ms: int) -> list[Item]:
        if self.away:
            return []
        first = probe.items[0]
        if _is_due(first, now_ms):
            return [self._send_off(probe)]
        companion_at = self._companion_at(probe, now_ms)
        if companion_at is None or companion_at > now_ms:
            if self._companion_due:
                # Nobody was there to ask. Whoever comes later goes behind the probe again, not instead of it.
                self._companion_due, self._scouted_at = False, now_ms - SCOUT_EVERY_MS
            return []
        if self._companion_due:
            self._companion_due = False
            return [self._send_off(self._companion(probe, now_ms), free=True)]
        if 0 <= now_ms - self._scouted_at < SCOUT_EVERY_MS:
            return []
        # The probe goes first, so that an endpoint that is well again gets its sender's events in order.
        self._scouted_at, self._companion_due = now_ms, True
        return [self._send_off(probe, free=True)]

    def _probe(self) -> Lane | None:
        """The lane of the oldest event, apart from those known to fail alone."""
        return min(self._regular(), key=lambda lane: lane.items[0].id, default=None)

    def _companion_at(self, probe: Lane, now_ms: int) -> int | None:
        """From when on another event could be tried behind the probe, if there is any."""
        times = []
        for _, _, at in self._scouts(probe, now_ms):
            if at <= now_ms:
                return 0
            times.append(at)
        return min(times, default=None)

    def _scouts(self, probe: Lane, now_ms: int) -> Iterator[tuple[Lane, Item, int]]:
        """Events that may be tried behind the probe, and from when on.

        In each lane the first one, and those behind it as far as all before them have held it up for long enough.
        """
        for lane in self._lanes.values():
            free_at = 0
            for item in lane.items:
                if lane is not probe or item is not lane.items[0]:
                    tried = item.failed_at is not None and not lane.aside
                    yield lane, item, max(free_at, 0 if tried or _is_due(item, now_ms) else item.due_at)
                if item.failed_first_at is None or free_at > now_ms:
                    break
                free_at = 0 if _held_long_enough(item, now_ms) else item.failed_first_at + HOLD_MS

    def _companion(self, probe: Lane, now_ms: int) -> Lane:
        """The lane of the event that was not tried for longest, with that event at its head."""
        scouts = [
            (item.failed_at or 0, item.id, lane) for lane, item, at in self._scouts(probe, now_ms) if at <= now_ms
        ]
        _, event_id, lane = min(scouts, key=lambda scout: scout[:2])
        while lane.items[0].id != event_id:
            self._tentative.append(lane.items[0])
            self._step_aside(lane)
        return lane

    def _regular(self) -> list[Lane]:
        return [lane for lane in self._lanes.values() if not lane.aside]

    def _step_aside(self, lane: Lane) -> None:
        item = lane.items.popleft()
        own = self._lanes[item.id] = Lane(item.id, deque([item]), aside=True)
        self._place(own)
        self._place(lane)

    def _come_back(self) -> None:
        """The scout was not taken either, so those before it did not fail alone: they take their places again."""
        items, self._tentative = self._tentative, []
        for item in reversed(items):
            if item.id not in self.known:
                continue
            own = self._lanes.pop(item.id)
            self._ready.pop(own.name, None)
            self._waiting.pop(own.name, None)
            lane = self._lanes.setdefault(item.sender, Lane(item.sender))
            lane.items.appendleft(item)
            self._place(lane)

    def _excuse(self, lane: Lane, now_ms: int) -> None:
        if lane.away or lane.aside:
            return
        for item in lane.items:
            if item.failed_at is not None and not 0 <= now_ms - item.failed_at < RECENT_MS:
                item.free = item.due_at > now_ms
                item.failed_first_at = None
        self._place(lane)

    def _up(self) -> None:
        self.down = self._confirmed = self._companion_due = False
        self._suspect = None
        self._tentative = []

    def _place(self, lane: Lane) -> None:
        """Put a lane where its first event belongs."""
        if lane.away or not lane.items:
            self._ready.pop(lane.name, None)
            self._waiting.pop(lane.name, None)
        elif lane.items[0].due_at > lane.items[0].created_at and not lane.items[0].free:
            self._ready.pop(lane.name, None)
            self._waiting[lane.name] = lane
        else:
            self._waiting.pop(lane.name, None)
            self._ready[lane.name] = lane

    def _send_off(self, lane: Lane, *, free: bool = False) -> Item:
        lane.away = True
        self.away += 1
        self._place(lane)
        item = lane.items[0]
        self._busy.add(item.sender)
        item.free = item.free or free
        item.taken_before = self._taken
        return item

    def _arrive(self, lane: Lane, item: Item) -> None:
        lane.away = False
        self.away -= 1
        self._busy.discard(item.sender)

    def _leave(self, item: Item) -> None:
        lane = self._lane_of(item)
        if lane.away and lane.items[0] is item:
            self._arrive(lane, item)
        lane.items.remove(item)
        self._place(lane)
        if not lane.items:
            del self._lanes[lane.name]
        self.known.pop(item.id, None)

    def _lane_of(self, item: Item) -> Lane:
        lane = self._lanes.get(item.id)
        return lane if lane is not None else self._lanes[item.sender]


def _insert(lane: Lane, item: Item) -> None:
    """Put a late-comer where its id belongs; what is on its way stays first."""
    first = [lane.items.popleft()] if lane.away else []
    lane.items = deque([*first, *sorted([*lane.items, item], key=lambda one: one.id)])


def _due(item: Item) -> int:
    return 0 if item.free else item.due_at


def _is_due(item: Item, now_ms: int) -> bool:
    # A clock that was set back behind the failure would otherwise make the event wait for all of that time again.
    return item.free or item.due_at <= now_ms or (item.failed_at is not None and now_ms < item.failed_at)


def _held_long_enough(item: Item, now_ms: int) -> bool:
    return item.failed_first_at is not None and not 0 <= now_ms - item.failed_first_at < HOLD_MS


def _lane_at(lane: Lane) -> int:
    first = lane.items[0]
    if first.failed_first_at is not None and len(lane.items) > 1:
        return min(_due(first), first.failed_first_at + HOLD_MS)
    return _due(first)
