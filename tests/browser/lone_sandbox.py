"""A sandbox network in a thread of its own, a line that answers its callbacks, and a way to act as that line."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import uvicorn

from tablegram.sandbox import app as sandbox

LINE, TOKEN = "1065403522", "token"


class LoneSandbox:
    """`told` holds every callback body the line was given."""

    def __init__(self, address: str, told: list[dict[str, Any]]) -> None:
        self.address, self.told = address, told
        self.page = f"{address}/sandbox/"

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(
            f"{self.address}/sandbox{path}",
            method=method,
            headers=headers,
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def send(self, to: str, text: str) -> str:
        return self.send_as(to, "text", {"body": text})

    def send_as(self, to: str, kind: str, content: Any) -> str:
        body = {"messaging_product": "whatsapp", "to": to, "type": kind, kind: content}
        return str(self.call("POST", f"/graph/v25.0/{LINE}/messages", body, TOKEN)["messages"][0]["id"])

    def inbound(self) -> list[dict[str, Any]]:
        """What the line was told of, in its order. What was told again, because a busy machine answered late, counts once."""
        values = [change["value"] for body in self.told for entry in body["entry"] for change in entry["changes"]]
        return list({message["id"]: message for value in values for message in value.get("messages", [])}.values())

    def statuses(self, wamid: str) -> list[str]:
        values = [change["value"] for body in self.told for entry in body["entry"] for change in entry["changes"]]
        return [status["status"] for value in values for status in value.get("statuses", []) if status["id"] == wamid]


def eventually(met: Callable[[], Any], within_s: float = 30) -> None:
    deadline = time.monotonic() + within_s
    while not met():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


@contextmanager
def lone_sandbox(store: Path) -> Iterator[LoneSandbox]:
    told: list[dict[str, Any]] = []
    with _line(told) as callback_url, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        app = sandbox.create(store)
        config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        eventually(lambda: server.started)
        running = LoneSandbox(f"http://127.0.0.1:{listening.getsockname()[1]}", told)
        running.call(
            "PUT",
            f"/numbers/{LINE}",
            {
                "access_token": TOKEN,
                "app_secret": "secret",
                "callback_url": callback_url,
                "display_phone_number": "15550783881",
                "name": "Lezzet Ocakbaşı",
            },
        )
        try:
            yield running
        finally:
            server.should_exit = True
            thread.join(timeout=10)


@contextmanager
def _line(told: list[dict[str, Any]]) -> Iterator[str]:
    class Callback(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Tests print nothing for what goes well."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Callback) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/callback"
        finally:
            server.shutdown()
            thread.join()
