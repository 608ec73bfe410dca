"""Guessing is made slow: after a few failures every further try has to wait, longer each time.

Whoever signs in is counted by person *and* network address, so that a stranger who types somebody's address elsewhere
keeps nobody out but themselves. Guesses at one person from many addresses are slowed down all together; whom that would keep
out gets in with a device that is known, or with the right password and a second factor.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from tablegram.engine.bus.port import Alone, Bus
from tablegram.errors import TooMany
from tablegram.web.addresses import limit_key
from tablegram.web.limits import Limiter, Pace, name_of, share_limits

# Typing errors are free.
FREE_PER_NAME = 5
# A whole team may sit behind one address.
FREE_PER_ADDRESS = 20
# For all addresses together: one address alone, with its waits, never comes so far.
SPREAD = Pace(rate=1 / 120, burst=20)
FIRST_WAIT_S = 2.0
# Not longer, so that a stranger who types somebody's address does not lock them out for the evening.
LONGEST_WAIT_S = 300.0
# After so long without a failure all is forgotten.
MEMORY_S = 3_600.0
MAX_REMEMBERED = 20_000

# What processes tell each other of: failures, and what is none after all. Whose they are is said in no plain word.
TOPIC = "throttle"
FAILED, FORGOTTEN, TAKEN_BACK = "failed", "forgotten", "back"


@dataclass(slots=True)
class _Failures:
    count: int
    last_s: float


@dataclass(frozen=True, slots=True)
class Try:
    """One that has begun: what is forgotten when it succeeds, what it is only taken back from, and how to do that."""

    forgiven: str
    placed: str = ""
    at_s: float = 0.0
    former_s: float = 0.0
    # Whom many addresses are guessing at, and how long whoever shows nothing better has to wait for that.
    name: str = ""
    wait_s: int = 0


class Throttle:
    """Counts failures by name (an e-mail address, a person), by network address and by device.

    In this process, and with `share` in all of an installation: each failure is told, and so is what is forgotten.
    """

    def __init__(self, steady_s: Callable[[], float] = time.monotonic) -> None:
        self._steady_s = steady_s
        self._failures: dict[str, _Failures] = {}
        self._spread = Limiter(MAX_REMEMBERED)
        self._tell: Callable[[str], None] | None = None

    def share(self, bus: Bus) -> None:
        if type(bus) is Alone:
            return
        numbers = itertools.count()
        bus.listen(TOPIC, self._heard)
        # The bus tells the same word once, and each failure counts.
        self._tell = lambda word: bus.tell(TOPIC, f"{word} {next(numbers)}")
        share_limits(bus, "spread", self._spread)

    def _heard(self, word: str) -> None:
        what, name, _ = word.split(" ")
        if what == FAILED:
            self._note(name)
        elif what == FORGOTTEN:
            self._failures.pop(name, None)
        else:
            self._take_back(name)

    def _say(self, what: str, name: str) -> None:
        if self._tell is not None:
            self._tell(f"{what} {name}")

    def begin(self, name: str, remote: str, device: str = "") -> Try:
        """Raise `TooMany` while either has to wait. The words are the same whether the name is known or not.

        A try counts as failed from its beginning: many at the same moment would otherwise all pass before the first
        of them is found wrong.
        """
        return self._begin_known(name, device) if device else self._begin(f"name {name}", remote)

    def begin_sign_in(self, name: str, remote: str, device: str = "") -> Try:
        """The same for who comes from outside, where a name is anybody's to type.

        With a `wait_s` too many others are guessing at this person: only the right password with a second factor counts.
        """
        if device:
            return self._begin_known(name, device)
        made = self._begin(f"name {name} {limit_key(remote)}", remote)
        spread = self._spread.take(name, *SPREAD, self._steady_s())
        counted = name if spread.allowed else ""
        return Try(made.forgiven, made.placed, made.at_s, made.former_s, counted, spread.retry_after_s)

    def _begin_known(self, name: str, device: str) -> Try:
        key = name_of(f"device {device} {name}")
        self._check(self._wait_s(key, FREE_PER_NAME))
        self._count(key)
        return Try(key)

    def _begin(self, named: str, remote: str) -> Try:
        named, placed = name_of(named), name_of(f"from {limit_key(remote)}")
        self._check(max(self._wait_s(named, FREE_PER_NAME), self._wait_s(placed, FREE_PER_ADDRESS)))
        former = self._failures.get(placed)
        self._count(named)
        self._count(placed)
        at_s = self._failures[placed].last_s
        return Try(named, placed, at_s, at_s if former is None else former.last_s)

    def succeeded(self, made: Try) -> None:
        """Forget the failures of this name here; those of the network address stay, or a guesser would sign in to
        clear them, and so do those of many addresses.

        Only the try itself is taken back from these: it was none.
        """
        self._forget(made.forgiven)
        if made.name:
            self._spread.put_back(made.name, SPREAD.rate)
        known = self._failures.get(made.placed)
        if known is None:
            return
        if known.last_s == made.at_s:
            known.last_s = made.former_s
        self._take_back(made.placed)
        self._say(TAKEN_BACK, made.placed)

    def _take_back(self, key: str) -> None:
        known = self._failures.get(key)
        if known is not None:
            known.count -= 1
            if known.count <= 0:
                del self._failures[key]

    def _forget(self, key: str) -> None:
        self._failures.pop(key, None)
        self._say(FORGOTTEN, key)

    def forgive(self, name: str, remote: str) -> None:
        """Somebody has shown in another way that they are who they say: their own typing errors are forgotten."""
        self._forget(name_of(f"name {name} {limit_key(remote)}"))

    @staticmethod
    def _check(wait_s: float) -> None:
        if wait_s > 0:
            raise too_many(math.ceil(wait_s))

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
        self._note(key)
        self._say(FAILED, key)

    def _note(self, key: str) -> None:
        now_s = self._steady_s()
        known = self._failures.pop(key, None)
        if known is None or now_s - known.last_s >= MEMORY_S:
            known = _Failures(0, now_s)
        # Put at the end: the first entry is always the one that was quiet longest.
        self._failures[key] = _Failures(known.count + 1, now_s)
        if len(self._failures) > MAX_REMEMBERED:
            del self._failures[next(iter(self._failures))]


def too_many(seconds: int) -> TooMany:
    return TooMany(
        f"There were too many attempts. Wait {seconds} s and try again.",
        code="too_many_attempts",
        retry_after_s=seconds,
    )
