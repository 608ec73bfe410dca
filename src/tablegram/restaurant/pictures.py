"""Photos of dishes and the venue's logo: whatever was given becomes two small WebP files, and nothing else is kept.

Drawing them anew leaves behind what a photo says beside its picture: where it was taken, with what, and anything that
was hidden in it.
"""

from __future__ import annotations

import hashlib
import io
import struct
from typing import Any

import msgspec
from PIL import Image, ImageOps, UnidentifiedImageError

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.restaurant.store import pictures as store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Row, Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id

MAX_BYTES = 15 * 1_048_576
# A telephone's camera makes 50 million, and its JPEG can be read smaller at once; any other kind is unpacked whole. A
# file that claims more is meant to fill the memory.
MAX_PIXELS = {"JPEG": 60_000_000}
MAX_PIXELS_UNPACKED = 25_000_000
MAX_PICTURES = 3_000
# The longer side of each: in a list, and when a dish is looked at.
SMALL, LARGE = 320, 960
WIDTHS = (SMALL, LARGE)
# By the file's own bytes; the programs behind these kinds are few and well worn.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
# What the library raises for files that are cut off or twisted.
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, struct.error, MemoryError, OverflowError)


class Picture(msgspec.Struct, frozen=True):
    """A picture ready to be kept."""

    sha256: str
    width: int
    height: int
    small: bytes
    large: bytes


def draw(raw: bytes) -> Picture:
    """Make both sizes of a photo. It takes a moment of one processor: call it in a thread. Raises `Invalid`."""
    if not raw:
        raise _wrong("image_empty", "The file is empty.")
    if len(raw) > MAX_BYTES:
        raise _wrong("image_too_large", f"A photo may have at most {MAX_BYTES // 1_048_576} MB.")
    try:
        with Image.open(io.BytesIO(raw), formats=FORMATS) as photo:
            most = MAX_PIXELS.get(photo.format or "", MAX_PIXELS_UNPACKED)
            if photo.width * photo.height > most:
                raise _wrong("image_too_large", f"This photo may have at most {most // 1_000_000} megapixels.")
            photo.draft("RGB", (LARGE * 2, LARGE * 2))
            # A camera that was held upright says so beside the picture.
            large = _fitted(ImageOps.exif_transpose(photo), LARGE)
            small = _fitted(large, SMALL)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _wrong("image_too_large", "This photo has far too many pixels. Make it smaller first.") from None
    except UnidentifiedImageError:
        raise _wrong("image_unreadable", "This is no picture that can be shown. Use JPEG, PNG, WebP or GIF.") from None
    except _UNREADABLE:
        raise _wrong("image_unreadable", "The picture is damaged and cannot be read. Save it again.") from None
    digest = hashlib.sha256(raw).hexdigest()
    return Picture(digest, large.width, large.height, _webp(small), _webp(large))


def _fitted(photo: Image.Image, side: int) -> Image.Image:
    """The picture with its longer side that long at most, in colours that every page shows."""
    see_through = photo.mode in ("RGBA", "LA", "PA") or "transparency" in photo.info
    made = photo.convert("RGBA" if see_through else "RGB")
    made.thumbnail((side, side), Image.Resampling.LANCZOS)
    return made


def _webp(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    # Nothing is handed on but the pixels.
    bare = Image.new(picture.mode, picture.size)
    bare.paste(picture)
    bare.save(out, "WEBP", quality=80, method=4)
    return out.getvalue()


async def add(tx: Tx, venue: Venue, picture: Picture, now_ms: int) -> Row:
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


async def find(tx: Tx, account_id: int, venue_id: str, image_id: str) -> Row:
    row = await tx.first(store.GET, {"b_account": account_id, "b_venue": venue_id, "b_id": image_id})
    if row is None:
        raise NotFound("The venue has no such image.", code="image_unknown")
    return row


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
        raise Invalid.field(field, "image_unknown", "The venue has no such image. Upload it first.")


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


def _wrong(code: str, detail: str) -> Invalid:
    return Invalid.field("file", code, detail)
