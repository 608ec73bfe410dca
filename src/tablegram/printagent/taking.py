"""Orders that come as webhooks (`restaurant.order_created`): signature checked, kept on disk, answered, then printed.

A slip is a file, and its name tells how far it is: `.new` waits, `.begun` may be on paper, `.done` was printed and is kept
for some days, so that an event that is delivered again prints nothing.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import os
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tablegram.printagent.devices.opening import Printer
from tablegram.printagent.devices.state import Broken, Unreachable
from tablegram.printagent.slips import Paper, slip, stations_of
from tablegram.printagent.working import LOOK_S, Say, _reach

EVENT = "restaurant.order_created"
# As the receivers of webhooks are told to do.
TOLERANCE_S = 300
MAX_BODY = 1 << 20
KEEP_DONE_S = 3 * 86_400
# A slip that could not be printed for so long is not wanted any more.
EXPIRES_S = 30 * 60
SILENT_S = 15


class NotSigned(Exception):
    """Not from our server, or too old; the text says which."""


def verify(secret: str, headers: Mapping[str, str], body: bytes, now_s: float) -> str:
    """The event's id, if the signature is right (Standard Webhooks)."""
    event, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event or len(event) > 200 or not stamp.isdecimal() or len(stamp) > 12:
        raise NotSigned("the webhook's header fields are missing")
    if abs(now_s - int(stamp)) > TOLERANCE_S:
        raise NotSigned("the webhook is too old, or a clock is wrong")
    key = secret_key(secret)
    expected = base64.b64encode(hmac.new(key, f"{event}.{stamp}.".encode() + body, hashlib.sha256).digest())
    for one in headers.get("webhook-signature", "").split(" "):
        version, _, given = one.partition(",")
        if version == "v1" and hmac.compare_digest(given.encode(), expected):
            return event
    raise NotSigned("the signature is wrong")


def secret_key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("the secret must be the endpoint's own, as it was shown: whsec_…") from None


class Spool:
    """The slips on disk. `printers` by station; `*` prints what has no printer of its own."""

    def __init__(self, folder: Path, printers: Mapping[str, Printer], paper: Paper, say: Say) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._printers = printers
        self._paper = paper
        self._say = say
        self._bell = threading.Event()
        self.stop = threading.Event()

    def keep(self, event: str, order: Mapping[str, Any]) -> int:
        """Whole and on disk before the server hears 200. Returns how many slips are new."""
        kept = 0
        name = hashlib.sha256(event.encode()).hexdigest()[:32]
        at = f"{time.time_ns():020d}"
        for number, station in enumerate(stations_of(order)):
            if self._printer(station) is None or any(self._folder.glob(f"*.{name}.{number}.*")):
                continue
            draft = self._folder / f"{at}.{name}.{number}.draft"
            content = json.dumps({"station": station, "order": order, "clock": time.strftime("%H:%M")})
            with open(draft, "w", encoding="utf-8") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            self._rename(draft, "new")
            kept += 1
        self._bell.set()
        return kept

    def run(self) -> None:
        for draft in self._folder.glob("*.draft"):
            # The server did not hear 200 for it and will send it again.
            draft.unlink()
        while not self.stop.is_set():
            done = self.step()
            self._bell.wait(LOOK_S if not done else 60.0)
            self._bell.clear()

    def step(self) -> bool:
        """Print what waits, oldest first. False: something could not be printed now."""
        done = True
        stuck: set[str] = set()
        for path in sorted([*self._folder.glob("*.begun"), *self._folder.glob("*.new")]):
            found = json.loads(path.read_text(encoding="utf-8"))
            station = str(found["station"])
            if self._age_s(path) > EXPIRES_S:
                self._say(f"{station}: a slip is too old and is not printed")
                self._rename(path, "done")
            elif station in stuck or not self._print(path, station, found):
                # Behind one that waits for paper wait the others of its station.
                stuck.add(station)
                done = False
        for path in self._folder.glob("*.done"):
            if self._age_s(path) > KEEP_DONE_S:
                path.unlink()
        return done

    def _print(self, path: Path, station: str, found: dict[str, Any]) -> bool:
        printer = self._printer(station)
        if printer is None:
            return False
        content = slip(found["order"], station, self._paper, found["clock"], again=path.suffix == ".begun")
        begun = self._rename(path, "begun")
        _reach("begun")
        try:
            state = printer.print(content)
        except Broken as error:
            self._say(f"{station}: {error}; it may be on paper, and is printed again with a mark")
            return False
        except Unreachable as error:
            state_error = str(error)
        else:
            state_error = state.error
        if state_error:
            # Not a byte went out: what was no second paper before is none now.
            if path.suffix == ".new":
                self._rename(begun, "new")
            self._say(f"{station}: the printer cannot print: {state_error}")
            return False
        _reach("written")
        self._rename(begun, "done")
        self._say(f"{station}: a slip is printed")
        return True

    def _printer(self, station: str) -> Printer | None:
        return self._printers.get(station) or self._printers.get("*")

    def _age_s(self, path: Path) -> float:
        return time.time() - int(path.name.split(".")[0]) / 1e9

    def _rename(self, path: Path, suffix: str) -> Path:
        target = path.with_suffix("." + suffix)
        if target != path:
            os.replace(path, target)
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return target


def serve(address: tuple[str, int], secret: str, spool: Spool, say: Say) -> ThreadingHTTPServer:
    """The listener. The caller runs `serve_forever`, and `shutdown` when it ends."""
    secret_key(secret)

    class Handler(BaseHTTPRequestHandler):
        server_version, sys_version = "tablegram-print-agent", ""
        timeout = SILENT_S

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or len(length) > 9 or int(length) > MAX_BODY:
                self._answer(413, "the body is too large, or its length is not told")
                return
            body = self.rfile.read(int(length))
            try:
                event = verify(secret, {name.lower(): value for name, value in self.headers.items()}, body, time.time())
                order = json.loads(body)
            except NotSigned as error:
                say(f"refused a call: {error}")
                self._answer(401, str(error))
                return
            except ValueError:
                self._answer(400, "the body is not JSON")
                return
            if isinstance(order, dict) and order.get("event") == EVENT:
                spool.keep(event, order)
            self._answer(200, "ok")

        def _answer(self, status: int, words: str) -> None:
            data = words.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(address, Handler)
    server.daemon_threads = True
    return server
