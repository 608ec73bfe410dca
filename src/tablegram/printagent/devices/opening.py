"""Which printer is meant: `tcp://HOST[:PORT]`, a device file, `serial:/dev/…@SPEED`, `cups:QUEUE`."""

from __future__ import annotations

import re
from typing import Protocol

from tablegram.printagent.devices.cups import CupsPrinter
from tablegram.printagent.devices.files import SPEEDS, FilePrinter
from tablegram.printagent.devices.network import PORT, NetworkPrinter
from tablegram.printagent.devices.state import State

FORMS = "tcp://HOST:9100, /dev/usb/lp0, serial:/dev/ttyUSB0@9600 or cups:QUEUE"
_HOST = re.compile(r"(?:tcp://)?(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?/?", re.ASCII)
# What the server may name by itself; whoever types a device on this machine may name any.
_TOLD = re.compile(r"/dev/(?:usb/lp|lp|ttyUSB|ttyACM|ttyS|ttyAMA|serial/by-id/|serial/by-path/)[\w.:+-]*", re.ASCII)
_TOLD_PORTS = range(9100, 9110)
_QUEUE = re.compile(r"[\w][\w.@+-]{0,126}", re.ASCII)


class Printer(Protocol):
    def state(self) -> State:
        """What it says of itself, or `UNKNOWN`."""
        ...

    def print(self, content: bytes) -> State:
        """Print. A state with an error means that nothing was printed.

        Raises `Unreachable` when no byte went out, and `Broken` when some did and nobody knows what became of them.
        """
        ...


class WrongDevice(ValueError):
    """Names no printer; the text says what would."""


def open_device(text: str, *, told: bool = False) -> Printer:
    """The printer that a text names. `told` by the server: only what is a printer by its name."""
    kind, _, rest = text.partition(":")
    if text.startswith("/dev/") and _may_open(text, told):
        return FilePrinter(text)
    if kind == "serial":
        path, _, speed = rest.partition("@")
        speed = speed or "9600"
        if path.startswith("/dev/") and speed in SPEEDS and _may_open(path, told):
            return FilePrinter(path, speed)
    elif kind == "cups" and _QUEUE.fullmatch(rest):
        return CupsPrinter(rest)
    elif found := _HOST.fullmatch(text):
        port = int(found[2] or PORT)
        if port in _TOLD_PORTS or (0 < port < 65_536 and not told):
            return NetworkPrinter(found[1].strip("[]"), port)
    raise WrongDevice(f"{text!r} names no printer. Write {FORMS}.")


def _may_open(path: str, told: bool) -> bool:
    return ".." not in path and (not told or _TOLD.fullmatch(path) is not None)
