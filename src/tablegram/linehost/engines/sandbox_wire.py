"""Between the protocol's words and those of the sandbox network, which are the Cloud API's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tablegram.linehost.engines.port import Facts, Outgoing, Refusal

MEDIA = ("image", "video", "document", "audio", "sticker")


def payload(order: Outgoing, upload: Callable[[Facts], str]) -> Facts:
    """A message as the network takes it; `upload` gives a file's id there."""
    content = order.content
    kind = content["type"]
    body: Facts = {"messaging_product": "whatsapp", "to": order.to, "biz_opaque_callback_data": order.key}
    if order.reply_to:
        body["context"] = {"message_id": order.reply_to}
    if kind == "text":
        return {**body, "type": "text", "text": {"body": content["text"]}}
    if kind in MEDIA:
        media: Facts = {"id": upload(content)}
        if content.get("caption"):
            media["caption"] = content["caption"]
        if kind == "document" and content.get("filename"):
            media["filename"] = content["filename"]
        return {**body, "type": kind, kind: media}
    if kind == "location":
        return {**body, "type": kind, kind: {k: v for k, v in content.items() if k != "type" and v != ""}}
    if kind == "contacts":
        return {**body, "type": kind, kind: content["contacts"]}
    if kind == "reaction":
        return {**body, "type": kind, kind: {"message_id": content["id"], "emoji": content["emoji"]}}
    if kind in ("buttons", "list"):
        return {**body, "type": "interactive", "interactive": _interactive(kind, content)}
    if kind == "location_request":
        asked = {
            "type": "location_request_message",
            "body": {"text": content["body"]},
            "action": {"name": "send_location"},
        }
        return {**body, "type": "interactive", "interactive": asked}
    raise Refusal("content_unsupported", f"This line cannot send {kind}.")


def _interactive(kind: str, content: Facts) -> Facts:
    made: Facts = {"type": "button" if kind == "buttons" else "list", "body": {"text": content["body"]}}
    if content.get("header"):
        made["header"] = {"type": "text", "text": content["header"]}
    if content.get("footer"):
        made["footer"] = {"text": content["footer"]}
    if kind == "buttons":
        made["action"] = {"buttons": [{"type": "reply", "reply": one} for one in content["buttons"]]}
    else:
        made["action"] = {"button": content["button"], "sections": content["sections"]}
    return made


def lid(user_id: str) -> str:
    """A phone's id on the network in the form of linked devices."""
    digits = user_id.rpartition(".")[2]
    return f"{digits}@lid" if digits else ""


Told = tuple[str, str, Facts]


def read_values(values: list[Facts]) -> Iterator[Told]:
    """What the network tells, in the protocol's words: the kind, a name that is always the same, and what it is."""
    for value in values:
        names = {one.get("wa_id", ""): one.get("profile", {}).get("name", "") for one in value.get("contacts", ())}
        for message in value.get("messages", ()):
            yield "message", f"m:{message['id']}", _message(message, names)
        for echo in value.get("message_echoes", ()):
            to = {"phone": echo.get("to", ""), "lid": lid(echo.get("to_user_id", ""))}
            data = _message(echo, {}) | {"echo": True, "to": to}
            yield "message", f"m:{echo['id']}", data
        for status in value.get("statuses", ()):
            yield "receipt", f"r:{status['id']}:{status['status']}", _receipt(status)


def _message(message: Facts, names: dict[str, str]) -> Facts:
    kind = message.get("type", "")
    told: Facts = {
        "id": message["id"],
        "at_ms": int(message["timestamp"]) * 1_000,
        "from": {
            "phone": message.get("from", ""),
            "lid": lid(message.get("from_user_id", "")),
            "name": names.get(message.get("from", ""), ""),
        },
        "type": kind,
        "reply_to": (message.get("context") or {}).get("id", ""),
        "group": message.get("group_id", ""),
        "raw": message,
    }
    body: Any = message.get(kind)
    if kind == "text":
        told["text"] = body["body"]
    elif kind in MEDIA:
        told["text"] = body.get("caption", "")
        told["media"] = {name: body.get(name, "") for name in ("id", "mime_type", "sha256", "filename")}
        told["media"]["voice"] = bool(body.get("voice"))
    elif kind == "interactive":
        shape = body.get("type", "")
        reply = body.get(shape) or {}
        told |= {"type": "list" if shape == "list_reply" else "button", "text": reply.get("title", ""), "body": reply}
    elif kind in ("location", "contacts", "reaction"):
        told["body"] = body
        told["text"] = body.get("emoji", "") if kind == "reaction" else ""
    return told


def _receipt(status: Facts) -> Facts:
    told: Facts = {
        "id": status["id"],
        "key": status.get("biz_opaque_callback_data", ""),
        "status": status["status"],
        "at_ms": int(status["timestamp"]) * 1_000,
        "to": status.get("recipient_id", ""),
    }
    if status.get("errors"):
        error = status["errors"][0]
        told["error"] = {"code": error.get("code"), "detail": error.get("title", "")}
        if error.get("code") == 463:
            told["error"]["reason"] = "reachout_limited"
    return told
