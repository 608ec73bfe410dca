"""How many connections may stand open: from one address, and in all.

When there is no room, whoever has let us wait for the longest time gives way: first those who ask for nothing, then those
whose body does not come. So a thousand silent ones keep nobody out. Only when everybody there is being served is a
newcomer turned away.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Collection
from heapq import nsmallest
from typing import Protocol

from tablegram.web.addresses import limit_key

# Who is let go at once, of all that are looked at: to look at everybody for each newcomer would cost too much.
GIVE_WAY = 20
# Files that a process asks for when its system grants it fewer.
WANTED_FILES = 65_536


class Connection(Protocol):
    def awaited(self) -> tuple[int, float] | None:
        """How little it would be missed (0 least), and since when we wait for it; nothing while it is being served."""

    def give_way(self) -> None: ...


class Full(Exception):
    """There is no room, and nobody can be asked to leave. `address` tells whether it is the caller's own doing."""

    def __init__(self, most: int, *, address: bool) -> None:
        super().__init__(most)
        self.most = most
        self.address = address


class Crowd:
    """`most` in all, `most_per_address` from one; 0 is no limit. Those of a trusted proxy count in all only."""

    def __init__(self, most: int, most_per_address: int, is_proxy: Callable[[str], bool]) -> None:
        self._most = most
        self._most_per_address = most_per_address
        self._is_proxy = is_proxy
        self._keys: dict[Connection, str] = {}
        self._by_key: dict[str, set[Connection]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def enter(self, connection: Connection, address: str) -> None:
        """Take a place, or raise `Full`."""
        # A socket without addresses is a proxy's too.
        key = limit_key(address) if address and not self._is_proxy(address) else ""
        own = self._by_key.get(key, ())
        if key and 0 < self._most_per_address <= len(own) and not self._make_room(own):
            raise Full(self._most_per_address, address=True)
        if 0 < self._most <= len(self._keys) and not self._make_room(self._keys):
            raise Full(self._most, address=False)
        self._keys[connection] = key
        self._by_key.setdefault(key, set()).add(connection)

    def leave(self, connection: Connection) -> None:
        """Give the place back; one that was never taken is none."""
        key = self._keys.pop(connection, None)
        if key is None:
            return
        others = self._by_key[key]
        others.discard(connection)
        if not others:
            del self._by_key[key]

    def _make_room(self, among: Collection[Connection]) -> bool:
        waited = [(since, id(one), one) for one in among if (since := one.awaited()) is not None]
        leaving = nsmallest(max(1, len(among) // GIVE_WAY), waited)
        for _, _, one in leaving:
            self.leave(one)
            one.give_way()
        return bool(leaving)


def raise_open_files() -> None:
    """Ask the system for as many open files as it grants us, up to what we could ever need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def open_files() -> int:
    """How many files this process may have open at once."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return WANTED_FILES if soft == resource.RLIM_INFINITY else soft
