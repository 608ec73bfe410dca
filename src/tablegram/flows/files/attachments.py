"""Files that an account uploads to send them: kept in the media store until they are sent, and with their messages.

A person's file goes with one message. A program's can be sent as often as it likes for a day: each message gets a row
of its own, and the file itself stays as long as one of them needs it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, Unavailable
from tablegram.flows.files.answers import Upload
from tablegram.media import store
from tablegram.media.files import LASTING, SENDABLE_MS, UPLOADED, UPLOADED_BY_TEST_KEY, is_reached, new_media_id
from tablegram.media.ports import MediaStore, MediaStoreDown, key_of
from tablegram.media.spool import Spool
from tablegram.messaging.media import FIELD, MediaFacts, choose_kind
from tablegram.messaging.model import KEPT, MEDIA_MAX_BYTES, Media
from tablegram.messaging.rows.messages import NewMessage
from tablegram.storage.database import Database, Statement, Tx
from tablegram.values.clock import Clock
from tablegram.values.files.filenames import clean_filename
from tablegram.values.files.media import REFUSED, SNIFF_BYTES, MediaKind, sniff

MAX_BYTES = max(MEDIA_MAX_BYTES.values())
SENDS = "messages:send"
Lines = Callable[[], Awaitable[Collection[int] | None]]
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that is ready to be sent."""

    id: str
    kind: MediaKind
    mime_type: str
    filename: str
    size: int
    sha256: str


class Attachments:
    def __init__(
        self, db: Database, vault: MediaStore, spool: Spool, clock: Clock, idempotency: Idempotency, media_url: str
    ) -> None:
        self._db = db
        self._vault = vault
        self._spool = spool
        self._clock = clock
        self._idempotency = idempotency
        self._media_url = media_url

    async def keep(
        self, caller: Caller, chunks: AsyncIterator[bytes], filename: str, claim: str = "", scope: str = SENDS
    ) -> Attachment:
        """Keep a file until it is sent, for a day at most. What it is, its bytes tell. `scope`: what lets a caller do it."""

        async def finish(made: Attachment, store_file: Callable[[], Awaitable[None]]) -> Attachment:
            await store_file()
            await self._db.put((store.INSERT_UPLOADED, self._row(caller, made)))
            return made

        caller.require(scope)
        return await self._read(caller, chunks, filename, claim, finish)

    async def upload(
        self, caller: Caller, chunks: AsyncIterator[bytes], filename: str, claim: str, call: Call
    ) -> Result[Upload]:
        """Keep a file as a program uploads it. The same file again under the same key is the same upload."""
        caller.require(SENDS)

        async def finish(made: Attachment, store_file: Callable[[], Awaitable[None]]) -> Result[Upload]:
            named = msgspec.structs.replace(call, fingerprint=_fingerprint(call, made))
            earlier = await self._idempotency.earlier_for(Upload, caller.account_id, named)
            if earlier is not None:
                return earlier
            await store_file()

            async def work(tx: Tx) -> Result[Upload]:
                await tx.run(store.INSERT_UPLOADED, self._row(caller, made))
                return Result(self._view(made), 201)

            try:
                answer = await self._idempotency.once_for(Upload, caller.account_id, named, work)
            except BaseException:
                await self._forget(caller, made)
                raise
            if answer.replayed:
                await self._forget(caller, made)
            return answer

        return await self._read(caller, chunks, filename, claim, finish)

    async def _read(
        self,
        caller: Caller,
        chunks: AsyncIterator[bytes],
        filename: str,
        claim: str,
        finish: Callable[[Attachment, Callable[[], Awaitable[None]]], Awaitable[Made]],
    ) -> Made:
        """Take a file in, see what it is, and let `finish` keep it while it lies here."""
        name = clean_filename(filename)
        media_id = new_media_id()
        digest = hashlib.sha256()
        with self._spool.file() as (file, path):
            size = 0
            async for chunk in chunks:
                size += len(chunk)
                if size > MAX_BYTES:
                    raise _wrong("media_too_large", f"A file may have at most {MAX_BYTES // 1_048_576} MB.")
                digest.update(chunk)
                await asyncio.to_thread(file.write, chunk)
            if not size:
                raise _wrong("media_empty", "The file is empty.")
            file.flush()
            file.seek(0)
            kind, mime_type = _judge(file.read(SNIFF_BYTES), claim, name, size)

            async def store_file() -> None:
                try:
                    await self._vault.put(key_of(caller.account_id, media_id), path)
                except MediaStoreDown:
                    words = "The media store cannot be reached right now, so the file was not kept. Try again."
                    raise Unavailable(words, code="media_store_unavailable", retry_after_s=5) from None

            return await finish(Attachment(media_id, kind, mime_type, name, size, digest.hexdigest()), store_file)

    async def _forget(self, caller: Caller, made: Attachment) -> None:
        """A file whose row was not written. Where the store is away it stays, and nobody can reach it."""
        with suppress(MediaStoreDown):
            await self._vault.delete(key_of(caller.account_id, made.id))

    def _row(self, caller: Caller, made: Attachment) -> dict[str, object]:
        now = self._clock.now_ms()
        return {
            "account_id": caller.account_id,
            "id": made.id,
            "message_key": "",
            "instance_id": UPLOADED_BY_TEST_KEY if caller.mode == "test" else UPLOADED,
            "event_id": "",
            "kind": made.kind,
            "network_media_id": "",
            "state": "kept",
            "mime_type": made.mime_type,
            "filename": made.filename,
            "sha256": made.sha256,
            "size": made.size,
            "path": key_of(caller.account_id, made.id),
            "created_at": now,
            "kept_at": now,
        }

    def _view(self, made: Attachment) -> Upload:
        return Upload(
            id=made.id,
            url=f"{self._media_url}/{made.id}",
            mime_type=made.mime_type,
            size=made.size,
            sha256=made.sha256,
            filename=made.filename,
        )

    async def content(self, caller: Caller, media_id: str, caption: str = "") -> Media:
        """The message that takes a person's file along."""
        caller.require("messages:send")
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": media_id})
        if row is None or row["state"] != "kept" or not row["path"]:
            raise _wrong("media_unknown", "The file is no longer here. Choose it again.")
        return Media(row["kind"], KEPT + row["path"], False, caption, row["filename"], row["mime_type"])

    def own_id(self, url: str) -> str | None:
        """The name of the file, if the address is one of our own files; nothing for an address elsewhere."""
        base, _, media_id = url.rpartition("/")
        if base == self._media_url:
            return media_id
        # Whatever else is below our own address is no file, and nothing to ask ourselves over HTTP for.
        return "" if url.startswith(self._media_url + "/") else None

    async def inspect(self, caller: Caller, media_id: str, wanted: MediaKind | None, lines: Lines) -> MediaFacts:
        """What is known of a file of the account. Raises `Invalid` on `media_url`."""
        caller.require("messages:send")
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": media_id})
        if row is None or not is_reached(row, await lines()):
            raise _unknown()
        if row["state"] == "wanted":
            words = "The file at media_url is still being fetched from the network. Try again in a moment."
            raise Invalid.field(FIELD, "media_pending", words)
        late = not row["message_key"] and row["created_at"] < self._clock.now_ms() - SENDABLE_MS
        path, size = row["path"], row["size"]
        if row["state"] != "kept" or late or path is None or size is None:
            raise _unknown("is no longer kept. Upload it again")
        base = row["mime_type"].partition(";")[0]
        kind = choose_kind(base, size, wanted)
        return MediaFacts(kind, base, size, row["filename"], False, media_id, KEPT + path)


