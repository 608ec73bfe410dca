"""What can be found from every page: each area says what it has for the words that somebody typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablegram.panel.deps import PanelDeps
    from tablegram.panel.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Found:
    title: str
    path: str
    # What tells it from others of its name.
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finder:
    # Also the key of its words (`find.<name>`).
    name: str
    # The icon of the place that its finds belong to.
    icon: str
    # Without it a visitor finds nothing of this, and nobody is asked.
    scope: str
    # Given the words and how many are wanted.
    find: Callable[[PanelDeps, Visitor, str, int], Awaitable[list[Found]]]
