"""Files in a folder of this machine, readable by nobody else."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

from tablegram.media.ports import MediaMissing, MediaStoreDown

CHUNK_BYTES = 262_144

_KEY = re.compile(r"[0-9]{1,20}/[0-9a-f]{2}/[0-9a-z_]{1,64}", re.ASCII)


class FolderVault:
    """Implements `ports.MediaStore`. What is put should lie on the same file system: it is moved, not copied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, key: str, file: Path) -> None:
        try:
            await asyncio.to_thread(_move, file, self._path(key), self._folder)
        except OSError as error:
            raise MediaStoreDown(f"The media folder cannot be written: {error.strerror}.") from None

    async def open(self, key: str) -> AsyncIterator[bytes]:
        path = self._path(key)
        try:
            await asyncio.to_thread(path.stat)
        except FileNotFoundError:
            raise MediaMissing(key) from None
        except OSError as error:
            raise MediaStoreDown(f"The media folder cannot be read: {error.strerror}.") from None
        return _read(path)

    async def delete(self, key: str) -> None:
        try:
            await asyncio.to_thread(self._path(key).unlink, missing_ok=True)
        except OSError as error:
            raise MediaStoreDown(f"The media folder cannot be written: {error.strerror}.") from None

    def _path(self, key: str) -> Path:
        # Keys are made by us; this only makes sure that a mistake of ours cannot leave the folder.
        if _KEY.fullmatch(key) is None:
            raise MediaMissing(key)
        return self._folder / key


def _move(file: Path, target: Path, root: Path) -> None:
    for folder in (root, target.parent.parent, target.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.chmod(0o600)
    _sync(file)
    os.replace(file, target)
    # The name is as much a part of the file as its bytes; new folders have names too.
    for folder in (target.parent, target.parent.parent, root):
        _sync(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


async def _read(path: Path) -> AsyncIterator[bytes]:
    # Opened by the first who reads, so that nothing stays open when nobody does.
    with await asyncio.to_thread(open, path, "rb") as file:
        while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield chunk
