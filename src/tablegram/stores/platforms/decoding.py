"""Bytes of strangers made into plain values, in bounded time, whatever they are.

Genuine is not the same as harmless: who signs may still send five megabytes of brackets. What is larger than any order
has a reason to be is not decoded at all.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

import msgspec

from tablegram.stores.ports import Unreadable
from tablegram.values import Json

# Commas and opening brackets of a body. Orders with a thousand lines have less; this many take some 0.1 s.
MAX_PARTS = 100_000
# Each escape of a text is looked at; of a larger body that would take longer than the rest of reading.
MAX_REPAIRED = 200_000
# Text that is not UTF-8. Signs that a charset does not have are replaced one by one, which takes a hundred times longer.
MAX_RECODED = 500_000
MAX_DIGITS = 60
# Letters that shops of other times write without saying so. It knows every letter of Turkish and nearly every byte.
_FALLBACK = "cp1254"

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
# Half of a pair that stands for one sign: cut texts end in it, and strict readers refuse all of the body.
_FIRST, _SECOND = rb"\\u[dD][89abAB][0-9a-fA-F]{2}", rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPED_HALVES = re.compile(rb"%b(?!%b)|(?<!%b)%b" % (_FIRST, _SECOND, _FIRST, _SECOND))


def _number(written: str) -> Decimal | None:
    """A number with decimals as it was written: no part of it is lost on the way. One of many digits is none."""
    try:
        return Decimal(written) if len(written) <= MAX_DIGITS else None
    except InvalidOperation:
        return None


_DECODER = msgspec.json.Decoder(float_hook=_number)


def json_in(headers: Mapping[str, str], body: bytes) -> object:
    """The values of a JSON body. Numbers with decimals are `Decimal`. Raises `Unreadable`."""
    raw = in_utf8(headers, body).strip()
    if not raw:
        raise Unreadable("body_empty", "The delivery has no body.")
    if raw.count(b",") + raw.count(b"[") + raw.count(b"{") > MAX_PARTS:
        raise Unreadable("body_too_large", "The delivery has more parts than an order or a form can have.")
    try:
        return _decoded(raw)
    except RecursionError:
        raise Unreadable("body_too_deep", "The delivery is nested deeper than any order is.") from None
    except (msgspec.MsgspecError, ValueError):
        raise Unreadable("json_broken", "The delivery is not JSON, or is cut off.") from None


def object_in(headers: Mapping[str, str], body: bytes) -> Json:
    """The JSON object of a body. Raises `Unreadable` also where it is JSON of another kind."""
    found = json_in(headers, body)
    if not isinstance(found, dict):
        raise Unreadable("json_no_object", "The delivery is JSON, but not an object.")
    return found


def in_utf8(headers: Mapping[str, str], body: bytes) -> bytes:
    """The same text in UTF-8, without a mark at its beginning; as the header says, else as the bytes look.

    Raises `Unreadable` for much text that is in another charset.
    """
    if body.startswith(codecs.BOM_UTF8):
        body = body[len(codecs.BOM_UTF8) :]
    said = charset_said(headers)
    if said in ("", "utf-8"):
        looks = json.detect_encoding(body[:4])
        if looks in ("utf-8", "utf-8-sig") and _is_utf8(body):
            return body
        said = _FALLBACK if looks in ("utf-8", "utf-8-sig") else looks
    if len(body) > MAX_RECODED:
        raise Unreadable("body_too_large", f"What is not UTF-8 has at most {MAX_RECODED:,} bytes.")
    return body.decode(said, "replace").removeprefix("\ufeff").encode("utf-8", "replace")


def charset_said(headers: Mapping[str, str]) -> str:
    """The charset that a delivery names, if it is one of texts; else nothing."""
    named = _CHARSET.search(headers.get("content-type", "")[:1_000])
    try:
        found = codecs.lookup(named[1]) if named else None
    except (LookupError, ValueError):
        return ""
    # Some "codecs" unpack archives, and one reads escapes: they are no charsets.
    known = found is not None and getattr(found, "_is_text_encoding", False)
    return found.name if found is not None and known and not _is_odd(found.name) else ""


def digest_of(*parts: bytes | str) -> str:
    """A short name for bytes that are always the same ones."""
    whole = hashlib.sha256()
    for part in parts:
        one = part if isinstance(part, bytes) else part.encode("utf-8", "replace")
        whole.update(b"%d:" % len(one) + one)
    return whole.hexdigest()[:40]


def _is_odd(name: str) -> bool:
    return name in ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "undefined", "mbcs", "oem")


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decoded(raw: bytes) -> object:
    try:
        return _DECODER.decode(raw)
    except msgspec.DecodeError:
        if b"\\u" not in raw or len(raw) > MAX_REPAIRED:
            raise
        return _DECODER.decode(_ESCAPED_HALVES.sub(rb"\\ufffd", raw))
