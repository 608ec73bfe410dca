"""What a frame of a host must be. Members that are not known here are nobody's business."""

from __future__ import annotations

import base64
from typing import Any

from tablegram.linehost.wire import Frame

STATES = (
    "pairing", "connected", "degraded", "disconnected", "logged_out", "restricted", "needs_attention",
)  # fmt: skip
STATUSES = ("sent", "delivered", "read", "failed", "deleted")


class Breach(Exception):
    """The host does what it must not, in words for whoever writes it."""


def need(holds: bool, words: str) -> None:
    if not holds:
        raise Breach(words)


def look_at(frame: Frame) -> None:
    """Raises `Breach`."""
    meanings = [name for name in ("ready", "event", "note", "id") if name in frame]
    need(len(meanings) == 1, f"a frame must be one of ready, event, note or an answer with an id, not {meanings}")
    (meaning,) = meanings
    {"ready": _ready, "event": _event, "note": _note, "id": _answer}[meaning](
        frame if meaning == "id" else _object(frame, meaning)
    )


def _object(given: dict[str, Any], name: str) -> dict[str, Any]:
    value = given.get(name)
    need(isinstance(value, dict), f"{name} must be an object")
    return value if isinstance(value, dict) else {}


def _ready(ready: dict[str, Any]) -> None:
    need(_is_whole(ready.get("protocol")), "ready.protocol must be a whole number")
    need(isinstance(ready.get("engine"), str) and ready["engine"] != "", "ready.engine must be a name")
    need(isinstance(ready.get("version", ""), str), "ready.version must be a text")
    can = ready.get("can", [])
    need(isinstance(can, list) and all(isinstance(one, str) for one in can), "ready.can must be a list of words")


def _answer(frame: dict[str, Any]) -> None:
    need(_is_whole(frame["id"]), "the id of an answer must be that of the order, a whole number")
    need(("ok" in frame) != ("no" in frame), "an answer must have either ok or no")
    if "ok" in frame:
        _object(frame, "ok")
        return
    no = _object(frame, "no")
    need(isinstance(no.get("code"), str) and no["code"] != "", "no.code must be a stable word")
    need(isinstance(no.get("detail", ""), str), "no.detail must be a sentence")
    need(no.get("sent", "no") in ("no", "unknown"), "no.sent must be no or unknown")
    need(no.get("holds", "message") in ("message", "recipient", "line"), "no.holds must be message, recipient or line")
    need(no.get("again_s") is None or _is_number(no["again_s"]), "no.again_s must be a number of seconds")
    need(no.get("state", "") in ("", *STATES), f"no.state must be one of {', '.join(STATES)}")
    need(_is_whole(no.get("until_ms", 0)), "no.until_ms must be a whole number")
    need(no.get("network_code") is None or _is_whole(no["network_code"]), "no.network_code must be a whole number")


def _event(event: dict[str, Any]) -> None:
    need(_is_whole(event.get("n")), "event.n must be a whole number")
    for name in ("kind", "name"):
        need(isinstance(event.get(name), str) and event[name] != "", f"event.{name} must be a text")
    data = _object(event, "data")
    if event["kind"] in ("message", "edit", "revoke"):
        need(isinstance(data.get("id"), str) and data["id"] != "", "a message needs an id")
        need(_is_whole(data.get("at_ms")), "at_ms of a message must be a whole number of milliseconds")
        need(isinstance(data.get("type"), str), "type of a message must be a text")
        for side in ("from", "to"):
            person = data.get(side, {})
            texts = isinstance(person, dict) and all(isinstance(value, str) for value in person.values())
            need(texts, f"{side} of a message must be an object with phone, lid and name as texts")
    if event["kind"] == "receipt":
        need(isinstance(data.get("id"), str), "a receipt needs the message's id")
        need(data.get("status") in STATUSES, f"status of a receipt must be one of {', '.join(STATUSES)}")
        need(_is_whole(data.get("at_ms")), "at_ms of a receipt must be a whole number of milliseconds")


def _note(note: dict[str, Any]) -> None:
    need(isinstance(note.get("kind"), str), "note.kind must be a text")
    data = _object(note, "data") if "data" in note else {}
    if note["kind"] == "state":
        need(data.get("state") in STATES, f"state must be one of {', '.join(STATES)}")
        need(_is_whole(data.get("until_ms", 0)), "until_ms of a state must be a whole number")
    elif note["kind"] == "qr":
        need(isinstance(data.get("code"), str) and data["code"] != "", "a qr note needs its code")
        need(_is_whole(data.get("until_ms")), "until_ms of a code must be a whole number of milliseconds")
    elif note["kind"] == "session":
        session = data.get("session")
        need(isinstance(session, str), "session must be a text in base64, or empty")
        try:
            base64.b64decode(str(session), validate=True)
        except ValueError:
            raise Breach("session must be base64") from None


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
