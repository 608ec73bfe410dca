"""The services of the product, in groups by area; each group is found by its type.

A group is a frozen dataclass in its area's folder (`services.py`). Areas that every edge knows have a name of their
own (`areas.py`); the services of any other are asked for by type.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

Group = TypeVar("Group")


class Services:
    def __init__(self) -> None:
        self._groups: dict[type, object] = {}
        self._desks: list[Callable[[], object]] = []
        self._loading = threading.Lock()

    def add(self, groups: Iterable[object]) -> None:
        self._groups |= {type(group): group for group in groups}

    def add_desks(self, makers: Iterable[Callable[[], object]]) -> None:
        """Groups that only the edges ask for. None is made before `load_desks`, or before somebody asks for one."""
        self._desks += makers

    def load_desks(self) -> None:
        """Make them. What they need is loaded for it, which takes long enough to belong into a thread."""
        with self._loading:
            while self._desks:
                self.add([self._desks[0]()])
                # Whoever looks meanwhile still finds something to wait for.
                del self._desks[0]

    def of(self, kind: type[Group]) -> Group:
        """The group of this type."""
        found = self._groups.get(kind)
        if found is None and self._desks:
            self.load_desks()
            found = self._groups.get(kind)
        if not isinstance(found, kind):
            raise LookupError(f"No part that was built so far gives {kind.__name__}.")
        return found
