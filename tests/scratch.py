"""Where the files of a run lie: in memory, where the machine has a folder for that with room enough.

The product has the disk confirm each of its commits. A test kills processes and never the machine, so that this proves
nothing here; and disks are what all tests of a run would wait for together.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")
# A whole run needs a fraction of it.
ROOM_BYTES = 2 * 1024**3
_NAME = "tablegram-suite-"


def use_memory() -> Path | None:
    """From now on, for this process and those that it starts. Nothing where there is no room, or where it is so already."""
    if _NAME in tempfile.gettempdir() or not _has_room():
        return None
    _sweep()
    folder = MEMORY / f"{_NAME}{os.getpid()}"
    # A database server runs as somebody else.
    folder.mkdir(mode=0o755, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


class Scratch:
    """A pytest plugin: what a failed run has left stays to be looked at, until the next one begins."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_good = False

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._is_good = exitstatus == pytest.ExitCode.OK

    def pytest_unconfigure(self) -> None:
        if self._is_good:
            shutil.rmtree(self._folder, ignore_errors=True)


def _has_room() -> bool:
    return os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES


def _sweep() -> None:
    """What runs have left that were killed, or that failed and were looked at meanwhile."""
    for left in MEMORY.glob(f"{_NAME}*"):
        if not Path("/proc", left.name.removeprefix(_NAME)).exists():
            shutil.rmtree(left, ignore_errors=True)
