"""Draws a photo anew. It runs in a child process: what is in the file is a stranger's.

That leaves behind what a photo says beside its picture: where it was taken, with what, and anything that was hidden
in it. What it would cost is counted before it is unpacked.
"""

from __future__ import annotations

import hashlib
import io
import struct

from PIL import (
    GifImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    UnidentifiedImageError,
    WebPImagePlugin,
)

from tablegram.errors import Invalid
from tablegram.restaurant.pictures.model import LARGE, MAX_BYTES, SMALL, TINY, Picture
from tablegram.restaurant.pictures.scans import START, count_scans

# A telephone's camera makes 50 million, and its JPEG can be read smaller at once; any other kind is unpacked whole. A
# file that claims more is meant to fill the memory.
MAX_PIXELS = {"JPEG": 60_000_000}
MAX_PIXELS_UNPACKED = 25_000_000
# Every scan goes over all pixels: ten, as programs make them, of a telephone's photo.
MAX_SCANS = 100
MAX_SCANNED_PIXELS = 600_000_000
# By the file's own bytes; the programs behind these kinds are few and well worn. They are loaded once, here.
_KINDS = (JpegImagePlugin.JpegImageFile, PngImagePlugin.PngImageFile, WebPImagePlugin.WebPImageFile,
          GifImagePlugin.GifImageFile)  # fmt: skip
FORMATS = tuple(kind.format for kind in _KINDS)
# What the library raises for files that are cut off or twisted.
_UNREADABLE = (OSError, ValueError, SyntaxError, EOFError, struct.error, OverflowError)


def draw(raw: bytes) -> Picture:
    """Make all sizes of a photo. Raises `Invalid`."""
    if not raw:
        raise _wrong("image_empty", "The file is empty.")
    if len(raw) > MAX_BYTES:
        raise _wrong("image_too_large", f"A photo may have at most {MAX_BYTES // 1_048_576} MB.")
    large = _read(raw)
    digest = hashlib.sha256(raw).hexdigest()
    small, tiny = _fitted(large, SMALL), _fitted(large, TINY)
    return Picture(digest, large.width, large.height, _webp(small), _webp(large), _webp(tiny))


def shrink(raw: bytes) -> bytes:
    """The smallest size of a picture that was drawn before. Raises `Invalid`."""
    return _webp(_fitted(_read(raw), TINY))


def _read(raw: bytes) -> Image.Image:
    """The picture, no larger than it is ever shown."""
    try:
        with Image.open(io.BytesIO(raw), formats=FORMATS) as photo:
            _count(photo, raw)
            photo.draft("RGB", (LARGE * 2, LARGE * 2))
            # A camera that was held upright says so beside the picture.
            return _fitted(ImageOps.exif_transpose(photo), LARGE)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _wrong("image_too_large", "This photo has too many pixels. Make it smaller first.") from None
    except UnidentifiedImageError:
        raise _wrong(
            "image_unreadable", "This file cannot be shown as a picture. Use JPEG, PNG, WebP or GIF."
        ) from None
    except _UNREADABLE:
        raise _wrong("image_unreadable", "The picture is damaged and cannot be read. Save it again.") from None


def _count(photo: Image.Image, raw: bytes) -> None:
    pixels = photo.width * photo.height
    most = MAX_PIXELS.get(photo.format or "", MAX_PIXELS_UNPACKED)
    if pixels > most:
        raise _wrong(
            "image_too_large", f"This photo may have at most {most // 1_000_000} megapixels. Make it smaller first."
        )
    scans = count_scans(raw, MAX_SCANS + 1) if raw.startswith(START) else 1
    if scans > MAX_SCANS or scans * pixels > MAX_SCANNED_PIXELS:
        raise _wrong(
            "image_too_much_work",
            f"This photo takes too much work to read ({scans} scans of {pixels / 1_000_000:.1f} megapixels). Save it as a plain JPEG.",
        )


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


def _wrong(code: str, detail: str) -> Invalid:
    return Invalid.field("file", code, detail)
