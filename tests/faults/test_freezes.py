"""Two servers on one database, one of which is frozen and woken: nothing is sent twice, posted twice or lost."""

from __future__ import annotations

import functools
import itertools
import time
from collections import Counter
from collections.abc import Callable

import pytest

from tests.faults.background import in_background
from tests.faults.burst import every_accepted, every_message
from tests.faults.looking import accepted_for
from tests.faults.pair import FROZEN_S, LEASE_S, Pair, freeze, go_on, is_frozen, pair, sleep_through_takeover
from tests.long import many
from tests.product import Product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.timeout(240)]
ROUNDS = many(2, 4)


def no_longer_queued(product: Product) -> bool:
    return not product.call("GET", "/messages?status=queued&limit=1")[1]["data"]


def nothing_to_post(product: Product) -> bool:
    (endpoint,) = product.call("GET", "/webhooks")[1]["data"]
    status, page = product.call("GET", f"/webhooks/{endpoint['id']}/deliveries?state=pending&limit=1")
    assert status == 200, page
    return not page["data"]


@pytest.mark.parametrize(
    ("point", "headers"), [("accept.committed", {}), ("drain.claimed", {"Prefer": "respond-async"})]
)
def test_who_wakes_up_does_not_send_what_another_has_sent_meanwhile(
    database_url: str, phone: str, point: str, headers: dict[str, str]
) -> None:
    with pair(database_url, f"{point}:1") as both:
        waiting = in_background(lambda: both.one.send(phone, "once", **headers))
        wait_until(lambda: is_frozen(both.one), "the first server to freeze")
        # On another machine nobody can see that its process lives; its silence is all that there is.
        both.move_away(both.one)
        wait_until(lambda: accepted_for(both.other, phone), "the second server to take over", 60)
        go_on(both.one)
        waiting.join(30)
        assert both.one.send(phone, "after")[0] == 200
        wait_until(lambda: len(accepted_for(both.other, phone)) >= 2, "what came after")
        wait_until(lambda: no_longer_queued(both.other), "an empty queue")
        time.sleep(LEASE_S)
        reached = Counter(one["correlation"] for one in accepted_for(both.other, phone))
        assert sorted(reached.values()) == [1, 1]


def test_who_wakes_up_does_not_post_what_another_has_posted_meanwhile(database_url: str, phone: str) -> None:
    with pair(database_url, "delivery.claimed:3") as both:
        seen = both.witness.seen
        for number in range(6):
            if not is_frozen(both.one):
                in_background(functools.partial(both.one.send, phone, f"{number}", Prefer="respond-async"))
                time.sleep(0.2)
        wait_until(lambda: is_frozen(both.one), "the first server to freeze")
        before = len(seen)
        wait_until(lambda: len(seen) > before, "the second server to take over", 60)
        sleep_through_takeover()
        go_on(both.one)
        wait_until(lambda: no_longer_queued(both.other), "an empty queue", 60)
        _wait_for_rest(both)
        assert [one for one, times in Counter(event.id for event in seen).items() if times > 1] == []
        assert both.witness.forged == []


def _wait_for_rest(both: Pair) -> None:
    """Until nothing was posted for a while that is longer than any look at the store."""
    seen, quiet_since = len(both.witness.seen), time.monotonic()
    while time.monotonic() - quiet_since < 3 * LEASE_S:
        if len(both.witness.seen) != seen:
            seen, quiet_since = len(both.witness.seen), time.monotonic()
        time.sleep(0.1)


@pytest.mark.later
def test_nothing_is_sent_twice_or_lost_however_often_servers_freeze(
    database_url: str, phones: list[str], say: Callable[[str], None]
) -> None:
    times: list[float] = []
    frozen: list[tuple[float, float]] = []
    with pair(database_url) as both:
        both.witness.on_request = lambda: times.append(time.monotonic())
        for number in range(ROUNDS):
            sleeper, awake = (both.one, both.other) if number % 2 == 0 else (both.other, both.one)
            for index, phone in enumerate(phones):
                in_background(functools.partial(sleeper.send, phone, f"{number} {index}"))
            time.sleep(0.05 * (number + 1))
            freeze(sleeper)
            since = time.monotonic()
            for index, phone in enumerate(phones):
                assert awake.send(phone, f"{number} {index} beside")[0] == 200
            sleep_through_takeover()
            # What was on its way when it froze is posted again before it wakes up, however slow the other one is.
            wait_until(lambda who=awake: nothing_to_post(who), "the other server to post what was left", 60)
            frozen.append((since, time.monotonic()))
            go_on(sleeper)
        wait_until(lambda: no_longer_queued(both.one), "an empty queue", 60)
        _wait_for_rest(both)
        stored = every_message(both.one)
        reached = Counter(one["correlation"] for one in every_accepted(both.one))
        arrived = list(zip(times, [event.id for event in both.witness.seen], strict=True))
    events = Counter(event for _, event in arrived)
    say(
        f"{ROUNDS} freezes, {len(stored)} messages, {len(events)} events, {sum(events.values()) - len(events)} posted again"
    )
    assert [one for one, times in reached.items() if times > 1] == []
    assert {one["gateway_id"] for one in stored} == set(reached)
    assert {one["status"] for one in stored} <= {"sent", "delivered"}
    assert len(stored) >= ROUNDS * len(phones)
    assert _posted_by_who_woke_up(arrived, frozen) == []


def _posted_by_who_woke_up(arrived: list[tuple[float, str]], frozen: list[tuple[float, float]]) -> list[str]:
    """Events that came again, other than those that were on their way when a server froze.

    Whether an endpoint has heard such a one nobody can know, so whoever takes over posts it again, under the same id
    and while the other is frozen.
    """
    times: dict[str, list[float]] = {}
    for at, event in arrived:
        times.setdefault(event, []).append(at)
    return [
        event
        for event, came in times.items()
        for first, again in itertools.pairwise(came)
        if not any(first < since + FROZEN_S / 2 and since < again < until for since, until in frozen)
    ]
