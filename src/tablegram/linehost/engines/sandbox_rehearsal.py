"""Makes the sandbox network do what a check of the host wants to see: a phone that scans, a customer who writes."""

from __future__ import annotations

import json
from typing import Any

from tablegram.linehost.engines.port import Facts, Refusal
from tablegram.linehost.engines.tiny_http import Lost, Unsent, ask

_FAULTS = {"refuse": "undeliverable", "lose": "lost_answer"}


def rehearse(order: Facts, url: str, device: Facts, linked: Facts, code: str) -> Facts:
    """One thing that happens on the network."""
    what, number_id = order.get("what"), linked.get("number_id")
    if what == "scan":
        _call("POST", f"{url}/phones/{order['phone']}/devices", {"code": code})
        return {}
    if what == "end":
        _call("DELETE", f"{url}/phones/{linked['phone']}/devices/{device['id']}")
        return {}
    if what == "message":
        if int(order.get("times", 1)) > 1:
            _call("POST", f"{url}/faults", {"kind": "duplicated", "times": 1, "number_id": number_id})
        written = {"text": order["text"], "to": linked["phone"]}
        return {"id": _call("POST", f"{url}/phones/{order['phone']}/messages", written)["id"]}
    if what in _FAULTS:
        _call("POST", f"{url}/faults", {"kind": _FAULTS[what], "times": 1, "number_id": number_id})
        return {}
    if what == "taken":
        return {"keys": [one["correlation"] for one in _accepted(url) if one["number_id"] == number_id]}
    raise Refusal("rehearsal_unknown", "This host cannot rehearse that.")


def _accepted(url: str) -> list[Facts]:
    found: list[Facts] = []
    while page := _call("GET", f"{url}/accepted?after={found[-1]['seq'] if found else 0}")["data"]:
        found += page
    return found


def _call(method: str, url: str, body: Any = None) -> Facts:
    try:
        answer = ask(method, url, body=b"" if body is None else json.dumps(body).encode())
    except (Unsent, Lost) as error:
        raise Refusal("line_unreachable", f"The network cannot be reached: {error}.", again_s=1.0) from None
    told = answer.json()
    if answer.status not in (200, 201, 202) or not isinstance(told, dict):
        raise Refusal("network_refused", f"The network answered HTTP {answer.status}: {answer.body[:200]!r}.")
    return told
