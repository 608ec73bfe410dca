"""A look at the file behind a `media_url`, before its message is accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import unquote

from tablegram.errors import Invalid
from tablegram.messaging.model import MEDIA_MAX_BYTES
from tablegram.values.files.media import KINDS, REFUSED, SNIFF_BYTES, UNKNOWN, MediaKind, sniff
from tablegram.values.http.outbound import CHUNK_BYTES, GuardedClient, TargetForbidden, TargetUnreachable

if TYPE_CHECKING:
    import aiohttp

FIELD = "media_url"
# A look happens while a caller waits, who also waits for the network afterwards.
INSPECT_S = 5.0
MAX_FILENAME_CHARS = 240


@dataclass(frozen=True, slots=True)
class MediaFacts:
    """What is known of a file. `by_link`: the network can fetch it itself, so that only its link is passed on."""

    kind: MediaKind
    mime_type: str
    size: int
    filename: str
    by_link: bool
    # Of a file in our own store: its name, and its address there.
    media_id: str = ""
    kept_url: str = ""


@dataclass(frozen=True, slots=True)
class _Look:
    first: bytes
    size: int
    declared_mime: str
    filename: str


async def inspect(
    fetcher: GuardedClient, url: str, wanted_type: MediaKind | None = None, *, timeout_s: float = INSPECT_S
) -> MediaFacts:
    """Tell what a file is from the file itself. Raises `Invalid` on `media_url` with the reason as its code."""
    try:
        look = await _look(fetcher, url, wanted_type, timeout_s)
        by_link = await fetcher.is_public(url)
    except TargetForbidden as error:
        raise Invalid.field(FIELD, "media_url_forbidden", f"media_url may not be called: {error.reason}.") from None
    except TargetUnreachable as error:
        _unreachable(error.reason)
    kind, mime_type = sniff(look.first, look.declared_mime, look.filename)
    chosen = _choose(kind, mime_type, wanted_type, look)
    if look.size > MEDIA_MAX_BYTES[chosen]:
        _too_large(chosen)
    return MediaFacts(chosen, mime_type, look.size, look.filename, by_link)


async def _look(fetcher: GuardedClient, url: str, wanted: MediaKind | None, timeout_s: float) -> _Look:
    cap = MEDIA_MAX_BYTES[wanted] if wanted else max(MEDIA_MAX_BYTES.values())
    async with fetcher.request("GET", url, timeout_s=timeout_s) as response:
        if response.status != 200:
            _unreachable(f"it answered HTTP {response.status}; redirects are not followed")
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            _unreachable("its server answers compressed although asked not to")
        first = await _read_first(response)
        size = response.content_length
        if size is None:
            # Without a length only reading to the end tells the size.
            size = len(first)
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                size += len(chunk)
                if size > cap:
                    break
        if size > cap:
            _too_large(wanted or "document")
        return _Look(first, size, response.headers.get("Content-Type", ""), _filename(response))


async def _read_first(response: aiohttp.ClientResponse) -> bytes:
    first = b""
    while len(first) < SNIFF_BYTES:
        chunk = await response.content.read(SNIFF_BYTES - len(first))
        if not chunk:
            break
        first += chunk
    return first


def choose_kind(mime_type: str, size: int, wanted: MediaKind | None) -> MediaKind:
    """The kind to send a file of ours as. Without a wish, one that is too large for its kind goes as a document."""
    kind = KINDS.get(mime_type, "document")
    if mime_type in REFUSED:
        _unsupported(f"The file at media_url is {mime_type}, which is not sent.")
    if wanted is None:
        return kind if size <= MEDIA_MAX_BYTES[kind] else "document"
    _match(kind, mime_type, wanted)
    if size > MEDIA_MAX_BYTES[wanted]:
        _too_large(wanted)
    return wanted


def _choose(kind: MediaKind, mime_type: str, wanted: MediaKind | None, look: _Look) -> MediaKind:
    """The kind to send as, when the file and the wish go together."""
    if not look.first:
        _unsupported("The file at media_url is empty.")
    if mime_type in REFUSED:
        _unsupported(f"The file at media_url is {mime_type}, which is not sent. Give the address of a file.")
    claim = look.declared_mime.partition(";")[0].strip().lower()
    if mime_type == UNKNOWN and claim in KINDS and wanted != "document":
        _unsupported(f"media_url says that its file is {claim}, but the file is not.")
    _match(kind, mime_type, wanted)
    return wanted or kind


def _match(kind: MediaKind, mime_type: str, wanted: MediaKind | None) -> None:
    if wanted not in (None, kind, "document"):
        supported = ", ".join(mime for mime, of in KINDS.items() if of == wanted)
        _unsupported(f"The file at media_url is {mime_type}; as {wanted} the network takes {supported}.")


def _filename(response: aiohttp.ClientResponse) -> str:
    """The name that the server gives, else the last part of the address, without what could confuse a phone."""
    header = response.headers.get("Content-Disposition", "")
    from aiohttp.multipart import content_disposition_filename, parse_content_disposition

    given = content_disposition_filename(parse_content_disposition(header)[1]) if header else None
    name = given or unquote(response.url.raw_path.rpartition("/")[2])
    name = re.sub(r"[\x00-\x1f\x7f-\x9f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", name).strip(". ")
    return name[-MAX_FILENAME_CHARS:]


def _unreachable(reason: str) -> NoReturn:
    raise Invalid.field(FIELD, "media_unreachable", f"The file at media_url cannot be fetched: {reason}.")


def _too_large(kind: MediaKind) -> NoReturn:
    limit = MEDIA_MAX_BYTES[kind]
    words = f"{limit // 1_048_576} MB" if limit >= 1_048_576 else f"{limit // 1_024} KB"
    raise Invalid.field(FIELD, "media_too_large", f"The file at media_url is too large: {words} at most as {kind}.")


def _unsupported(detail: str) -> NoReturn:
    raise Invalid.field(FIELD, "media_type_unsupported", detail)
