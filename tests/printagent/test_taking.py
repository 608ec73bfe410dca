"""Orders that come as webhooks: signed, kept before they are answered, printed once or once more with a mark."""

from __future__ import annotations

import base64
import json
import threading
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from tablegram.printagent.devices.state import UNKNOWN, Broken, State, Unreachable
from tablegram.printagent.slips import Paper, encode, slip, stations_of
from tablegram.printagent.taking import NotSigned, Spool, serve, verify

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
ORDER: dict[str, Any] = {
    "event": "restaurant.order_created",
    "order_id": "ORD-20261115-0042",
    "order_type": "dine_in",
    "table_number": "12",
    "waiter_assigned": "Elif",
    "items": [
        {"name": "Adana Kebab", "quantity": 2, "options": ["Not spicy"], "station": "kitchen", "note": "Soğansız",
         "kitchen_name": "Adana", "kitchen_options": ["Acısız"]},
        {"name": "Ayran", "quantity": 2, "options": [], "station": "bar", "note": ""},
    ],
    "notes": "Hepsi birlikte",
}  # fmt: skip


class Device:
    """A printer that does as it is told."""

    def __init__(self) -> None:
        self.papers: list[bytes] = []
        self.trouble: Exception | State | None = None

    def state(self) -> State:
        return UNKNOWN

    def print(self, content: bytes) -> State:
        trouble = self.trouble
        if isinstance(trouble, State):
            return trouble
        if isinstance(trouble, Unreachable):
            raise trouble
        self.papers.append(content)
        if trouble is not None:
            raise trouble
        return UNKNOWN


def test_the_signature_is_that_of_standard_webhooks() -> None:
    body, now = json.dumps(ORDER).encode(), int(time.time())
    signed = Webhook(SECRET).sign("evt_1", datetime.fromtimestamp(now, UTC), body.decode())
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(now), "webhook-signature": f"v1,AAAA {signed}"}
    assert verify(SECRET, headers, body, now) == "evt_1"
    for change in (
        {"webhook-id": "evt_2"}, {"webhook-id": ""}, {"webhook-timestamp": str(now + 1)}, {"webhook-timestamp": "soon"},
        {"webhook-signature": ""}, {"webhook-signature": "v1,"}, {"webhook-signature": signed.replace("v1", "v2")},
    ):  # fmt: skip
        with pytest.raises(NotSigned):
            verify(SECRET, {**headers, **change}, body, now)
    with pytest.raises(NotSigned):
        verify(SECRET, headers, body + b" ", now)
    with pytest.raises(NotSigned):
        verify(SECRET, headers, body, now + 301)


def test_an_event_prints_one_slip_for_each_station_however_often_it_comes(tmp_path: Path) -> None:
    kitchen, bar = Device(), Device()
    said: list[str] = []
    spool = Spool(tmp_path, {"kitchen": kitchen, "*": bar}, Paper(), said.append)
    assert (spool.keep("evt_1", ORDER), spool.keep("evt_1", ORDER)) == (2, 0)
    assert spool.step()
    assert spool.keep("evt_1", ORDER) == 0
    assert spool.step()
    assert (len(kitchen.papers), len(bar.papers)) == (1, 1)
    assert b"Adana" in kitchen.papers[0]
    assert b"Ayran" not in kitchen.papers[0]
    # Nothing went out: it comes without a mark once there is paper. Behind it waits what came later.
    kitchen.trouble = State(True, "paper_out")
    spool.keep("evt_2", ORDER)
    spool.keep("evt_3", {**ORDER, "order_id": "ORD-3"})
    assert not spool.step()
    kitchen.trouble = Unreachable("unreachable")
    assert not spool.step()
    kitchen.trouble = None
    assert spool.step()
    assert [b"ORD-3" in paper for paper in kitchen.papers] == [False, False, True]
    assert not any(b"MAYBE" in paper for paper in kitchen.papers)
    # Some went out: once more, with the mark. The same after a power cut.
    kitchen.trouble = Broken("broke_off")
    spool.keep("evt_4", ORDER)
    assert not spool.step()
    kitchen.trouble = None
    assert Spool(tmp_path, {"kitchen": kitchen, "*": bar}, Paper(), said.append).step()
    assert b"MAYBE PRINTED" in kitchen.papers[-1]
    assert len(kitchen.papers) == 5


def test_what_is_too_old_does_not_print_in_the_morning(tmp_path: Path) -> None:
    kitchen = Device()
    spool = Spool(tmp_path, {"*": kitchen}, Paper(), lambda words: None)
    spool.keep("evt_1", ORDER)
    for path in tmp_path.glob("*.new"):
        old = time.time_ns() - 3_600 * 10**9
        path.rename(path.with_name(f"{old:020d}." + path.name.partition(".")[2]))
    assert spool.step()
    assert kitchen.papers == []
    assert spool.keep("evt_1", ORDER) == 0


def test_the_listener_answers_after_the_order_is_kept(tmp_path: Path) -> None:
    kitchen = Device()
    spool = Spool(tmp_path, {"*": kitchen}, Paper(), lambda words: None)
    server = serve(("127.0.0.1", 0), SECRET, spool, lambda words: None)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:

        def post(body: bytes, **change: str) -> int:
            now = int(time.time())
            signed = Webhook(SECRET).sign("evt_1", datetime.fromtimestamp(now, UTC), body.decode("latin-1"))
            headers = {"webhook-id": "evt_1", "webhook-timestamp": str(now), "webhook-signature": signed}
            headers |= {name.replace("_", "-"): value for name, value in change.items()}
            request = urllib.request.Request(f"http://127.0.0.1:{server.server_address[1]}/", body, headers)
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                return error.code

        assert post(json.dumps(ORDER).encode(), webhook_signature="v1,AAAA") == 401
        assert post(b"{") == 400
        assert post(b'{"event":"message.received"}') == 200
        assert list(tmp_path.iterdir()) == []
        assert post(json.dumps(ORDER).encode()) == 200
        assert len(list(tmp_path.glob("*.new"))) == 2
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_slip_says_table_quantity_options_and_notes_in_the_printers_own_letters() -> None:
    assert stations_of(ORDER) == ["kitchen", "bar"]
    text = slip(ORDER, "kitchen", Paper(language="tr"), "19:30").decode("cp857")
    lines = [
        line
        for line in "".join(sign for sign in text if sign.isprintable() or sign == "\n").split("\n")
        if line.strip()
    ]
    assert any("MASA 12" in line for line in lines)
    assert any("2 x Adana" in line for line in lines)
    assert any("Acısız" in line for line in lines)
    assert any("Soğansız" in line for line in lines)
    assert slip(ORDER, "pastry", Paper(), "19:30") == b""
    # No question marks, and no commands out of a dish's name.
    assert encode("Çay ₺5 “x” 🌶\x1b@é\n", "cp857") == 'Çay TL5 "x" @é\n'.encode("cp857")
    assert encode("Şiş köfte", "cp437") == b"Sis k\x94fte"
    for odd in ({}, {"items": None}, {"items": [None, 3]}, {"items": [{}], "notes": 5}):
        for station in stations_of(odd):
            assert slip(odd, station, Paper(), "")
