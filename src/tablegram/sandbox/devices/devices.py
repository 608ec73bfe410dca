"""Devices and their phones: how one is linked, and what waits for it to be taken."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from itertools import count
from typing import Any

import msgspec

from tablegram.engine.timers import Bell
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.sandbox.devices.answers import ForDevice
from tablegram.sandbox.devices.restrictions import Restriction, Restrictions
from tablegram.sandbox.store import Number, Store
from tablegram.values.clock import Clock

# A code to scan is a new one so often, and the one before is still good: somebody may be about to scan it.
CODE_MS = 20_000
# A code to type is good for so long.
TYPED_MS = 160_000
# What a device was told it must take within this, or it is told again.
TAKE_WITHIN_S = 15.0
# How a line's callback address says that a device fetches what is for it.
SCHEME = "device:"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS devices (
    id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, phone TEXT NOT NULL DEFAULT '', name TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'pairing', created_ms INTEGER NOT NULL
);
"""


class Device(msgspec.Struct, frozen=True):
    id: str
    # Of what the device knows; it is not kept itself.
    fingerprint: str
    phone: str
    name: str
    state: str
    created_ms: int

    @property
    def number_id(self) -> str:
        return f"linked-{self.id}"


class _Box:
    """What waits for one device, each with whoever wants to know that it was taken."""

    def __init__(self) -> None:
        self.numbers = count(1)
        self.waiting: dict[int, tuple[list[Any], asyncio.Future[None]]] = {}
        self.bell = Bell()


