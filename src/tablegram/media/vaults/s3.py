"""Files in a bucket of anything that speaks S3."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from tablegram.media.ports import MediaMissing, MediaStoreDown
from tablegram.settings import Settings

CHUNK_BYTES = 262_144
# Whoever asked tries again by its own schedule; hanging on to a bucket that is away helps nobody.
MAX_RETRIES = 2
RETRY_WITHIN_S = 15
CONNECT_S = 5
# One part of a large upload or one answer may take so long.
REQUEST_S = 60


class S3Vault:
    """Implements `ports.MediaStore`. An upload appears in the bucket whole or not at all."""

    def __init__(self, store: S3Store) -> None:
        self._store = store

    async def put(self, key: str, file: Path) -> None:
        try:
            await obstore.put_async(self._store, key, file)
        except (BaseError, OSError) as error:
            raise _down(error) from None

    async def open(self, key: str) -> AsyncIterator[bytes]:
        try:
            found = await obstore.get_async(self._store, key)
        except FileNotFoundError:
            raise MediaMissing(key) from None
        except (BaseError, OSError) as error:
            raise _down(error) from None
        return _read(found)

    async def delete(self, key: str) -> None:
        try:
            await obstore.delete_async(self._store, key)
        except FileNotFoundError:
            pass
        except (BaseError, OSError) as error:
            raise _down(error) from None


async def _read(found: Any) -> AsyncIterator[bytes]:
    async for chunk in found.stream(min_chunk_size=CHUNK_BYTES):
        yield bytes(chunk)


def _down(error: Exception) -> MediaStoreDown:
    # The library's words may hold addresses and answers of the bucket, so only the kind of error is passed on.
    return MediaStoreDown(f"The media bucket cannot be used right now ({type(error).__name__}).")


def open_bucket(settings: Settings) -> S3Vault:
    """The bucket that MEDIA_URL names. Without a key in the settings the machine's own role is used."""
    parts = urlsplit(settings.media_url)
    options: dict[str, Any] = {"region": settings.media_s3_region}
    if settings.media_s3_endpoint:
        options["endpoint"] = settings.media_s3_endpoint.rstrip("/")
    if settings.media_s3_access_key:
        options["access_key_id"] = settings.media_s3_access_key
        options["secret_access_key"] = settings.media_s3_secret_key
    store = S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        client_options={
            "allow_http": settings.media_s3_endpoint.startswith("http://"),
            "connect_timeout": timedelta(seconds=CONNECT_S),
            "timeout": timedelta(seconds=REQUEST_S),
        },
        retry_config={"max_retries": MAX_RETRIES, "retry_timeout": timedelta(seconds=RETRY_WITHIN_S)},
        **options,
    )
    return S3Vault(store)
