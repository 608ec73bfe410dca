"""Delivery against a model, over a real store and real sockets: crashes, outages, bad events, repeats, clock jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tablegram.events.endpoints import EndpointChange
from tablegram.events.schedule import MAX_ATTEMPTS
from tests.engine.waiting import until
from tests.events.office import Office, office, restarted
from tests.events.receiver import ERROR, OK, RESET, Receiver, Seen, receiver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

# 20, or 8 where a database is dear (see `tests/conftest.py`).
EXAMPLES = settings().max_examples * 2 // 5
SENDERS = ("a", "b", "c")
STEP = st.one_of(
    st.tuples(st.just("tell"), st.lists(st.sampled_from(SENDERS), min_size=1, max_size=6), st.booleans()),
    st.tuples(st.just("mode"), st.sampled_from(["up", "down", "reset", "flap"])),
    st.tuples(st.just("later"), st.sampled_from([0.5, 3, 20, 61, 400, 8_000])),
    st.tuples(st.just("clock"), st.sampled_from([-3_600, -30, 3_600])),
    st.tuples(st.just("crash")),
    st.tuples(st.just("replay"), st.integers(0, 100)),
    st.tuples(st.just("switch")),
)


class Model:
    """What was told, and what the receiver may see of it."""

    def __init__(self, server: Receiver) -> None:
        self.server = server
        self.mode = "up"
        self.told: dict[str, tuple[str, bool]] = {}
        self.taken: set[str] = set()
        self.refused: set[str] = set()
        # Replayed on purpose: their order among the others is not promised any more.
        self.replayed: set[str] = set()
        self.wrong: list[str] = []
        self.active = True
        server.decide = self.decide

    def decide(self, seen: Seen) -> bytes | str:
        event_id = seen.id
        sender, bad = self.told[event_id]
        flaps = self.mode == "flap" and len(self.server.seen) % 2
        if bad or flaps or self.mode in ("down", "reset"):
            self.refused.add(event_id)
            return RESET if self.mode == "reset" else ERROR
        waiting = [
            one for one, (who, _) in self.told.items() if who == sender and one < event_id and one not in self.taken
        ]
        if event_id not in self.replayed:
            # Only what has failed before may be passed.
            self.wrong += [f"{event_id} before {one}" for one in waiting if one not in self.refused]
        self.taken.add(event_id)
        return OK


async def play(one: Office, endpoint: str, model: Model, step: tuple[Any, ...]) -> Office:
    match step:
        case ("tell", senders, bad):
            for place, sender in enumerate(senders if model.active else ()):
                # The receiver may see it before `tell` returns.
                plan = one.planner.plan(
                    1, "messages.upsert", {"event": "messages.upsert", "data": {"text": ""}}, sender
                )
                event_id = str(plan[0][1]["id"])
                model.told[event_id] = (sender, bad and place == 0)
                await one.db.put(*plan)
                one.planner.planned(1, plan)
                one.clock.advance(0.001)
        case ("mode", mode):
            model.mode = mode
        case ("later", seconds):
            await one.later(seconds)
        case ("clock", seconds):
            one.clock.advance(seconds)
            one.deliveries.ring()
        case ("crash",):
            one = await restarted(one)
            await one.planner.reload(1)
        case ("replay", number) if model.taken and model.active:
            event_id = sorted(model.taken)[number % len(model.taken)]
            model.replayed.add(event_id)
            await one.replay(endpoint, event_id)
        case ("switch",):
            model.active = not model.active
            await one.endpoints.update(1, endpoint, EndpointChange(state="active" if model.active else "disabled"))
    await one.settle(6)
    return one


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps=st.lists(STEP, min_size=5, max_size=25))
async def test_every_event_arrives_and_none_passes_one_that_has_not_failed(
    make_database_url: Callable[..., str], steps: list[tuple[Any, ...]]
) -> None:
    async with receiver() as server, office(make_database_url()) as first:
        one = first
        model = Model(server)
        endpoint = await one.add(server.url, "messages.upsert")
        for step in steps:
            one = await play(one, endpoint, model, step)
        # In the end the endpoint is well, and time passes.
        model.mode = "up"
        if not model.active:
            await one.endpoints.update(1, endpoint, EndpointChange(state="active"))
        good = {event_id for event_id, (_, bad) in model.told.items() if not bad}

        async def arrived() -> bool:
            return good <= model.taken

        # Minute by minute, as one finds out which events are bad; then further, for those that wait for their own time.
        for wait_s in (*[61] * 40, 2_000, 9_000, 20_000, 40_000):
            if not await arrived():
                await one.later(wait_s)
        # What died before (the clock may have jumped by days) is what a replay is for.
        states = {row["event_id"]: row for row in await one.deliveries_of(endpoint)}
        for event_id in good & {event_id for event_id, row in states.items() if row["state"] == "dead"}:
            await one.replay(endpoint, event_id)
            await one.later(1)
        await until(arrived, f"what is missing: {[dict(states[one]) for one in good - model.taken]}")
        assert model.wrong == []
        assert set(states) == set(model.told)
        assert all(row["attempts"] <= MAX_ATTEMPTS for row in states.values())
        assert set(server.ids()) <= set(model.told)
        await one.stop()
