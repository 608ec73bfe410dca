"""Obeys the server that started it, and stops by itself when it hears nothing of it.

A line runs in one place. The server holds its lease and says so every few seconds (`alive`); a host that was not told
for longer than the lease lasts, because it or its server was frozen, lets go of the network before it does anything
else. When the socket ends, so does the host.
"""

from __future__ import annotations

import base64
import os
import queue
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablegram.linehost.engines.port import Engine, Facts, Refusal, Rehearsing
from tablegram.linehost.journal import Journal
from tablegram.linehost.orders import carry_out
from tablegram.linehost.wire import Ended, Frame, Wire
from tablegram.linehost.words import MAX_UNTAKEN, PROTOCOL

# A server that starts a host greets it at once.
HELLO_S = 30.0
# How long an engine may take to let go of its network.
END_WITHIN_S = 3.0
# Orders that are carried out side by side.
WORKERS = 3


def steady_s() -> float:
    """A clock that runs on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Host:
    """Implements `engines.port.HostPort`."""

    def __init__(self, wire: Wire, engine: Engine) -> None:
        self._wire = wire
        self._engine = engine
        self._orders: queue.Queue[Frame | None] = queue.Queue()
        self._sure_until = 0.0
        self._is_online = False
        self._session: bytes | None = None
        self._journal: Journal | None = None
        self.folder = Path()
        self.settings: Mapping[str, str] = {}

    def run(self) -> int:
        """Until the server is gone; the exit code."""
        try:
            hello = self._wire.read(HELLO_S)
            if hello is None or not self._greet(hello):
                return 2
            for _ in range(WORKERS):
                threading.Thread(target=self._work, daemon=True).start()
            while self._obey(self._wire.read(self._patience_s())):
                pass
        except Ended:
            pass
        # Whatever a library does with its last seconds: nobody leads it any more.
        last = threading.Timer(END_WITHIN_S, os._exit, (0,))
        last.daemon = True
        last.start()
        self._engine.hush()
        return 0

    # What the engine calls.

    def is_sure(self) -> bool:
        return steady_s() < self._sure_until

    def tell(self, kind: str, name: str, data: Facts) -> None:
        assert self._journal is not None
        event = self._journal.add(kind, name, data)
        if event is not None and len(self._journal.waiting) <= MAX_UNTAKEN:
            self._send({"event": event})

    def note(self, kind: str, data: Facts) -> None:
        self._send({"note": {"kind": kind, "data": data}})

    def keep_session(self, session: bytes) -> None:
        self._session = session or None
        self.note("session", {"session": base64.b64encode(session).decode()})

    # What the server says.

    def _greet(self, frame: Frame) -> bool:
        hello = frame.get("hello")
        if not isinstance(hello, dict) or hello.get("protocol") != PROTOCOL:
            self._send({"ready": {"protocol": PROTOCOL, "engine": self._engine.name, "refused": "protocol"}})
            return False
        self.folder, self.settings = Path(hello["folder"]), _texts(hello.get("settings") or {})
        self._session = base64.b64decode(hello["session"]) if hello.get("session") else None
        self._journal = Journal(self.folder)
        self._send(
            {
                "ready": {
                    "protocol": PROTOCOL,
                    "engine": self._engine.name,
                    "version": self._engine.version,
                    "can": [*self._engine.can, *(("rehearse",) if self._rehearsing() else ())],
                }
            }
        )
        for event in list(self._journal.waiting.values())[:MAX_UNTAKEN]:
            self._send({"event": event})
        return True

    def _patience_s(self) -> float:
        return max(0.0, self._sure_until - steady_s()) if self._is_online else 3_600.0

    def _obey(self, frame: Frame | None) -> bool:
        """Whether to go on."""
        if self._is_online and not self.is_sure():
            # Before anything else, whatever waits in the socket.
            self._is_online = False
            self._engine.hush()
            self.note("state", {"state": "disconnected", "reason": "unled"})
        if frame is None:
            return True
        if "alive" in frame:
            self._hear(frame["alive"])
        elif "took" in frame:
            self._took(int(frame["took"]))
        elif "stop" in frame:
            return False
        elif "id" in frame and "do" in frame:
            self._orders.put(frame)
        return True

    def _hear(self, alive: Any) -> None:
        """`until`: how long the server is sure of the line, by the clock of this machine that never stops."""
        self._sure_until = float(alive["until"])
        if not self._is_online and self.is_sure():
            self._is_online = True
            self._engine.start(self, self._session)

    def _took(self, number: int) -> None:
        assert self._journal is not None
        event = self._journal.take(number)
        if event is None:
            return
        self._engine.took(event["name"])
        # What was left out because too many waited.
        behind = list(self._journal.waiting.values())
        if len(behind) >= MAX_UNTAKEN:
            self._send({"event": behind[MAX_UNTAKEN - 1]})

    # Orders, each on a thread of its own.

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                self._send({"id": order["id"], **self._carry_out(order["do"], order.get("with") or {})})
            except Ended:
                return

    def _carry_out(self, name: str, given: Facts) -> Frame:
        if not self.is_sure():
            return {"no": {"code": "unled", "detail": "The line may be run elsewhere by now.", "again_s": 1}}
        try:
            return {"ok": carry_out(self._engine, name, given, self._rehearsing())}
        except Refusal as told:
            return {"no": _told(told)}
        except Exception as error:
            # What the library did is not known; whether a message went out is neither.
            detail = f"The engine failed: {type(error).__name__}."
            return {"no": {"code": "engine_failed", "detail": detail, "sent": "unknown", "again_s": 5}}

    def _rehearsing(self) -> Rehearsing | None:
        """The engine, if it can rehearse and whoever started this host wants that."""
        wanted = self.settings.get("rehearse") == "yes"
        return self._engine if wanted and isinstance(self._engine, Rehearsing) else None

    def _send(self, frame: Frame) -> None:
        self._wire.send(frame)


def _texts(settings: Facts) -> dict[str, str]:
    return {name: str(value) for name, value in settings.items()}


def _told(refusal: Refusal) -> Facts:
    no: Facts = {"code": refusal.code, "detail": refusal.detail, "sent": refusal.sent, "holds": refusal.holds}
    more: Facts = {"again_s": refusal.again_s, "network_code": refusal.network_code}
    more |= {"state": refusal.state or None, "until_ms": refusal.until_ms or None}
    return no | {name: value for name, value in more.items() if value is not None}
