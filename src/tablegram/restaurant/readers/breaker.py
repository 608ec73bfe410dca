"""Whether a reader is asked at all: after some failures in a row it is left alone for a while, then tried once."""

from __future__ import annotations

import time
from collections.abc import Callable

FAILURES = 3
REST_S = 30.0
MAX_REST_S = 600.0


class Breaker:
    """Of one address, in one process. `may_ask` before each call, `note` after it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._failures = 0
        self._rest_s = REST_S
        self._rests_until = 0.0
        self._is_tried = False

    @property
    def is_open(self) -> bool:
        """Whether a call would not be made now."""
        return self._failures >= FAILURES and (self._now() < self._rests_until or self._is_tried)

    def may_ask(self) -> bool:
        if self.is_open:
            return False
        # After the rest one call goes first, and the others wait for what comes of it.
        self._is_tried = self._failures >= FAILURES
        return True

    def note(self, *, is_well: bool) -> None:
        if is_well:
            self._failures, self._rest_s = 0, REST_S
        else:
            self._failures += 1
            if self._failures >= FAILURES:
                if self._is_tried:
                    self._rest_s = min(2 * self._rest_s, MAX_REST_S)
                self._rests_until = self._now() + self._rest_s
        self._is_tried = False
