"""Buttons of a reply, and who taps them."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House


async def buttons(one: House) -> list[dict[str, str]]:
    """Of the last message to the guest."""
    content = msgspec.json.decode((await one.pool.messages("out"))[-1]["content"])["content"]
    found: list[dict[str, str]] = content.get("buttons", [])
    return found


async def tap(one: House, button_id: str, network_id: str, phone: str = PHONE) -> None:
    reply = {"type": "button_reply", "button_reply": {"id": button_id, "title": "Onayla"}}
    message: dict[str, Any] = {
        "from": phone, "id": network_id, "type": "interactive", "timestamp": str(one.clock.now_ms() // 1_000),
        "interactive": reply,
    }  # fmt: skip
    await one.pool.receive(message, people=[{"profile": {"name": "Ayşe"}, "wa_id": phone}])
