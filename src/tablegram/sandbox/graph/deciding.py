"""What becomes of templates, by hand.

GET  /sandbox/templates                            every line's templates
POST /sandbox/templates/{number_id}/{template_id}  {"event": "APPROVED", "reason": ""} and {"quality": "GREEN"}
"""

from __future__ import annotations

from typing import Any, TypedDict

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.errors import Invalid, NotFound
from tablegram.sandbox.graph.errors import GraphError
from tablegram.sandbox.graph.template_desk import EVENTS, SCORES
from tablegram.sandbox.graph.templates import TEMPLATES, Template
from tablegram.sandbox.network import Network
from tablegram.sandbox.requests import must_have_number, read_body

# What every line has without handing it over.
_EVERYWHERE = frozenset(one["id"] for one in TEMPLATES)


class DecisionForm(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    event: str = ""
    reason: str = ""
    quality: str = ""


class OfferedTemplate(Template):
    """With the line that has it, and whether that has handed it over."""

    number_id: str
    line: str
    submitted: bool


class OfferedTemplates(TypedDict):
    data: list[OfferedTemplate]


@get("/templates")
async def list_templates(network: NamedDependency[Network]) -> OfferedTemplates:
    return {
        "data": [
            {
                "number_id": number.id,
                "line": number.shown_name,
                "submitted": template["id"] not in _EVERYWHERE,
                **template,
            }
            for number in network.store.numbers()
            for template in network.templates.of(number.waba_id)
        ]
    }


@post("/templates/{number_id:str}/{template_id:str}", status_code=200)
async def decide(
    request: Request[Any, Any, Any],
    network: NamedDependency[Network],
    number_id: FromPath[str],
    template_id: FromPath[str],
) -> Template:
    number = must_have_number(network, number_id)
    asked = await read_body(request, DecisionForm)
    if asked.event and asked.event not in EVENTS:
        raise Invalid.field("event", "event_unknown", f"The event is one of {', '.join(EVENTS)}.")
    if asked.quality and asked.quality not in SCORES:
        raise Invalid.field("quality", "quality_unknown", f"The quality is one of {', '.join(SCORES)}.")
    if not asked.event and not asked.quality:
        raise Invalid.field("event", "event_missing", "Say what becomes of the template, or how good it is.")
    try:
        told = network.templates.rate(number, template_id, asked.quality) if asked.quality else None
        if asked.event:
            told = network.templates.decide(number, template_id, asked.event, asked.reason[:60])
    except GraphError as error:
        raise NotFound(error.details, code="template_not_found") from None
    assert told is not None
    network.live.publish("templates", {"number_id": number.id, "id": template_id})
    return told


HANDLERS = [list_templates, decide]
