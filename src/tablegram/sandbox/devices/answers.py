"""What linked devices, and the phones that they belong to, are answered with."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.sandbox.devices.restrictions import Restriction


class Nothing(msgspec.Struct, frozen=True):
    """It was done, and there is nothing to say."""


class Begun(msgspec.Struct, frozen=True):
    id: str
    secret: str


class ForDevice(msgspec.Struct, frozen=True):
    """Values that a device has to take, under their number."""

    n: int
    values: list[Any]


class Seen(msgspec.Struct, frozen=True):
    """A device as it stands: while it pairs with its code, when it is linked with its line and what is for it."""

    state: str
    restriction: Restriction | UnsetType = UNSET
    code: str | UnsetType = UNSET
    until_ms: int | UnsetType = UNSET
    phone: str | UnsetType = UNSET
    number_id: str | UnsetType = UNSET
    token: str | UnsetType = UNSET
    events: list[ForDevice] | UnsetType = UNSET


class CodeToType(msgspec.Struct, frozen=True):
    code: str
    until_ms: int


class Checked(msgspec.Struct, frozen=True):
    exists: bool
    user_id: str


class History(msgspec.Struct, frozen=True):
    values: list[Any]


class DeviceView(msgspec.Struct, frozen=True):
    id: str
    name: str
    phone: str
    state: str


class Nearby(DeviceView, frozen=True):
    """A device that could be scanned now."""

    code: str


class DeviceList(msgspec.Struct, frozen=True):
    data: list[DeviceView]
    nearby: list[Nearby]
