"""The files of a person's messages go for good."""

from __future__ import annotations

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.errors import Unavailable
from tablegram.flows.files.media import MediaLibrary
from tablegram.media.ports import MediaStoreDown
from tablegram.messaging.store import erasure as message_store
from tablegram.storage.database import Database, Tx


class FileReach(Reach):
    name = "files"

    def __init__(self, db: Database, library: MediaLibrary) -> None:
        self._db = db
        self._library = library

    async def sweep(self, person: PersonToErase) -> Erased:
        async def keys(tx: Tx) -> list[str]:
            params = [{"b_account": person.account_id, "b_phone": name} for name in person.names]
            return [row["id"] for row in await tx.gather(message_store.KEYS, params)]

        try:
            found = await self._db.snapshot(keys)
            return Erased(await self._library.delete_media_of(person.account_id, found))
        except MediaStoreDown:
            raise Unavailable(
                "The media store cannot be reached right now, so their files cannot be deleted. Try again.",
                code="media_store_unavailable", retry_after_s=5,
            ) from None  # fmt: skip
