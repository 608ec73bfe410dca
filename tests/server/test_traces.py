"""One request is one trace, however many processes work on it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.faults.pair import SETTINGS, second
from tests.product import Product, prepare, wait_until
from tests.server.collector import collector

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.later]

PHONE = "905551112277"
CALLER = "6bf92f3577b34da6a3ce929d0e0e4737"
ROLES = ("api", "lines", "worker")


@contextmanager
def one_of_each_role(database_url: str, settings: dict[str, str]) -> Iterator[dict[str, Product]]:
    with tempfile.TemporaryDirectory(prefix="tablegram-roles-") as name, ExitStack() as stack:
        like = prepare(database_url, Path(name), sandbox_alone=True, settings={**SETTINGS, **settings})
        assert like.sandbox is not None
        like.sandbox.start()
        stack.callback(like.sandbox.stop)
        found = {"api": like}
        for role in ROLES[1:]:
            folder = Path(name) / role
            folder.mkdir()
            found[role] = second(like, folder)
        for role, product in found.items():
            product.server.environment["TABLEGRAM_ROLE"] = role
            product.server.start()
            stack.callback(product.server.stop)
        yield found


def test_a_send_that_one_process_accepts_and_another_sends_is_one_trace(database_url: str) -> None:
    with collector() as collecting, one_of_each_role(database_url, collecting.settings) as servers:
        door = servers["api"]
        endpoint = {"url": f"{collecting.url}/hook", "events": ["messages.update"]}
        assert door.call("POST", "/webhooks", endpoint)[0] == 201
        parent = f"00-{CALLER}-00f067aa0ba902b7-01"
        status, answer = door.send(PHONE, "Masanız hazır", Traceparent=parent)
        assert (status, answer["status_code"]) == (200, "queued"), answer

        def spans() -> dict[str, tuple[int, Any]]:
            return {span.name: (pid, span) for pid, span in collecting.trace(CALLER)}

        # The play network reports to the process that introduced the line, which is none that takes reports here.
        wait_until(lambda: {"request", "send", "deliver"} <= spans().keys(), "every span at the collector")
        found = spans()
        told = {name: pid for name, (pid, _) in found.items()}
        pids = {role: servers[role].server.pid for role in ROLES}
        assert (told["request"], told["send"], told["deliver"]) == (pids["api"], pids["lines"], pids["worker"])
        # The caller's own span is above the request, and the request above what other processes did for it.
        request = found["request"][1]
        assert request.parent_span_id.hex() == "00f067aa0ba902b7"
        assert {span.parent_span_id for _, span in collecting.trace(CALLER) if span.name != "request"} == {
            request.span_id
        }
