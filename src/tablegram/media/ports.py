"""Where files are kept, whatever is behind it. One contract test runs over every implementation."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol


class MediaMissing(Exception):
    """The store does not have the file."""


class MediaStoreDown(Exception):
    """The store cannot be reached or refuses us; the text says why, without any secret."""


class MediaStore(Protocol):
    """Files by key. A file is there whole or not at all."""

    async def put(self, key: str, file: Path) -> None:
        """Keep a file under a key, in place of what was there; returns when it would survive a power cut.

        The file itself may be moved away. Raises `MediaStoreDown`.
        """
        ...

    async def open(self, key: str) -> AsyncIterator[bytes]:
        """The bytes, piece by piece. Raises `MediaMissing` and `MediaStoreDown` before the first of them."""
        ...

    async def delete(self, key: str) -> None:
        """Forget a file. One that is not there is forgotten already. Raises `MediaStoreDown`."""
        ...


def key_of(account_id: int, media_id: str) -> str:
    """The key of a file follows from its row, so that whoever fetches it again finds the same place.

    The part in the middle spreads many files over many folders.
    """
    spread = hashlib.sha256(media_id.encode()).hexdigest()[:2]
    return f"{account_id}/{spread}/{media_id}"
