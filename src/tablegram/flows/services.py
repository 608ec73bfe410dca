"""The services of the product, in groups by area; each group is found by its type.

A group is a frozen dataclass in its area's folder (`services.py`). Areas that every edge knows have a name of their
own (`areas.py`); the services of any other are asked for by type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Group = TypeVar("Group")


class Services:
    def __init__(self) -> None:
        self._groups: dict[type, object] = {}

    def add(self, groups: Iterable[object]) -> None:
        self._groups |= {type(group): group for group in groups}

    def of(self, kind: type[Group]) -> Group:
        """The group of this type."""
        found = self._groups.get(kind)
        if not isinstance(found, kind):
            raise LookupError(f"No part that was built so far gives {kind.__name__}.")
        return found
