"""Forms, read with limits and with their proof first.

A form that must show a proof shows it in one field. Nothing else of the form is looked at before that field has been
checked: of an urlencoded form it is picked out unread, and of one with files it has to come before the first file, so
that no stranger's file is ever kept.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus

from multipart import MultipartSegment, ParserError, ParserLimitReached, PushMultipartParser, parse_options_header

from tablegram.errors import BodyTooLarge, Malformed, TooManyFields
from tablegram.web.asgi import Receive, Scope, announced_length, header
from tablegram.web.bodies import BodyReader, ClientGone

if TYPE_CHECKING:
    from litestar.datastructures import UploadFile

# What people type. A route that takes files says how large they may be.
MAX_TEXT_BYTES = 1_000_000
# The largest of our own forms has some two hundred.
MAX_FIELDS = 1_000

Pairs = list[tuple[str, "str | UploadFile"]]


@dataclass(frozen=True, slots=True)
class Proof:
    """The field that shows where the form comes from. `check` raises when it does not show it; empty: it is missing."""

    field: str
    check: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FormLimits:
    # The whole body, files included.
    max_bytes: int = MAX_TEXT_BYTES
    # What is held in memory: everything but files.
    text_bytes: int = MAX_TEXT_BYTES
    max_fields: int = MAX_FIELDS


class FormReader:
    """Reads the forms of one listener."""

    def __init__(self, bodies: BodyReader) -> None:
        self._bodies = bodies

    async def read(self, scope: Scope, receive: Receive, limits: FormLimits, proof: Proof | None = None) -> Pairs:
        """The fields in their order; those that are files have to be closed with `close_files`."""
        kind, options = parse_options_header(header(scope, b"content-type"))
        announced = announced_length(scope)
        try:
            if kind == "application/x-www-form-urlencoded":
                most = min(limits.max_bytes, limits.text_bytes)
                return _split(await self._bodies.whole(receive, most, announced), limits, proof)
            if kind == "multipart/form-data":
                pieces = self._bodies.pieces(receive, limits.max_bytes, announced)
                return await _Parts(limits, proof).read(pieces, options.get("boundary", ""))
        except ClientGone:
            raise Malformed("The form broke off before its end. Nothing was done.") from None
        if proof is not None:
            proof.check("")
        return []


async def close_files(pairs: Pairs) -> None:
    for _, value in pairs:
        if not isinstance(value, str):
            await value.close()


def _split(body: bytes, limits: FormLimits, proof: Proof | None) -> Pairs:
    if body.count(b"&") >= limits.max_fields:
        raise _too_many(limits)
    if proof is not None:
        name = proof.field.encode() + b"="
        given = next((one[len(name) :] for one in body.split(b"&") if one.startswith(name)), b"")
        proof.check(unquote_plus(given.decode("latin-1")))
    return list(parse_qsl(body.decode("latin-1"), keep_blank_values=True))


class _Parts:
    """One form in parts, as it comes in."""

    def __init__(self, limits: FormLimits, proof: Proof | None) -> None:
        self._limits = limits
        self._proof = proof
        self._found: Pairs = []
        self._name = ""
        self._part: UploadFile | bytearray = bytearray()
        self._text_bytes = 0

    async def read(self, pieces: AsyncIterator[bytes], boundary: str) -> Pairs:
        try:
            with PushMultipartParser(boundary.encode(), max_segment_count=self._limits.max_fields) as parser:
                async for piece in pieces:
                    for event in parser.parse(piece):
                        await self._take(event)
                    if parser.closed:
                        break
            self._prove("")
        except BaseException as error:
            await self._drop()
            if isinstance(error, ParserLimitReached):
                raise _too_many(self._limits) from None
            if isinstance(error, ParserError):
                raise Malformed("The form cannot be read. Send it again.") from None
            raise
        return self._found

    async def _take(self, event: MultipartSegment | bytearray | None) -> None:
        """The head of a part, a piece of it, or its end."""
        if isinstance(event, MultipartSegment):
            self._name = event.name
            if event.filename:
                # A file that comes before the proof is a stranger's.
                self._prove("")
                # The framework's own, which pages take; whoever sends a file has loaded it.
                from litestar.datastructures import UploadFile

                self._part = UploadFile(event.content_type or "text/plain", event.filename)
        elif event and not isinstance(self._part, bytearray):
            await self._part.write(event)
        elif event and isinstance(self._part, bytearray):
            self._text_bytes += len(event)
            if self._text_bytes > self._limits.text_bytes:
                raise BodyTooLarge(f"The fields of a form may have at most {self._limits.text_bytes:,} bytes.")
            self._part += event
        else:
            await self._end()

    async def _end(self) -> None:
        part, self._part = self._part, bytearray()
        if not isinstance(part, bytearray):
            await part.seek(0)
            self._found.append((self._name, part))
            return
        text = part.decode("utf-8", "replace")
        if self._proof is not None and self._name == self._proof.field:
            self._prove(text)
        self._found.append((self._name, text))

    def _prove(self, given: str) -> None:
        proof, self._proof = self._proof, None
        if proof is not None:
            proof.check(given)

    async def _drop(self) -> None:
        if not isinstance(self._part, bytearray):
            await self._part.close()
        await close_files(self._found)


def _too_many(limits: FormLimits) -> TooManyFields:
    return TooManyFields(f"A form may have at most {limits.max_fields:,} fields. Nothing was done.")
