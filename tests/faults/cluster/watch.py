"""Whoever holds what, looked up again and again in the database itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import asyncpg

LOOK_EVERY_S = 0.25
ANSWER_WITHIN_S = 5.0
# What is seen may have been true for so long: two looks, and the time that they take.
LOOK_TAKES_S = 1.0
# What is balanced here, key by key.
WORK = ("line:", "webhook:")
_HELD = """
SELECT leases.name, leases.owner_id, leases.fence, coalesce(owners.pid, 0) AS pid
FROM leases LEFT JOIN owners ON owners.id = leases.owner_id
WHERE leases.until >= extract(epoch FROM clock_timestamp()) * 1000
"""
# All run on one machine, where the death of a process is seen by its pid. On machines of their own it is not.
_APART = "UPDATE owners SET host = 'the machine of ' || id WHERE host NOT LIKE 'the machine of %'"


@dataclass
class Watch:
    """`problems`: one number of a lease with two owners, or a number that went back."""

    url: Callable[[], str]
    problems: list[str] = field(default_factory=list)
    # The lines and endpoints that are held now, by the pid of their holder.
    work: dict[str, int] = field(default_factory=dict)
    looked_at: float = 0.0
    _owners: dict[tuple[str, int], str] = field(default_factory=dict)
    _highest: dict[str, int] = field(default_factory=dict)

    @property
    def changes(self) -> int:
        """How often something changed hands."""
        return len(self._owners) - len(self._highest)

    async def look_forever(self) -> None:
        while True:
            try:
                connection = await asyncpg.connect(self.url(), timeout=ANSWER_WITHIN_S, command_timeout=ANSWER_WITHIN_S)
                try:
                    await self._look(connection)
                finally:
                    connection.terminate()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(LOOK_EVERY_S)

    async def _look(self, connection: asyncpg.Connection) -> None:
        while True:
            await connection.execute(_APART)
            self._note(await connection.fetch(_HELD))
            await asyncio.sleep(LOOK_EVERY_S)

    def _note(self, rows: list[asyncpg.Record]) -> None:
        for row in rows:
            name, fence, owner = row["name"], row["fence"], row["owner_id"]
            if self._owners.setdefault((name, fence), owner) != owner:
                self.problems.append(f"{name} has two owners under the number {fence}")
            if fence < self._highest.get(name, 0):
                self.problems.append(f"the number of {name} went back to {fence}")
            self._highest[name] = max(fence, self._highest.get(name, 0))
        self.work = {row["name"]: row["pid"] for row in rows if row["name"].startswith(WORK)}
        self.looked_at = time.monotonic()

    async def until_it_holds(self, pid: int, within_s: float) -> set[str]:
        """What a server holds, as soon as that is anything at all."""
        began = time.monotonic()
        while not (names := {name for name, holder in self.work.items() if holder == pid}):
            if time.monotonic() - began > within_s:
                break
            await asyncio.sleep(LOOK_EVERY_S / 2)
        return names

    async def until_others_hold(self, pid: int, names: set[str], since: float, within_s: float) -> float | None:
        """So many seconds after that moment others hold all of this; nothing when that takes too long."""
        while time.monotonic() - since < within_s:
            held = {name for name, holder in self.work.items() if holder not in (pid, 0)}
            if self.looked_at > since and names <= held:
                return self.looked_at - since
            await asyncio.sleep(LOOK_EVERY_S / 2)
        return None
