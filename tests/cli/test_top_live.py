"""`tablegram top` in a terminal: it draws itself anew, and leaves the terminal as it was, however it is ended."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tablegram.__main__ import main
from tablegram.cli.watching import top as _loaded_before_the_fork  # noqa: F401
from tests.cli.program import Program
from tests.orphans import follow_parent

# For what never happens.
WITHIN_S = 60.0
ENTERED, LEFT = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"
HEADINGS = b"QUEUE"


class Terminal:
    """A terminal in which one command runs, as a person would see and use it."""

    def __init__(self, *arguments: str) -> None:
        self._person, self._tty = os.openpty()
        termios.tcsetwinsize(self._tty, (30, 120))
        self.before = self.modes()
        self.said = b""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _become(self._person, self._tty, arguments, parent)

    def modes(self) -> list[object]:
        return list(termios.tcgetattr(self._tty))

    def shows_keys(self) -> bool:
        return bool(termios.tcgetattr(self._tty)[3] & termios.ECHO)

    def see(self, what: bytes, times: int = 1) -> None:
        self._until(lambda: self.said.count(what) >= times, f"{what!r}, {times} times")

    def press(self, key: bytes) -> None:
        os.write(self._person, key)

    def ended(self) -> int:
        """The code it ends with, after all that it said."""
        codes: list[int] = []

        def is_over() -> bool:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            codes.extend([os.waitstatus_to_exitcode(status)] if pid else [])
            return bool(pid)

        self._until(is_over, "the end")
        self.pid = 0
        while self._hear(0):
            pass
        return codes[0]

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._person)
        os.close(self._tty)

    def _until(self, happens: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not happens():
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{self.said.decode(errors='replace')}"
            self._hear(0.02)

    def _hear(self, within_s: float) -> bytes:
        ready, _, _ = select.select([self._person], [], [], within_s)
        heard = os.read(self._person, 65_536) if ready else b""
        self.said += heard
        return heard


def _become(person: int, tty: int, arguments: tuple[str, ...], parent: int) -> None:
    """The command itself, in a process of its own: it is forked, because loading the program takes longer than the rest."""
    code = 99
    try:
        follow_parent(signal.SIGKILL, parent)
        os.close(person)
        os.login_tty(tty)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        code = main(arguments)
        sys.stdout.flush()
    finally:
        os._exit(code)


@contextmanager
def top(*arguments: str) -> Iterator[Terminal]:
    terminal = Terminal("top", *arguments)
    try:
        terminal.see(HEADINGS)
        assert terminal.said.startswith(ENTERED)
        assert not terminal.shows_keys()
        yield terminal
    finally:
        terminal.close()


def is_as_before(terminal: Terminal) -> bool:
    return terminal.said.endswith(LEFT) and terminal.modes() == terminal.before


def test_it_draws_itself_anew_whatever_is_pressed_until_ctrl_c(program: Program) -> None:
    with top("--every", "0.5") as terminal:
        terminal.press(b"x\r")
        terminal.see(HEADINGS, times=2)
        terminal.press(b"\x03")
        assert terminal.ended() == 0
        assert is_as_before(terminal)


def test_the_key_q_ends_it_at_once(program: Program) -> None:
    with top("--every", "3600") as terminal:
        terminal.press(b"q")
        assert terminal.ended() == 0
        assert is_as_before(terminal)


def test_a_process_that_is_told_to_end_leaves_the_terminal_as_it_was(program: Program) -> None:
    with top("--every", "3600") as terminal:
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.ended() == 0
        assert is_as_before(terminal)
