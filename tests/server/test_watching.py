"""Who watches a running product follows one request through every hop of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from tests.product import running_product, wait_until

PHONE = "905551112266"
WORDS = "Masanız hazır"
SETTINGS = {
    "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8",
    "TABLEGRAM_LOG_FORMAT": "json",
    "TABLEGRAM_LOG_TRAIL": "1",
}
HOPS = [
    "request answered",
    "message accepted",
    "message sent",
    "message reported delivered",
    "event taken",
]


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return


@contextmanager
def endpoint() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Taking) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
        server.shutdown()


@pytest.mark.slow
def test_one_request_is_followed_from_the_call_to_the_endpoint(database_url: str) -> None:
    with endpoint() as url, running_product(database_url, settings=SETTINGS) as product:
        assert product.call("POST", "/webhooks", {"url": url, "events": ["messages.update"]})[0] == 201
        asked = {"X_Request_Id": "dinner-42", "Prefer": "respond-async"}
        status, answer = product.send(PHONE, WORDS, **asked)
        assert (status, answer["status_code"]) == (200, "queued")

        def lines() -> list[dict[str, Any]]:
            said = [json.loads(line) for line in product.server.said().splitlines() if line.startswith("{")]
            return [one for one in said if one.get("request_id") == "dinner-42"]

        wait_until(lambda: set(HOPS) <= {one["message"] for one in lines()}, "every hop in the log")
        found = lines()
        told = [one for one in found if one["message"].startswith("message")]
        assert {one["message_id"] for one in told} == {answer["message_id"]}
        # The log knows the message by its id: neither whom it went to nor what it says.
        log = product.server.said()
        assert PHONE not in log
        assert WORDS not in json.dumps(found, ensure_ascii=False)
        assert product.key not in log

        # Who looks at the terminal sees the process, the line that it runs, and what waits for it.
        send_at = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        later = {"phone": PHONE, "message": WORDS, "send_at": send_at}
        assert product.call("POST", "/messages/send", later)[0] == 200
        seen = product.cli("top")
        (node,), (line,) = seen["nodes"], seen["lines"]
        assert (node["alive"], node["lines"], line["node"]) == (True, [line["id"]], node["id"])
        assert (line["state"], line["waiting"], line["oldest_s"]) == ("connected", 1, 0)
        assert [one["waiting"] for one in seen["queues"] if one["name"] == "messages out"] == [1]
