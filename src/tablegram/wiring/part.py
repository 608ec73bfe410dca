"""What a part is: its name, how it is built, and what it contributes before anything runs.

A part's `build` says in its signature what it needs: the ground that everything stands on, and groups of services of
parts that come before it in the list. It is called once, when the store is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

from tablegram.demo.stage import DemoStep
from tablegram.engine.health.checkup import Check, SettingsCheck
from tablegram.engine.purging import Purge
from tablegram.engine.timers import Tasks
from tablegram.panel.frame.finding import Finder
from tablegram.panel.navigation import Group
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.whole import Whole

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler


@dataclass(frozen=True, slots=True)
class Ground:
    """What every part stands on."""

    settings: Settings
    clock: Clock
    box: SecretBox
    db: Database
    tasks: Tasks
    whole: Whole
    parts: Sequence[Part]

    @property
    def prepaid(self) -> bool:
        return self.settings.billing == "prepaid"

    @property
    def api_url(self) -> str:
        return f"{self.settings.base_url}/api/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    build: Callable[..., Contribution]
    # Addresses of the API, and of the panel, and what of it is found from every page: all are loaded when somebody first
    # asks for one.
    routes: Callable[[], Sequence[HTTPRouteHandler]] = tuple
    pages: Callable[[], Sequence[HTTPRouteHandler]] = tuple
    finders: Callable[[], Sequence[Finder]] = tuple
    # Where its pages stand in the panel's navigation.
    places: Sequence[Group] = ()
    # What the doctor looks at: with the store, and without it.
    checks: Sequence[Check] = ()
    settings_checks: Sequence[SettingsCheck] = ()
    # Fills its tables for a first visit.
    demo: Sequence[DemoStep] = ()
    # What is forgotten once it is old enough.
    purges: Sequence[Purge] = ()

    def join(self, ground: Ground) -> None:
        """Build it from what is there, and add what it contributes."""
        try:
            given = [ground if kind is Ground else ground.whole.services.of(kind) for kind in _needs(self.build)]
        except LookupError as error:
            raise LookupError(f"The part {self.name} stands too early in the list. {error}") from None
        ground.whole.add(self.build(*given))


@cache
def _needs(build: Callable[..., Contribution]) -> tuple[type[Any], ...]:
    """What it takes, in its order. Read once in a process."""
    kinds = get_type_hints(build)
    del kinds["return"]
    return tuple(kinds.values())
