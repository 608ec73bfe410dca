"""What the workshop offers: named work on what a stranger sent, done where it is measured and can be ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from tablegram.errors import FieldError

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one piece of work may use. Beyond that it is ended, and whoever waits is told what to do."""

    cpu_s: int
    # By the clock on the wall; more than the processor's time, since others are at work as well.
    wall_s: float
    # Beyond what a child has when it begins.
    memory_bytes: int
    answer_bytes: int
    # Of any file that it writes for itself; most work needs none.
    file_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[Made]):
    """A pure function by its name, `package.module:function`: only a child imports it, and what it needs.

    It takes one value, bytes or plain data as its annotation says, and returns one of `made`. It may raise `Invalid`.
    """

    work: str
    made: type[Made]
    limits: Limits
    # What is told when a limit ends it, and when what was sent breaks the program that reads it.
    too_much: FieldError
    unreadable: FieldError


class Workshop(Protocol):
    async def do(self, account_id: int, job: Job[Made], given: Any) -> Made:
        """Have it done, when the account's turn comes. Raises what the function raises, and `Invalid` at a limit.

        `TooMany` when the account has too much waiting already, `Unavailable` when everybody together has.
        """
        ...
