"""Two servers and one linked line: who is frozen loses it, and whatever they do, one of them alone speaks for the phone."""

from __future__ import annotations

import functools
from collections import Counter

import pytest

from tests.faults.background import in_background
from tests.faults.linked import hosts, make_line, pair, send, texts
from tests.faults.pair import freeze, go_on
from tests.faults.pair import pair as two_servers
from tests.long import many
from tests.product import Product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.later, pytest.mark.timeout(540)]
ROUNDS = many(1, 2)


def test_a_line_moves_when_its_holder_freezes_and_one_host_alone_acts(database_url: str, phone: str) -> None:
    with two_servers(database_url) as both:
        line_id = make_line(both.one, warm_up=False)
        owner = pair(both.one, line_id)

        def holder() -> Product:
            (found,) = (one for one in (both.one, both.other) if hosts(one, line_id))
            return found

        said: list[str] = []
        written: list[str] = []

        def send_and_see(who: Product, text: str) -> None:
            """A request that a freeze cut in two may be refused, or given up on a slow machine; what was taken is sent."""
            body = {"phone": phone, "message": text, "instance_id": line_id}
            try:
                status, told = who.call("POST", "/messages/send", body)
            except TimeoutError:
                # Nobody knows whether it was taken; whether it was sent is compared with what is stored.
                return
            if status in (200, 202):
                said.append(text)
            else:
                assert (status, told["code"]) == (503, "storage_unavailable"), told

        for number in range(ROUNDS):
            sleeper = holder()
            awake = both.other if sleeper is both.one else both.one
            # Something may be on its way when the holder freezes.
            on_its_way = in_background(functools.partial(send_and_see, sleeper, f"before {number}"))
            freeze(sleeper)
            try:
                wait_until(lambda who=awake: bool(hosts(who, line_id)), "the other server to run the line", 90)
            except AssertionError as error:
                error.add_note(f"round {number}; it said:\n{awake.server.said()[-6_000:]}")
                raise
            send(awake, line_id, phone, f"beside {number}")
            both.other.sandbox_call("POST", f"/phones/{phone}/messages", {"text": f"in {number}", "to": owner})
            said.append(f"beside {number}")
            written.append(f"in {number}")
            wait_until(lambda n=number: f"beside {n}" in texts(both.other, phone), "what was sent beside it", 90)
            go_on(sleeper)
            on_its_way.join(90)
            # The woken one finds that it has lost the line, and its host ends.
            wait_until(lambda who=sleeper: not hosts(who, line_id), "the host of before to end", 90)
            assert holder() is awake
            send(sleeper, line_id, phone, f"after {number}")
            said.append(f"after {number}")
            wait_until(lambda n=number: f"after {n}" in texts(both.other, phone), "what was sent after it", 90)

        def heard() -> bool:
            page = both.one.call("GET", f"/messages?phone={phone}&direction=in&limit=50")[1]["data"]
            return sorted(one["text"] for one in page) == written

        wait_until(heard, "what was written, each once", 90)
        wait_until(lambda: set(texts(both.other, phone)) >= set(said), "everything that was sent", 90)

        def each_once() -> bool:
            stored = both.one.call("GET", f"/messages?phone={phone}&direction=out&limit=50")[1]["data"]
            return Counter(texts(both.other, phone)) == Counter(one["text"] for one in stored)

        wait_until(each_once, "what is stored, each once", 90)
