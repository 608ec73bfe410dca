"""Identifiers: sortable by time, safe in a URL, and different kinds have different prefixes."""

from __future__ import annotations

import os
import random
import secrets
import threading
import time
from collections.abc import Callable

_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

GATEWAY_PREFIX = "gw."

# Two characters at a time: an id is made three times for each request.
_PAIRS = tuple(high + low for high in _BASE32 for low in _BASE32)
# Ids are unique, not secret, so they need no call to the system for each.
_chance = random.Random(secrets.randbits(256))
# A forked child must not have its parent's luck: the ids of its siblings would be the same.
os.register_at_fork(after_in_child=lambda: _chance.seed(secrets.randbits(256)))
_lock = threading.Lock()
_last_ms, _last_luck = 0, 0


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


_now_ms: Callable[[], int] = _wall_ms


def follow(now_ms: Callable[[], int]) -> None:
    """Make ids by this clock from now on, also where it is behind: those of several processes are compared."""
    global _now_ms, _last_ms, _last_luck
    with _lock:
        _now_ms, _last_ms, _last_luck = now_ms, 0, 0


def new_id(now_ms: int | None = None) -> str:
    """26 characters: 10 of time in milliseconds, 16 of chance (80 bits).

    Ids of one process follow each other, so that what came first is also sorted first: within a millisecond, and
    when the clock is set back.
    """
    global _last_ms, _last_luck
    moment = now_ms if now_ms is not None else _now_ms()
    luck = _chance.getrandbits(79)
    with _lock:
        if moment <= _last_ms:
            moment, luck = _last_ms, _last_luck + 1 + (luck & 0xFFFFFFFF)
        _last_ms, _last_luck = moment, luck
    pairs, high, low = _PAIRS, luck >> 40, luck & 0xFFFFFFFFFF
    return (
        f"{pairs[moment >> 40 & 1023]}{pairs[moment >> 30 & 1023]}{pairs[moment >> 20 & 1023]}{pairs[moment >> 10 & 1023]}"
        f"{pairs[moment & 1023]}"
        f"{pairs[high >> 30]}{pairs[high >> 20 & 1023]}{pairs[high >> 10 & 1023]}{pairs[high & 1023]}"
        f"{pairs[low >> 30]}{pairs[low >> 20 & 1023]}{pairs[low >> 10 & 1023]}{pairs[low & 1023]}"
    )


def first_id(at_ms: int) -> str:
    """Smaller than every id that was made at this millisecond or later."""
    return "".join([_PAIRS[(max(at_ms, 0) >> shift) & 1023] for shift in (40, 30, 20, 10, 0)])


def past_id(at_ms: int) -> str:
    """An id that sorts where something of an earlier time belongs. `new_id` never goes back."""
    return first_id(at_ms) + "".join(_PAIRS[_chance.getrandbits(10)] for _ in range(8))


def time_of(made: str) -> int:
    """When an id was made, in milliseconds; whatever prefix tells its kind."""
    moment = 0
    for letter in made[-26:][:10]:
        moment = moment << 5 | _BASE32.index(letter)
    return moment


def random_base62(length: int) -> str:
    return "".join([secrets.choice(_BASE62) for _ in range(length)])


def base62(number: int, width: int) -> str:
    """A number in base 62, padded with zeros to `width` characters."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, 62)
        digits.append(_BASE62[rest])
    return "".join(reversed(digits))


def gateway_id(message_key: str) -> str:
    """The public form of a message's own key."""
    return GATEWAY_PREFIX + message_key
