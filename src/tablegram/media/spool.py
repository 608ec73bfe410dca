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
        """Throw away what is left over. Only before anything is fetched, by the one server of this folder."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in self._folder.iterdir():
            path.unlink(missing_ok=True)

    @contextmanager
    def file(self) -> Iterator[tuple[IO[bytes], Path]]:
        """An empty file of one's own; at the end it is gone, unless it was moved away."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._folder)
        path = Path(name)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file, path
        finally:
            path.unlink(missing_ok=True)
