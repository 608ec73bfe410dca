"""The order in which an endpoint's events go out. Pure: no clock, no store, no network.

Events of one sender form a lane and go one after another; lanes go side by side. A lane is in one of these states:

    ready       its first event can go now
    waiting     its first event is due later
    away        its first event is on its way
    aside       an event that fails alone, in a lane of its own, so that its sender's others pass

An event that fails while others are taken fails alone: it keeps its sender waiting for a minute at most. When nothing
is taken, the endpoint is down and only its oldest event, the probe, is tried. So that one bad event is not mistaken
for a dead endpoint, another sender's event is tried once right behind the probe: at once when the endpoint goes down,
and once a minute while it stays so (`Outage`). Such tries are free, they spend no attempts.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

from tablegram.events.waiting.items import HOLD_MS, Item, Lane
from tablegram.events.waiting.outages import Outage, Turn

__all__ = ["HOLD_MS", "MAX_AWAY", "Item", "Lanes"]

MAX_AWAY = 64


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
        self._taken = 0
        self._outage: Outage | None = None
        self._paused_from, self._paused_until = 0, 0

    @property
    def down(self) -> bool:
        return self._outage is not None

    @property
    def any_ready(self) -> bool:
        """Whether some sender's first event waits for nothing but its turn."""
        return bool(self._ready)

    # What comes in, and what leaves without having been sent.

    def add(self, item: Item) -> None:
        """Take in a delivery, in the order of ids among its sender's. One that is known already is left alone."""
        if item.id in self.known:
            return
        self.known[item.id] = item
        lane = self._lanes.get(item.sender)
        if lane is None:
            lane = self._lanes[item.sender] = Lane(item.sender)
        lane.insert(item)
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
        if self._lane_of(item).is_away_with(item):
            item.gone = True
            return
        if self._outage is not None:
            self._outage.forget(item)
        self._leave(item)

    def clear(self) -> None:
        """Forget everything but what is on its way, and that the endpoint was down."""
        self._lanes = {lane.name: lane for lane in self._lanes.values() if lane.away}
        for lane in self._lanes.values():
            lane.items = deque([lane.first])
        self.known = {lane.first.id: lane.first for lane in self._lanes.values()}
        self._ready.clear()
        self._waiting.clear()
        self._outage = None
        self._paused_until = 0

    # When nothing goes.

    def pause(self, now_ms: int, until_ms: int) -> None:
        """Send nothing for a while: the endpoint has asked for it."""
        self._paused_from, self._paused_until = now_ms, max(until_ms, self._paused_until)

    def is_paused(self, now_ms: int) -> bool:
        # A clock that was set back must not make a pause longer.
        return self._paused_from <= now_ms < self._paused_until

    def next_at(self, now_ms: int) -> int | None:
        """When something can go that cannot go now; nothing when only an answer or a new event changes that."""
        if self.is_paused(now_ms):
            return self._paused_until
        probe = self._probe()
        if self._outage is None or probe is None:
            return self._next_of_waiting()
        return None if self.away else self._next_of_outage(self._outage, probe, now_ms)

    def _next_of_waiting(self) -> int | None:
        if self.away >= MAX_AWAY:
            return None
        return min([lane.at for lane in self._waiting.values() if self._is_free(lane)], default=None)

    def _next_of_outage(self, outage: Outage, probe: Lane, now_ms: int) -> int:
        companion_at = self._companion_at(probe, now_ms)
        if companion_at is None:
            return probe.first.at
        return min(probe.first.at, max(companion_at, outage.turn_ends_at()))

    # What goes.

    def take(self, now_ms: int) -> list[Item]:
        """The events to send now; each is away until it is settled."""
        if self.is_paused(now_ms):
            return []
        probe = self._probe()
        if self._outage is None or probe is None:
            return [*self._take_waiting(now_ms), *self._take_ready()]
        asks = None if self.away else self._take_in_outage(self._outage, probe, now_ms)
        return [] if asks is None else [asks]

    def _take_waiting(self, now_ms: int) -> list[Item]:
        """What was to wait and is due; and those whose first event has held them long enough begin to pass it."""
        taken: list[Item] = []
        for lane in list(self._waiting.values()):
            if self.away >= MAX_AWAY:
                break
            if not self._is_free(lane):
                continue
            if lane.first.is_due(now_ms):
                taken.append(self._send_off(lane))
            elif len(lane.items) > 1 and lane.first.held_long_enough(now_ms):
                self._step_aside(lane)
        return taken

    def _take_ready(self) -> list[Item]:
        taken: list[Item] = []
        for lane in list(islice(self._ready.values(), MAX_AWAY + len(self._busy))):
            if self.away >= MAX_AWAY:
                break
            if self._is_free(lane):
                taken.append(self._send_off(lane))
        return taken

    def _take_in_outage(self, outage: Outage, probe: Lane, now_ms: int) -> Item | None:
        """The one event that asks whether the endpoint is back."""
        if probe.first.is_due(now_ms):
            return self._send_off(probe)
        companion_at = self._companion_at(probe, now_ms)
        if companion_at is None or companion_at > now_ms:
            outage.nobody_goes(now_ms)
            return None
        turn = outage.turn(now_ms)
        if turn is Turn.COMPANION:
            outage.companion_goes()
            return self._send_off(self._companion(outage, probe, now_ms), free=True)
        if turn is Turn.PROBE:
            # It goes first, so that an endpoint that is well again gets its sender's events in order.
            outage.probe_goes(now_ms)
            return self._send_off(probe, free=True)
        return None

    def _probe(self) -> Lane | None:
        """While the endpoint is down, the lane of the oldest event, apart from those known to fail alone."""
        if self._outage is None:
            return None
        regular = [lane for lane in self._lanes.values() if not lane.aside]
        return min(regular, key=lambda lane: lane.first.id, default=None)

    def _companion_at(self, probe: Lane, now_ms: int) -> int | None:
        """From when on another event could be tried behind the probe, if there is any."""
        earliest: int | None = None
        for lane in self._lanes.values():
            for _, at in lane.scouts(now_ms, without_first=lane is probe):
                if at <= now_ms:
                    return 0
                earliest = at if earliest is None else min(earliest, at)
        return earliest

    def _companion(self, outage: Outage, probe: Lane, now_ms: int) -> Lane:
        """The lane of the event that was not tried for longest, with that event at its head."""
        scouts = [
            (item.failed_at or 0, item.id, lane)
            for lane in self._lanes.values()
            for item, at in lane.scouts(now_ms, without_first=lane is probe)
            if at <= now_ms
        ]
        _, event_id, lane = min(scouts, key=lambda scout: scout[:2])
        while lane.first.id != event_id:
            outage.made_way.append(lane.first)
            self._step_aside(lane)
        return lane

    # What came of it.

    def counts(self, item: Item) -> bool:
        """Whether a failure of this event, now, spends an attempt: while the endpoint is down only its oldest does."""
        if item.free:
            return False
        lane = self._lane_of(item)
        return not self.down or lane.aside or lane is self._probe()

    def succeeded(self, item: Item, now_ms: int) -> None:
        """It was taken: it leaves, and the endpoint is up."""
        self._taken += 1
        was_aside = self._lane_of(item).aside
        self._leave(item)
        outage, self._outage = self._outage, None
        if outage is not None and outage.is_confirmed and not was_aside:
            # It was the endpoint and not the events: what waits because of it need not wait any longer.
            self._excuse_all(now_ms)

    def dropped(self, item: Item) -> None:
        """It is dead or no longer wanted: it leaves, and says nothing about the endpoint."""
        self._leave(item)
        self._come_back()

    def failed(self, item: Item, now_ms: int, next_at: int | None) -> None:
        """It was not taken. `next_at` is when it is due again; nothing when the failure does not count."""
        lane = self._lane_of(item)
        self._arrive(lane, item)
        item.fail(now_ms, next_at)
        self._place(lane)
        self._come_back()
        if lane.aside or self._taken != item.taken_before:
            # It is known to fail alone, or others were taken meanwhile.
            return
        if self._outage is None:
            self._outage = Outage(item, now_ms)
        else:
            self._outage.failed(item)

    def _excuse_all(self, now_ms: int) -> None:
        for lane in list(self._lanes.values()):
            if not lane.away and not lane.aside:
                for item in lane.items:
                    item.excuse(now_ms)
                self._place(lane)

    # Moves of lanes.

    def _is_free(self, lane: Lane) -> bool:
        """Whether no other event of its sender is away."""
        return lane.first.sender not in self._busy

    def _lane_of(self, item: Item) -> Lane:
        lane = self._lanes.get(item.id)
        return lane if lane is not None else self._lanes[item.sender]

    def _place(self, lane: Lane) -> None:
        """Put a lane where its first event belongs."""
        if lane.away or not lane.items:
            self._ready.pop(lane.name, None)
            self._waiting.pop(lane.name, None)
        elif lane.first.waits:
            self._ready.pop(lane.name, None)
            self._waiting[lane.name] = lane
        else:
            self._waiting.pop(lane.name, None)
            self._ready[lane.name] = lane

    def _send_off(self, lane: Lane, *, free: bool = False) -> Item:
        item = lane.first
        lane.away = True
        self.away += 1
        self._busy.add(item.sender)
        self._place(lane)
        item.free = item.free or free
        item.taken_before = self._taken
        return item

    def _arrive(self, lane: Lane, item: Item) -> None:
        lane.away = False
        self.away -= 1
        self._busy.discard(item.sender)

    def _leave(self, item: Item) -> None:
        lane = self._lane_of(item)
        if lane.is_away_with(item):
            self._arrive(lane, item)
        lane.items.remove(item)
        self._place(lane)
        if not lane.items:
            del self._lanes[lane.name]
        self.known.pop(item.id, None)

    def _step_aside(self, lane: Lane) -> None:
        item = lane.items.popleft()
        own = self._lanes[item.id] = Lane(item.id, deque([item]), aside=True)
        self._place(own)
        self._place(lane)

    def _come_back(self) -> None:
        """The scout was not taken either, so those before it did not fail alone: they take their places again."""
        if self._outage is None:
            return
        items, self._outage.made_way = self._outage.made_way, []
        for item in reversed(items):
            if item.id not in self.known:
                continue
            own = self._lanes.pop(item.id)
            self._ready.pop(own.name, None)
            self._waiting.pop(own.name, None)
            lane = self._lanes.setdefault(item.sender, Lane(item.sender))
            lane.items.appendleft(item)
            self._place(lane)
