"""A host that is tried: started like a gateway starts it, spoken with, and every frame of it looked at."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from tablegram.linehost.checking.frames import Breach, look_at, need
from tablegram.linehost.host import steady_s
from tablegram.linehost.wire import Ended, Frame, Wire
from tablegram.linehost.words import PROTOCOL, SOCKET_NAME

# A host has a language and a library to load.
START_S = 60.0
# The protocol says 3 s; a machine may be busy.
END_S = 10.0


class Trial:
    """What is tried, and how patiently."""

    def __init__(self, command: Sequence[str], folder: Path, settings: dict[str, str], patience_s: float) -> None:
        self.command, self.folder, self.settings, self.patience_s = list(command), folder, settings, patience_s
        self._folders = count(1)

    def fresh(self) -> Path:
        """A folder that no host has seen."""
        return self.folder / str(next(self._folders))


class Peer:
    def __init__(self, trial: Trial, folder: Path | None = None, session: str = "") -> None:
        self._trial = trial
        self.folder = folder or trial.fresh()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._session = session
        self._numbers = count(1)
        self.ready: Frame = {}
        self.events: list[Frame] = []
        # How many of them whoever tries it has looked at.
        self.taken = 0
        self.notes: dict[str, Frame] = {}
        self._answers: dict[int, Frame] = {}
        self._asked: set[int] = set()

    # Its life.

    def __enter__(self) -> Peer:
        ours, theirs = socket.socketpair()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")}
        try:
            self.process = subprocess.Popen(
                self._trial.command,
                pass_fds=(theirs.fileno(),),
                env={**kept, SOCKET_NAME: str(theirs.fileno())},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise Breach(f"its command cannot be started: {error.strerror}") from None
        finally:
            theirs.close()
        self._socket = ours
        self.wire = Wire(ours)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()
        try:
            self.process.wait(END_S if kind is None else 0.1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def hang_up(self) -> None:
        self._socket.close()

    def has_ended(self) -> bool:
        """Whether it ends, in the time that it has for that."""
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    # What it is told.

    def greet(self, protocol: int = PROTOCOL, **more: Any) -> Frame:
        hello = {
            "protocol": protocol, "line": "1", "folder": str(self.folder), "session": self._session,
            "settings": {"name": "Check", "rehearse": "yes", **self._trial.settings}, **more,
        }  # fmt: skip
        self.say({"hello": hello})
        frame = self._read(START_S)
        need(frame is not None and "ready" in frame, "the first frame must be ready")
        self.ready = (frame or {})["ready"]
        return self.ready

    def lead(self, seconds: float = 600.0) -> None:
        self.say({"alive": {"until": steady_s() + seconds}})

    def say(self, frame: Frame) -> None:
        self.wire.send(frame)

    def say_raw(self, raw: bytes) -> None:
        """Bytes as they are; a host that hangs up meanwhile may."""
        try:
            self._socket.sendall(raw)
        except OSError:
            pass

    def ask(self, do: Any, **given: Any) -> int:
        number = next(self._numbers)
        self._asked.add(number)
        self.say({"id": number, "do": do, "with": given})
        return number

    def order(self, do: Any, **given: Any) -> Frame:
        """The answer's frame."""
        return self.answer(self.ask(do, **given))

    def took(self, event: Frame) -> None:
        self.say({"took": event["n"]})

    # What it says.

    def answer(self, number: int) -> Frame:
        self.until(lambda: number in self._answers, "an order must be answered")
        return self._answers[number]

    def note(self, kind: str) -> Frame:
        """The newest of that kind."""
        return self.notes.get(kind, {})

    def until(self, holds: Callable[[], bool], words: str) -> None:
        """Listen until something is so."""
        end = time.monotonic() + self._trial.patience_s
        while not holds():
            left = end - time.monotonic()
            if left <= 0 or (self._read(left) is None and not holds()):
                raise Breach(f"{words}, and nothing came within {self._trial.patience_s:.0f} s")

    def listen(self, seconds: float) -> None:
        """Hear what comes in so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self._read(left) is not None:
            pass

    def _read(self, within_s: float) -> Frame | None:
        try:
            frame = self.wire.read(within_s)
        except Ended as ended:
            raise Breach(f"it ended, or said what no frame is ({ended})") from None
        if frame is None:
            return None
        look_at(frame)
        if "event" in frame:
            self.events.append(frame["event"])
        elif "note" in frame:
            self.notes[frame["note"]["kind"]] = frame["note"].get("data", {})
        elif "id" in frame:
            need(frame["id"] in self._asked, f"nobody gave the order {frame['id']}, or it is answered twice")
            self._asked.discard(frame["id"])
            self._answers[frame["id"]] = frame
        return frame
