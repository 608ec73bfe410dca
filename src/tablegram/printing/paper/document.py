"""A document for a narrow roll of paper: blocks from top to bottom, without bytes, dots or a printer's commands."""

from __future__ import annotations

from typing import Literal

import msgspec

Align = Literal["left", "center", "right"]


class Text(msgspec.Struct, frozen=True, tag="text", omit_defaults=True):
    """A paragraph. It is as many times as wide and high as plain letters; `indent` is counted in plain columns."""

    text: str
    wide: int = 1
    high: int = 1
    bold: bool = False
    reverse: bool = False
    # In a frame of its own.
    box: bool = False
    strike: bool = False
    align: Align = "left"
    indent: int = 0
    # How much further than its first line the others begin, in columns of its own width.
    hang: int = 0


class Columns(msgspec.Struct, frozen=True, tag="columns", omit_defaults=True):
    """Words at the left edge and a figure at the right one. Only the words are ever broken."""

    left: str
    right: str
    wide: int = 1
    high: int = 1
    bold: bool = False
    strike: bool = False
    indent: int = 0
    # On one line: smaller rather than broken.
    whole: bool = False


class Rule(msgspec.Struct, frozen=True, tag="rule", omit_defaults=True):
    """A line from edge to edge."""

    heavy: bool = False


class Qr(msgspec.Struct, frozen=True, tag="qr"):
    data: str


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """Dots: one bit each, dark is 1, the leftmost in the highest bit; every row begins with a byte of its own."""

    width: int
    height: int
    dots: bytes


class Feed(msgspec.Struct, frozen=True, tag="feed", omit_defaults=True):
    lines: int = 1


class Cut(msgspec.Struct, frozen=True, tag="cut"):
    """The end of a sheet."""


class Buzzer(msgspec.Struct, frozen=True, tag="buzzer", omit_defaults=True):
    times: int = 2


class Drawer(msgspec.Struct, frozen=True, tag="drawer"):
    """Opens the drawer for cash."""


Block = Text | Columns | Rule | Qr | Picture | Feed | Cut | Buzzer | Drawer


class Document(msgspec.Struct, frozen=True):
    blocks: tuple[Block, ...]
    # Two letters: how a reader of the page speaks it.
    language: str = "en"
    title: str = ""
