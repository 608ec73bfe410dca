"""Two servers and one linked line: what is asked of the one that does not run it is done, over either bus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.nats_server import nats_server
from tests.faults.linked import make_line, pair, state
from tests.faults.pair import pair as two_servers
from tests.product import Product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.later, pytest.mark.timeout(300)]


@pytest.fixture(params=["store", "nats"])
def nats_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "store":
        yield ""
        return
    with nats_server() as server:
        yield server.url


def test_whichever_server_is_asked_marks_a_message_read_and_ends_a_pairing(
    database_url: str, phone: str, nats_url: str
) -> None:
    with two_servers(database_url, nats_url=nats_url) as both:
        line_id = make_line(both.one, warm_up=False)
        owner = pair(both.other, line_id)
        both.one.sandbox_call("POST", f"/phones/{phone}/messages", {"text": "Hello", "to": owner})
        found: list[str] = []

        def has_come() -> bool:
            page = both.one.call("GET", f"/messages?phone={phone}&direction=in")[1]["data"]
            found.extend(one["message_id"] for one in page)
            return bool(found)

        wait_until(has_come, "the message to come", 90)

        def is_read(by: Product) -> bool:
            return bool(by.call("POST", f"/messages/{found[0]}/read")[0] == 200)

        # One of them runs the line, the other one does not.
        for server in (both.one, both.other):
            wait_until(lambda by=server: is_read(by), "the message to be marked read", 60)
        for server in (both.one, both.other):
            status, told = server.call("POST", f"/instances/{line_id}/logout")
            assert status == 200, told
            # The answer does not wait for as long as a busy machine may take.
            wait_until(lambda by=server: state(by, line_id) == "logged_out", "the line to say so", 60)
            pair(server, line_id)
