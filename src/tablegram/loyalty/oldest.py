"""What comes first goes first: of points as of stamps, the oldest are used up before the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar


class Brought(Protocol):
    @property
    def unused(self) -> int: ...


One = TypeVar("One", bound=Brought)


def oldest_first(brought: Iterable[One], wanted: int) -> Iterator[tuple[One, int]]:
    """Those that something is taken of, oldest first as they come, and how much of each stays."""
    left = wanted
    for one in brought:
        part = min(left, one.unused)
        if part:
            left -= part
            yield one, one.unused - part
    if left:
        raise ValueError(f"{left} of the balance came from nowhere")
