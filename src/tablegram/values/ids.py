"""Identifiers: sortable by time, safe in a URL, and different kinds have different prefixes."""

from __future__ import annotations

import secrets
import time

_BASE32 = "0123456789abcdefghjkmnpqrstvwxyz"
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

GATEWAY_PREFIX = "gw."


def new_id(now_ms: int | None = None) -> str:
    """26 characters: 10 of time in milliseconds, 16 of chance (80 bits)."""
    number = ((now_ms if now_ms is not None else time.time_ns() // 1_000_000) << 80) | secrets.randbits(80)
    return "".join([_BASE32[(number >> shift) & 31] for shift in range(125, -1, -5)])


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