async def take_along(tx: Tx, media_id: str, message: NewMessage, *, shared: bool) -> list[Statement]:
    """Give an uploaded file to its message, in the message's own transaction; returns what is left to run there.

    `shared`: others may have it too.
    """
    which = {"b_account": message["account_id"], "b_id": media_id}
    if not shared:
        if not await tx.run(store.ATTACH, {**which, "new_key": message["id"]}):
            raise Conflict("This file was sent already. Choose it again to send it once more.", code="media_used")
        return []
    row = await tx.first(store.GET, which)
    if row is None or row["state"] != "kept":
        raise _unknown("is no longer kept. Upload it again")
    # Of a message that goes later, the file stays as long as if it had come then.
    at = max(message["created_at"], message["due_at"] or 0)
    own = {
        "id": new_media_id(),
        "message_key": message["id"],
        "instance_id": message["instance_id"],
        "event_id": "",
        "network_media_id": "",
        "kind": message["type"],
        "created_at": at,
        "kept_at": at,
    }
    known: Mapping[str, object] = row
    same = {name: known[name] for name in ("account_id", "state", "mime_type", "filename", "sha256", "size", "path")}
    return [(store.INSERT_UPLOADED, {**same, **own})]


async def make_lasting(tx: Tx, account_id: int, media_id: str, now: int) -> str:
    """A picture that was uploaded stays until it is released; returns the name under which. Raises `Invalid`."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": media_id})
    is_ours = row is not None and row["instance_id"] == UPLOADED and row["message_key"] in ("", LASTING)
    if row is None or not is_ours or row["state"] != "kept" or row["kind"] != "image":
        words = "There is no such picture. Upload a JPEG or PNG of at most 5 MB."
        raise Invalid.field("image_id", "picture_unknown", words)
    known: Mapping[str, object] = row
    copied = ("account_id", "instance_id", "kind", "state", "mime_type", "filename", "sha256", "size", "path")
    lasting = new_media_id()
    own = {
        "id": lasting,
        "message_key": LASTING,
        "event_id": "",
        "network_media_id": "",
        "created_at": now,
        "kept_at": now,
    }
    await tx.run(store.INSERT_UPLOADED, {**{name: known[name] for name in copied}, **own})
    return lasting


async def release(tx: Tx, account_id: int, media_id: str, now: int) -> None:
    await tx.run(store.RELEASE, {"b_account": account_id, "b_id": media_id, "now": now})


async def lasting_picture(tx: Tx, account_id: int, media_id: str, caption: str) -> Media | None:
    """The message that takes it along; nothing where it is gone."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": media_id})
    if row is None or row["state"] != "kept" or not row["path"]:
        return None
    return Media("image", KEPT + row["path"], False, caption, row["filename"], row["mime_type"])


def _fingerprint(call: Call, made: Attachment) -> str:
    """The same for the same file under the same name."""
    return hashlib.sha256(f"{call.fingerprint}\n{made.sha256}\n{made.filename}".encode()).hexdigest()


def _judge(first: bytes, claim: str, filename: str, size: int) -> tuple[MediaKind, str]:
    """The kind to send a file as. One that is too large for its kind still goes as a document."""
    kind, mime_type = sniff(first, claim, filename)
    if mime_type in REFUSED:
        raise _wrong("media_type_unsupported", "Programs and web pages cannot be sent. Choose another file.")
    # A small picture of this kind would arrive as a sticker, which nobody who attaches a photo means.
    if kind == "sticker" or size > MEDIA_MAX_BYTES[kind]:
        return "document", mime_type
    return kind, mime_type


def _unknown(what: str = "is not one of this account") -> Invalid:
    return Invalid.field(FIELD, "media_unknown", f"The file at media_url {what}.")


def _wrong(code: str, detail: str) -> Invalid:
    return Invalid.field("file", code, detail)
