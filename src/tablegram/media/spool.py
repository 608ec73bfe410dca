"""Where a file lies while it is fetched. What is found here at a start is left over from a process that died."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


class Spool:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def clear(self) -> None:
        """Throw away what processes that are gone have left. Only before this one fetches anything."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in self._folder.iterdir():
            if not _is_in_use(path.name):
                path.unlink(missing_ok=True)

    @contextmanager
    def file(self) -> Iterator[tuple[IO[bytes], Path]]:
        """An empty file of one's own; at the end it is gone, unless it was moved away."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=f"{os.getpid()}-")
        path = Path(name)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file, path
        finally:
            path.unlink(missing_ok=True)


def _is_in_use(name: str) -> bool:
    """Whether it is a file of another process that runs: several may share the folder, and each starts at its own time."""
    pid = name.partition("-")[0]
    if not (pid.isascii() and pid.isdecimal()) or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
