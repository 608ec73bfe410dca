"""Orders as they come, and their answers as they go: members of the protocol on one side, calls of an engine on the other."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tablegram.linehost.engines.port import Engine, Facts, Fetch, Outgoing, Refusal, Rehearsing


def carry_out(engine: Engine, name: str, given: Facts, rehearsing: Rehearsing | None) -> Facts:
    """What the engine answers. Raises its refusals, and refuses itself what it does not know."""
    match name:
        case "pair":
            return _members(engine.pair(str(given.get("phone") or "")))
        case "send":
            return {"id": engine.send(_outgoing(given))}
        case "read":
            engine.read(_text(given, "id"))
        case "typing":
            engine.typing(_text(given, "to"), str(given.get("state") or "typing"))
        case "fetch":
            order = Fetch(id=_text(given, "id"), path=_text(given, "path"), max_bytes=_number(given, "max_bytes"))
            return _members(engine.fetch(order))
        case "check":
            return _members(engine.check(_text(given, "phone")))
        case "history":
            return {"told": engine.history(_number(given, "since_ms", 0))}
        case "probe":
            return _members(engine.probe())
        case "logout":
            engine.logout()
        case "rehearse" if rehearsing is not None:
            return rehearsing.rehearse(given)
        case _:
            raise Refusal("unknown_order", f"This host does not know {str(name)[:40]}.")
    return {}


def _outgoing(given: Facts) -> Outgoing:
    content = given.get("content")
    if not isinstance(content, dict) or not isinstance(content.get("type"), str):
        raise _incomplete("content")
    return Outgoing(
        to=_text(given, "to"),
        key=str(given.get("key") or ""),
        id=str(given.get("id") or ""),
        content=content,
        reply_to=str(given.get("reply_to") or ""),
    )


def _text(given: Facts, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise _incomplete(name)
    return value


def _number(given: Facts, name: str, otherwise: int | None = None) -> int:
    value = given.get(name, otherwise)
    if not isinstance(value, int):
        raise _incomplete(name)
    return value


def _incomplete(name: str) -> Refusal:
    return Refusal("order_invalid", f"The order does not say its {name}.")


def _members(answer: Any) -> Facts:
    """Without those that are not known."""
    told = {} if answer is None else asdict(answer)
    return {name: value for name, value in told.items() if value is not None}
