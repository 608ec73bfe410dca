"""Which process does what: a part says for each of its tasks which role it belongs to.

A process of the role `all` does everything. Others do what is everybody's and what is their own; of the rest they only
pass on that there is something to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tablegram.engine.drains import Drain, KeyedDrain

Step = Callable[[], Awaitable[None]]


class Role(StrEnum):
    # Answers requests: API, panel, menus, hooks.
    API = "api"
    # Works off what waits: events for endpoints, imports, campaigns, clocks, printers, retention.
    WORKER = "worker"
    # Runs lines: what goes out over them, linked phones, files of customers.
    LINES = "lines"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Task:
    """Something that runs until the product stops. Without a role it runs in every process."""

    run: Step
    role: Role | None = None
    # What a process of another role does in its place.
    elsewhere: Step | None = None

    def step(self, role: Role) -> Step | None:
        """What a process of this role does of it."""
        return self.run if role is Role.ALL or self.role in (None, role) else self.elsewhere


def everywhere(run: Step) -> Task:
    return Task(run)


def drain(role: Role, its: Drain[Any] | KeyedDrain[Any, Any]) -> Task:
    """A drain in the processes of one role; in all others whoever rings is passed on to them."""
    if isinstance(its, KeyedDrain):
        return Task(its.scan_forever, role, its.rest)
    return Task(its.run, role, its.relay)
