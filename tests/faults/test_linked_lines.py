"""A phone's own number as a line: paired, used, and kept through the death of everybody who takes part."""

from __future__ import annotations

import os
import signal
import time
from datetime import datetime

import pytest

from tests.faults.linked import OWNERS, code, hosts, is_gone, make_line, pair, send, state, texts
from tests.long import many
from tests.product import Product, fetch, wait_until

PAIRED_AGAIN = many(1, 3)
# Every death is that of another line.
LINES, DEATHS = many(8, 20), many(4, 8)
KILLS = many(2, 4)
pytestmark = [pytest.mark.slow, pytest.mark.once]


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
    assert status == 200, line
    wait_until(lambda: state(product, line_id) == "logged_out", "the line to know", 60)
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


def test_a_restricted_line_is_quiet_until_it_is_free_and_groups_come_in_only_by_wish(
    product: Product, phone: str
) -> None:
    line_id = make_line(product)
    owner = pair(product, line_id)
    ends_ms = (int(time.time()) + 3_600) * 1_000
    product.sandbox_call("PUT", f"/phones/{owner}/restriction", {"reason": "banned", "until_ms": ends_ms})
    wait_until(lambda: state(product, line_id) == "restricted", "the line to be restricted", 60)
    line = product.call("GET", f"/instances/{line_id}")[1]
    assert datetime.fromisoformat(line["state_until"]).timestamp() * 1_000 == ends_ms
    told = send(product, line_id, phone, "Patience")
    assert told["status_code"] == "queued"
    waits = product.call("GET", f"/messages/{told['message_id']}")[1]["waits"]
    assert waits["code"] == "line_restricted", waits
    product.sandbox_call("DELETE", f"/phones/{owner}/restriction")
    wait_until(lambda: texts(product, phone) == ["Patience"], "what waited", 60)
    wait_until(lambda: state(product, line_id) == "connected", "the line to be free", 60)
    found = [one["state"] for one in product.call("GET", f"/instances/{line_id}/states")[1]["data"]]
    assert found[-1] == "created"
    assert found.index("restricted") > found.index("connected")

    def came(text: str) -> bool:
        page = product.call("GET", "/messages?direction=in&limit=50")[1]["data"]
        return text in {one["text"] for one in page}

    group = {"to": owner, "group": "120363000000000001@g.us"}
    product.sandbox_call("POST", f"/phones/{phone}/group", {**group, "text": "not for the gateway"})
    product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": "for it", "to": owner})
    wait_until(lambda: came("for it"), "what was written to the phone itself", 60)
    assert not came("not for the gateway")
    assert product.call("PATCH", f"/instances/{line_id}", {"groups": True})[0] == 200
    wait_until(lambda: state(product, line_id) == "connected", "the line to be back", 60)
    product.sandbox_call("POST", f"/phones/{phone}/group", {**group, "text": "for everybody"})
    wait_until(lambda: came("for everybody"), "what was written in the group", 60)
    product.call("DELETE", f"/instances/{line_id}")


def test_a_host_that_is_killed_comes_back_and_nothing_is_lost_or_done_twice(product: Product, phone: str) -> None:
    line_id = make_line(product)
    owner = pair(product, line_id)
    for number in range(KILLS):
        (host,) = hosts(product, line_id)
        os.kill(host, signal.SIGKILL)
        product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": f"in {number}", "to": owner})
        send(product, line_id, phone, f"out {number}")
        wait_until(lambda killed=host: is_gone(killed) and len(hosts(product, line_id)) == 1, "another host", 60)
        wait_until(lambda n=number: len(texts(product, phone)) == n + 1, "the message that waited", 60)
    assert texts(product, phone) == [f"out {number}" for number in range(KILLS)]

    def heard() -> bool:
        page = product.call("GET", f"/messages?phone={phone}&direction=in&limit=50")[1]["data"]
        return sorted(one["text"] for one in page) == [f"in {number}" for number in range(KILLS)]

    wait_until(heard, "all that was written meanwhile, each once", 60)
    product.call("DELETE", f"/instances/{line_id}")
    assert fetch(f"{product.sandbox_url}/phones/{owner}/devices")[1]["data"] == []
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


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_many_lines_work_while_one_of_them_dies_every_second(product: Product, phones: list[str]) -> None:
    lines = [make_line(product, warm_up=False) for _ in range(LINES)]
    # All are paired side by side.
    codes = [code(product, "GET", f"/instances/{line_id}/qr")["code"] for line_id in lines]
    owners = [str(next(OWNERS)) for _ in lines]
    phones = phones[:LINES]
    for owner, line_id, shown in zip(owners, lines, codes, strict=True):
        product.sandbox_call("POST", f"/phones/{owner}/devices", {"code": shown})
        assert line_id
    wait_until(lambda: {state(product, one) for one in lines} == {"connected"}, "all to be connected", 120)
    for number in range(DEATHS):
        for one in hosts(product, lines[number]):
            os.kill(one, signal.SIGKILL)
        for line_id, owner, phone in zip(
            lines[number::DEATHS], owners[number::DEATHS], phones[number::DEATHS], strict=True
        ):
            send(product, line_id, phone, f"out {line_id}")
            product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": f"in {line_id}", "to": owner})
        time.sleep(1.0)
    wait_until(lambda: all(texts(product, phone) for phone in phones), "every message to arrive", 120)
    assert [texts(product, phone) for phone in phones] == [[f"out {line_id}"] for line_id in lines]

    def heard() -> bool:
        page = product.call("GET", "/messages?direction=in&limit=200")[1]["data"]
        mine = sorted(one["text"] for one in page if one["phone"] in phones)
        return mine == sorted(f"in {line_id}" for line_id in lines)

    wait_until(heard, "all that was written, each once", 120)
    wait_until(lambda: {state(product, one) for one in lines} == {"connected"}, "all to be connected again", 120)
    for line_id in lines:
        product.call("DELETE", f"/instances/{line_id}")
    wait_until(lambda: not any(hosts(product, one) for one in lines), "every host to end", 60)
