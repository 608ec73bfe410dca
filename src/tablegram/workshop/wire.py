"""What parent, foreman and child say to each other: orders as JSON, work and answers as bytes with their length.

Nothing that comes from a child is ever executed: no pickle, only plain data of a type that the parent names.
"""

from __future__ import annotations

import struct

import msgspec

HEAD = struct.Struct("!cQ")
# What a child answers with: what it made, that what it was given is wrong, or that it has a bug.
MADE, WRONG, BUG = b"m", b"w", b"b"
# How it ends when there was not enough memory even to say so.
OUT_OF_MEMORY = 77
ORDER_BYTES = 4_096


class Order(msgspec.Struct, omit_defaults=True):
    """To the foreman: begin a piece of work, whose socket comes along, or end it."""

    number: int
    work: str = ""
    cpu_s: int = 0
    memory_bytes: int = 0
    file_bytes: int = 0


class Report(msgspec.Struct, omit_defaults=True):
    """From the foreman: it has begun under this pid, it has ended with this code, or it cannot begin."""

    number: int
    pid: int = 0
    code: int | None = None
    cpu_s: float = 0.0
    why: str = ""


class Fault(msgspec.Struct):
    field: str
    code: str
    detail: str


class Wrong(msgspec.Struct):
    """An `Invalid` as plain data."""

    code: str
    detail: str
    faults: list[Fault]
