"""Templates that are always made and always there."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.engine.idempotency import Answer
from tablegram.flows.gateway.answers.templates import TemplateSync, TemplateView

TEMPLATE = TemplateView(
    id="tpl-1",
    instance_id=1,
    name="order_ready",
    language="en",
    status="PENDING",
    category="UTILITY",
    quality="",
    reason="",
    text="It is ready.",
    variables=[],
    components=[{"type": "BODY", "text": "It is ready."}],
    synced_at="2026-03-01T18:30:00.000Z",
)


class StubTemplates:
    async def page(self, *given: Any, **named: Any) -> dict[str, Any]:
        return {"data": [TEMPLATE], "next_cursor": None}

    async def create(self, *given: Any) -> Answer:
        return Answer(201, msgspec.json.encode(TEMPLATE))

    async def sync(self, *given: Any) -> Answer:
        return Answer(200, msgspec.json.encode(TemplateSync(instance_id=1, templates=1, added=1, changed=0, removed=0)))

    async def get(self, *given: Any) -> TemplateView:
        return TEMPLATE

    async def update(self, *given: Any) -> TemplateView:
        return TEMPLATE

    async def delete(self, *given: Any) -> None:
        return None
