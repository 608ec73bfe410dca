"""Several servers take messages for the same people over one line: each person hears them in the order of acceptance."""

from __future__ import annotations

import itertools

import pytest

from tests.faults.looking import wait_for_texts
from tests.faults.pair import pair

MESSAGES = 200

pytestmark = [pytest.mark.slow, pytest.mark.shared]


@pytest.mark.later
def test_calls_that_reach_two_servers_by_turns_arrive_in_the_order_of_their_acceptance(
    database_url: str, phone: str
) -> None:
    with pair(database_url) as both:
        servers = itertools.cycle([both.one, both.other])
        told = set()
        for number, server in zip(range(MESSAGES), servers, strict=False):
            # Some with a key, which takes another way into the store.
            headers = {"Idempotency-Key": f"turn-{number}"} if number % 5 == 0 else {}
            status, answer = server.send(phone, f"{number}", **headers)
            assert status == 200, answer
            told.add(answer["status_code"])
        assert wait_for_texts(both.one, phone, MESSAGES) == [f"{number}" for number in range(MESSAGES)]
        # Who has the line sends at once when nobody waits; so the first one did.
        assert told == {"sent", "queued"}
