"""Looking after lines: each is started, what it hears is kept, and a troubled one is asked how it is."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

from tablegram.engine.leases import Lease
from tablegram.engine.timers import Bell
from tablegram.errors import NotFound
from tablegram.messaging.instances import Instance, Instances
from tablegram.messaging.ports import Hear
from tablegram.messaging.standing import is_worse
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.outcomes import Conclusion

log = logging.getLogger("tablegram.lines")

LOOK_S = 2.0
# A line in trouble is asked at once, then ever more slowly up to this; a healthy one now and then.
FIRST_RETRY_S = 0.2
TROUBLED_EVERY_S = 30.0
HEALTHY_EVERY_S = 300.0

# Keeps what came in, until it is worked on: account, source, body, and the network's name for it.
Keep = Callable[[int, str, bytes, str], Awaitable[None]]
Hold = Callable[[LiveLine], Awaitable[Lease | None]]


async def _nobody(line: LiveLine) -> Lease | None:
    return None


class LineKeeper:
    def __init__(self, instances: Instances, switchboard: Switchboard, keep: Keep) -> None:
        self._instances = instances
        self._switchboard = switchboard
        self._keep = keep
        # Gives the lease of a line that may run in one place only, if this process has it or can have it.
        self.hold: Hold = _nobody
        # When to ask next, on the steady clock, and how long the last wait was.
        self._next: dict[int, tuple[float, float]] = {}
        self._bell = Bell()

    def look_soon(self) -> None:
        self._bell.ring()

    def suspect(self, instance_id: int) -> None:
        """The network has reported a trouble. A line that was well is asked now, unless that was done just before."""
        at, waited = self._next.get(instance_id, (0.0, 0.0))
        if not waited and at - time.monotonic() < HEALTHY_EVERY_S - TROUBLED_EVERY_S:
            self._next.pop(instance_id, None)
            self._bell.ring()

    def heard_of(self, instance_id: int) -> None:
        """Something about the line has changed, by its own word: it is asked now."""
        self._next.pop(instance_id, None)
        self._bell.ring()

    async def keep_forever(self) -> None:
        while True:
            await self.look()
            soonest = min((at for at, _ in self._next.values()), default=0.0) - time.monotonic()
            await self._bell.wait(min(LOOK_S, max(FIRST_RETRY_S / 2, soonest)))

    async def look(self) -> None:
        """Ask every line that is due; those that are gone are forgotten."""
        instances = await self._instances.every()
        self._next = {one.id: self._next[one.id] for one in instances if one.id in self._next}
        for instance in instances:
            if instance.is_exclusive and not await self._leads(instance):
                self._next.pop(instance.id, None)
                continue
            at, waited = self._next.get(instance.id, (0.0, 0.0))
            if instance.state != "created" and at > time.monotonic():
                continue
            healthy = await self._ask(instance)
            wait = HEALTHY_EVERY_S if healthy else min(TROUBLED_EVERY_S, max(FIRST_RETRY_S, waited * 2))
            self._next[instance.id] = (time.monotonic() + wait, 0.0 if healthy else wait)

    async def _leads(self, instance: Instance) -> bool:
        """Whether this process runs the line; one that it lost is let go of at once."""
        line = await self._switchboard.line(instance.account_id, instance.id)
        if line is None:
            return False
        lease = await self.hold(line)
        if lease is None:
            await line.driver.stop()
            return False
        await line.driver.led_by(lease)
        return True

    async def _ask(self, instance: Instance) -> bool:
        """Whether the line is well; what is found is kept."""
        line = await self._switchboard.line(instance.account_id, instance.id)
        if line is None:
            return False
        problem = await line.driver.start(self._ear(instance))
        if problem is not None:
            state, reason = "disconnected", problem
        else:
            health = await line.driver.probe()
            await self._learn(instance, health.phone)
            # What the network said meanwhile counts too.
            instance = await self._fresh(instance)
            state, reason = self._judge(instance, health.state, health.reason)
        if (state, reason) != (instance.state, instance.reason):
            log.info("line %s is %s: %s", instance.id, state, reason)
            await self._instances.set_state(instance, state, reason)
            await self._switchboard.reload(instance.account_id)
        if state == "connected" and line.strikes:
            line.release()
            line.bell.ring()
        return state == "connected"

    async def _fresh(self, instance: Instance) -> Instance:
        try:
            return await self._instances.get(instance.account_id, instance.id)
        except NotFound:
            return instance

    def _judge(self, instance: Instance, state: str, reason: str) -> tuple[str, str]:
        """A line that answers well may still be one that the network has restricted: what is worse is shown."""
        held = self._instances.held_against(instance)
        return held if held is not None and is_worse(held[0], state) else (state, reason)

    def _ear(self, instance: Instance) -> Hear:
        """Where a line that listens by itself brings what it hears: the inbox, as if a network had called the hook."""

        async def hear(body: bytes, external_id: str) -> None:
            await self._keep(instance.account_id, f"{instance.kind}:{instance.id}", body, external_id)

        return hear

    async def _learn(self, instance: Instance, phone: str) -> None:
        """The sandbox's numbers are nobody's, so that only a real line has one to dial."""
        if instance.kind != "sandbox" and phone and await self._instances.learn_phone(instance, phone):
            await self._switchboard.reload(instance.account_id)

    async def settled(self, line: LiveLine, conclusion: Conclusion) -> None:
        """An attempt told something about the line; keep it if it is news."""
        state = conclusion.line_state
        if state is None or state == line.instance.state:
            return
        reason = "" if state == "connected" else conclusion.detail
        judged, reason = self._judge(line.instance, state, reason)
        if judged == line.instance.state:
            return
        await self._instances.set_state(line.instance, judged, reason)
        await self._switchboard.reload(line.instance.account_id)
