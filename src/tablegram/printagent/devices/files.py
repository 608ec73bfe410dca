"""A printer behind a device file: USB (`/dev/usb/lp0`) and serial lines (`/dev/ttyUSB0`)."""

from __future__ import annotations

import os
import select
import termios
import time
from pathlib import Path

from tablegram.printagent.devices.state import OFFLINE, QUESTIONS, UNKNOWN, Broken, State, Unreachable, read

WRITE_S = 30.0
ANSWER_S = 1.5
SPEEDS = {
    text: getattr(termios, f"B{text}") for text in ("1200", "2400", "4800", "9600", "19200", "38400", "57600", "115200")
}


class FilePrinter:
    """`speed` is set for serial lines alone: 8 bits, no parity, and the line's own handshake."""

    def __init__(self, path: str, speed: str = "", *, write_s: float = WRITE_S, answer_s: float = ANSWER_S) -> None:
        self._path = path
        self._speed = SPEEDS[speed] if speed else None
        self._write_s = write_s
        self._answer_s = answer_s

    def state(self) -> State:
        if not Path(self._path).exists():
            return OFFLINE
        if self._speed is None:
            # The driver of USB printers may hold a question back behind a ticket; nobody is asked without need.
            return UNKNOWN
        try:
            file = self._open()
        except Unreachable:
            return OFFLINE
        try:
            return self._ask(file)
        finally:
            os.close(file)

    def print(self, content: bytes) -> State:
        file = self._open()
        try:
            before = self._ask(file)
            if before.error:
                return before
            self._write(file, content)
            after = self._ask(file) if before.known else UNKNOWN
        finally:
            os.close(file)
        if before.known and not after.known:
            raise Broken("no_answer")
        if after.error:
            raise Broken(after.error)
        return after

    def _open(self) -> int:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError as error:
            raise Unreachable("unreachable") from error
        if self._speed is not None:
            try:
                self._set_line(file)
            except termios.error as error:
                os.close(file)
                raise Unreachable("not_serial") from error
        return file

    def _set_line(self, file: int) -> None:
        settings = termios.tcgetattr(file)
        settings[0] = termios.IGNBRK | termios.IXON
        settings[1] = 0
        settings[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        settings[3] = 0
        settings[4] = settings[5] = self._speed
        termios.tcsetattr(file, termios.TCSANOW, settings)

    def _write(self, file: int, content: bytes) -> None:
        """Not for ever: a printer without paper takes nothing any more."""
        deadline = time.monotonic() + self._write_s
        left = memoryview(content)
        while left:
            wait_s = deadline - time.monotonic()
            try:
                if wait_s <= 0 or not select.select([], [file], [], wait_s)[1]:
                    raise self._stuck(len(left) == len(content))
                left = left[os.write(file, left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._stuck(len(left) == len(content)) from error

    def _stuck(self, nothing_went: bool) -> Exception:
        return Unreachable("stuck") if nothing_went else Broken("broke_off")

    def _ask(self, file: int) -> State:
        answers = b""
        deadline = time.monotonic() + self._answer_s
        try:
            for question in QUESTIONS:
                if not select.select([], [file], [], max(0.0, deadline - time.monotonic()))[1]:
                    return UNKNOWN
                os.write(file, question)
                if not select.select([file], [], [], max(0.0, deadline - time.monotonic()))[0]:
                    return UNKNOWN
                answers += os.read(file, 1)
        except OSError:
            return UNKNOWN
        return read(answers)
