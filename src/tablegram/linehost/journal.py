"""What happened on the network and the server has not taken yet: in a file, so that a host that dies loses nothing."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import TypedDict

from tablegram.linehost.engines.port import Facts

# A file of twice this is written anew, without what was taken.
COMPACT_BYTES = 1 << 20


class Event(TypedDict):
    n: int
    kind: str
    name: str
    data: Facts


class Journal:
    """Events by their numbers, which grow. Any thread may use it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / "events"
        self._lock = threading.Lock()
        self.waiting: dict[int, Event] = {}
        # Names of what waits: the network may tell the same again.
        self._names: set[str] = set()
        self._last = 0
        # How large the file was when it was last written anew.
        self._floor = 0
        self._read()
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def _read(self) -> None:
        if not self._path.exists():
            return
        for line in self._path.read_bytes().split(b"\n"):
            try:
                event = json.loads(line)
            except ValueError:
                # The end of what was being written when the host died: the network has not been told that we have it.
                continue
            if (known := _event(event)) is not None:
                self._keep(known)

    def _keep(self, event: Event) -> None:
        self.waiting[event["n"]] = event
        self._names.add(event["name"])
        self._last = max(self._last, event["n"])

    def add(self, kind: str, name: str, data: Facts) -> Event | None:
        """Keep an event; nothing when one of this name is still here."""
        with self._lock:
            if name in self._names:
                return None
            event: Event = {"n": self._last + 1, "kind": kind, "name": name, "data": data}
            os.write(self._file, json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
            os.fsync(self._file)
            self._keep(event)
            return event

    def take(self, number: int) -> Event | None:
        """The server has it."""
        with self._lock:
            event = self.waiting.pop(number, None)
            if event is None:
                return None
            self._names.discard(event["name"])
            if not self.waiting:
                os.ftruncate(self._file, 0)
            elif os.fstat(self._file).st_size > 2 * max(COMPACT_BYTES, self._floor):
                self._compact()
            return event

    def _compact(self) -> None:
        fresh = self._path.with_suffix(".new")
        lines = [json.dumps(event, ensure_ascii=False).encode() for event in self.waiting.values()]
        with open(fresh, "wb") as file:
            file.write(b"\n".join(lines) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._floor = fresh.stat().st_size
        os.replace(fresh, self._path)
        os.close(self._file)
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND)

    def close(self) -> None:
        os.close(self._file)


def _event(told: object) -> Event | None:
    """What was kept, where the file still holds a whole event."""
    match told:
        case {"n": int(n), "kind": str(kind), "name": str(name), "data": dict(data)}:
            return {"n": n, "kind": kind, "name": name, "data": data}
    return None
