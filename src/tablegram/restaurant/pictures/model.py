"""What a picture is, and the work that makes one of a photo."""

from __future__ import annotations

import msgspec

from tablegram.errors import FieldError
from tablegram.workshop.ports import Job, Limits

MAX_BYTES = 15 * 1_048_576
# The longer side of each: in a list, in a list on a screen of fine points, and when a dish is looked at.
TINY, SMALL, LARGE = 192, 320, 960


class Picture(msgspec.Struct, frozen=True):
    """A picture ready to be kept."""

    sha256: str
    width: int
    height: int
    small: bytes
    large: bytes
    tiny: bytes


# An ordinary photo takes a few tenths of a second and some tens of megabytes; one of 60 million pixels in scans, seconds.
DRAW = Job(
    work="tablegram.restaurant.pictures.drawing:draw",
    made=Picture,
    limits=Limits(cpu_s=10, wall_s=30.0, memory_bytes=768 * 1_048_576, answer_bytes=16 * 1_048_576),
    too_much=FieldError(
        "file", "image_too_much_work", "This photo takes too much work to read. Save it smaller, as a plain JPEG."
    ),
    unreadable=FieldError("file", "image_unreadable", "The picture is damaged and cannot be read. Save it again."),
)
# One that was drawn before, once more and smaller.
SHRINK = Job(
    work="tablegram.restaurant.pictures.drawing:shrink",
    made=bytes,
    limits=Limits(cpu_s=5, wall_s=15.0, memory_bytes=256 * 1_048_576, answer_bytes=1_048_576),
    too_much=DRAW.too_much,
    unreadable=DRAW.unreadable,
)
