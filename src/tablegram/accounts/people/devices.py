"""Browsers that somebody has come in with before. Strangers who guess do not slow them down.

A device proves nothing about who sits before it: the password is asked for all the same, and its own failures are
counted. What it holds is sealed, so that nobody makes one up, and tells for whom it was: a number, and hashes of addresses.
"""

from __future__ import annotations

import secrets

import msgspec

from tablegram.errors import Misconfigured
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.secrets import SecretBox

# Longer than any session: it is for who comes back after theirs has ended.
LASTS_MS = 180 * DAY_MS
# A tablet that a whole shift shares.
MAX_PEOPLE = 12
_MAX_LENGTH = 2_000


class _Device(msgspec.Struct):
    id: str
    until: int
    people: list[str]


class Devices:
    def __init__(self, box: SecretBox, clock: Clock) -> None:
        self._box = box
        self._clock = clock

    def recognise(self, shown: str, address: str) -> str:
        """The number of a device that the person of this address came in with; empty when it is none."""
        device = self._open(shown)
        known = device is not None and not set(self._box.hashes(f"device {address}")).isdisjoint(device.people)
        return device.id if device is not None and known else ""

    def remember(self, shown: str, address: str) -> str:
        """The same device, known for this person too; or a new one."""
        now = self._clock.now_ms()
        device = self._open(shown) or _Device(secrets.token_urlsafe(12), 0, [])
        others = [one for one in device.people if one not in self._box.hashes(f"device {address}")]
        device.people = [self._box.pepper_hash(f"device {address}"), *others][:MAX_PEOPLE]
        device.until = now + LASTS_MS
        return self._box.seal(msgspec.json.encode(device).decode())

    def _open(self, shown: str) -> _Device | None:
        if not shown or len(shown) > _MAX_LENGTH:
            return None
        try:
            device = msgspec.json.decode(self._box.open(shown), type=_Device)
        except (Misconfigured, msgspec.DecodeError, UnicodeError):
            return None
        return device if device.until > self._clock.now_ms() else None
