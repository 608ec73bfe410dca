"""Files that are old enough are forgotten."""

from __future__ import annotations

import logging

from tablegram.flows.files.media import MediaLibrary
from tablegram.media.files import UNSENT_MS
from tablegram.media.ports import MediaStoreDown
from tablegram.settings import Settings
from tablegram.values.clock import DAY_MS, Clock

log = logging.getLogger("tablegram.retention")


class FileRetention:
    """Files go by their own days, and with their messages in any case. A store that is away is asked next time."""

    def __init__(self, library: MediaLibrary, clock: Clock, settings: Settings) -> None:
        self._library = library
        self._clock = clock
        self._settings = settings

    async def __call__(self) -> dict[str, int]:
        settings, library, now = self._settings, self._library, self._clock.now_ms()
        gone: dict[str, int] = {}
        try:
            await library.forget_unsent(now - UNSENT_MS)
            if settings.message_days > 0:
                gone["media"] = await library.forget_all(now - settings.message_days * DAY_MS)
            if settings.media_days > 0:
                gone["files"] = await library.forget_files(now - settings.media_days * DAY_MS)
        except MediaStoreDown as error:
            log.warning("files could not be deleted: %s", error)
        return gone
