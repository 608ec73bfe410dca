"""`/print/agent/…`: print agents ask here for tickets, tell what became of them, and how their printer is.

The key stands in the header, not in the address. `next` is answered as soon as there is a ticket (a bell, no looking), or with
nothing after a while. An agent that asks holds nothing that it has begun: it tells of that first, by its journal. So what it
was given and never received is given to it again, with no mark of doubt.
"""

from __future__ import annotations

import asyncio
import time

from tablegram.engine.crash_points import reach
from tablegram.engine.timers import Bell
from tablegram.errors import Conflict, MethodNotAllowed, NotFound, TooMany
from tablegram.hooks.printers.door import Door, Works, log
from tablegram.printing.jobs import Job
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.printers.model import Printer
from tablegram.printing.transports import agents
from tablegram.settings import Settings
from tablegram.web.asgi import Receive, Scope, header
from tablegram.web.bodies import ClientGone
from tablegram.web.live import LiveListener, LiveListeners
from tablegram.web.plain.hook import Reply

JSON = "application/json"
# Who wait at once: for one printer, and in all.
MOST_OF_PRINTER, MOST = 4, 10_000
# Something waits and may not go yet: another agent has it, or it has just failed.
LOOK_AGAIN_S = 1.0


class AgentDoor(Door):
    prefix = "/print/agent/"
    kinds = ("agent",)

    def __init__(self, works: Works, settings: Settings) -> None:
        super().__init__(works, settings)
        self._places: LiveListeners[str] = LiveListeners()

    def end(self) -> None:
        """Let go of everybody who waits, so that the server can end."""
        self._places.close()

    async def figures(self) -> dict[str, float]:
        """What /metrics shows."""
        return {"print_agents_waiting": self._places.listening}

    def key_of(self, scope: Scope) -> str:
        scheme, _, key = header(scope, b"authorization").partition(" ")
        return key.strip() if scheme.lower() == "bearer" else ""

    async def hear(self, printer: Printer, scope: Scope, receive: Receive) -> Reply:
        call = str(scope["path"]).removeprefix(self.prefix)
        if call not in agents.CALLS:
            raise NotFound("An agent calls next, result or state.")
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use POST.", headers={"Allow": "POST"})
        said = agents.read(call, await self.body(scope, receive, agents.MAX_BODY_BYTES))
        await self.works.watch.seen(printer, agents.status_of(said.state))
        if isinstance(said, agents.Next):
            return await self._next(printer, said, receive)
        if isinstance(said, agents.Result):
            return await self._end(printer, said)
        if said.found and (known := agents.keep(said.found)) != printer.learned:
            await self.works.watch.learn(printer, known)
        return Reply(200, JSON, b"{}")

    async def _next(self, printer: Printer, said: agents.Next, receive: Receive) -> Reply:
        refusal = TooMany("Too many agents wait for this printer.", retry_after_s=5)
        place = self._places.take(printer.id, MOST_OF_PRINTER, refusal, MOST)
        gone = asyncio.ensure_future(_until_gone(receive, place.bell))
        try:
            job = await self._await_job(printer, said, place, gone)
            if job is None:
                return Reply(200, JSON, agents.nothing())
            content = await self.draw(printer, job, printer.profile, ESCPOS)
            if content is None:
                return Reply(200, JSON, agents.nothing())
            reach("printing.handed_over")
            return Reply(200, JSON, agents.hand_over(job, agents.device_of(printer.profile), content))
        finally:
            place.leave()
            gone.cancel()

    async def _await_job(
        self, printer: Printer, said: agents.Next, place: LiveListener[str], gone: asyncio.Future[None]
    ) -> Job | None:
        jobs = self.works.jobs
        deadline = time.monotonic() + min(said.wait_s, agents.MAX_WAIT_S)
        while not place.ended:
            if gone.done():
                # Nothing is claimed for who is not there to take it.
                raise ClientGone
            if jobs.has_work(printer):
                job = await jobs.next(printer, said.agent) or await self._once_more(printer, said.agent)
                if job is not None:
                    return job
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                break
            with jobs.listening(printer, place.bell):
                await place.bell.wait(min(left_s, LOOK_AGAIN_S if jobs.has_work(printer) else left_s))
        return None

    async def _once_more(self, printer: Printer, agent: str) -> Job | None:
        job = await self.works.jobs.again(printer)
        return job if job is not None and job.claimed_by == agent else None

    async def _end(self, printer: Printer, said: agents.Result) -> Reply:
        jobs = self.works.jobs
        if said.outcome == "printed":
            counted = await jobs.printed(printer, said.job, said.fence)
        else:
            log.info("the agent of printer %s did not print job %s: %s", printer.id, said.job, said.code)
            retry = said.code != "device_wrong"
            counted = await jobs.failed(
                printer, said.job, said.fence, said.code or "failed", retry=retry, doubt=said.doubt
            )
        if not counted:
            raise Conflict("This ticket is over, or another agent has it.")
        return Reply(200, JSON, b"{}")


async def _until_gone(receive: Receive, bell: Bell) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    bell.ring()