class Devices:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        for statement in _SCHEMA.split(";"):
            if statement.strip():
                store.execute(statement)
        self._restrictions = Restrictions(store, clock)
        self._boxes: dict[str, _Box] = {}
        self._is_closed = False
        # Codes to type, by what they are: for which device and phone, and until when.
        self._typed: dict[str, tuple[str, str, int]] = {}

    # The device's side.

    def begin(self, name: str) -> tuple[Device, str]:
        """A device that wants to be linked, and the secret that it proves itself with."""
        secret = secrets.token_hex(24)
        device = Device(secrets.token_hex(8), _fingerprint(secret), "", name, "pairing", self._clock.now_ms())
        self._store.execute("INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(device))
        return device, secret

    def device(self, device_id: str, secret: str | None = None) -> Device:
        row = self._store.execute("SELECT * FROM devices WHERE id = ?", (device_id,)).fetchone()
        if row is None or (secret is not None and not hmac.compare_digest(row[1], _fingerprint(secret))):
            raise NotFound("There is no such device on this network.", code="device_unknown")
        return Device(*row)

    def code(self, device: Device) -> tuple[str, int]:
        """What a phone scans to let the device in, and until when it is shown."""
        window = self._clock.now_ms() // CODE_MS
        return self._code(device, window), (window + 1) * CODE_MS

    def _code(self, device: Device, window: int) -> str:
        proof = hmac.new(device.fingerprint.encode(), str(window).encode(), hashlib.sha256).hexdigest()[:32]
        return f"2@{device.id},{proof}"

    def code_to_type(self, device: Device, phone: str) -> tuple[str, int]:
        """Eight signs that the owner of this number types instead."""
        now = self._clock.now_ms()
        self._typed = {code: told for code, told in self._typed.items() if told[2] > now and told[0] != device.id}
        code = "".join(secrets.choice("ABCDEFGHJKLMNPQRSTVWXYZ123456789") for _ in range(8))
        self._typed[code] = (device.id, phone, now + TYPED_MS)
        return code, now + TYPED_MS

    async def wait(self, device_id: str, known: str, seconds: float, after: int = 0) -> None:
        """Until there is something to take, or what the device knows of its state is not so any more."""
        box, until = self._box(device_id), time.monotonic() + seconds
        while not (self.waiting(device_id, after) or self._is_closed) and self.state(self.device(device_id)) == known:
            if time.monotonic() >= until:
                return
            # Whoever waits beside this one hears the same ring first; both look again.
            await box.bell.wait(until - time.monotonic())

    def close(self) -> None:
        """Whoever waits is let go."""
        self._is_closed = True
        for box in self._boxes.values():
            box.bell.ring()

    def state(self, device: Device) -> str:
        """`pairing`, `linked`, `gone`, or `restricted` while its phone's number is."""
        return "restricted" if device.state == "linked" and self._restrictions.of(device.phone) else device.state

    def waiting(self, device_id: str, after: int = 0) -> list[ForDevice]:
        """What the device has to take, beyond what it has heard already."""
        restriction = self._restrictions.of(self.device(device_id).phone)
        if restriction is not None and restriction.reason == "banned":
            return []
        waiting = self._box(device_id).waiting
        return [ForDevice(n, values) for n, (values, _) in waiting.items() if n > after]

    def took(self, device_id: str, numbers: list[int]) -> None:
        for number in numbers:
            held = self._box(device_id).waiting.get(number)
            if held is not None and not held[1].done():
                held[1].set_result(None)

    # The phone's side.

    def link(self, phone: str, code: str) -> Device:
        """The phone has scanned or typed the code: the device speaks for it from now on."""
        device = self._meant(phone, code.strip())
        if device.state != "pairing":
            raise Conflict("This device is linked already.", code="device_linked")
        linked = msgspec.structs.replace(device, phone=phone, state="linked")
        self._store.execute("UPDATE devices SET phone = ?, state = 'linked' WHERE id = ?", (phone, device.id))
        self._store.save_number(
            Number(
                id=linked.number_id,
                access_token=secrets.token_hex(24),
                callback_url=SCHEME + linked.id,
                display_phone_number=phone,
                name=linked.name,
            )
        )
        self._typed = {code: told for code, told in self._typed.items() if told[0] != device.id}
        self._box(device.id).bell.ring()
        return linked

    def _meant(self, phone: str, code: str) -> Device:
        typed = self._typed.get(code.replace("-", "").replace(" ", "").upper())
        if typed is not None:
            device_id, meant, until = typed
            if meant != phone:
                raise Invalid.field("code", "code_for_other", "This code was made for another phone number.")
            if until <= self._clock.now_ms():
                raise _late()
            return self.device(device_id)
        device_id, _, _ = code.removeprefix("2@").partition(",")
        if not code.startswith("2@"):
            raise Invalid.field("code", "code_invalid", "This is not a code of a device.")
        device = self.device(device_id)
        window = self._clock.now_ms() // CODE_MS
        if code not in (self._code(device, window), self._code(device, window - 1)):
            raise _late()
        return device

    def of_phone(self, phone: str) -> list[Device]:
        found = "SELECT * FROM devices WHERE phone = ? AND state = 'linked' ORDER BY created_ms"
        return [Device(*row) for row in self._store.execute(found, (phone,)).fetchall()]

    def showing(self) -> list[tuple[Device, str]]:
        """Devices that show a code right now, as if they stood beside the phone."""
        found = "SELECT * FROM devices WHERE state = 'pairing' ORDER BY created_ms DESC LIMIT 20"
        devices = [Device(*row) for row in self._store.execute(found).fetchall()]
        return [(device, self.code(device)[0]) for device in devices if device.id in self._boxes]

    def unlink(self, device: Device) -> None:
        """The phone or the device itself has ended it."""
        self._store.execute("UPDATE devices SET state = 'gone' WHERE id = ?", (device.id,))
        self._store.forget_number(device.number_id)
        box = self._box(device.id)
        box.bell.ring()

    # What the network thinks of the phone's number.

    def restriction(self, phone: str) -> Restriction | None:
        return self._restrictions.of(phone)

    def restrict(self, phone: str, restriction: Restriction | None) -> None:
        """Restrict a number for a while, or let it free."""
        if restriction is None:
            self._restrictions.lift(phone)
        else:
            self._restrictions.set(phone, restriction)
        for device in self.of_phone(phone):
            self._box(device.id).bell.ring()

    # What is for the device.

    async def hand(self, number: Number, values: list[Any]) -> str | None:
        """Let the device have it; why it did not take it, or nothing."""
        box = self._box(number.callback_url.removeprefix(SCHEME))
        n, taken = next(box.numbers), asyncio.get_running_loop().create_future()
        box.waiting[n] = (values, taken)
        box.bell.ring()
        try:
            async with asyncio.timeout(TAKE_WITHIN_S):
                await taken
        except TimeoutError:
            return "the device did not take it"
        finally:
            box.waiting.pop(n, None)
        return None

    def _box(self, device_id: str) -> _Box:
        return self._boxes.setdefault(device_id, _Box())


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _late() -> Invalid:
    return Invalid.field("code", "code_late", "This code has changed since. Scan the one that is shown now.")
