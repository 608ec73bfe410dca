"""A restaurant over HTTP: the product with one venue, a photo to send, and what was answered."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from tests.api.asking import Reply
from tests.api.product_in_process import Running, product

VENUE = {
    "name": "Safran Lokantası",
    "currency": "TRY",
    "time_zone": "Europe/Istanbul",
    "locale": "tr-TR",
    "languages": ["tr", "en"],
    "order_types": ["dine_in", "takeaway"],
}


@asynccontextmanager
async def opened(database_url: str, folder: Path) -> AsyncIterator[tuple[Running, str]]:
    """The product with one venue; its address."""
    async with product(database_url, folder) as running:
        made = await running.ask("POST", "/restaurant/venues", VENUE)
        assert made.status == 201, made.body
        yield running, f"/restaurant/venues/{made.json()['id']}"


def photo(width: int = 1200, height: int = 900, kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    picture = Image.new("RGB", (width, height), "#b3541e")
    exif = picture.getexif()
    exif[0x010F] = "A camera that nobody needs to know"
    picture.save(out, kind, exif=exif)
    return out.getvalue()


async def ok(reply: Any, status: int = 200) -> Any:
    answer: Reply = await reply
    assert answer.status == status, answer.body
    return answer.json() if answer.body else None


async def refused(reply: Any) -> tuple[int, str]:
    answer: Reply = await reply
    return answer.status, answer.json()["code"]
