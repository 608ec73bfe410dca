"""What this agent has begun and not yet told the server: in a file, so that a power cut forgets nothing.

A ticket has three steps here. *begun*: bytes may be on the way to the printer. *ended*: what became of it is known and the
server is to be told. *told*: it is forgotten. Whatever is only begun when the agent starts may be on paper or not.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any, NamedTuple

COMPACT_BYTES = 1 << 18


class Entry(NamedTuple):
    """One ticket. `outcome` is empty while it is only begun."""

    job: str
    fence: int
    outcome: str = ""
    code: str = ""
    doubt: bool = False


class Journal:
    """Tickets by their id. Any thread may use it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._lock = threading.Lock()
        self.entries: dict[str, Entry] = {}
        if path.exists():
            self._read()
        # Written anew at each start: what a power cut left half written does not spoil the line after it.
        self._write_anew()

    def _read(self) -> None:
        for line in self._path.read_bytes().split(b"\n"):
            try:
                found = json.loads(line)
                job, step = found["job"], found["step"]
                if step == "told":
                    self.entries.pop(job, None)
                else:
                    fence, outcome, code = int(found["fence"]), str(found["outcome"]), str(found["code"])
                    self.entries[job] = Entry(job, fence, outcome, code, bool(found["doubt"]))
            except (ValueError, KeyError, TypeError):
                # The end of what was being written when the power went: nothing had followed from it yet.
                continue

    def begin(self, job: str, fence: int) -> None:
        """Kept on disk before the first byte goes to the printer."""
        self._keep(Entry(job, fence), "begun")

    def end(self, entry: Entry) -> None:
        self._keep(entry, "ended")

    def forget(self, job: str) -> None:
        """The server knows."""
        with self._lock:
            if self.entries.pop(job, None) is None:
                return
            self._append({"job": job, "step": "told"})
            if not self.entries and os.fstat(self._file).st_size > COMPACT_BYTES:
                os.ftruncate(self._file, 0)
                os.fsync(self._file)

    def _keep(self, entry: Entry, step: str) -> None:
        with self._lock:
            self.entries[entry.job] = entry
            self._append({**entry._asdict(), "step": step})

    def _append(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line, separators=(",", ":")).encode() + b"\n")
        os.fsync(self._file)

    def _write_anew(self) -> None:
        fresh = self._path.with_suffix(".new")
        lines = [
            json.dumps({**entry._asdict(), "step": "ended" if entry.outcome else "begun"})
            for entry in self.entries.values()
        ]
        with open(fresh, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write("".join(line + "\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def close(self) -> None:
        os.close(self._file)
