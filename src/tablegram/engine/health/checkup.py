"""What the doctor looks with, and what it finds. Each part brings the checks of what is its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, how it is, and in plain words what to do."""

    about: str
    level: Literal["ok", "warn", "bad"]
    words: str


@dataclass(frozen=True, slots=True)
class Checkup:
    """An open store, while no server need run."""

    settings: Settings
    clock: Clock
    db: Database
    box: SecretBox


Check = Callable[[Checkup], Awaitable[list[Finding]]]
# What can be looked at without the store.
SettingsCheck = Callable[[Settings], list[Finding]]
