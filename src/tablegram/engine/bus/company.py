"""Whether other processes are there, by what is heard of them.

Everybody says that they are here when they connect, and now and then while they have nothing else to say; who is asked
answers. Whoever has heard nobody for long enough is alone, and need not tell anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# A topic of its own. Who connects asks; the others answer.
TOPIC = "here"
ASKED, ANSWERED = "?", "!"
# An answer comes within this time, however busy who gives it is.
ANSWER_S = 5.0
# Between two words of somebody who has nothing else to say, and how many of them may get lost.
EVERY_S = 15.0
SILENT_S = 4 * EVERY_S


class Company:
    """The clock is a parameter for the sake of tests."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        # From when on silence means that nobody is there; nothing while we are not connected.
        self._alone_from: float | None = None

    def connected(self) -> None:
        """We have asked who is there."""
        self._alone_from = self._now() + ANSWER_S

    def parted(self) -> None:
        """We hear nobody, whoever is there."""
        self._alone_from = None

    def heard(self) -> None:
        """Somebody is there."""
        if self._alone_from is not None:
            self._alone_from = self._now() + SILENT_S

    @property
    def is_alone(self) -> bool:
        return self._alone_from is not None and self._now() >= self._alone_from
