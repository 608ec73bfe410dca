"""What the pages about events say is true: samples, vectors, the schedule, and the receiver runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from tablegram.events.catalogue import WHEN
from tablegram.events.planning import Planner, event_of
from tablegram.events.samples import SAMPLES
from tablegram.events.schedule import RETRY_S
from tablegram.flows.gateway.announcing import Announcer
from tablegram.media.files import told
from tablegram.media.rows import Facts
from tablegram.messaging.incoming import InboundMedia, InboundMessage
from tablegram.values.clock import Clock
from tablegram.values.http.signing import new_secret, prepare, sign
from tests.ports import free_port
from tests.product import wait_until

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "events.md").read_text(encoding="utf-8")
HOW_TO = (DOCS / "how-to" / "receive-events.md").read_text(encoding="utf-8")
BLOCKS: list[dict[str, Any]] = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", REFERENCE, re.DOTALL)]
VECTORS = [block for block in BLOCKS if "webhook-signature" in block]


def test_every_event_is_on_the_page_with_its_sample_and_its_moment() -> None:
    shown = {block["event"]: block for block in BLOCKS if "event" in block}
    assert shown == SAMPLES
    for kind, when in WHEN.items():
        assert f"### {kind}\n\n{when}\n" in REFERENCE


def test_the_fields_of_a_file_on_the_page_are_those_that_events_have() -> None:
    """At first, once it is here as something else than was claimed, and when it is not to be had."""
    item = InboundMessage(
        network_id="wamid.1", at_ms=0, type="image", network_type="image", phone_number_id="1", sender_phone="905551112233",
        sender_user_id="", sender_name="", media=InboundMedia(media_id="1"), raw={},
    )  # fmt: skip
    clock = Clock()
    plan = Announcer(Planner(None, clock), clock, "https://example.com/media").received(1, 1, item, "c", "med_1")  # type: ignore[arg-type]
    assert event_of(plan)
    first = json.loads(str(plan[0][1]["body"]))["data"]["media"]
    row: Facts = {
        "mime_type": "image/png", "size": 1, "sha256": "0", "error_code": "media_gone", "error_detail": "Gone.",
        "state": "kept", "claimed_type": "image/jpeg",
    }  # fmt: skip
    here = told(row)
    failed = told({**row, "state": "failed", "claimed_type": None})
    assert set(failed["error"]) == {"code", "detail"}
    table = REFERENCE.partition("| Field of `media` | Meaning |")[2].partition("\n\n")[0]
    shown = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(shown) == sorted({*first, *here, *failed})
    # What is there from the beginning is never missing; the others are the exception, and said to be.
    assert set(re.findall(r"^\| `(\w+)` \| only when", table, re.MULTILINE)) == set(shown) - set(first)


def test_the_schedule_on_the_page_is_the_schedule() -> None:
    shown = re.search(r"\*\*Retries\*\* after ([\d, and]+) seconds", REFERENCE)
    assert shown
    assert tuple(int(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*(?=, | and |$)", shown[1])) == RETRY_S


@pytest.mark.parametrize("vector", VECTORS, ids=["text", "empty", "rotation"])
def test_the_published_vectors_hold_for_us_and_for_the_reference_library(vector: dict[str, Any]) -> None:
    stamp, body = int(vector["webhook-timestamp"]), vector["body"]
    ours = sign([prepare(secret) for secret in vector["secrets"]], vector["webhook-id"], stamp, body.encode())
    assert ours == vector["webhook-signature"]
    at = datetime.fromtimestamp(stamp, UTC)
    theirs = [Webhook(secret).sign(vector["webhook-id"], at, body) for secret in vector["secrets"]]
    assert " ".join(theirs) == vector["webhook-signature"]


def _post(
    port: int, secret: str, event: dict[str, Any], *, event_id: str = "evt_1", late_s: int = 0, spoil: bool = False
) -> int:
    body = json.dumps(event).encode()
    stamp = int(time.time()) - late_s
    signature = sign([prepare(new_secret()), prepare(secret)], event_id, stamp, body)
    headers = {"webhook-id": event_id, "webhook-timestamp": str(stamp), "webhook-signature": signature}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", data=body + b" " * spoil, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_the_receiver_of_the_how_to_takes_what_is_genuine_once_and_nothing_else(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    script, secret, port = tmp_path / "receiver.py", new_secret(), free_port()
    script.write_text(program, encoding="utf-8")
    environment = {**os.environ, "WEBHOOK_SECRET": secret, "PORT": str(port)}
    event = {"event": "messages.upsert", "data": {"from": "905551112233", "type": "text", "text": "hello"}}
    with subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            wait_until(lambda: _reached(port), "the receiver to listen")
            assert _post(port, secret, event) == 204
            assert _post(port, secret, event) == 204
            assert _post(port, new_secret(), event, event_id="evt_2") == 401
            assert _post(port, secret, event, event_id="evt_3", late_s=301) == 401
            assert _post(port, secret, event, event_id="evt_4", late_s=-400) == 401
            assert _post(port, secret, event, event_id="evt_5", spoil=True) == 401
            assert _post(port, secret, {"event": "messages.update"}, event_id="evt_6") == 204
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(2)] == ["905551112233 wrote: hello\n", "messages.update\n"]
        finally:
            process.kill()


def _reached(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
