"""Customers' files for those who may see them: handed out, shown with their messages, and forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass

from tablegram.accounts.keys.keys import Caller
from tablegram.errors import Conflict, Gone, NotFound, Unavailable, no_such
from tablegram.media import store
from tablegram.media.files import download_name, is_reached
from tablegram.media.ports import MediaMissing, MediaStore, MediaStoreDown, key_of
from tablegram.media.rows import MediaRow, PlaceRow
from tablegram.media.shown import MediaView, show
from tablegram.messaging.model import MEDIA_TYPES
from tablegram.messaging.rows.messages import MessageRow
from tablegram.storage.database import Database, Query
from tablegram.values.clock import Clock

# While a file is fetched a caller is told to come back; most are there in a second or two.
PENDING_RETRY_S = 2
CHUNK = 100


@dataclass(frozen=True, slots=True)
class OpenedMedia:
    """A file on its way out; without a stream when the caller has it already."""

    stream: AsyncIterator[bytes] | None
    mime_type: str
    size: int
    sha256: str
    filename: str


class MediaLibrary:
    def __init__(self, db: Database, vault: MediaStore, clock: Clock, media_url: str) -> None:
        self._db = db
        self._vault = vault
        self._clock = clock
        self._media_url = media_url

    async def open_for(
        self, caller: Caller, media_id: str, unless_sha256: str = "", within: Collection[int] | None = None
    ) -> OpenedMedia:
        """A file of the caller's account, for who may read its messages; `open` tells the rest."""
        caller.require("messages:read")
        return await self.open(caller.account_id, media_id, unless_sha256, within)

    async def open(
        self, account_id: int, media_id: str, unless_sha256: str = "", within: Collection[int] | None = None
    ) -> OpenedMedia:
        """The file, or the problem that says why there is none.

        `unless_sha256`: what the caller has already. `within`: the lines that the caller reaches, if not all.
        """
        row = await self._db.first(store.GET, {"b_account": account_id, "b_id": media_id})
        if row is None or not is_reached(row, within):
            raise NotFound(no_such("file"), code="media_unknown")
        if row["state"] == "wanted":
            words = "The file is still being fetched from the network. Ask again in a moment."
            raise Conflict(words, code="media_pending", retry_after_s=self._pending_s(row))
        if row["state"] == "failed":
            raise Gone(
                row["error_detail"] or "The file could not be fetched.",
                code="media_failed",
                extra={"reason": row["error_code"]},
            )
        if row["state"] == "gone":
            raise Gone("The file was deleted: it was older than this installation keeps files.", code="media_expired")
        try:
            stream = None if row["sha256"] == unless_sha256 else await self._vault.open(_place(row))
        except MediaMissing:
            raise Gone("The file is no longer in the media store.", code="media_lost") from None
        except MediaStoreDown:
            words = "The media store cannot be reached right now. Try again."
            raise Unavailable(words, code="media_store_unavailable", retry_after_s=5) from None
        return OpenedMedia(stream, row["mime_type"], row["size"] or 0, row["sha256"], download_name(row))

    def _pending_s(self, row: MediaRow) -> int:
        return max(PENDING_RETRY_S, -(-((row["due_at"] or 0) - self._clock.now_ms()) // 1_000))

    async def of_messages(self, rows: Sequence[MessageRow]) -> dict[str, MediaView]:
        """The files of those messages that came with one, by message key."""
        wanted = [
            {"account_id": row["account_id"], "message_key": row["id"]} for row in rows if row["type"] in MEDIA_TYPES
        ]
        if not wanted:
            return {}
        found = await self._db.snapshot(lambda tx: tx.gather(store.OF_MESSAGE, wanted))
        return {row["message_key"]: show(row, self._media_url) for row in found}

    async def delete_media_of(self, account_id: int, message_keys: Sequence[str]) -> int:
        """Erase the files of these messages for good, and that they ever were; returns how many.

        What the account itself has sent to others too stays with those; what a customer has sent does not.
        Safe to repeat. Call it before the messages themselves are erased, so that a crash in between is made good by
        the next call. A file that is being fetched right now is thrown away when it comes. Raises `MediaStoreDown`.
        """
        wanted = [{"account_id": account_id, "message_key": key} for key in message_keys]
        if not wanted:
            return 0
        rows = await self._db.snapshot(lambda tx: tx.gather(store.OF_MESSAGE, wanted))
        await self._remove([row for row in rows if not row["network_media_id"]], store.DELETE)
        for row in rows:
            if row["network_media_id"]:
                await self._remove_everywhere(row)
        return len(rows)

    async def forget_files(self, before_ms: int) -> int:
        """Delete files kept since before a time. Their rows stay, to say that there was one."""
        return await self._forget(store.OLD_FILES, store.GONE, before_ms)

    async def forget_all(self, before_ms: int) -> int:
        """Delete files and rows from before a time, as their messages are."""
        return await self._forget(store.OLD_ROWS, store.DELETE, before_ms)

    async def forget_of(self, account_id: int, before_ms: int) -> int:
        """The same of one account."""
        return await self._forget(store.OLD_ROWS_OF, store.DELETE, before_ms, b_account=account_id)

    async def forget_unsent(self, before_ms: int) -> int:
        """Delete what was uploaded before a time and never sent."""
        return await self._forget(store.UNSENT, store.DELETE, before_ms)

    async def _forget(self, old: Query[PlaceRow], mark: Query, before_ms: int, **more: int) -> int:
        total = 0
        while rows := await self._db.all(old, {"before": before_ms, "most": CHUNK, **more}):
            await self._remove(rows, mark)
            total += len(rows)
        return total

    async def _remove(self, rows: Sequence[PlaceRow], mark: Query) -> None:
        """Files first: should the rows not follow, the next time finds them again."""
        marks = []
        for row in rows:
            which = {"b_account": row["account_id"], "b_id": row["id"]}
            if await self._db.first(store.SHARED, {**which, "b_path": row["path"]}):
                # At once, so that the last of those who share the file is seen to be the last.
                await self._db.put((mark, which))
                continue
            await self._vault.delete(_place(row))
            marks.append((mark, which))
        await self._db.put(*marks)

    async def _remove_everywhere(self, row: MediaRow) -> None:
        which = {"b_account": row["account_id"], "b_id": row["id"]}
        await self._vault.delete(_place(row))
        await self._db.put(
            (store.DELETE, which), (store.GONE_WITH, {"b_account": row["account_id"], "b_path": row["path"]})
        )


def _place(row: PlaceRow) -> str:
    # Also where the row does not say so yet: a process may have died between the file and its row.
    return row["path"] or key_of(row["account_id"], row["id"])
