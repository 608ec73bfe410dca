"""Just enough HTTP for a network on this machine. The library's own client would double the size of a host."""

from __future__ import annotations

import json
import socket
from typing import IO, Any
from urllib.parse import urlsplit

MAX_HEAD = 1 << 16
MAX_BODY = 128 << 20


class Unsent(Exception):
    """Nothing of the request has left."""


class Lost(Exception):
    """The request went out, and no whole answer came."""


class Answer:
    def __init__(self, status: int, body: bytes) -> None:
        self.status, self.body = status, body

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return None


def ask(
    method: str, url: str, *, token: str = "", body: bytes = b"", kind: str = "application/json",
    timeout_s: float = 10.0, sink: IO[bytes] | None = None,
) -> Answer:  # fmt: skip
    """One request on a connection of its own. A good answer's body goes into `sink`, where there is one."""
    parts = urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    head = f"{method} {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    if body:
        head += f"Content-Type: {kind}\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    try:
        peer = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=timeout_s)
    except OSError as error:
        raise Unsent(error.strerror or str(error)) from None
    with peer:
        peer.settimeout(timeout_s)
        try:
            peer.sendall(head.encode("latin-1") + b"\r\n" + body)
            return _read(peer, sink)
        except OSError as error:
            raise Lost(error.strerror or str(error)) from None


def _read(peer: socket.socket, sink: IO[bytes] | None) -> Answer:
    held = bytearray()
    while (end := held.find(b"\r\n\r\n")) < 0:
        more = peer.recv(1 << 16)
        if not more or len(held) > MAX_HEAD:
            raise Lost("the answer broke off")
        held += more
    lines = bytes(held[:end]).decode("latin-1").split("\r\n")
    del held[: end + 4]
    status = int(lines[0].split()[1])
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    if "content-length" not in fields:
        raise Lost("the answer does not say how long it is")
    length = int(fields["content-length"])
    if length > MAX_BODY:
        raise Lost("the answer is too long")
    into = sink if status == 200 and sink is not None else None
    got = len(held)
    if into is not None:
        into.write(held)
    while got < length:
        more = peer.recv(min(1 << 16, length - got))
        if not more:
            raise Lost("the answer broke off")
        got += len(more)
        if into is not None:
            into.write(more)
        else:
            held += more
    return Answer(status, b"" if into is not None else bytes(held))
