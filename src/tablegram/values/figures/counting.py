"""How many of something, in the English of our commands and answers."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """`1 venue`, `2 venues`, `1,200 messages`; what does not only take an s says its plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
