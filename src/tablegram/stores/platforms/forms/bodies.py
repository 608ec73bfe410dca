"""The body of a form: JSON, or pairs of names and values in either of the two ways in which browsers write them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

from multipart import MultipartError, MultipartSegment, PushMultipartParser, parse_options_header

from tablegram.stores.platforms.decoding import charset_said, in_utf8, json_in
from tablegram.stores.ports import Unreadable

MAX_FIELDS = 1_000
# Of one field. Answers are shorter; a builder that writes the whole form into one field stays below.
MAX_FIELD_BYTES = 100_000
# Of all fields together, without files: reading text takes a hundred times longer than passing over a file.
MAX_TEXT_BYTES = 500_000

Pairs = list[tuple[str, str]]


def body_in(headers: Mapping[str, str], body: bytes) -> object | Pairs:
    """Decoded JSON, or the pairs of a form. Raises `Unreadable`."""
    kind, options = parse_options_header(headers.get("content-type", "")[:1_000])
    if kind == "multipart/form-data" or (body.startswith(b"--") and b"form-data" in body[:500]):
        return _parts(options.get("boundary", "") or _first_boundary(body), body, headers)
    looks_json = body[:50].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    if looks_json or kind.endswith("json") or body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return json_in(headers, body)
    return _urlencoded(body, headers)


def _first_boundary(body: bytes) -> str:
    return body[:200].partition(b"\n")[0].strip().removeprefix(b"--").decode("latin-1")


def _urlencoded(body: bytes, headers: Mapping[str, str]) -> Pairs:
    if not body.strip():
        raise Unreadable("body_empty", "The form has no fields.")
    if body.count(b"&") >= MAX_FIELDS:
        raise Unreadable("form_too_large", f"The form has more than {MAX_FIELDS:,} fields.")
    found: Pairs = []
    size = 0
    for pair in body.strip().split(b"&"):
        name, _, value = pair.partition(b"=")
        name, value = name[:1_000], value[:MAX_FIELD_BYTES]
        size += len(name) + len(value)
        if size > MAX_TEXT_BYTES:
            raise _too_long()
        if name:
            found.append((_plain(name, headers), _plain(value, headers)))
    return found


def _plain(written: bytes, headers: Mapping[str, str]) -> str:
    return _text(unquote_to_bytes(written.replace(b"+", b" ")), headers)


def _text(raw: bytes, headers: Mapping[str, str]) -> str:
    said = charset_said(headers)
    if said and said != "utf-8":
        return raw.decode(said, "replace")
    return in_utf8({}, raw).decode("utf-8", "replace")


def files_in(headers: Mapping[str, str], body: bytes) -> list[tuple[str, bytes]]:
    """Files that came with the form itself, by their names, in the order of their fields. Raises `Unreadable`."""
    kind, options = parse_options_header(headers.get("content-type", "")[:1_000])
    if kind != "multipart/form-data" and not (body.startswith(b"--") and b"form-data" in body[:500]):
        return []
    found: list[tuple[str, bytes]] = []
    value, filename = bytearray(), ""
    boundary = options.get("boundary", "") or _first_boundary(body)
    try:
        with PushMultipartParser(boundary.encode("latin-1"), max_segment_count=MAX_FIELDS) as parser:
            for event in parser.parse(body):
                if isinstance(event, MultipartSegment):
                    value, filename = bytearray(), event.filename or ""
                elif event is None:
                    if filename:
                        found.append((filename, bytes(value)))
                elif filename:
                    value += event
    except (MultipartError, ValueError, LookupError):
        raise Unreadable("form_broken", "The form has parts that cannot be read, or is cut off.") from None
    return found


def _parts(boundary: str, body: bytes, headers: Mapping[str, str]) -> Pairs:
    """Of a form with parts; of a file only its name is taken."""
    found: Pairs = []
    name, value, filename, size = "", bytearray(), "", 0
    try:
        with PushMultipartParser(boundary.encode("latin-1"), max_segment_count=MAX_FIELDS) as parser:
            for event in parser.parse(body):
                if isinstance(event, MultipartSegment):
                    name, value, filename = event.name or "", bytearray(), event.filename or ""
                elif event is None:
                    size += len(value)
                    if size > MAX_TEXT_BYTES:
                        raise _too_long()
                    found.append((name, filename or _text(bytes(value), headers)))
                elif not filename and len(value) < MAX_FIELD_BYTES:
                    value += event[:MAX_FIELD_BYTES]
    except (MultipartError, ValueError, LookupError):
        raise Unreadable("form_broken", "The form has parts that cannot be read, or is cut off.") from None
    return found


def _too_long() -> Unreadable:
    return Unreadable("form_too_large", "The fields of the form are longer than answers can be.")
