"""What the panel needs from the rest of the product, by area. The composition root fills it in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from tablegram.accounts.keys.keys import Caller
from tablegram.flows.areas import Areas
from tablegram.panel.frame.finding import Finder
from tablegram.panel.live import Live
from tablegram.panel.navigation import Navigation
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


@dataclass(frozen=True, slots=True)
class Badge:
    """How many things of an area wait for the visitor; shown beside its name in the navigation."""

    scope: str
    count: Callable[[Caller], Awaitable[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelDeps(Areas):
    settings: Settings
    clock: Clock
    db: Database
    box: SecretBox
    live: Live
    # By the navigation entry's name.
    badges: dict[str, Badge] = field(default_factory=dict)
    navigation: Navigation = field(default_factory=Navigation)
    # What can be found from every page.
    finders: Callable[[], Sequence[Finder]] = tuple
