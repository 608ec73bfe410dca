"""The order of deliveries, against a model: whatever fails, comes late, is asked again or crashes."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tablegram.events.waiting.lanes import HOLD_MS, MAX_AWAY, Item, Lanes
from tests.long import many

SENDERS = ("a", "b", "c")
RETRY_MS = (2_000, 5_000, 15_000, 60_000, 300_000, 1_800_000)


class Queue(RuleBasedStateMachine):
    """The model keeps what the store would keep; the lanes decide what goes when."""

    @initialize()
    def start(self) -> None:
        self.lanes = Lanes()
        self.now = 1_000_000_000
        self.number = 0
        # Pending, as the store has it: id to (sender, attempts, due, created).
        self.store: dict[str, tuple[str, int, int, int]] = {}
        self.away: dict[str, Item] = {}
        self.first_failed: dict[str, int] = {}
        self.clock_went_back = False
        self.left: set[str] = set()
        # Events that the endpoint never takes, however well it is.
        self.bad: set[str] = set()

    def _load(self) -> None:
        for event_id, (sender, attempts, due, created) in sorted(self.store.items()):
            item = Item(event_id, sender, b"{}", attempts, due, created)
            if attempts:
                item.failed_at = self.now
                item.free = due > self.now
                item.failed_first_at = None if item.free else self.now
            self.lanes.add(item)

    @rule(senders=st.lists(st.sampled_from(SENDERS), min_size=1, max_size=5), waits=st.booleans(), bad=st.booleans())
    def plan(self, senders: list[str], waits: bool, bad: bool) -> None:
        for sender in senders:
            self.number += 1
            event_id = f"e{self.number:06}"
            due = self.now + (20_000 if waits else 0)
            self.store[event_id] = (sender, 0, due, self.now)
            self.lanes.add(Item(event_id, sender, b"{}", 0, due, self.now))
        if bad:
            self.bad.add(event_id)
        self._load()
        self.take()

    @rule(up=st.booleans(), rounds=st.integers(1, 12))
    def work(self, up: bool, rounds: int) -> None:
        """The endpoint is up or down for a while, and everything that is due then is tried."""
        for _ in range(rounds):
            for event_id in sorted(self.away):
                if up and event_id not in self.bad:
                    self._succeed(event_id)
                else:
                    self._fail(event_id, patience=False)
            self.take()
            if not self.away:
                at = self.lanes.next_at(self.now)
                if at is None:
                    return
                self.now = max(self.now, at)
                self.take()

    def take(self) -> None:
        was_down = self.lanes.down
        taken = self.lanes.take(self.now)
        if was_down and self.lanes.down and any(not self._is_aside(item) for item in taken):
            assert len(taken) == 1
            assert not self.away
        for item in taken:
            assert item.id not in self.away
            assert item.id in self.store
            self._check_order(item)
            self.away[item.id] = item

    def _is_aside(self, item: Item) -> bool:
        lane = self.lanes._lanes.get(item.id)
        return lane is not None and lane.aside

    def _check_order(self, item: Item) -> None:
        for earlier, (sender, *_) in self.store.items():
            if sender == item.sender and earlier < item.id:
                # It may be passed only after it has failed and held its sender for a minute.
                assert earlier in self.first_failed, f"{item.id} went before {earlier}"
                assert self.clock_went_back or self.now - self.first_failed[earlier] >= HOLD_MS

    @precondition(lambda self: self.away)
    @rule(data=st.data())
    def succeed(self, data: st.DataObject) -> None:
        self._succeed(data.draw(st.sampled_from(sorted(self.away))))
        self.take()

    def _succeed(self, event_id: str) -> None:
        self.lanes.succeeded(self.away.pop(event_id), self.now)
        del self.store[event_id]
        self.left.add(event_id)
        assert not self.lanes.down

    @precondition(lambda self: self.away)
    @rule(data=st.data(), patience=st.booleans())
    def fail(self, data: st.DataObject, patience: bool) -> None:
        self._fail(data.draw(st.sampled_from(sorted(self.away))), patience)
        self.take()

    def _fail(self, event_id: str, patience: bool) -> None:
        item = self.away.pop(event_id)
        if item.gone:
            self.lanes.dropped(item)
            del self.store[event_id]
            return
        counted = self.lanes.counts(item)
        assert not (item.free and counted)
        sender, attempts, due, created = self.store[event_id]
        if counted:
            due = self.now + RETRY_MS[min(attempts, len(RETRY_MS) - 1)]
            attempts += 1
        self.store[event_id] = (sender, attempts, due, created)
        item.attempts = attempts
        if patience:
            self.lanes.pause(self.now, self.now + 30_000)
        self.lanes.failed(item, self.now, due if counted else None)
        self.first_failed.setdefault(event_id, self.now)

    @precondition(lambda self: self.away)
    @rule(data=st.data())
    def die(self, data: st.DataObject) -> None:
        event_id = data.draw(st.sampled_from(sorted(self.away)))
        self.lanes.dropped(self.away.pop(event_id))
        del self.store[event_id]

    @precondition(lambda self: self.store)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        """Whom it tells of was erased. What is on its way leaves when its answer comes."""
        event_id = data.draw(st.sampled_from(sorted(self.store)))
        self.lanes.forget(event_id)
        if event_id in self.away:
            assert self.away[event_id].gone
        else:
            del self.store[event_id]
        self.take()

    @rule(ms=st.sampled_from([1, 500, 2_500, 20_000, 61_000, 400_000, 7_200_000]))
    def time_passes(self, ms: int) -> None:
        self.now += ms
        self.take()

    @rule(ms=st.sampled_from([5_000, 3_600_000]))
    def clock_is_set_back(self, ms: int) -> None:
        self.now -= ms
        self.clock_went_back = True

    @rule()
    def crash(self) -> None:
        self.lanes = Lanes()
        for event_id, item in self.away.items():
            if item.gone:
                del self.store[event_id]
        self.away.clear()
        self._load()

    @rule()
    def forget(self) -> None:
        """The endpoint was changed: everything but what is away is read anew."""
        self.lanes.clear()
        self._load()

    @precondition(lambda self: self.left)
    @rule(data=st.data(), sender=st.sampled_from(SENDERS))
    def replay(self, data: st.DataObject, sender: str) -> None:
        """An old event comes again; it does not change who it was from."""
        event_id = data.draw(st.sampled_from(sorted(self.left)))
        self.left.discard(event_id)
        self.first_failed[event_id] = 0
        self.store[event_id] = (sender + " again", 0, self.now, self.now)
        self._load()

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        if not hasattr(self, "lanes"):
            return
        assert set(self.lanes.known) == set(self.store)
        assert self.lanes.away == len(self.away) <= MAX_AWAY
        senders = [item.sender for item in self.away.values()]
        assert len(senders) == len(set(senders))

    @invariant()
    def it_is_known_when_to_look_again(self) -> None:
        """Never a queue that sleeps for ever, and never one that spins."""
        if not hasattr(self, "lanes"):
            return
        at = self.lanes.next_at(self.now)
        if self.store and not self.away and at is None:
            # Then something can go right now.
            assert self.lanes._ready

    def teardown(self) -> None:
        """The endpoint is well again: everything arrives, however it was left."""
        if not hasattr(self, "lanes"):
            return
        for _ in range(60 * (len(self.store) + 5)):
            for event_id in sorted(self.away):
                self.succeed_now(event_id)
            for item in self.lanes.take(self.now):
                self.away[item.id] = item
            if not self.away:
                at = self.lanes.next_at(self.now)
                if at is None:
                    break
                self.now = max(self.now + 1, at)
        assert self.store == {}

    def succeed_now(self, event_id: str) -> None:
        self.lanes.succeeded(self.away.pop(event_id), self.now)
        del self.store[event_id]


Queue.TestCase.settings = settings(max_examples=many(50, 200), stateful_step_count=30, deadline=None)
TestQueue = Queue.TestCase


def item(number: int, sender: str = "a", **more: object) -> Item:
    return Item(f"e{number}", sender, b"{}", 0, 0, 0, **more)  # type: ignore[arg-type]


def test_a_bad_event_is_told_from_a_dead_endpoint_by_trying_one_other() -> None:
    lanes = Lanes()
    lanes.add(item(1, "a"))
    (bad,) = lanes.take(0)
    lanes.add(item(2, "b"))
    lanes.add(item(3, "c"))
    lanes.failed(bad, 0, 2_000)
    (scout,) = lanes.take(0)
    assert (scout.id, lanes.counts(scout)) == ("e2", False)
    lanes.succeeded(scout, 0)
    assert [one.id for one in lanes.take(0)] == ["e3"]
    assert lanes.next_at(0) == 2_000


def test_a_dead_endpoint_is_asked_by_its_oldest_only() -> None:
    lanes = Lanes()
    for number, sender in enumerate("abcdef", 1):
        lanes.add(item(number, sender))
    for one in lanes.take(0):
        lanes.failed(one, 0, 2_000 if lanes.counts(one) else None)
    asked = []
    for now in (2_000, 7_000, 22_000):
        while taken := lanes.take(now):
            (one,) = taken
            if not one.free:
                asked.append(one.id)
            lanes.failed(one, now, now + 60_000 if lanes.counts(one) else None)
    assert set(asked) == {"e1"}


def test_an_event_aside_and_its_senders_next_are_never_away_together() -> None:
    lanes = Lanes()
    lanes.add(item(1))
    lanes.add(item(2, "b"))
    bad, good = lanes.take(0)
    lanes.succeeded(good, 0)
    lanes.failed(bad, 0, 300_000)
    lanes.add(item(3))
    assert lanes.take(HOLD_MS - 1) == []
    (third,) = [*lanes.take(HOLD_MS), *lanes.take(HOLD_MS)]
    assert third.id == "e3"
    assert lanes.take(400_000) == []
    assert lanes.next_at(400_000) is None
    lanes.succeeded(third, 400_000)
    assert lanes.take(400_000) == [bad]


def test_a_pause_lasts_from_its_beginning_to_its_end() -> None:
    lanes = Lanes()
    lanes.add(item(1))
    lanes.pause(1_000, 31_000)
    assert (lanes.take(1_000), lanes.next_at(1_000)) == ([], 31_000)
    assert lanes.take(30_999) == []
    assert [one.id for one in lanes.take(31_000)] == ["e1"]


def test_a_clock_that_is_set_back_ends_a_pause() -> None:
    lanes = Lanes()
    lanes.add(item(1))
    lanes.pause(10_000_000, 10_030_000)
    # An hour back: the pause would last for an hour and half a minute.
    assert [one.id for one in lanes.take(6_400_000)] == ["e1"]


def test_who_asks_next_for_a_dead_endpoint_is_known_to_the_millisecond() -> None:
    for due_at, next_at in ((300_000, 60_000), (20_000, 20_000)):
        lanes = Lanes()
        for number, sender in enumerate("abc", 1):
            lanes.add(item(number, sender))
        for one in lanes.take(0):
            lanes.failed(one, 0, due_at if lanes.counts(one) else None)
        (companion,) = lanes.take(0)
        assert lanes.next_at(0) is None, "its answer changes that"
        lanes.failed(companion, 0, None)
        # The probe at its own time, or the next free pair after a minute, whichever comes first.
        assert lanes.next_at(0) == next_at
        assert lanes.take(next_at - 1) == []
        assert [one.id for one in lanes.take(next_at)] == ["e1"]


def test_what_is_forgotten_goes_only_when_it_is_read_again() -> None:
    lanes = Lanes()
    lanes.add(item(1, "a"))
    (away,) = lanes.take(0)
    for number, sender in ((2, "a"), (3, "b")):
        lanes.add(item(number, sender))
    lanes.pause(0, 1_000)
    lanes.clear()
    assert (lanes.any_ready, list(lanes.known), lanes.take(0)) == (False, ["e1"], [])
    lanes.add(item(3, "b"))
    lanes.add(item(2, "a"))
    assert [one.id for one in lanes.take(0)] == ["e3"]
    lanes.succeeded(away, 0)
    assert [one.id for one in lanes.take(0)] == ["e2"]


def test_of_those_that_wait_the_first_due_is_told() -> None:
    lanes = Lanes()
    for number, sender in enumerate("abc", 1):
        lanes.add(item(number, sender))
    one, other, good = lanes.take(0)
    lanes.succeeded(good, 0)
    lanes.failed(one, 0, 50_000)
    lanes.failed(other, 0, 20_000)
    assert not lanes.down
    assert lanes.next_at(0) == 20_000
    assert lanes.take(20_000) == [other]
    assert lanes.next_at(20_000) == 50_000


def test_what_need_not_wait_any_longer_goes_behind_those_who_were_ready_before() -> None:
    lanes = Lanes()
    lanes.add(Item("e1", "a", b"", 0, 20_000, 0))
    lanes.add(item(2, "b"))
    lanes.hasten("e1", 0)
    assert [one.id for one in lanes.take(0)] == ["e2", "e1"]
