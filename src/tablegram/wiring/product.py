"""The product: it opens the store, builds its parts, and passes requests to whoever answers at their path."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence

from tablegram.accounts.operating.installation import check_secret_key
from tablegram.engine import crash_points
from tablegram.engine.timers import Tasks
from tablegram.flows.services import Group
from tablegram.settings import Settings
from tablegram.storage.database import Database, open_database
from tablegram.values.clock import Clock, SharedClock
from tablegram.values.secrets import load_secret_key
from tablegram.wiring.contribution import Receive, Scope, Send
from tablegram.wiring.heads import answer_head
from tablegram.wiring.lifespan import follow_server
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.parts import PARTS
from tablegram.wiring.roles import Role
from tablegram.wiring.whole import Whole


class Product:
    """The whole product in one process. `start` before the first request, `stop` after the last."""

    def __init__(self, settings: Settings, clock: Clock | None = None, parts: Sequence[Part] = PARTS) -> None:
        crash_points.arm(settings.crash_at, settings.freeze_at)
        self.settings = settings
        self.role = Role(settings.role)
        self.box = load_secret_key(settings)
        self.db: Database = open_database(settings)
        self.clock = clock or (SharedClock() if self.db.is_shared else Clock())
        self.tasks = Tasks()
        self.whole = Whole()
        self._parts = parts
        # Others are only asked how they are.
        self._answers = self.role in (Role.ALL, Role.API)

    async def open(self) -> None:
        """Open the store and build every part. Nothing works by itself yet."""
        await self.db.open()
        await check_secret_key(self.db, self.box)
        ground = Ground(self.settings, self.clock, self.box, self.db, self.tasks, self.whole, self._parts)
        for part in self._parts:
            part.join(ground)

    async def start(self) -> None:
        """Open everything, take up what a dead process left, and begin to work."""
        await self.open()
        await self.whole.begin(self.tasks, self.role)

    def leave(self) -> None:
        """Say that the end is near, and hand over what others can take, while everything goes on."""
        self.whole.is_leaving = True
        self.tasks.spawn("leave", self.whole.hand_over())

    async def stop(self) -> None:
        """End within seconds. What is under way is left to the next start, as after a crash, but nothing is lost."""
        for land in self.whole.lands:
            await land()
        await self.tasks.stop()
        for stop in reversed(self.whole.stops):
            await stop()
        await self.db.close()

    def end_streams(self) -> None:
        """Let go of everybody who listens live, so that the server can end."""
        for end in self.whole.streams:
            end()

    def of(self, kind: type[Group]) -> Group:
        """The services of one group, by its type."""
        return self.whole.services.of(kind)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Passes the request on and waits for nothing itself: a frame less for each time that somebody else waits."""
        if scope["type"] == "lifespan":
            return follow_server(self.start, self.stop, receive, send)
        path = scope.get("path")
        answers = self.whole.at(path if self._answers and isinstance(path, str) else "")
        if scope.get("method") == "HEAD":
            return answer_head(answers, scope, receive, send)
        return answers(scope, receive, send)
