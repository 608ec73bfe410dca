"""What is built when it is first asked for: a server that nobody visits does not hold its pages in memory."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Late(Generic[Made]):
    """Builds once, beside the event loop, so that other requests go on; whoever asks meanwhile waits for the same."""

    def __init__(self, build: Callable[[], Made]) -> None:
        self._build = build
        self.made: Made | None = None
        self._building = asyncio.Lock()

    async def get(self) -> Made:
        if self.made is None:
            async with self._building:
                if self.made is None:
                    self.made = await asyncio.to_thread(self._build)
                    _keep_out_of_sight()
        return self.made

    def now(self) -> Made:
        """For who cannot wait, while nobody else does."""
        if self.made is None:
            self.made = self._build()
        return self.made


class Later(Generic[Made]):
    """Builds once, for whoever asks first, in whichever thread that is: what several wait for, each in a thread of its own."""

    def __init__(self, build: Callable[[], Made]) -> None:
        self._build = build
        self._made: Made | None = None
        self._building = threading.Lock()

    def get(self) -> Made:
        if self._made is None:
            with self._building:
                if self._made is None:
                    self._made = self._build()
        return self._made


class _Sight:
    settled = False


def settle() -> None:
    """What is there lives as long as the process: the collector need not look at it, nor at what is built from now on."""
    gc.collect()
    gc.freeze()
    _Sight.settled = True


def _keep_out_of_sight() -> None:
    # To ask the collector whether anything is frozen takes as long as to look at all of that.
    if _Sight.settled:
        gc.freeze()
