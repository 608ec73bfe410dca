"""Reads ESC/POS as a printer does: bytes become lines with their faces, dots, codes, and what else it did.

It knows the commands from the makers' documents, not from whoever wrote the bytes, and refuses what it does not know:
a real printer would print that as letters, or swallow what follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Align = Literal["left", "center", "right"]
Act = Literal["cut", "feed", "buzzer", "drawer"]

_ALIGN: tuple[Align, ...] = ("left", "center", "right")
# The numbers under which most printers have their code pages, and where cheaper ones differ.
SLOTS = {
    0: "cp437", 2: "cp850", 3: "cp860", 4: "cp863", 5: "cp865", 13: "cp857", 14: "cp737", 15: "iso8859_7", 16: "cp1252",
    17: "cp866", 18: "cp852", 19: "cp858", 36: "cp862", 39: "iso8859_2", 40: "iso8859_15", 45: "cp1250", 46: "cp1251",
    47: "cp1253", 48: "cp1254", 49: "cp1255", 50: "cp1256", 51: "cp1257", 52: "cp1258", 61: "cp857", 91: "cp1254",
}  # fmt: skip


class Unknown(ValueError):
    """Bytes that no printer of this kind understands."""


class Line(NamedTuple):
    text: str
    wide: int = 1
    high: int = 1
    bold: bool = False
    reverse: bool = False
    align: Align = "left"


class Dots(NamedTuple):
    """Dark is 1, the leftmost dot in the highest bit."""

    width: int
    height: int
    rows: bytes


class Code(NamedTuple):
    """A QR code."""

    data: str


class Done(NamedTuple):
    act: Act
    times: int = 1


Seen = Line | Dots | Code | Done


def decode(raw: bytes) -> list[Seen]:
    """Everything that comes out of the printer, from first to last. Raises `Unknown`."""
    return list(_Printer(raw).work())


class _Printer:
    def __init__(self, raw: bytes) -> None:
        self._raw, self._at = raw, 0
        self._held = bytearray()
        self._stored = ""
        self._reset()

    def _reset(self) -> None:
        self._page = "cp437"
        self._align: Align = "left"
        self._size = 0
        self._bold = self._reverse = False

    def work(self) -> Iterator[Seen]:
        while self._at < len(self._raw):
            byte = self._take()
            if byte == 0x0A:
                yield self._line()
            elif byte == 0x1B:
                yield from self._escape()
            elif byte == 0x1D:
                yield from self._group()
            elif byte == 0x1C:
                if self._take() != ord("."):
                    raise Unknown(f"FS at {self._at}")
            elif byte < 0x20:
                raise Unknown(f"{byte:#04x} at {self._at}")
            else:
                self._held.append(byte)
        if self._held:
            # It waits in the printer's memory, and nobody ever sees it.
            raise Unknown("letters without the end of their line")

    def _take(self) -> int:
        if self._at >= len(self._raw):
            raise Unknown("the end comes within a command")
        self._at += 1
        return self._raw[self._at - 1]

    def _many(self, count: int) -> bytes:
        if self._at + count > len(self._raw):
            raise Unknown("the end comes within a command")
        self._at += count
        return self._raw[self._at - count : self._at]

    def _line(self) -> Line:
        text = bytes(self._held).decode(self._page)
        self._held.clear()
        return Line(text, (self._size >> 4) + 1, (self._size & 15) + 1, self._bold, self._reverse, self._align)

    def _escape(self) -> Iterator[Seen]:
        command = chr(self._take())
        if command == "@":
            self._held.clear()
            self._reset()
        elif command == "t":
            self._page = self._known_page(self._take())
        elif command == "a":
            self._align = _ALIGN[self._among(self._take(), 2)]
        elif command == "E":
            self._bold = bool(self._among(self._take(), 1))
        elif command == "d":
            yield Done("feed", self._take())
        elif command == "B":
            yield Done("buzzer", self._take())
            self._take()
        elif command == "p":
            self._many(3)
            yield Done("drawer")
        else:
            raise Unknown(f"ESC {command!r}")

    def _group(self) -> Iterator[Seen]:
        command = chr(self._take())
        if command == "!":
            self._size = self._take()
        elif command == "B":
            self._reverse = bool(self._among(self._take(), 1))
        elif command == "V":
            # With `B` (66) it feeds first, by so many dots.
            if self._take() == 66:
                self._take()
            yield Done("cut")
        elif command == "v":
            yield self._dots()
        elif command == "(":
            yield from self._code()
        else:
            raise Unknown(f"GS {command!r}")

    def _dots(self) -> Dots:
        if self._many(2) != b"0\x00":
            raise Unknown("GS v")
        wide, high = int.from_bytes(self._many(2), "little"), int.from_bytes(self._many(2), "little")
        return Dots(wide * 8, high, self._many(wide * high))

    def _code(self) -> Iterator[Seen]:
        if self._take() != ord("k"):
            raise Unknown("GS (")
        body = self._many(int.from_bytes(self._many(2), "little"))
        if body[:3] == b"1P0":
            self._stored = body[3:].decode()
        elif body == b"1Q0":
            yield Code(self._stored)
        elif body[:2] not in (b"1A", b"1C", b"1E"):
            raise Unknown("GS ( k")

    def _known_page(self, slot: int) -> str:
        if slot not in SLOTS:
            raise Unknown(f"code page {slot}")
        return SLOTS[slot]

    def _among(self, value: int, most: int) -> int:
        if value > most:
            raise Unknown(f"{value} of at most {most}")
        return value
