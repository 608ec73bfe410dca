"""Which line a callback is about.

The network has one callback address for an app, however many numbers the app has. So the address of one line may be
told of all of them, each named by the network's id of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from tablegram.messaging.instances import Instance, Instances
from tablegram.values.clock import FRESH_S


class Numbers:
    """Knows each account's lines well enough to tell without waiting."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._lines: dict[int, dict[int, Instance]] = {}
        self._loaded_at: dict[int, float] = {}

    async def refresh(self, account_id: int, called: Iterable[int] = ()) -> None:
        """`called` are the lines whose addresses were called: one of them may be newer than the last look."""
        is_old = time.monotonic() - self._loaded_at.get(account_id, -FRESH_S) >= FRESH_S
        if is_old or any(line not in self._lines[account_id] for line in called):
            await self.reload(account_id)

    async def reload(self, account_id: int) -> None:
        lines = await self._instances.of_account(account_id)
        self._lines[account_id] = {line.id: line for line in lines}
        self._loaded_at[account_id] = time.monotonic()

    def line_of(self, account_id: int, called: int, number_id: str) -> int | None:
        """The line whose number it is, among those of the same app as the line that was called; nothing where it is
        no line's. What names no number is about the line that was called."""
        lines = self._lines.get(account_id, {})
        own = lines.get(called)
        if own is None or not number_id or own.config.phone_number_id in ("", number_id):
            return called
        for line in lines.values():
            if line.config.phone_number_id == number_id and _same_app(line, own):
                return line.id
        return None

    def lines_about(self, account_id: int, called: int, *, number_id: str, waba_id: str, phone: str) -> list[int]:
        """The lines that news is about: of a number, or of all numbers of a business account."""
        if number_id:
            line_id = self.line_of(account_id, called, number_id)
            return [] if line_id is None else [line_id]
        lines = self._lines.get(account_id, {})
        own = lines.get(called)
        if own is None:
            return [called]
        family = [line for line in lines.values() if line.id == called or _same_app(line, own)]
        if phone:
            # A line whose number is not known yet may be the one, if it is the only one.
            named = [line.id for line in family if line.config.phone == phone]
            return named or ([called] if len(family) == 1 and not own.config.phone else [])
        if not waba_id:
            return [called]
        # Who set up a line without the business account's id is told of by its own address alone.
        unnamed = [called] if not own.config.waba_id else []
        return [line.id for line in family if line.config.waba_id == waba_id] or unnamed


def _same_app(one: Instance, other: Instance) -> bool:
    """Whoever signs for one of them signs for the other."""
    return (
        one.kind == other.kind and bool(one.secrets.app_secret) and one.secrets.app_secret == other.secrets.app_secret
    )
