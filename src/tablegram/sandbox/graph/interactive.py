"""Interactive messages: buttons, lists, a link button, a request for the customer's location."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablegram.sandbox.graph.errors import missing, wrong
from tablegram.sandbox.graph.fields import fields, text_of
from tablegram.sandbox.phones.shown import Choice, Content, Section
from tablegram.values import Json


def read_interactive(asked: Json) -> Content:
    """Check an interactive object and put it into the phone's terms."""
    kind = asked.get("type")
    if not isinstance(kind, str) or kind not in _ACTIONS:
        raise wrong("interactive['type']", f"must be one of {', '.join(_ACTIONS)}")
    body = fields(asked.get("body") or {}, "interactive['body']")
    content: Content = {"text": text_of(body, "text", "interactive['body']", 1_024)}
    if asked.get("header"):
        content["header"] = _line(asked, "header")
    if asked.get("footer"):
        content["footer"] = _line(asked, "footer")
    action = fields(asked.get("action") or {}, "interactive['action']")
    return content | _ACTIONS[kind](action)


def _line(asked: Json, name: str) -> str | None:
    path = f"interactive['{name}']"
    return text_of(fields(asked[name], path), "text", path, 60, required=False)


def _buttons(action: Json) -> Content:
    buttons = action.get("buttons")
    if not isinstance(buttons, list) or not buttons:
        raise missing("interactive['action']['buttons']")
    if len(buttons) > 3:
        raise wrong("interactive['action']['buttons']", "must have at most 3 buttons")
    shown: list[Choice] = []
    for position, button in enumerate(buttons):
        path = f"interactive['action']['buttons'][{position}]['reply']"
        reply = fields(fields(button, path).get("reply"), path)
        shown.append({"id": text_of(reply, "id", path, 256), "title": text_of(reply, "title", path, 20)})
    _distinct([button["id"] for button in shown], "buttons")
    return {"buttons": shown}


def _list(action: Json) -> Content:
    path = "interactive['action']"
    label = text_of(action, "button", path, 20)
    sections = action.get("sections")
    if not isinstance(sections, list) or not sections:
        raise missing(f"{path}['sections']")
    shown: list[Section] = []
    for position, section in enumerate(sections):
        here = f"{path}['sections'][{position}]"
        title = text_of(fields(section, here), "title", here, 24, required=len(sections) > 1)
        rows = section.get("rows")
        if not isinstance(rows, list) or not rows:
            raise missing(f"{here}['rows']")
        shown.append({"title": title, "rows": [_row(row, f"{here}['rows'][{at}]") for at, row in enumerate(rows)]})
    ids = [row["id"] for section in shown for row in section["rows"]]
    if len(ids) > 10:
        raise wrong(f"{path}['sections']", "must have at most 10 rows in all")
    _distinct(ids, "rows")
    return {"list": {"button": label, "sections": shown}}


def _row(row: Any, path: str) -> Choice:
    asked = fields(row, path)
    return {
        "id": text_of(asked, "id", path, 200),
        "title": text_of(asked, "title", path, 24),
        "description": text_of(asked, "description", path, 72, required=False),
    }


def _link(action: Json) -> Content:
    path = "interactive['action']['parameters']"
    parameters = fields(action.get("parameters"), path)
    url = text_of(parameters, "url", path, 2_000)
    if not url.startswith(("http://", "https://")):
        raise wrong(f"{path}['url']", "must start with http:// or https://")
    return {"link_button": {"title": text_of(parameters, "display_text", path, 20), "url": url}}


def _location_request(action: Json) -> Content:
    if action.get("name") != "send_location":
        raise wrong("interactive['action']['name']", "must be send_location")
    return {"location_request": True}


def _distinct(ids: list[Any], what: str) -> None:
    if len(set(ids)) != len(ids):
        raise wrong(f"interactive['action']['{what}']", "must have different ids")


_ACTIONS: dict[str, Callable[[Json], Content]] = {
    "button": _buttons,
    "list": _list,
    "cta_url": _link,
    "location_request_message": _location_request,
}
