"""What accounts need from outside: somebody who delivers letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Letter:
    to: str
    subject: str
    text: str


class MailFailed(Exception):
    """The letter was not taken; the text says why."""


class Mail(Protocol):
    async def send(self, letter: Letter) -> None:
        """Hand the letter over. Raises `MailFailed`."""
        ...
