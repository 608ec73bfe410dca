"""Who watches a running product follows one request through every hop of it, in its log and as one trace."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

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


# What the product sent to the collector.
SPANS: list[Any] = []
CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"


def _spans(body: bytes) -> list[Any]:
    told = ExportTraceServiceRequest.FromString(body)
    return [span for resource in told.resource_spans for scope in resource.scope_spans for span in scope.spans]


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/traces":
            packed = self.headers.get("content-encoding") == "gzip"
            SPANS.extend(_spans(gzip.decompress(body) if packed else body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        return


@contextmanager
def endpoint() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Taking) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def _collected(url: str) -> dict[str, str]:
    # The library's own setting: it gathers for seconds otherwise.
    return {**SETTINGS, "TABLEGRAM_TRACES_URL": f"{url}/v1/traces", "OTEL_BSP_SCHEDULE_DELAY": "200"}


@pytest.mark.slow
def test_one_request_is_followed_from_the_call_to_the_endpoint(database_url: str) -> None:
    SPANS.clear()
    with endpoint() as url, running_product(database_url, settings=_collected(url)) as product:
        assert product.call("POST", "/webhooks", {"url": f"{url}/hook", "events": ["messages.update"]})[0] == 201
        parent = f"00-{CALLER}-00f067aa0ba902b7-01"
        asked = {"X_Request_Id": "dinner-42", "Prefer": "respond-async", "Traceparent": parent}
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

        # One trace, which the caller began: the call, and below it all that came of it later.
        def traced() -> list[Any]:
            return [span for span in SPANS if span.trace_id.hex() == CALLER]

        wait_until(
            lambda: {"request", "send", "report", "deliver"} <= {one.name for one in traced()},
            "every span at the collector",
        )
        (request,) = [span for span in traced() if span.name == "request"]
        assert request.parent_span_id.hex() == "00f067aa0ba902b7"
        assert {one.parent_span_id for one in traced() if one is not request} == {request.span_id}
        assert PHONE not in str(SPANS)

        # Who looks at the terminal sees the process, the line that it runs, and what waits for it.
        send_at = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        later = {"phone": PHONE, "message": WORDS, "send_at": send_at}
        assert product.call("POST", "/messages/send", later)[0] == 200
        seen = product.cli("top")
        (node,), (line,) = seen["nodes"], seen["lines"]
        assert (node["alive"], node["lines"], line["node"]) == (True, [line["id"]], node["id"])
        assert (line["state"], line["waiting"], line["oldest_s"]) == ("connected", 1, 0)
        assert [one["waiting"] for one in seen["queues"] if one["name"] == "messages out"] == [1]
