"""What a host says and is told at first, typed. Whatever does not fit ends the conversation."""

from __future__ import annotations

from typing import Literal, TypedDict

import msgspec

from tablegram.values import Json


class Hello(TypedDict):
    """What a host is to know before anything else."""

    folder: str
    settings: dict[str, str]
    # What its engine needs to come back as the same device; empty before the first pairing.
    session: str


class Ready(msgspec.Struct, frozen=True):
    protocol: int
    engine: str
    version: str = ""
    can: tuple[str, ...] = ()
    refused: str = ""


class Event(msgspec.Struct, frozen=True):
    """Something that must not be lost, with a name that is the same whenever it is told."""

    n: int
    kind: str
    name: str
    data: msgspec.Raw


class Note(msgspec.Struct, frozen=True):
    """How things are; only the newest of a kind counts."""

    kind: str
    data: Json = {}


class No(msgspec.Struct, frozen=True):
    """An order that was not carried out."""

    code: str
    detail: str = ""
    again_s: float | None = None
    sent: Literal["no", "unknown"] = "no"
    holds: Literal["message", "recipient", "line"] = "message"
    state: str = ""
    network_code: int | None = None
    # When what `state` tells of is over.
    until_ms: int = 0


class Said(msgspec.Struct, frozen=True):
    """One frame: exactly one of these, or the answer to an order."""

    ready: Ready | None = None
    event: Event | None = None
    note: Note | None = None
    id: int | None = None
    ok: Json | None = None
    no: No | None = None


DECODER = msgspec.json.Decoder(Said)
