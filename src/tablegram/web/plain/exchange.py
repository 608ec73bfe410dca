"""One request and its answer, without a framework: few addresses, small bodies, and bytes that are ready to be sent."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

from tablegram.errors import Invalid, WrongContentType
from tablegram.values.ids import new_id
from tablegram.web import live
from tablegram.web.asgi import Receive, Scope, Send, announced_length
from tablegram.web.bodies import BodyReader
from tablegram.web.compression import PACK_FROM, pack, takes_gzip
from tablegram.web.version import API_VERSION

# Room for a cart that is far too long, so that it is refused in words about carts.
MAX_BODY = 256 * 1024

_encode = msgspec.json.Encoder().encode
_Shape = TypeVar("_Shape")
_REQUEST_ID = re.compile(r"[!-~]{1,128}", re.ASCII)


class Asked:
    """What a browser asks for."""

    def __init__(self, scope: Scope, receive: Receive, remote: str, bodies: BodyReader) -> None:
        self._scope, self._bodies = scope, bodies
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.remote = remote
        self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query: bytes = scope["query_string"]
        # Of a parameter that is there twice the first one counts, everywhere alike.
        self.query = dict(reversed(parse_qsl(query.decode("latin-1")[:2_000], errors="replace")))
        self.receive = receive
        given = self.headers.get("x-request-id", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else new_id()
        # How much more may be asked; known once it was counted.
        self.rate_fields: tuple[tuple[bytes, bytes], ...] = ()

    @property
    def marks(self) -> list[tuple[bytes, bytes]]:
        """The header fields that every answer under the API's address carries."""
        return [
            (b"x-request-id", self.request_id.encode()),
            (b"x-api-version", API_VERSION.encode()),
            *self.rate_fields,
        ]

    @property
    def is_plain(self) -> bool:
        """Whether the address holds signs only that a text may have."""
        return "\0" not in self.path and not any("\0" in value for value in self.query.values())

    @property
    def wants_data(self) -> bool:
        return "text/html" not in self.headers.get("accept", "")

    @property
    def takes_gzip(self) -> bool:
        return takes_gzip(self._scope)

    async def json(self, shape: type[_Shape]) -> _Shape:
        """The body in a shape, or in words what is wrong with it.

        Only JSON is read: a form on somebody else's page cannot send that without asking the browser first.
        """
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise WrongContentType("Send the body as JSON, with the header Content-Type: application/json.")
        body = await self._bodies.whole(self.receive, MAX_BODY, announced_length(self._scope))
        # No store keeps it in a text, and no keyboard writes it.
        if b"\\u0000" in body:
            raise Invalid("Remove the character U+0000.", code="request_malformed")
        try:
            return msgspec.json.decode(body, type=shape)
        except msgspec.ValidationError as error:
            words, _, place = str(error).partition(" - at `$")
            field = place.rstrip("`").lstrip(".") or "body"
            raise Invalid.field(field, "wrong_type", f"{field} cannot be read: {words}.") from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Invalid("The body is not JSON.", code="request_malformed") from None


class Answer:
    """Bytes of some kind; browsers keep them for as long as `keep` says, and ask with their tag."""

    def __init__(
        self,
        body: bytes,
        mime_type: str,
        *,
        status: int = 200,
        keep: str = "no-store",
        tag: str = "",
        packed: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.body, self.mime_type, self.status, self.keep, self.tag = body, mime_type, status, keep, tag
        self.packed = packed
        self.headers = dict(headers or {})


class Stream:
    """An answer without an end: what happens, as it happens."""

    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        self.frames = frames


def json(content: Any, *, status: int = 200, keep: str = "no-store", tag: str = "") -> Answer:
    return Answer(_encode(content), "application/json", status=status, keep=keep, tag=tag)


async def give(asked: Asked, answer: Answer, send: Send, fixed: list[tuple[bytes, bytes]]) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    headers += [*fixed, (b"cache-control", answer.keep.encode())]
    body, status = answer.body, answer.status
    if answer.tag:
        headers.append((b"etag", answer.tag.encode()))
    if answer.tag and _knows(asked, answer.tag):
        status, body = 304, b""
    else:
        headers.append((b"content-type", answer.mime_type.encode()))
        if len(body) >= PACK_FROM and not answer.mime_type.startswith("image/webp"):
            headers.append((b"vary", b"accept-encoding"))
            if asked.takes_gzip:
                headers.append((b"content-encoding", b"gzip"))
                body = answer.packed or pack(body)
        headers.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if asked.method == "HEAD" else body})


def _knows(asked: Asked, tag: str) -> bool:
    known = [one.strip().removeprefix("W/") for one in asked.headers.get("if-none-match", "").split(",")]
    return asked.method in ("GET", "HEAD") and (tag in known or known == ["*"])


async def stream(asked: Asked, answer: Stream, send: Send, fixed: list[tuple[bytes, bytes]]) -> None:
    own = [(name.lower().encode(), value.encode()) for name, value in live.HEADERS.items()]
    headers = [*fixed, (b"content-type", live.MEDIA_TYPE.encode()), *own]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await live.deliver(answer.frames, asked.receive, send)
