"""Guessing is made slow: after a few failures every further try has to wait, longer each time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from tablegram.errors import TooMany
from tablegram.web.addresses import limit_key

# Typing errors are free.
FREE_PER_NAME = 5
# A whole team may sit behind one address.
FREE_PER_ADDRESS = 20
FIRST_WAIT_S = 2.0
# Not longer, so that a stranger who types somebody's address does not lock him out for the evening.
LONGEST_WAIT_S = 300.0
# After so long without a failure all is forgotten.
MEMORY_S = 3_600.0
MAX_REMEMBERED = 20_000


@dataclass(slots=True)
class _Failures:
    count: int
    last_s: float


@dataclass(frozen=True, slots=True)
class Try:
    """One that has begun: the network address it counts for, when it was made, and the failure before it."""

    placed: str
    at_s: float
    former_s: float


class Throttle:
    """Counts failures by name (an e-mail address, a person) and by network address, in this process."""

    def __init__(self, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._steady_s = steady_s
        self._failures: dict[str, _Failures] = {}

    def begin(self, name: str, remote: str) -> Try:
        """Raise `TooMany` while either has to wait. The words are the same whether the name is known or not.

        A try counts as failed from its beginning: many at the same moment would otherwise all pass before the first
        of them is found wrong.
        """
        named, placed = f"name {name}", f"from {limit_key(remote)}"
        wait_s = max(self._wait_s(named, FREE_PER_NAME), self._wait_s(placed, FREE_PER_ADDRESS))
        if wait_s > 0:
            seconds = math.ceil(wait_s)
            raise TooMany(
                f"There were too many attempts. Wait {seconds} s and try again.",
                code="too_many_attempts",
                retry_after_s=seconds,
            )

        former = self._failures.get(placed)
        self._count(named)
        self._count(placed)
        at_s = self._failures[placed].last_s
        return Try(placed, at_s, at_s if former is None else former.last_s)

    def succeeded(self, name: str, made: Try | None = None) -> None:
        """Forget the name's failures; those of the network address stay, or a guesser would sign in to clear them.

        Only the try itself is taken back from the address: it was none.
        """
        self._failures.pop(f"name {name}", None)
        known = self._failures.get(made.placed) if made is not None else None
        if made is None or known is None:
            return
        known.count -= 1
        if known.last_s == made.at_s:
            known.last_s = made.former_s
        if not known.count:
            del self._failures[made.placed]

    def _wait_s(self, key: str, free: int) -> float:
        known = self._failures.get(key)
        if known is None or known.count < free:
            return 0.0
        since_s = self._steady_s() - known.last_s
        if since_s >= MEMORY_S:
            del self._failures[key]
            return 0.0
        wait_s: float = min(FIRST_WAIT_S * 2.0 ** min(known.count - free, 30), LONGEST_WAIT_S)
        return wait_s - since_s

    def _count(self, key: str) -> None:
        now_s = self._steady_s()
        known = self._failures.pop(key, None)
        if known is None or now_s - known.last_s >= MEMORY_S:
            known = _Failures(0, now_s)
        # Put at the end: the first entry is always the one that was quiet longest.
        self._failures[key] = _Failures(known.count + 1, now_s)
        if len(self._failures) > MAX_REMEMBERED:
            del self._failures[next(iter(self._failures))]
