"""Which line a callback is about.

The network has one callback address for an app, however many numbers the app has. So the address of one line may be
told of all of them, each named by the network's id of it.
"""

from __future__ import annotations

import time

from tablegram.messaging.instances import Instance, Instances

# Every change acts within 5 s; a look at the store that old is old enough.
FRESH_S = 2.0


class Numbers:
    """Knows each account's lines well enough to tell without waiting."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._lines: dict[int, dict[int, Instance]] = {}
        self._loaded_at: dict[int, float] = {}

    async def refresh(self, account_id: int) -> None:
        if time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) >= FRESH_S:
            lines = await self._instances.of_account(account_id)
            self._lines[account_id] = {line.id: line for line in lines}
            self._loaded_at[account_id] = time.monotonic()

    def line_of(self, account_id: int, called: int, number_id: str) -> int:
        """The line whose number it is, among those of the same app as the line that was called; else that one."""
        lines = self._lines.get(account_id, {})
        own = lines.get(called)
        if own is None or not number_id or own.config.phone_number_id == number_id:
            return called
        for line in lines.values():
            if line.config.phone_number_id == number_id and _same_app(line, own):
                return line.id
        return called


def _same_app(one: Instance, other: Instance) -> bool:
    """Whoever signs for one of them signs for the other."""
    return (
        one.kind == other.kind and bool(one.secrets.app_secret) and one.secrets.app_secret == other.secrets.app_secret
    )
