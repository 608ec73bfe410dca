"""`make run LAN=1`: a real phone in the same network holds a sandbox phone, and nothing else opens.

A second loopback address stands for the network: the sandbox answers at the first one alone.
"""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import zxingcpp
from PIL import Image

from tablegram.cli.lan import code
from tests.ports import free_port
from tests.product import Process, cli_json, run_cli, wait_until

HERE, NETWORK = "127.0.0.1", "127.0.0.2"
ANNA = "905551112233"


class Caller:
    """Whoever asks at one of the addresses, with what they bring along."""

    def __init__(self, host: str, port: int, **headers: str) -> None:
        self._at, self._headers = (host, port), headers

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        asking = HTTPConnection(*self._at, timeout=30)
        asking.request(method, path, None if body is None else json.dumps(body), {**self._headers, **headers})
        answer = asking.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        asking.close()
        return found

    def status(self, method: str, path: str, body: Any = None, **headers: str) -> int:
        return self.ask(method, path, body, **headers)[0]


def after_origin(link: str) -> str:
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def test_a_phone_in_the_same_network_is_let_in_by_its_link_and_nobody_else(tmp_path: Path) -> None:
    port = free_port()
    plain = {name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")}
    folder = {**plain, "TABLEGRAM_DATA_DIR": str(tmp_path)}
    environment = {**folder, "TABLEGRAM_PORT": str(port), "TABLEGRAM_SANDBOX": "1"}
    arguments = ["demo", "--serve", "--bare", f"--lan={NETWORK}", "--json"]
    server = Process(arguments, environment, tmp_path / "log", f"http://{HERE}:{port}/readyz")
    server.start()
    try:
        wait_until(lambda: "hold_menu" in server.said(), "the welcome")
        welcome = json.loads(next(line for line in server.said().splitlines() if line.startswith("{")))
        here, stranger = Caller(HERE, port), Caller(NETWORK, port)
        assert welcome["url"] == f"http://{NETWORK}:{port}"
        assert here.status("GET", "/sandbox/phones") == 200
        assert welcome["phones"] == f"http://{HERE}:{port}/sandbox/?phone={ANNA}"

        # Who has only the address: the menu and the sign-in, as in any installation.
        status, _, refused = stranger.ask("GET", "/sandbox/phones")
        assert (status, json.loads(refused)["code"]) == (403, "not_from_here")
        for language, words in (("en", "does not open here"), ("tr-TR", "burada açılamıyor")):
            sought = {"Accept": "text/html,*/*", "Accept-Language": language}
            status, fields, page = stranger.ask("GET", "/sandbox/?text=Masa", **sought)
            assert (status, fields["content-type"]) == (403, "text/html; charset=utf-8")
            assert words in page.decode()
            assert "LAN=1" in page.decode()
        for path in (
            "/sandbox/",
            "/sandbox/static/phones.js",
            "/sandbox/hold",
            "/sandbox/hold?token=",
            "/sandbox/hold?token=x",
        ):
            assert stranger.status("GET", path) == 403, path
        assert stranger.status("GET", "/sandbox/phones", Cookie="tablegram_phone=") == 403
        assert stranger.status("GET", "/api/v1/me") == 401
        assert stranger.status("GET", "/panel/") == 303

        # The link is exchanged at once, and the token leaves the address.
        status, fields, _ = stranger.ask("GET", after_origin(welcome["hold"]))
        token = urlsplit(welcome["hold"]).query.split("token=", 1)[1].split("&", 1)[0]
        assert (status, fields["location"]) == (303, f"/sandbox/?phone={ANNA}")
        assert fields["set-cookie"] == f"tablegram_phone={token}; Path=/sandbox; HttpOnly; SameSite=Lax"
        holder = Caller(NETWORK, port, Cookie=fields["set-cookie"].split(";", 1)[0])
        assert holder.status("GET", fields["location"]) == 200
        assert holder.status("GET", "/sandbox/numbers") == 200
        written = holder.ask("POST", f"/sandbox/phones/{ANNA}/messages", {"text": "From the garden"})
        assert written[0] == 201

        def heard() -> bool:
            _, _, found = here.ask("GET", "/api/v1/messages?direction=in", Authorization=f"Bearer {welcome['key']}")
            return [one["text"] for one in json.loads(found)["data"]] == ["From the garden"]

        wait_until(heard, "the gateway to hear it")

        # It holds phones; it turns nothing, and opens nothing else. Nor does a page of somebody else through it.
        for method, path in (
            ("PUT", "/sandbox/numbers/other"),
            ("POST", "/sandbox/faults"),
            ("DELETE", "/sandbox/counters"),
            ("GET", "/sandbox/accepted"),
            ("GET", "/sandbox/graph/v25.0/1"),
        ):
            assert holder.status(method, path, {} if method != "GET" else None) == 403, path
        assert holder.status("GET", "/sandbox/phones", Origin="http://evil.example") == 403
        assert holder.status("POST", "/sandbox/phones/1/read", {}, Origin="null") == 403
        assert holder.status("GET", "/api/v1/me") == 401
        assert holder.status("GET", "/panel/") == 303

        # The code of the menu lets the same phone in, and leads to no other page.
        status, fields, _ = stranger.ask("GET", after_origin(welcome["hold_menu"]))
        assert (status, fields["location"]) == (303, after_origin(welcome["menu"]))
        assert stranger.status("GET", fields["location"]) == 200
        away = stranger.ask("GET", f"/sandbox/hold?token={token}&menu=x%26y=//evil.example%0d%0aA:b")
        assert away[1]["location"].startswith("/api/v1/menu?")
        assert "evil.example" not in away[1].get("a", "")

        # A command in another terminal knows where the server is.
        link = cli_json("member", "link", "owner@example.com", "--account", "demo", environment=folder)
        assert f"http://{NETWORK}:{port}/panel/link/" in json.dumps(link)
        assert f"address http://{NETWORK}:{port}" in run_cli("doctor", environment=folder).stdout
        own = {**folder, "TABLEGRAM_PUBLIC_URL": "https://own.example"}
        assert "address https://own.example" in run_cli("doctor", environment=own).stdout
    finally:
        server.stop()


def test_without_an_address_it_says_what_to_do_and_the_codes_are_drawn(tmp_path: Path) -> None:
    environment = {**os.environ, "TABLEGRAM_DATA_DIR": str(tmp_path), "TABLEGRAM_PORT": str(free_port())}
    refused = run_cli("demo", "--serve", "--lan=kitchen", environment=environment)
    assert refused.returncode == 1
    assert "LAN=192.168.1.20" in refused.stderr
    # What stands in the terminal, light on dark, is read as a camera does.
    link = "http://192.168.1.20:8000/sandbox/hold?token=" + "x" * 24
    drawn = code(link)
    width = len(drawn[0])
    seen = Image.new("L", (width, 2 * len(drawn)), 0)
    for at, line in enumerate(drawn):
        for column, block in enumerate(line):
            seen.putpixel((column, 2 * at), 255 if block in "█▀" else 0)
            seen.putpixel((column, 2 * at + 1), 255 if block in "█▄" else 0)
    (found,) = zxingcpp.read_barcodes(seen.resize((width * 4, len(drawn) * 8), Image.Resampling.NEAREST))
    assert found.text == link
