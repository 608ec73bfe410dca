"""Requests that a server which freezes answers later, or never."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable


def in_background(call: Callable[[], object]) -> threading.Thread:
    """A request to a server that freezes is answered only when it goes on; whoever gives up before leaves it to the store."""

    def run() -> None:
        with contextlib.suppress(TimeoutError):
            call()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
