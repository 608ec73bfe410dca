"""The file of a message, brought here: from our own store, or from an address elsewhere that is looked at with care."""

from __future__ import annotations

from typing import IO

from tablegram.messaging.model import KEPT, MEDIA_MAX_BYTES, Media
from tablegram.messaging.ports import Delayed, NetworkRefused, OpenKept
from tablegram.values.http.outbound import GuardedClient, TargetForbidden, TargetUnreachable, TooLarge

FETCH_BUDGET_S = 60.0
MAX_TRIES = 3


class OutgoingFiles:
    def __init__(self, fetcher: GuardedClient, open_kept: OpenKept | None) -> None:
        self._fetcher = fetcher
        self._open_kept = open_kept

    async def fetch(self, media: Media, file: IO[bytes]) -> NetworkRefused | Delayed | None:
        """Write it into `file`; why that cannot be done, or nothing."""
        if media.url.startswith(KEPT):
            return await self._read_kept(media.url.removeprefix(KEPT), file)
        try:
            fetched = await self._fetcher.fetch_into(
                media.url, file, max_bytes=MEDIA_MAX_BYTES[media.kind], timeout_s=FETCH_BUDGET_S
            )
        except TargetForbidden as error:
            return NetworkRefused("media_url_forbidden", f"The file's address may not be called: {error.reason}.")
        except TooLarge:
            return NetworkRefused("media_too_large", f"The file is larger than the network takes for {media.kind}.")
        except TargetUnreachable as error:
            return file_delayed(f"The file cannot be fetched: {error.reason}.", code="media_unreachable")
        if fetched.status != 200:
            return file_delayed(f"The file's address answered HTTP {fetched.status}.", code="media_unreachable")
        return None

    async def _read_kept(self, key: str, file: IO[bytes]) -> NetworkRefused | Delayed | None:
        """A file that somebody of the account uploaded: it lies in our own store, and its size was checked there."""
        if self._open_kept is None:
            return NetworkRefused("media_gone", "The file is no longer in the media store.")
        opened = await self._open_kept(key)
        if isinstance(opened, NetworkRefused | Delayed):
            return opened
        async for chunk in opened:
            file.write(chunk)
        return None


def file_delayed(detail: str, code: str = "media_upload_failed") -> Delayed:
    return Delayed(code, detail, 10.0, "message", max_tries=MAX_TRIES)
