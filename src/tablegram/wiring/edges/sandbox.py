"""The sandbox network, inside the server where no other one is named; with printers that are pictures."""

from __future__ import annotations

from tablegram.panel.app import Panel
from tablegram.printing.printers.model import Printer
from tablegram.printing.transports.pretending import pretend_printing
from tablegram.web.bodies import BodyReader
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.printers import PrinterWays
from tablegram.wiring.areas.printing import PrintWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


def build(ground: Ground, panel: Panel, engine: Engine, works: PrintWorks, ways: PrinterWays) -> Contribution:
    settings = ground.settings
    if not settings.sandbox or settings.sandbox_url:
        return Contribution()
    # Who has real lines alone need not load a network to play with.
    from tablegram.sandbox.app import create

    sandbox = create(
        settings.data_dir / "sandbox.db",
        bodies=BodyReader.of(settings),
        box=ground.box,
        token=settings.sandbox_token,
    )
    sandbox.admits = panel.may_hold_phones

    def tray(printer: Printer, raw: bytes) -> None:
        sandbox.network.print_paper(printer.id, printer.name, printer.profile.columns, raw)

    printing = pretend_printing(
        ground.db, works.jobs, works.watch, ways.sheets.bytes_of, tray, engine.leases, ground.tasks
    )
    return Contribution(
        services=[sandbox],
        mounts={"/sandbox": sandbox},
        tasks={"sandbox printers": drain(Role.WORKER, printing.drain)},
        figures=[printing.drain.figures],
        starts=[sandbox.start],
        stops=[sandbox.stop],
        streams=[sandbox.end_streams],
    )


PART = Part(name="sandbox", build=build)
