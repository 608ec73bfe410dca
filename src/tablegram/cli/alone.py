"""One server a data folder, and no server while a backup is restored into it."""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tablegram.errors import Conflict

log = logging.getLogger("tablegram")

_ADDRESS = "address"


@contextmanager
def only_server(data_dir: Path) -> Iterator[None]:
    """One server a data folder: two that write one SQLite file are slower than one, and get in each other's way."""
    with open(data_dir / "serve.lock", "a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Conflict(
                f"Another server already runs on {data_dir}. Stop it first, or give this one a TABLEGRAM_DATA_DIR of its own.",
                code="already_running",
            ) from None
        yield


def note_address(data_dir: Path, url: str) -> None:
    """Where the server of this folder is reached: commands print links with it, from whatever terminal.

    A server whose disk is full serves without it.
    """
    try:
        (data_dir / _ADDRESS).write_text(url + "\n")
    except OSError as error:
        log.warning("the address cannot be written to %s: %s", data_dir / _ADDRESS, error.strerror or error)


def noted_address(data_dir: Path) -> str:
    """The address of the server that runs on this folder, or ran last; empty when none did."""
    try:
        return (data_dir / _ADDRESS).read_text().strip()
    except OSError:
        return ""
