"""Counts of what the API answered, for the metrics page."""

from __future__ import annotations


class Figures:
    __slots__ = ("by_status",)

    def __init__(self) -> None:
        self.by_status: dict[int, int] = {}

    def count(self, status: int) -> None:
        self.by_status[status] = self.by_status.get(status, 0) + 1
