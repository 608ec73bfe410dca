"""What a printer says of itself: the real-time status of ESC/POS (DLE EOT), as bytes and in words."""

from __future__ import annotations

from typing import NamedTuple

# Printer, cause of being offline, error, paper.
ASK_PRINTER, ASK_OFFLINE, ASK_ERROR, ASK_PAPER = (b"\x10\x04" + bytes([number]) for number in (1, 2, 3, 4))
QUESTIONS = (ASK_PRINTER, ASK_OFFLINE, ASK_ERROR, ASK_PAPER)


class State(NamedTuple):
    """`known` is false for a printer that does not answer questions; `error` is empty for one that can print."""

    known: bool = False
    error: str = ""
    paper_low: bool = False


UNKNOWN = State()
OFFLINE = State(True, "offline")


class Unreachable(Exception):
    """Nothing was written: the same ticket may go out again without a word."""


class Broken(Exception):
    """It broke off while bytes were on their way: some may be on paper."""


def is_status(byte: int) -> bool:
    """Every answer to DLE EOT has the same four bits; anything else is no answer to it."""
    return byte & 0b1001_0011 == 0b0001_0010


def read(answers: bytes) -> State:
    """The state from the answers to `QUESTIONS`, in their order; unknown when one is missing."""
    if len(answers) != len(QUESTIONS) or not all(map(is_status, answers)):
        return UNKNOWN
    printer, offline, error, paper = answers
    low = bool(paper & 0x0C)
    if paper & 0x60 or offline & 0x20:
        return State(True, "paper_out", low)
    if offline & 0x04:
        return State(True, "cover_open", low)
    if error & 0x08:
        return State(True, "cutter", low)
    if error & 0x20:
        return State(True, "broken", low)
    if error & 0x40 or offline & 0x40:
        return State(True, "fault", low)
    if printer & 0x08:
        return State(True, "offline", low)
    return State(True, "", low)
