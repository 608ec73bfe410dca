"""Printers that are pictures: what waits for them is handed over as the bytes of a real one, once."""

from __future__ import annotations

from tablegram.printing.transports.pretending import Pretender
from tablegram.sandbox.paper.decoder import Line, decode
from tablegram.wiring.areas.printers import PrinterWays
from tests.printing.kitchen import kitchen
from tests.printing.transports.ways import sure_lease


async def test_what_waits_for_a_picture_comes_out_once_and_in_its_order(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Mutfak", "kitchen", kind="sandbox")
        other = await one.printer("Bar", "bar")
        came: list[tuple[str, bytes]] = []
        sheets = one.house.product.of(PrinterWays).sheets

        def work(printer_id: str) -> Pretender:
            made = Pretender(
                (1, printer_id), one.db, one.jobs, one.works.watch, sheets.bytes_of,
                lambda printer, raw: came.append((printer.name, raw)),
            )  # fmt: skip
            made.lease = sure_lease()
            return made

        number = await one.take()
        await one.change(number, lines=[one.house.line("Lahmacun", 3)])
        pretender = work(printer.id)
        while await pretender.step() is not None:
            pass
        assert [name for name, _ in came] == ["Mutfak", "Mutfak"]
        told = [[seen.text for seen in decode(raw) if isinstance(seen, Line)] for _, raw in came]
        assert any("2 × LAHMACUN" in text for text in told[0])
        assert any("+1 LAHMACUN" in text for text in told[1])
        states = {(row["printer_id"], row["state"]) for row in await one.queue()}
        assert states == {(printer.id, "printed"), (other.id, "queued")}
        sight = one.works.watch.sight(printer.id)
        assert sight is not None
        assert sight.status.can_print
        # A printer of another kind, or one that is gone, is left alone.
        assert await work(other.id).step() is None
        assert await work("prn_unknown").step() is None
        assert len(came) == 2
