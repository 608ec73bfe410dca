"""What came of a text: the events that follow, and whether anybody of the team has to look at it."""

from __future__ import annotations

import msgspec

from tablegram.events.planning import Statement
from tablegram.flows.gateway.answering import Answered


class Step(msgspec.Struct, frozen=True):
    """What came of an answer: its events, or nothing where people see to it."""

    answered: Answered | None


def settled(statements: list[Statement]) -> Answered:
    """It went on by itself, whatever the guest was told: nobody of the team has to look at it."""
    return Answered(statements, is_settled=True)


def unsettled(statements: list[Statement]) -> Answered:
    """Only what has led to something need not be looked at."""
    return Answered(statements, is_settled=bool(statements))


def settled_step(statements: list[Statement]) -> Step:
    return Step(settled(statements))
