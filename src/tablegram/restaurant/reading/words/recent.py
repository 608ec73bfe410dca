"""What was made of the last few texts. Only a few are kept, because they are guests' words."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Result = TypeVar("Result")
MOST = 32


class Recent:
    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """What was made of one of them; otherwise it is made."""
        known: Result | None = self._made.get(key)
        if known is None:
            known = make()
            for old in list(self._made)[: len(self._made) + 1 - self._most]:
                self._made.pop(old, None)
            self._made[key] = known
        return known
