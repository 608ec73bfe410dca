"""A phone's own number as a line: paired, used, and kept through the death of everybody who takes part."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.product import Product, fetch, wait_until

OWNERS = itertools.count(905_410_000_000)
PAIRED_AGAIN = 3


def make_line(product: Product) -> int:
    status, line = product.call("POST", "/instances", {"kind": "linked", "name": "Ayşe's phone", "pace_per_s": 0})
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


def test_a_phone_is_linked_used_and_logged_out(product: Product, phone: str) -> None:
    line_id = make_line(product)
    owner = pair(product, line_id)
    _, line = product.call("GET", f"/instances/{line_id}")
    assert (line["kind"], line["phone"]) == ("linked", owner)

    send(product, line_id, phone, "Your table is ready")
    wait_until(lambda: texts(product, phone) == ["Your table is ready"], "the message to arrive", 60)
    product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": "On my way", "to": owner})
    product.sandbox_call("POST", f"/phones/{owner}/says", {"to": phone, "text": "See you"})

    def all_there() -> bool:
        status, page = product.call("GET", f"/messages?phone={phone}&limit=50")
        assert status == 200, page
        return {one["text"] for one in page["data"]} == {"Your table is ready", "On my way", "See you"}

    wait_until(all_there, "what the customer and the owner wrote", 60)
    # Paired already: there is nothing to scan.
    assert product.call("GET", f"/instances/{line_id}/qr")[1]["code"] == "already_paired"

    status, line = product.call("POST", f"/instances/{line_id}/logout")
    assert (status, line["state"]) == (200, "logged_out") or state(product, line_id) == "logged_out"
    assert fetch(f"{product.sandbox_url}/phones/{owner}/devices")[1]["data"] == []
    # Paired again at once, before the host of before has ended: by a code to type, as another phone.
    waiting = send(product, line_id, phone, "Later")
    assert waiting["status_code"] == "queued"
    for _ in range(PAIRED_AGAIN):
        other = str(next(OWNERS))
        typed = code(product, "POST", f"/instances/{line_id}/pair-code", {"phone": other})
        product.sandbox_call("POST", f"/phones/{other}/devices", {"code": typed["code"]})
        wait_until(lambda: state(product, line_id) == "connected", "the line to be connected", 60)
        wait_until(lambda: texts(product, phone)[-1] == "Later", "what waited", 60)
        (device,) = fetch(f"{product.sandbox_url}/phones/{other}/devices")[1]["data"]
        # The phone itself ends it.
        product.sandbox_call("DELETE", f"/phones/{other}/devices/{device['id']}")
        wait_until(lambda: state(product, line_id) == "logged_out", "the line to know")
    wait_until(lambda: not hosts(product, line_id), "the host to end")
    product.call("DELETE", f"/instances/{line_id}")


def test_a_host_that_is_killed_comes_back_and_nothing_is_lost_or_done_twice(product: Product, phone: str) -> None:
    line_id = make_line(product)
    owner = pair(product, line_id)
    for number in range(4):
        (host,) = hosts(product, line_id)
        os.kill(host, signal.SIGKILL)
        product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": f"in {number}", "to": owner})
        send(product, line_id, phone, f"out {number}")
        wait_until(lambda killed=host: is_gone(killed) and len(hosts(product, line_id)) == 1, "another host", 60)
        wait_until(lambda n=number: len(texts(product, phone)) == n + 1, "the message that waited", 60)
    assert texts(product, phone) == [f"out {number}" for number in range(4)]

    def heard() -> bool:
        page = product.call("GET", f"/messages?phone={phone}&direction=in&limit=50")[1]["data"]
        return sorted(one["text"] for one in page) == [f"in {number}" for number in range(4)]

    wait_until(heard, "all that was written meanwhile, each once", 60)
    product.call("DELETE", f"/instances/{line_id}")
    wait_until(lambda: not hosts(product, line_id), "the host of a deleted line to end")


@pytest.mark.parametrize("death", ["kill", "stop"])
def test_no_host_outlives_its_server_and_the_line_is_back_with_the_next(
    product: Product, phone: str, death: str
) -> None:
    line_id = make_line(product)
    pair(product, line_id)
    (host,) = hosts(product, line_id)
    if death == "kill":
        product.server.kill()
    else:
        product.server.stop()
    wait_until(lambda: is_gone(host), "the host to end with its server")
    product.server.start()
    # The session is the same: nobody has to scan anything.
    wait_until(lambda: state(product, line_id) == "connected", "the line to be back", 60)
    send(product, line_id, phone, "Again")
    wait_until(lambda: texts(product, phone) == ["Again"], "the message to arrive", 60)
    product.call("DELETE", f"/instances/{line_id}")
