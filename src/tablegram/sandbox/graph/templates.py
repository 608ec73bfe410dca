"""The message templates that every line of the sandbox has, and how one is filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from tablegram.sandbox.graph.answers import Paging
from tablegram.sandbox.graph.errors import GraphError, wrong
from tablegram.sandbox.phones.shown import Choice, Content
from tablegram.values import Json, dicts, string

_ORDER_EN = "Hello {{1}}, we have received your order {{2}}. Total: {{3}}. Thank you!"
_ORDER_TR = "Merhaba {{1}}, {{2}} numaralı siparişinizi aldık. Toplam: {{3}}. Teşekkürler!"


class Quality(TypedDict):
    score: str
    date: int


class Template(TypedDict):
    """As a line is told of it."""

    id: str
    name: str
    language: str
    status: str
    category: str
    parameter_format: str
    # As they were handed over.
    components: list[Json]
    rejected_reason: NotRequired[str]
    quality_score: NotRequired[Quality]


class Decision(TypedDict):
    status: str
    rejected_reason: str


class TemplateRecord(Template):
    """As it is kept: with what is decided, and from when on it is so."""

    decides_ms: NotRequired[int]
    decision: NotRequired[Decision]
    deleted_ms: NotRequired[int]


class TemplatePage(TypedDict):
    data: list[Template]
    paging: Paging


def _template(
    id: str,
    name: str,
    language: str,
    status: str,
    category: str,
    body: str,
    example: list[str],
    buttons: list[Json] | None = None,
    rejected_reason: str = "",
) -> TemplateRecord:
    components: list[Json] = [{"type": "BODY", "text": body, "example": {"body_text": [example]}}]
    if buttons:
        components.append({"type": "BUTTONS", "buttons": buttons})
    made: TemplateRecord = {
        "id": id,
        "name": name,
        "language": language,
        "status": status,
        "category": category,
        "parameter_format": "POSITIONAL",
        "components": components,
    }
    if rejected_reason:
        made["rejected_reason"] = rejected_reason
    return made


_REPLY: Json = {"type": "QUICK_REPLY"}
TEMPLATES: list[TemplateRecord] = [
    _template(
        "900000000000001",
        "order_confirmation",
        "en",
        "APPROVED",
        "UTILITY",
        _ORDER_EN,
        ["Tom", "ORD-20260105-0001", "£18.50"],
        [_REPLY | {"text": "Where is it?"}, _REPLY | {"text": "Cancel"}],
    ),
    _template(
        "900000000000002",
        "order_confirmation",
        "tr",
        "APPROVED",
        "UTILITY",
        _ORDER_TR,
        ["Ayşe", "ORD-20260105-0001", "₺640,00"],
        [_REPLY | {"text": "Nerede?"}, _REPLY | {"text": "İptal"}],
    ),
    _template(
        "900000000000003",
        "hello_world",
        "en_US",
        "APPROVED",
        "UTILITY",
        "Welcome! This message came through the sandbox network.",
        [],
    ),
    _template(
        "900000000000004",
        "shipping_link",
        "en",
        "APPROVED",
        "UTILITY",
        "Hello {{1}}, your order is on its way. Follow it here: {{2}}",
        ["Tom", "https://shop.example/t/1"],
    ),
    _template(
        "900000000000005",
        "weekend_offer",
        "en",
        "APPROVED",
        "MARKETING",
        "Hi {{1}}, this weekend your second coffee is on us.",
        ["Tom"],
    ),
    _template(
        "900000000000006",
        "weekend_offer",
        "tr",
        "PENDING",
        "MARKETING",
        "Merhaba {{1}}, bu hafta sonu ikinci kahven bizden.",
        ["Ayşe"],
    ),
    _template(
        "900000000000007",
        "last_chance",
        "en",
        "REJECTED",
        "MARKETING",
        "{{1}}!!! LAST CHANCE!!! Buy now!",
        ["Tom"],
        rejected_reason="TAG_CONTENT_MISMATCH",
    ),
]

_PLACEHOLDER = re.compile(r"\{\{(\w{1,60})\}\}", re.ASCII)
# What a line is told when it sends one that may not be sent; any other is as if it were not there.
_UNSENDABLE = {"PAUSED": 132015, "DISABLED": 132016}
# How the name of a sample file begins.
HANDLE = "4::"
_LEADING = ("URL", "PHONE_NUMBER")


def page(templates: Sequence[Template], limit: int, after: str | None) -> TemplatePage:
    """A page of templates with the Graph API's cursors."""
    ids = [template["id"] for template in templates]
    start = ids.index(after) + 1 if after in ids else 0
    data = list(templates[start : start + limit])
    paging: Paging = {"cursors": {"before": data[0]["id"], "after": data[-1]["id"]}} if data else {}
    if start + limit < len(ids):
        paging["next"] = f"/message_templates?after={ids[start + limit - 1]}"
    return {"data": data, "paging": paging}


