"""Who watches a running product follows one request through every hop of it, in its log and as one trace."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.product import running_product, wait_until
from tests.server.collector import collector

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

CALLER = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.slow
def test_one_request_is_followed_from_the_call_to_the_endpoint(database_url: str) -> None:
    with (
        collector() as collecting,
        running_product(database_url, settings={**SETTINGS, **collecting.settings}) as product,
    ):
        endpoint = {"url": f"{collecting.url}/hook", "events": ["messages.update"]}
        assert product.call("POST", "/webhooks", endpoint)[0] == 201
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
            return [span for _, span in collecting.trace(CALLER)]

        wait_until(
            lambda: {"request", "send", "report", "deliver"} <= {one.name for one in traced()},
            "every span at the collector",
        )
        (request,) = [span for span in traced() if span.name == "request"]
        assert request.parent_span_id.hex() == "00f067aa0ba902b7"
        assert {one.parent_span_id for one in traced() if one is not request} == {request.span_id}
        assert PHONE not in str(collecting.told)

        # Who looks at the terminal sees the process, the line that it runs, and what waits for it.
        send_at = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        later = {"phone": PHONE, "message": WORDS, "send_at": send_at}
        assert product.call("POST", "/messages/send", later)[0] == 200
        seen = product.cli("top")
        (node,), (line,) = seen["nodes"], seen["lines"]
        assert (node["alive"], node["lines"], line["node"]) == (True, [line["id"]], node["id"])
        assert (line["state"], line["waiting"], line["oldest_s"]) == ("connected", 1, 0)
        assert [one["waiting"] for one in seen["queues"] if one["name"] == "messages out"] == [1]
