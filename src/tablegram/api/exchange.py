"""One request and what is known about it, as it passes from the gate to its handler."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import msgspec

from tablegram.errors import Invalid
from tablegram.flows.gateway.sending import Call

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from opentelemetry.trace import Span

    from tablegram.accounts.keys.keys import Caller
    from tablegram.api.routing import Route

# Where handlers find the exchange in the ASGI scope.
SCOPE_KEY = "tablegram.exchange"

_VISIBLE = re.compile(rb"[!-~]{1,255}")


class Exchange:
    __slots__ = (
        "authorization",
        "body",
        "caller",
        "content_length",
        "content_type",
        "file",
        "forwarded",
        "has_body",
        "idempotency_key",
        "method",
        "path",
        "prefer",
        "problem_code",
        "problem_detail",
        "rate_fields",
        "remote",
        "request_id",
        "route",
        "span",
        "started_s",
        "trace",
        "traceparent",
    )

    caller: Caller
    route: Route
    started_s: float
    # The body of a route that takes a file, as it comes.
    file: AsyncIterator[bytes]

    def __init__(self, method: str, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        self.method = method
        self.path = path
        self.authorization = b""
        self.content_type = b""
        self.content_length = -1
        self.forwarded = b""
        self.has_body = False
        self.idempotency_key: bytes | None = None
        self.prefer = b""
        self.request_id = b""
        # What the caller traces; and, where we trace, our own span of the call and what its rows carry.
        self.traceparent = ""
        self.span: Span | None = None
        self.trace = ""
        self.body = b""
        self.remote = ""
        self.rate_fields: tuple[tuple[bytes, bytes], ...] = ()
        self.problem_code: str | None = None
        self.problem_detail: str | None = None
        for name, value in headers:
            if name in _READERS:
                _READERS[name](self, value)

    @property
    def id(self) -> str:
        return self.request_id.decode("ascii")

    def call(self) -> Call:
        """What the flows need to know about this call apart from its content."""
        key = self.idempotency_key
        if key is None:
            return Call(self.route.name, None, "", self._respond_async(), self.trace or self.id)
        if _VISIBLE.fullmatch(key) is None:
            raise Invalid.field(
                "Idempotency-Key",
                "idempotency_key_invalid",
                "Idempotency-Key must be 1 to 255 visible ASCII characters.",
            )
        # A test key must not be shown what was answered to a live one.
        path = f"test {self.path}" if self.caller.mode == "test" else self.path
        return Call(
            self.route.name,
            key.decode("ascii"),
            fingerprint(path, self.body),
            self._respond_async(),
            self.trace or self.id,
        )

    def _respond_async(self) -> bool:
        return bool(self.prefer) and any(
            part.strip().lower() == b"respond-async" for part in self.prefer.replace(b";", b",").split(b",")
        )


def fingerprint(path: str, body: bytes) -> str:
    """The same for two bodies that mean the same: neither the order of fields nor white space counts."""
    digest = hashlib.sha256(path.encode())
    if body.strip():
        digest.update(b"\n" + msgspec.json.encode(msgspec.json.decode(body), order="sorted"))
    return digest.hexdigest()


def _authorization(exchange: Exchange, value: bytes) -> None:
    exchange.authorization = value


def _content_type(exchange: Exchange, value: bytes) -> None:
    exchange.content_type = value


def _content_length(exchange: Exchange, value: bytes) -> None:
    exchange.content_length = int(value) if value.isdigit() else -1
    exchange.has_body = exchange.content_length != 0


def _transfer_encoding(exchange: Exchange, value: bytes) -> None:
    exchange.has_body = True


def _request_id(exchange: Exchange, value: bytes) -> None:
    if len(value) <= 128 and _VISIBLE.fullmatch(value):
        exchange.request_id = value


def _traceparent(exchange: Exchange, value: bytes) -> None:
    if len(value) <= 64 and _VISIBLE.fullmatch(value):
        exchange.traceparent = value.decode("ascii")


def _forwarded(exchange: Exchange, value: bytes) -> None:
    exchange.forwarded = exchange.forwarded + b"," + value if exchange.forwarded else value


def _idempotency_key(exchange: Exchange, value: bytes) -> None:
    # A second one makes the key ambiguous; joined by a space, the two are refused.
    exchange.idempotency_key = value if exchange.idempotency_key is None else exchange.idempotency_key + b" " + value


def _prefer(exchange: Exchange, value: bytes) -> None:
    exchange.prefer = exchange.prefer + b"," + value if exchange.prefer else value


_READERS = {
    b"authorization": _authorization,
    b"content-type": _content_type,
    b"content-length": _content_length,
    b"transfer-encoding": _transfer_encoding,
    b"x-request-id": _request_id,
    b"traceparent": _traceparent,
    b"x-forwarded-for": _forwarded,
    b"idempotency-key": _idempotency_key,
    b"prefer": _prefer,
}
