"""Ways to printers: the listeners that they call, the agent's program, and the printers that we call."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.printing.layouts.looks import Looks
from tablegram.hooks.printers.agents import AgentDoor
from tablegram.hooks.printers.door import Works
from tablegram.hooks.printers.epson import EpsonDoor
from tablegram.hooks.printers.program import give_program
from tablegram.hooks.printers.star import StarDoor
from tablegram.printing.paper.press import Press
from tablegram.printing.transports.browser import BrowserPrinting
from tablegram.printing.transports.calling import PrinterCaller, direct_printing
from tablegram.printing.transports.loops import PrinterLoops
from tablegram.printing.transports.sheets import Sheets
from tablegram.values.http.targets import Targets
from tablegram.web.addresses import Addresses
from tablegram.web.limits import Limiter, Pace, ShutOut, share_limits
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.printing import PrintWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


@dataclass(frozen=True, slots=True)
class PrinterWays:
    """What printers and agents reach, and how we reach them."""

    sheets: Sheets
    agents: AgentDoor
    direct: PrinterLoops[PrinterCaller]


def build(ground: Ground, engine: Engine, works: PrintWorks) -> Contribution:
    settings = ground.settings
    sheets = Sheets(Press(engine.workshop), Looks(ground.db, engine.workshop).of)
    pace = Pace(settings.anonymous_rate_limit, settings.anonymous_rate_burst)
    shut_out = ShutOut(Addresses(settings.trusted_proxies), pace)
    shut_out.share(engine.bus, "strangeprinters")
    limiter = Limiter()
    share_limits(engine.bus, "printers", limiter)
    shared = Works(works.jobs, works.directory, works.watch, sheets.bytes_of, ground.box, shut_out, limiter)
    agents = AgentDoor(shared, settings)
    direct = direct_printing(
        ground.db, works.jobs, works.watch, sheets.bytes_of, Targets(settings.allowed_private_targets),
        engine.leases, ground.tasks,
    )  # fmt: skip
    return Contribution(
        services=[
            PrinterWays(sheets, agents, direct),
            BrowserPrinting(ground.db, works.jobs, works.watch, sheets),
        ],
        mounts={
            "/print/cloudprnt": StarDoor(shared, settings),
            "/print/epson": EpsonDoor(shared, settings),
            "/print/agent": agents,
            "/print/agent.pyz": give_program,
        },
        tasks={"direct printers": drain(Role.WORKER, direct.drain)},
        figures=[direct.drain.figures, agents.figures],
        streams=[agents.end],
    )


PART = Part(name="printers", build=build)
