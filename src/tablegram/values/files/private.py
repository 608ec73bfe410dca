"""Files that nobody but their owner reads."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

# A database in a file has these beside it, and gives them its own mode when it makes them.
_BESIDE = ("", "-wal", "-shm", "-journal")


def keep_private(path: Path) -> None:
    """Make a database's file if it is not there, and take from others what they may do with it and those beside it.

    Its folder may be anybody's: a file that a program makes by itself is readable for all of them.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(OSError):
        # What cannot be opened is told by who opens the database.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for beside in _BESIDE:
        file = path.with_name(path.name + beside)
        # Gone meanwhile, or another user's: then it is not ours to close.
        with suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & 0o077:
                file.chmod(mode & 0o700)
