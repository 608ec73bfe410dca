"""Linked lines as a test handles them: made, paired with a sandbox phone, and their hosts found among the processes."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from tests.product import Product, wait_until

OWNERS = itertools.count(905_410_000_000)


def make_line(product: Product, **fields: Any) -> int:
    line = {"kind": "linked", "name": "Ayşe's phone", "pace_per_s": 0, **fields}
    status, line = product.call("POST", "/instances", line)
    assert status == 201, line
    return int(line["id"])


def state(product: Product, line_id: int) -> str:
    return str(product.call("GET", f"/instances/{line_id}")[1]["state"])


def code(product: Product, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """A code to scan or to type. A host that has just been started may need a while on a busy machine."""
    found: list[dict[str, Any]] = []

    def there() -> bool:
        status, told = product.call(method, path, body)
        assert status == 200 or told["code"] == "pairing_soon", told
        found.append(told)
        return status == 200

    wait_until(there, "a code", 90)
    return found[-1]


def pair(product: Product, line_id: int) -> str:
    """The number of the phone that has scanned the code."""
    owner = str(next(OWNERS))
    told = code(product, "GET", f"/instances/{line_id}/qr")
    product.sandbox_call("POST", f"/phones/{owner}/devices", {"code": told["code"]})
    wait_until(lambda: state(product, line_id) == "connected", "the line to be connected", 60)
    return owner


def hosts(product: Product, line_id: int) -> list[int]:
    """The living hosts of a line."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            told = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if told.endswith(b"tablegram.linehost\0sandbox\0%d\0" % line_id) and parent == product.server.pid:
            found.append(int(entry.name))
    return found


def send(product: Product, line_id: int, phone: str, text: str) -> dict[str, Any]:
    status, told = product.call("POST", "/messages/send", {"phone": phone, "message": text, "instance_id": line_id})
    assert status in (200, 202), told
    return dict(told)


def texts(product: Product, phone: str) -> list[str]:
    return [message["text"] for message in product.on_phone(phone) if message["direction"] == "in"]


def said(product: Product, phone: str) -> list[tuple[str, str]]:
    """What the gateway knows of a conversation."""
    status, page = product.call("GET", f"/messages?phone={phone}&limit=50")
    assert status == 200, page
    return [(one["direction"], one["content"].get("body") or one.get("text") or "") for one in page["data"]]


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()
