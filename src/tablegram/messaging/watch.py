"""The watch over lines: each is started, what it hears is kept, and a troubled one is asked how it is.

Each line is asked in a task of its own: one that takes long keeps nobody waiting, least of all the leases of the others.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tablegram.engine.leases import Lease
from tablegram.engine.timers import Bell
from tablegram.errors import LeaseLost, NotFound
from tablegram.messaging.instances import Instance, Instances
from tablegram.messaging.ports import Hear, Line
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
Wished = Callable[[], Awaitable[frozenset[int]]]
Lag = Callable[[Instance], Awaitable[str]]
Giving = Callable[[LiveLine], bool]


async def _nobody(line: LiveLine) -> Lease | None:
    return None


async def _nothing() -> frozenset[int]:
    return frozenset()


async def _well(instance: Instance) -> str:
    return ""


def _stays(line: LiveLine) -> bool:
    return False


class LineWatch:
    def __init__(self, instances: Instances, switchboard: Switchboard, keep: Keep) -> None:
        self._instances = instances
        self._switchboard = switchboard
        self._keep = keep
        # Gives the lease of a line that may run in one place only, if this process has it or can have it.
        self.hold: Hold = _nobody
        # Whether a line is being handed over: whoever does it stops the line, when what is on its way has landed.
        self.giving: Giving = _stays
        # The lines that somebody wants something of, in whichever process.
        self.wished: Wished = _nothing
        # What is wrong with a line that says it is well, by what became of its messages.
        self.lag: Lag = _well
        # When to ask next, on the steady clock, and how long the last wait was.
        self._next: dict[int, tuple[float, float]] = {}
        # Who is being asked right now, and who is to be asked again after that.
        self._asking: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        # Under which lease a line that may run in one place only was last looked at.
        self._led: dict[int, Lease] = {}
        # Lines whose new state is being kept: the many messages that came back with the same news say it once.
        self._settling: set[tuple[int, str]] = set()
        self._bell = Bell()
        # Leases are renewed at each look, so that who has short ones looks more often.
        self.look_s = LOOK_S

    def look_soon(self) -> None:
        self._bell.ring()

    def suspect(self, instance_id: int) -> None:
        """The network has reported a trouble. A line that was well is asked now, unless that was done just before."""
        if instance_id in self._asking:
            return
        at, waited = self._next.get(instance_id, (0.0, 0.0))
        if not waited and at - time.monotonic() < HEALTHY_EVERY_S - TROUBLED_EVERY_S:
            self._next.pop(instance_id, None)
            self._bell.ring()

    def heard_of(self, instance_id: int) -> None:
        """Something about the line has changed, by its own word: it is asked now."""
        self._next.pop(instance_id, None)
        if instance_id in self._asking:
            self._again.add(instance_id)
        self._bell.ring()

    async def watch_forever(self) -> None:
        try:
            while True:
                await self._begin()
                soonest = min((at for at, _ in self._next.values()), default=math.inf) - time.monotonic()
                await self._bell.wait(min(self.look_s, max(FIRST_RETRY_S / 2, soonest)))
        except asyncio.CancelledError:
            asking = list(self._asking.values())
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
            raise

    async def look(self) -> None:
        """Ask every line that is due, and wait for what they say."""
        await self._begin()
        await asyncio.gather(*self._asking.values())

    async def _begin(self) -> None:
        """Begin to ask every line that is due; those that are gone are forgotten."""
        instances = await self._instances.every()
        self._next = {one.id: self._next[one.id] for one in instances if one.id in self._next}
        exclusive = [one for one in instances if one.is_exclusive]
        led = dict(zip([one.id for one in exclusive], await self._lead(exclusive), strict=True))
        wished = await self.wished() if exclusive else frozenset()
        for instance in instances:
            if instance.id in self._asking:
                continue
            if not led.get(instance.id, True):
                self._next.pop(instance.id, None)
                # Nobody waits for its end: a look that it brought would let go of it again, and so on for ever.
                self._spawn(instance, self._let_go(instance), and_look=False)
                continue
            at, waited = self._next.get(instance.id, (0.0, 0.0))
            if at <= time.monotonic() or instance.state == "created" or instance.id in wished:
                self._next.pop(instance.id, None)
                self._spawn(instance, self._tend(instance, waited))

    def _spawn(self, instance: Instance, work: Coroutine[Any, Any, None], *, and_look: bool = True) -> None:
        task = asyncio.create_task(work, name=f"line {instance.id}: ask")
        self._asking[instance.id] = task

        def done(_: asyncio.Task[None]) -> None:
            self._asking.pop(instance.id, None)
            if instance.id in self._again:
                self._again.discard(instance.id)
                self._next.pop(instance.id, None)
                self._bell.ring()
            elif and_look:
                self._bell.ring()

        task.add_done_callback(done)

    async def _lead(self, instances: list[Instance]) -> list[bool]:
        """Whether this process runs each line; whoever does is told so, and waits for nobody else."""
        return await asyncio.gather(*(self._leads(one) for one in instances))

    async def _leads(self, instance: Instance) -> bool:
        line = await self._switchboard.line(instance.account_id, instance.id)
        lease = None if line is None else await self.hold(line)
        if line is None or lease is None:
            self._led.pop(instance.id, None)
            return False
        if self._led.get(instance.id) is not lease:
            # Whatever it waited for, it did so under another lease.
            self._led[instance.id] = lease
            self._next.pop(instance.id, None)
        await line.driver.led_by(lease)
        return True

    async def _let_go(self, instance: Instance) -> None:
        """Another process has the line."""
        line = await self._switchboard.line(instance.account_id, instance.id)
        if line is not None and not self.giving(line):
            await line.driver.stop()

    async def _tend(self, instance: Instance, waited: float) -> None:
        healthy = False
        try:
            healthy = await self._ask(instance)
        except LeaseLost:
            log.info("line %s is run by another process now", instance.id)
        except Exception:
            log.exception("line %s could not be looked after", instance.id)
        wait = HEALTHY_EVERY_S if healthy else min(TROUBLED_EVERY_S, max(FIRST_RETRY_S, waited * 2))
        self._next[instance.id] = (time.monotonic() + wait, 0.0 if healthy else wait)

    async def _ask(self, instance: Instance) -> bool:
        """Whether the line is well; what is found is kept."""
        line = await self._switchboard.line(instance.account_id, instance.id)
        if line is None:
            return False
        driver = line.driver
        problem = await driver.start(self._ear(instance))
        if not await self._is_current(instance, driver):
            # It was changed or taken away meanwhile: nothing of it may stay.
            await driver.stop()
            return False
        if problem is not None:
            state, reason, until = "disconnected", problem, None
        else:
            health = await driver.probe()
            await self._learn(instance, health.phone)
            # What the network said meanwhile counts too.
            instance = await self._fresh(instance)
            state, reason = self._judge(instance, health.state, health.reason)
            if state == "connected" and instance.is_exclusive and (lag := await self.lag(instance)):
                state, reason = "degraded", lag
            until = health.until_ms if state == health.state else None
        if (state, reason, until) != (instance.state, instance.reason, instance.state_until):
            log.info("line %s is %s: %s", instance.id, state, reason)
            await self._instances.set_state(instance, state, reason, until)
            await self._switchboard.reload(instance.account_id)
        if state == "connected" and line.strikes:
            line.release()
            line.bell.ring()
        return state == "connected"

    async def _is_current(self, instance: Instance, driver: Line) -> bool:
        line = await self._switchboard.line(instance.account_id, instance.id)
        return line is not None and line.driver is driver

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
            line = await self._switchboard.line(instance.account_id, instance.id)
            if line is not None:
                line.spoken_at = time.monotonic()
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
        if line.instance.is_exclusive:
            # Its driver knows what has become of it since.
            self.heard_of(line.instance.id)
            return
        reason = "" if state == "connected" else conclusion.detail
        judged, reason = self._judge(line.instance, state, reason)
        news = line.instance.id, judged
        if judged == line.instance.state or news in self._settling:
            return
        self._settling.add(news)
        try:
            await self._instances.set_state(line.instance, judged, reason)
            await self._switchboard.reload(line.instance.account_id)
        finally:
            self._settling.discard(news)