def fill_in(templates: Sequence[Template], name: str, language: str, components: list[Any]) -> Content:
    """What the phone shows for a template message, or the refusal when it cannot be sent."""
    found = [item for item in templates if item["name"] == name and item["language"] == language]
    if not found:
        raise GraphError(132001, f"template name ({name}) does not exist in {language}", http_status=404)
    template = found[0]
    if template["status"] != "APPROVED":
        code = _UNSENDABLE.get(template["status"], 132001)
        http_status = 404 if code == 132001 else 400
        raise GraphError(code, f"template {name} in {language} is {template['status']}", http_status=http_status)
    parts = {str(part["type"]).upper(): part for part in template["components"]}
    filled = [
        _fill(part, str(parts[part.upper()].get("text", "")), components)
        for part in ("header", "body")
        if part.upper() in parts
    ]
    buttons = dicts(parts.get("BUTTONS", {}).get("buttons"))
    led = [f"{one['text']}: {one.get('url') or one.get('phone_number')}" for one in buttons if one["type"] in _LEADING]
    footer = string(parts.get("FOOTER", {}).get("text"))
    content: Content = {
        "text": "\n".join(line for line in (*filled, footer, *led) if line),
        "template": {"name": name, "language": language},
        "category": template["category"].lower(),
    }
    if quick := _buttons(buttons, components):
        content["buttons"] = quick
    return content


def _fill(part: str, text: str, components: list[Any]) -> str:
    values = _values(part, components)
    wanted = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    if all(place.isdecimal() for place in wanted):
        wanted.sort(key=int)
    # A file above the text is a value that no words have a place for.
    if len(values) != len(wanted) and (part == "body" or text):
        raise GraphError(
            132000,
            f"{part}: number of localizable_params ({len(values)}) does not match"
            f" the expected number of params ({len(wanted)})",
        )
    return _PLACEHOLDER.sub(lambda match: values[wanted.index(match.group(1))], text)


def _values(part: str, components: list[Any]) -> list[str]:
    values: list[str] = []
    for position, component in enumerate(components):
        if not isinstance(component, dict):
            raise wrong(f"template['components'][{position}]", "must be an object")
        if str(component.get("type", "")).lower() != part:
            continue
        for number, parameter in enumerate(_parameters(component, position)):
            value = _value(parameter)
            if value is None:
                raise wrong(f"template['components'][{position}]['parameters'][{number}]", "has no value")
            values.append(value)
    return values


def _parameters(component: Json, position: int) -> list[Any]:
    parameters = component.get("parameters") or []
    if not isinstance(parameters, list):
        raise wrong(f"template['components'][{position}]['parameters']", "must be a list")
    return parameters


def _value(parameter: Any) -> str | None:
    if not isinstance(parameter, dict):
        return None
    value = parameter.get(str(parameter.get("type", "text")))
    if isinstance(value, dict):
        value = value.get("fallback_value") or value.get("link") or value.get("id") or value.get("name")
    return value if isinstance(value, str) and value else None


def _buttons(buttons: list[Json], components: list[Any]) -> list[Choice]:
    """Quick replies; their payload is what the sender gave for that index, else their own text."""
    payloads: dict[str, str] = {}
    for position, component in enumerate(components):
        if str(component.get("type", "")).lower() == "button":
            for parameter in _parameters(component, position):
                if isinstance(parameter, dict) and isinstance(parameter.get("payload"), str):
                    payloads[str(component.get("index", 0))] = parameter["payload"]
    return [
        {"id": payloads.get(str(index), string(button["text"])), "title": string(button["text"])}
        for index, button in enumerate(buttons)
        if button["type"] == "QUICK_REPLY"
    ]
