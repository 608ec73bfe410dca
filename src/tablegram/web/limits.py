"""Rate limits of every listener: a token bucket for each key, kept as one figure (the generic cell rate algorithm).

The figure is the moment at which the bucket will be full again. A key that is not in the table has a
full bucket, so whatever has filled up can be forgotten at any time.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from tablegram.engine.bus.port import Alone, Bus
from tablegram.errors import TooMany
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Field, Scope

# One entry is about 150 bytes; this many callers at once is far beyond what one process answers.
MAX_KEYS = 100_000
_FIRST_PRUNE = 1_024
# Addresses that are shut out at once.
MAX_REMEMBERED = 1_024


class Decision(NamedTuple):
    """What to tell the caller. Seconds are whole and rounded up, as the header fields want them."""

    allowed: bool
    remaining: int
    reset_s: int
    retry_after_s: int


class Pace(NamedTuple):
    """So many in a second, and so many at once before that counts."""

    rate: float
    burst: int


# So much of a bucket may be taken at one process before the others hear of it: a part of the whole.
UNTOLD = 1 / 8

# Tells the others how many seconds of a key's bucket were taken.
Tell = Callable[[str, float], None]


class Limiter:
    """Each process grants its own rate, unless they tell each other (`share`)."""

    __slots__ = ("_full_at", "_max_keys", "_prune_at", "_tell", "_untold")

    def __init__(self, max_keys: int = MAX_KEYS) -> None:
        self._full_at: dict[str, float] = {}
        self._max_keys = max_keys
        self._prune_at = min(_FIRST_PRUNE, max_keys)
        self._tell: Tell | None = None
        self._untold: dict[str, float] = {}

    def share(self, tell: Tell) -> None:
        """From now on what is taken here is told, and what others tell (`heard`) counts here. Keys go by other names."""
        self._tell = tell

    def heard(self, name: str, seconds: float, now: float) -> None:
        """So much was taken at another process."""
        self._full_at[name] = max(self._full_at.get(name, 0.0), now) + seconds
        if len(self._full_at) > self._prune_at:
            self._prune(now)

    def _note(self, name: str, seconds: float, whole: float, tell: Tell) -> None:
        owed = self._untold.pop(name, 0.0) + seconds
        if owed >= whole * UNTOLD:
            tell(name, owed)
        else:
            self._untold[name] = owed

    def take(self, key: str, rate: float, burst: int, now: float) -> Decision:
        """Take one from the key's bucket. `rate` is per second, `now` any steady clock in seconds."""
        if self._tell is not None:
            key = name_of(key)
        interval = 1.0 / rate
        whole = interval * burst
        before = self._full_at.get(key, 0.0) - now
        if before < 0.0:
            before = 0.0
        elif before > whole:
            # The limit was lowered; the caller is not locked out for what the former one had granted.
            before = whole
            self._full_at[key] = now + whole
        after = before + interval
        # Sums of fractions miss their mark by a hair; a thousandth of a request is forgiven.
        if after > whole + interval * 0.001:
            return Decision(False, 0, ceil(before), max(1, ceil(after - whole)))
        self._full_at[key] = now + after
        if self._tell is not None:
            self._note(key, interval, whole, self._tell)
        if len(self._full_at) > self._prune_at:
            self._prune(now)
        return Decision(True, max(0, int((whole - after) * rate + 0.001)), ceil(after), 0)

    def put_back(self, key: str, rate: float) -> None:
        """Undo one that was taken."""
        if self._tell is not None:
            key = name_of(key)
            self._untold[key] = self._untold.get(key, 0.0) - 1.0 / rate
        if key in self._full_at:
            self._full_at[key] -= 1.0 / rate

    def _prune(self, now: float) -> None:
        """Forget full buckets; with too many that are not, the longest known go first."""
        kept = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        excess = len(kept) - self._max_keys
        if excess >= 0:
            # Some room, so that the next newcomer does not prune again at once.
            for key in list(kept)[: excess + max(1, self._max_keys // 10)]:
                del kept[key]
        self._full_at = kept
        if self._untold:
            self._untold = {key: owed for key, owed in self._untold.items() if key in kept}
        self._prune_at = min(self._max_keys, max(_FIRST_PRUNE, 2 * len(kept)))

    def __len__(self) -> int:
        return len(self._full_at)


@lru_cache(maxsize=4_096)
def name_of(key: str) -> str:
    """What a key is called between processes: addresses and names of people stay where they are."""
    return blake2b(key.encode(), digest_size=12, person=b"tablegram limits").hexdigest()


def share_limits(bus: Bus, name: str, limiter: Limiter) -> None:
    """Have a limit hold for all processes together: what a caller took at one counts at the others a moment later.

    Each counts in memory, as if it were alone, and tells the others what it granted. So a request waits for nobody, and a word
    that is lost lets somebody have a little more, never less. `name` is the same in all processes, and of plain letters.
    """
    if type(bus) is Alone:
        return
    topic = f"limit{name}"
    # The bus tells the same word once.
    numbers = itertools.count()

    def hear(word: str) -> None:
        key, taken_ms, _ = word.split(" ")
        limiter.heard(key, int(taken_ms) / 1_000, time.monotonic())

    def tell(key: str, seconds: float) -> None:
        bus.tell(topic, f"{key} {round(seconds * 1_000)} {next(numbers)}")

    bus.listen(topic, hear)
    limiter.share(tell)


def rate_fields(name: bytes, pace: Pace, decision: Decision) -> tuple[Field, Field]:
    """What a caller is told of the limit that it was counted by."""
    window_s = max(1, round(pace.burst / pace.rate))
    return (
        (b"ratelimit-policy", b'"%b";q=%d;w=%d' % (name, pace.burst, window_s)),
        (b"ratelimit", b'"%b";r=%d;t=%d' % (name, decision.remaining, decision.reset_s)),
    )


class ShutOut:
    """Refusals of one listener, by address. Who shows wrong keys too often is not heard for a moment."""

    def __init__(self, addresses: Addresses, pace: Pace) -> None:
        self._addresses = addresses
        self._pace = pace
        self._limiter = Limiter()
        # Addresses whose calls were refused too often, and until when they are not heard.
        self._until_s: dict[str, float] = {}

    def share(self, bus: Bus, name: str) -> None:
        """From now on what other processes refused counts here too."""
        share_limits(bus, name, self._limiter)

    def check(self, scope: Scope) -> None:
        """Call first of all."""
        if self._until_s:
            wait_s = self._until_s.get(limit_key(self._addresses.of(scope)), 0.0) - time.monotonic()
            if wait_s > 0:
                raise _too_many(wait_s)

    def count(self, scope: Scope) -> None:
        """A call was refused for its key or its proof."""
        who, now_s = limit_key(self._addresses.of(scope)), time.monotonic()
        decision = self._limiter.take(who, *self._pace, now_s)
        if decision.allowed:
            return
        if len(self._until_s) >= MAX_REMEMBERED:
            self._until_s = {one: until_s for one, until_s in self._until_s.items() if until_s > now_s}
        # Not longer: who has a right key may come from the same address, where nobody named the proxy.
        self._until_s[who] = now_s + 1.0 / self._pace.rate
        raise _too_many(decision.retry_after_s)


def _too_many(wait_s: float) -> TooMany:
    seconds = ceil(wait_s)
    return TooMany(f"Too many calls of yours were refused. Wait {seconds} s.", retry_after_s=seconds)
