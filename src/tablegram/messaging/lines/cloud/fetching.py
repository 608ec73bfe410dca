"""Fetching what a customer sent: the network first tells where the file lies, and for how long; then it is read.

The access token goes along to that address too, so the address must be the network's own.
"""

from __future__ import annotations

import hashlib
from typing import IO, TYPE_CHECKING, Any, Literal

import msgspec
from yarl import URL

from tablegram.messaging.lines.cloud import errors
from tablegram.messaging.lines.cloud.errors import GraphError
from tablegram.messaging.lines.cloud.loose import text
from tablegram.messaging.ports import Delayed, MediaFetched, NetworkRefused
from tablegram.values.http.network import CONNECT_S, Session, explain, network_failures, surely_unsent, timeout

if TYPE_CHECKING:
    import aiohttp

CHUNK_BYTES = 65_536
# 100 MB over a slow line; what takes longer is tried again from the start.
FILE_BUDGET_S = 120.0
# A server that sends nothing for so long has forgotten us.
SILENCE_S = 15.0
# The answer that tells where a file lies is a few hundred bytes.
MAX_ANSWER_BYTES = 65_536
RETRY_S = 2.0

# The network's code for "no such object", in both of its forms.
_MISSING = (100, 33)
_GONE = NetworkRefused("media_gone", "The network no longer has this file.")


class _Place(msgspec.Struct):
    """Where a file lies, as the network tells it. Only the address is relied on."""

    url: Any = ""
    mime_type: Any = ""
    sha256: Any = ""
    file_size: Any = None
    error: GraphError | None = None


_PLACES = msgspec.json.Decoder(_Place, strict=False)


class MediaSource:
    """The files of one line. `hosts` are the network's own beside the one at `base_url`, and are called by https."""

    def __init__(
        self, session: Session, base_url: str, hosts: tuple[str, ...], bearer: dict[str, str],
        budget_s: float,
    ) -> None:  # fmt: skip
        self._session = session
        self._base_url = base_url
        self._hosts = frozenset(hosts)
        self._bearer = bearer
        self._budget_s = budget_s

    async def fetch(self, object_url: URL, sink: IO[bytes], max_bytes: int) -> MediaFetched | NetworkRefused | Delayed:
        place = await self._locate(object_url)
        if not isinstance(place, _Place):
            return place
        url = self._trusted(text(place.url))
        if url is None:
            words = "The network gave an address for the file that is not its own. See CLOUD_MEDIA_HOSTS."
            return Delayed("media_host_foreign", words, RETRY_S, "message")
        if isinstance(place.file_size, int) and place.file_size > max_bytes:
            return _too_large(max_bytes)
        got = await self._read(url, sink, max_bytes)
        if not isinstance(got, MediaFetched):
            return got
        return MediaFetched(got.size, got.sha256, text(place.mime_type), text(place.sha256))

    async def _locate(self, object_url: URL) -> _Place | NetworkRefused | Delayed:
        try:
            async with self._session.get(
                object_url, headers=self._bearer, timeout=timeout(self._budget_s), allow_redirects=False
            ) as response:
                raw = await response.content.read(MAX_ANSWER_BYTES)
                while len(raw) < MAX_ANSWER_BYTES and (
                    more := await response.content.read(MAX_ANSWER_BYTES - len(raw))
                ):
                    raw += more
        except network_failures() as error:
            return _unreachable(error)
        return _read_place(response.status, raw)

    def _trusted(self, address: str) -> URL | None:
        """The address, if the token may go there."""
        try:
            url = URL(address, encoded=True)
            own = url.origin() == URL(self._base_url).origin()
            known = url.scheme == "https" and url.port == 443 and url.host in self._hosts
        except ValueError:
            return None
        return url if (own or known) and url.user is None and url.password is None else None

    async def _read(self, url: URL, sink: IO[bytes], max_bytes: int) -> MediaFetched | NetworkRefused | Delayed:
        import aiohttp

        limits = aiohttp.ClientTimeout(total=FILE_BUDGET_S, connect=CONNECT_S, sock_read=SILENCE_S)
        try:
            async with self._session.get(url, headers=self._bearer, timeout=limits, allow_redirects=False) as response:
                if response.status != 200:
                    return _bare(response.status)
                if (response.content_length or 0) > max_bytes:
                    return _too_large(max_bytes)
                return await _copy(response, sink, max_bytes)
        except network_failures() as error:
            return _unreachable(error)


async def _copy(response: aiohttp.ClientResponse, sink: IO[bytes], max_bytes: int) -> MediaFetched | NetworkRefused:
    size = 0
    digest = hashlib.sha256()
    async for chunk in response.content.iter_chunked(CHUNK_BYTES):
        size += len(chunk)
        if size > max_bytes:
            return _too_large(max_bytes)
        digest.update(chunk)
        sink.write(chunk)
    return MediaFetched(size, digest.hexdigest())


def _read_place(status: int, raw: bytes) -> _Place | NetworkRefused | Delayed:
    try:
        place = _PLACES.decode(raw)
    except ValueError:
        place = None
    if place is None or (status != 200 and place.error is None):
        return _bare(status)
    if place.error is None:
        return place
    if status == 404 or (place.error.code, place.error.error_subcode) == _MISSING:
        return _GONE
    outcome = errors.outcome(place.error, status)
    # What the table refuses is refused for messages; of a file only the network's plain word counts as the last.
    if isinstance(outcome, Delayed):
        return outcome
    detail = errors.describe(errors.judge(place.error, status), place.error)
    return Delayed("media_refused", detail, RETRY_S, "message", network_code=place.error.code)


def _bare(status: int) -> NetworkRefused | Delayed:
    if status in (404, 410):
        return _GONE
    detail = f"The network answered HTTP {status} instead of the file."
    return Delayed("media_unreachable", detail, RETRY_S, "line" if status >= 500 or status == 429 else "message")


def _unreachable(error: BaseException) -> Delayed:
    """Nobody answers: the line's trouble. An answer that stalls or breaks off may be the trouble of this file."""
    holds: Literal["line", "message"] = "line" if surely_unsent(error) else "message"
    return Delayed("media_unreachable", f"The file cannot be fetched: {explain(error)}.", RETRY_S, holds)


def _too_large(max_bytes: int) -> NetworkRefused:
    words = f"{max_bytes // 1_048_576} MB" if max_bytes >= 1_048_576 else f"{max_bytes // 1_024} KB"
    return NetworkRefused("media_too_large", f"The file is larger than {words}, the most that is fetched of its kind.")
