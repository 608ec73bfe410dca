"""Pictures as rows: kept once for each photo, thrown away when nothing shows them."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.pictures.model import Picture
from tablegram.restaurant.rows.menus import PictureRow
from tablegram.restaurant.store import pictures as store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id

MAX_PICTURES = 3_000


async def add(tx: Tx, venue: Venue, picture: Picture, now_ms: int) -> PictureRow:
    """Keep a picture of a venue; the same photo again is the one that is there."""
    which = {"b_account": venue.account_id, "b_venue": venue.id}
    same = await tx.first(store.SAME, {**which, "b_sha256": picture.sha256})
    if same is not None:
        return same
    await _make_room(tx, venue, which, now_ms)
    row: dict[str, Any] = {
        "account_id": venue.account_id,
        "id": new_id(now_ms),
        "venue_id": venue.id,
        "created_at": now_ms,
        **msgspec.structs.asdict(picture),
    }
    await tx.run(store.INSERT, row)
    return await find(tx, venue.account_id, venue.id, row["id"])


async def find(tx: Tx, account_id: int, venue_id: str, image_id: str) -> PictureRow:
    row = await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_id": image_id})
    if row is None:
        raise NotFound(no_such("image", "venue"), code="image_unknown")
    return row


async def small(tx: Tx, account_id: int, venue_id: str, image_id: str) -> bytes | None:
    """The small one, as bytes; nothing where it has gone."""
    row = await tx.first(store.SIZES, {"b_account": account_id, "b_venue": venue_id, "b_id": image_id})
    return None if row is None else bytes(row["small"])


async def remove(tx: Tx, venue: Venue, image_id: str) -> None:
    """Throw a picture away that nothing shows any more."""
    which = {"b_account": venue.account_id, "b_venue": venue.id, "b_id": image_id}
    await find(tx, venue.account_id, venue.id, image_id)
    if await tx.first(store.USED, {**which, "b_logo": venue.details.logo_id or ""}) is not None:
        raise Conflict("The menu or the venue shows this image. Take it away there first.", code="image_used")
    await tx.run(store.DELETE, which)


async def check_known(tx: Tx, account_id: int, venue_id: str, image_id: str | None, field: str = "image_id") -> None:
    """Whether a picture that something is to show is one of the venue's."""
    which = {"b_account": account_id, "b_venue": venue_id, "b_id": image_id}
    if image_id is not None and await tx.first(store.GET, which) is None:
        raise Invalid.field(field, "image_unknown", f"{no_such('image', 'venue')} Upload it first.")


async def _make_room(tx: Tx, venue: Venue, which: dict[str, Any], now_ms: int) -> None:
    """Where there are very many, those that nothing has shown for a day go."""
    count = await tx.first(store.COUNT, which)
    if count is None or count["n"] < MAX_PICTURES:
        return
    old = {"before": now_ms - DAY_MS, "b_logo": venue.details.logo_id or "", "most": 200}
    unused = await tx.all(store.UNUSED, {**which, **old})
    if not unused:
        raise Conflict(f"A venue has at most {MAX_PICTURES:,} images. Delete some first.", code="images_full")
    for row in unused:
        await tx.run(store.DELETE, {**which, "b_id": row["id"]})
