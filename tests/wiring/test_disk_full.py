"""A disk without room: who watches is told, and callers hear what it is, not that we failed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest

from tablegram.media.spool import Spool
from tests.api.product_in_process import product


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@contextmanager
def no_room(spool: Spool) -> Iterator[tuple[IO[bytes], Path]]:
    """A file that takes nothing: the system's own for this."""
    with open("/dev/full", "r+b", buffering=0) as file:
        yield file, Path("/dev/full")


async def test_a_full_disk_is_told_to_who_watches_and_to_who_uploads(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with product(database_url, tmp_path) as one:

        async def ready() -> tuple[int, bytes]:
            sent: list[Any] = []

            async def send(message: Any) -> None:
                sent.append(message)

            scope = {"type": "http", "method": "GET", "path": "/readyz", "headers": [], "client": ("127.0.0.1", 1)}
            await one.api(scope, None, send)  # type: ignore[arg-type]
            return sent[0]["status"], sent[1]["body"]

        assert await ready() == (200, b"ready\n")
        picture = b"\x89PNG\r\n\x1a\n" + b"\0" * 200_000
        monkeypatch.setattr(Spool, "file", no_room)
        refused = await one.ask("POST", "/media", picture, content_type="image/png")
        assert refused.status == 507
        problem = refused.json()
        assert problem["code"] == "storage_full"
        assert "Nothing was kept" in problem["detail"]

        monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(10**12, 10**12, 1_000))
        status, words = await ready()
        assert status == 503
        assert b"is full" in words
