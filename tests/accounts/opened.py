"""The accounts domain over a real database, with a clock that a test can move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.team import Team
from tablegram.settings import Settings
from tablegram.storage.database import Database, open_database
from tablegram.values import ids
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

SECRET = "a secret key that is only used in tests"
FORMER_SECRET = "the secret key that was in use before it"


class MovableClock(Clock):
    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.at_ms = now_ms

    def now_ms(self) -> int:
        return self.at_ms

    def steady_s(self) -> float:
        return self.at_ms / 1_000

    def advance(self, seconds: float) -> None:
        self.at_ms += round(seconds * 1_000)


def begin_ids_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """For who compares ids with its own clock: they never go back, and other tests of this process have lived in later times.
    So does the machine itself by and by."""
    monkeypatch.setattr(ids, "_last_ms", 0)
    monkeypatch.setattr(ids, "_now_ms", lambda: 0)


@dataclass(frozen=True)
class Opened:
    settings: Settings
    db: Database
    clock: MovableClock
    accounts: Accounts
    team: Team
    keys: KeyRing

    def another_process(self, box: SecretBox | None = None) -> KeyRing:
        """A key ring that shares nothing with the first one but the store."""
        return KeyRing(self.db, box or SecretBox(SECRET), self.clock, self.settings, self.clock.steady_s)


@asynccontextmanager
async def opened(database_url: str, *, box: SecretBox | None = None, **settings: Any) -> AsyncIterator[Opened]:
    made = Settings(database_url=database_url, **settings)
    clock = MovableClock()
    db = open_database(made)
    await db.open()
    try:
        keys = KeyRing(db, box or SecretBox(SECRET), clock, made, clock.steady_s)
        yield Opened(made, db, clock, Accounts(db, clock), Team(db, clock), keys)
    finally:
        await db.close()
