"""Work that behaves as files of strangers make it behave. Only children import this."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from typing import Any

import msgspec

from tablegram.errors import FieldError, Invalid
from tablegram.values.ids import new_id
from tablegram.workshop.ports import Job, Limits

MB = 1_048_576


class Told(msgspec.Struct):
    pid: int
    parent: int
    files: dict[int, str]
    variables: dict[str, str]
    limits: dict[str, int]
    id: str


def job(work: str, made: Any = bytes, **limits: Any) -> Job[Any]:
    given: dict[str, Any] = {"cpu_s": 30, "wall_s": 60.0, "memory_bytes": 256 * MB, "answer_bytes": MB}
    return Job(
        work=f"{__name__}:{work}",
        made=made,
        limits=Limits(**given | limits),
        too_much=FieldError("file", "too_much", "Less, please."),
        unreadable=FieldError("file", "unreadable", "No."),
    )


def echo(raw: bytes) -> bytes:
    return raw


def tell(raw: bytes) -> Told:
    """What a child can see of the world."""
    listed = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    files = {}
    for number in listed:
        try:
            files[number] = os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:
            # The listing's own.
            continue
    names = ("CORE", "FSIZE", "CPU", "AS")
    limits = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0] for name in names}
    return Told(os.getpid(), os.getppid(), files, dict(os.environ), limits, new_id())


def spin(raw: bytes) -> bytes:
    while True:
        pass


def sleep(raw: bytes) -> bytes:
    time.sleep(float(raw))
    return raw


def hoard(raw: bytes) -> bytes:
    return b"x" * (1_024 * MB)


def chatter(raw: bytes) -> bytes:
    return b"x" * (4 * MB)


def write(raw: bytes) -> bytes:
    """Files cannot grow."""
    with open(raw.decode(), "wb") as file:
        file.write(b"x")
    return b""


def refuse(raw: bytes) -> bytes:
    raise Invalid.fields([FieldError("file", "bad_row", "Row 2."), FieldError("mode", "bad_mode", "Mode.")])


def fail(raw: bytes) -> bytes:
    raise KeyError(raw.decode())


def leave(raw: bytes) -> bytes:
    os._exit(0)


def crash(raw: bytes) -> bytes:
    ctypes.string_at(0)
    return b""


def lie(raw: bytes) -> bytes:
    """Something that is no `Told`."""
    return msgspec.msgpack.encode({"pid": "somebody"})


def die_once(raw: bytes) -> bytes:
    """Killed at the first try, as the system does when memory runs out; the marker is a folder that the test made."""
    folder = raw.decode()
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return b"done"
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def die(raw: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""
