"""Callbacks of the network, as they come in and are worked on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tablegram.messaging.switchboard import LiveLine
from tests.drained import drain_once
from tests.messaging.gateway import Gateway

PAYLOADS = Path(__file__).parents[1] / "payloads" / "cloud"


def payload(name: str) -> bytes:
    return (PAYLOADS / f"{name}.json").read_bytes()


async def receive(one: Gateway, line: LiveLine, raw: bytes) -> None:
    """Keep one callback of a line, and work on it."""
    await one.inbox.store(line.instance.account_id, f"cloud:{line.instance.id}", raw)
    await drain_once(one.inbox)


_number = 0


async def status(one: Gateway, line: LiveLine, network_id: str, word: str, correlation: str = "", **more: Any) -> None:
    """One step of a message. Every call is a callback of its own, even with the same words."""
    global _number
    _number += 1
    step = {
        "id": network_id, "status": word, "timestamp": str(one.clock.now_ms() // 1_000), "recipient_id": "905551112233",
        "biz_opaque_callback_data": correlation, **more,
    }  # fmt: skip
    change = {"field": "messages", "value": {"metadata": {"phone_number_id": "1065"}, "statuses": [step]}}
    await receive(
        one, line, msgspec.json.encode({"object": f"n{_number}", "entry": [{"id": "1", "changes": [change]}]})
    )
