"""What a ticket costs: bytes made in the server, and dots drawn by a child, beside each other and beside the plain text.

    python -m bench.paper [--quick]

A kitchen's ticket of 30 lines with options and notes. Bytes are to be there in 5 ms, a picture in 60 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable

import uvloop

from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.media import EPOS, ESCPOS, HTML, PLAIN, PNG, STARPRNT
from tablegram.printing.paper.press import Press
from tablegram.printing.printers.profile import Profile
from tablegram.printing.tickets.content import TicketContent, TicketLine
from tablegram.workshop.children import Children

LINES = 30
BYTES_MS, PNG_MS = 5.0, 60.0


def ticket(number: int) -> TicketContent:
    """Another one each time, so that nothing is remembered from the one before."""
    line = (
        TicketLine(
            quantity=1 + place % 3, name=f"Izgara köfte {number}-{place}", options=(f"Az acılı {number}",),
            notes=f"Soğansız {place}" if place % 5 == 0 else "", allergens=("milk",) if place % 7 == 0 else (),
        )
        for place in range(LINES)
    )  # fmt: skip
    return TicketContent(
        kind="order", venue="Safran", order_id=f"ORD-20261116-{number:04d}", table="12", station="kitchen",
        lines=tuple(line), placed_at=1_794_825_120_000 + number, time_zone="Europe/Istanbul", language="tr",
    )  # fmt: skip


async def spent_s(children: Children) -> float:
    """Of a processor, here and in the children."""
    return time.process_time() + (await children.figures())["file_jobs_cpu_seconds_total"]


async def measured(
    make: Callable[[TicketContent], Awaitable[bytes]], children: Children, rounds: int
) -> tuple[float, float, float, int]:
    """Milliseconds in the middle and at the 99th of a hundred, those of a processor, and the size."""
    took, size, before = [], 0, 0.0
    for number in range(rounds + 3):
        content = ticket(number)
        if number == 3:
            before = await spent_s(children)
        began = time.perf_counter()
        size = len(await make(content))
        took.append((time.perf_counter() - began) * 1_000)
    kept = sorted(took[3:])
    cpu_ms = (await spent_s(children) - before) * 1_000 / rounds
    return statistics.median(kept), kept[min(len(kept) - 1, round(len(kept) * 0.99))], cpu_ms, size


async def run(rounds: int) -> None:
    children = Children(1)
    press = Press(children)
    text, raster = Profile(), Profile(mode="raster")
    loads = [
        ("plain text", text, PLAIN, BYTES_MS), ("ESC/POS", text, ESCPOS, BYTES_MS), ("StarPRNT", text, STARPRNT, BYTES_MS),
        ("ePOS XML", text, EPOS, BYTES_MS), ("HTML", text, HTML, BYTES_MS), ("PNG, 576 dots", text, PNG, PNG_MS),
        ("ESC/POS raster", raster, ESCPOS, PNG_MS),
    ]  # fmt: skip
    print(f"A ticket of {LINES} lines\n")
    print(f"{'':<16}{'median ms':>10}{'p99 ms':>10}{'cpu ms':>10}{'target':>8}{'bytes':>9}{'of plain':>10}")
    base = 0.0
    try:
        for name, profile, media, target in loads:

            async def make(content: TicketContent, profile: Profile = profile, media: str = media) -> bytes:
                return await press.render(1, lay_out(content), profile, media)

            middle, worst, cpu, size = await measured(make, children, rounds)
            base = base or cpu
            print(
                f"{name:<16}{middle:>10.2f}{worst:>10.2f}{cpu:>10.2f}{target:>8.0f}{size:>9,}{cpu / base:>9.1f}x",
                flush=True,
            )
    finally:
        await children.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--db", help="no database is used; taken so that every benchmark is called alike")
    quick = parser.parse_args().quick
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(30 if quick else 200))


if __name__ == "__main__":
    main()
