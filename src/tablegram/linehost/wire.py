"""Frames over a stream socket: JSON objects in UTF-8, one a line."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from typing import Any

from tablegram.linehost.words import MAX_FRAME

Frame = dict[str, Any]


class Ended(Exception):
    """The other end is gone, or says what no frame is."""


class Wire:
    """One end. Any thread may send; one reads."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._peer.setblocking(True)
        self._held = bytearray()
        self._sending = threading.Lock()

    def send(self, frame: Frame) -> None:
        raw = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        if len(raw) > MAX_FRAME:
            raise ValueError(f"a frame of {len(raw)} bytes")
        try:
            with self._sending:
                self._peer.sendall(raw)
        except OSError as error:
            raise Ended(str(error)) from None

    def read(self, within_s: float) -> Frame | None:
        """The next frame; nothing when none came in that time."""
        until = time.monotonic() + within_s
        while True:
            end = self._held.find(b"\n")
            if end >= 0:
                line = bytes(self._held[:end])
                del self._held[: end + 1]
                return parse(line)
            if len(self._held) > MAX_FRAME:
                raise Ended("a frame that is too long")
            left = until - time.monotonic()
            if not select.select([self._peer], [], [], max(0.0, left))[0]:
                return None
            try:
                more = self._peer.recv(1 << 16)
            except OSError as error:
                raise Ended(str(error)) from None
            if not more:
                raise Ended("the other end has closed")
            self._held += more

    def close(self) -> None:
        self._peer.close()


def parse(line: bytes) -> Frame:
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError):
        raise Ended("what came is no JSON") from None
    if not isinstance(frame, dict):
        raise Ended("what came is no JSON object")
    return frame
