"""Photos of dishes and the venue's logo: taken in, made small, shown to everybody who has the menu."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound
from tablegram.flows.restaurant.answers.venues import ImagePage, ImageView
from tablegram.flows.restaurant.desks.desk import CHANGE, Desk, Told, with_file
from tablegram.restaurant.pictures import keeping
from tablegram.restaurant.pictures.model import DRAW, LARGE, MAX_BYTES, SMALL, TINY
from tablegram.restaurant.rows.menus import PictureRow
from tablegram.restaurant.store import pictures as store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import following, from_newest
from tablegram.workshop.ports import Workshop

_BODIES = {TINY: store.TINY_ANYWHERE, SMALL: store.SMALL_ANYWHERE, LARGE: store.LARGE_ANYWHERE}


class Photos(Desk):
    """`api_url` is the API's own address, version included."""

    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit, told: Told, workshop: Workshop,
        api_url: str,
    ) -> None:  # fmt: skip
        super().__init__(db, idempotency, clock, audit, told)
        self._api_url = api_url.rstrip("/")
        self._workshop = workshop

    async def put(self, caller: Caller, venue_id: str, raw: bytes) -> ImageView:
        """Keep a photo and answer its view with `image_id`. The same photo again is the same image."""
        return (await self.upload(caller, venue_id, raw, Call("photo"))).value

    async def upload(self, caller: Caller, venue_id: str, raw: bytes, call: Call) -> Result[ImageView]:
        caller.require(CHANGE)
        call = with_file(call, raw)
        earlier = await self._idempotency.earlier_for(ImageView, caller.account_id, call)
        if earlier is not None:
            return earlier
        # Nobody draws for a venue that is not there.
        await self._peek(caller, venue_id, _nothing)
        picture = await self._workshop.do(caller.account_id, DRAW, raw)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> ImageView:
            row = await keeping.add(tx, venue, picture, self._clock.now_ms())
            await acting.note(tx, "venue.image_added", "venue", venue.id, {"image_id": row["id"]})
            return self._view(row)

        return await self._create(ImageView, caller, venue_id, call, work)

    async def page(self, caller: Caller, venue_id: str, limit: int = 50, cursor: str | None = None) -> ImagePage:
        """Newest first."""
        before = from_newest(cursor)

        async def work(tx: Tx, venue: Venue) -> list[PictureRow]:
            which = {"b_account": venue.account_id, "b_venue": venue.id}
            return list(await tx.all(store.PAGE, {**which, "before": before, "most": limit + 1}))

        rows = await self._look(caller, venue_id, work)
        return ImagePage(data=[self._view(row) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def delete(self, caller: Caller, venue_id: str, image_id: str) -> None:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            await keeping.remove(tx, venue, image_id)
            await acting.note(tx, "venue.image_deleted", "venue", venue.id, {"image_id": image_id})

        await self._change(caller, venue_id, work)

    async def open(self, image_id: str, width: int) -> bytes:
        """A picture as WebP, for anybody. It never changes under its name. Raises `NotFound`."""
        row = await self._db.first(_BODIES[width], {"b_id": image_id}) if width in _BODIES else None
        if row is None:
            raise NotFound("There is no such image.", code="image_unknown")
        return bytes(row["body"])

    def url(self, image_id: str, width: int = LARGE) -> str:
        return f"{self._api_url}/menu/images/{image_id}-{width}.webp"

    def _view(self, row: PictureRow) -> ImageView:
        return ImageView(
            image_id=row["id"],
            width=row["width"],
            height=row["height"],
            url=self.url(row["id"]),
            small_url=self.url(row["id"], SMALL),
            created_at=iso(row["created_at"]),
        )


async def _nothing(tx: Tx, venue: Venue) -> None:
    return None


async def gather(chunks: AsyncIterator[bytes], most: int = MAX_BYTES) -> bytes:
    """A body that comes in pieces, as one; no more than `most` of it is ever held."""
    parts, size = [], 0
    async for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise Invalid.field("file", "file_too_large", f"The file may have at most {most // 1_048_576} MB.")
        parts.append(chunk)
    return b"".join(parts)
