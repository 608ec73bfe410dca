"""The sum of what the parts contribute. It grows while they are built.

A service that walks over what all parts declare is given the whole, or one of its lists, when it is built, and looks
into it when it works: by then every part has been added.
"""

from __future__ import annotations

from collections.abc import Callable

from tablegram.campaigns.segments.rules import Rule
from tablegram.crm.own_data.erasing import Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.unsent import Silence
from tablegram.engine.inbox import Handler
from tablegram.engine.purging import Cleaner
from tablegram.engine.timers import Tasks
from tablegram.flows.gateway.answering import Answerer
from tablegram.flows.services import Services
from tablegram.messaging.incoming import Parse
from tablegram.panel.deps import Badge
from tablegram.wiring.contribution import App, Contribution, Figures
from tablegram.wiring.roles import Role, Step, Task


class Whole:
    def __init__(self) -> None:
        self.services = Services()
        self._figures: list[Figures] = []
        self.mounts: dict[str, App] = {}
        self.handlers: dict[str, Handler] = {}
        self.parsers: dict[str, Parse] = {}
        self.answerers: list[Answerer] = []
        self.badges: dict[str, Badge] = {}
        self.starts: list[Step] = []
        self.stops: list[Step] = []
        self.leaves: list[Step] = []
        self.lands: list[Step] = []
        self.tasks: dict[str, Task] = {}
        self.cleaners: list[Cleaner] = []
        self.reaches: list[Reach] = []
        self.holdings: list[Holding] = []
        self.silences: list[Silence] = []
        self.streams: list[Callable[[], None]] = []
        self.rules: list[Rule] = []
        # This process was told to end, and still answers.
        self.is_leaving = False

    def add(self, one: Contribution) -> None:
        self.services.add(one.services)
        self.services.add_desks(one.desks)
        self._figures += one.figures
        self.mounts |= one.mounts
        self.handlers |= one.handlers
        self.parsers |= one.parsers
        self.answerers += one.answerers
        self.badges |= one.badges
        self.starts += one.starts
        self.stops += one.stops
        self.leaves += one.leaves
        self.lands += one.lands
        self.tasks |= one.tasks
        self.cleaners += one.cleaners
        self.reaches += one.reaches
        self.holdings += one.holdings
        self.silences += one.silences
        self.streams += one.streams
        self.rules += one.rules

    async def begin(self, tasks: Tasks, role: Role) -> None:
        """Whatever comes before the first request; then the background tasks, as far as they are a process's of this role."""
        for start in self.starts:
            await start()
        for name, task in self.tasks.items():
            step = task.step(role)
            if step is not None:
                tasks.keep(name, step)

    async def hand_over(self) -> None:
        """Give others what they can take."""
        for leave in self.leaves:
            await leave()

    def at(self, path: str) -> App:
        """Who answers at a path: the longest mount that it lies below. The empty one answers for the rest."""
        here = path
        while here not in self.mounts and here:
            here = here.rpartition("/")[0].rstrip("/")
        return self.mounts[here]

    async def figures(self) -> dict[str, float]:
        """What /metrics shows."""
        shown: dict[str, float] = {}
        for figures in self._figures:
            shown |= await figures()
        return shown
