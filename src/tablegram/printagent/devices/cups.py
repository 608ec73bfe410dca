"""A printer that CUPS keeps: the bytes go to its queue as they are."""

from __future__ import annotations

import subprocess

from tablegram.printagent.devices.state import OFFLINE, UNKNOWN, Broken, State, Unreachable

WITHIN_S = 30.0


class CupsPrinter:
    """CUPS takes a ticket or does not; that it lies in its queue is the best answer there is."""

    def __init__(self, queue: str) -> None:
        self._queue = queue

    def state(self) -> State:
        try:
            said = self._run(["lpstat", "-p", self._queue])
        except Unreachable:
            return OFFLINE
        if said.returncode:
            return OFFLINE
        return State(True, "stopped") if b"disabled" in said.stdout else UNKNOWN

    def print(self, content: bytes) -> State:
        state = self.state()
        if state.error:
            return state
        try:
            done = self._run(["lp", "-d", self._queue, "-o", "raw", "-s"], content)
        except subprocess.TimeoutExpired as error:
            raise Broken("no_answer") from error
        if done.returncode:
            raise Unreachable("queue_refused")
        return UNKNOWN

    def _run(self, command: list[str], content: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(command, input=content, capture_output=True, timeout=WITHIN_S, check=False)
        except subprocess.TimeoutExpired:
            if command[0] == "lp":
                raise
            raise Unreachable("no_answer") from None
        except OSError as error:
            raise Unreachable("no_cups") from error
