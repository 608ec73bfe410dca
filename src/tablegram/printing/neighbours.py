"""A ticket that one process makes is printed by who waits for it at another at once, not after the next look there."""

from __future__ import annotations

from tablegram.engine.bus.port import Bus
from tablegram.printing.jobs import Jobs

TOPIC = "print"


def share(bus: Bus, jobs: Jobs) -> None:
    """Pass on over the bus for which printers something may wait, and hear the same of others."""

    def hear(word: str) -> None:
        account_id, _, printer_id = word.partition(" ")
        jobs.heard(int(account_id), printer_id)

    bus.listen(TOPIC, hear)
    jobs.tell = lambda account_id, printer_id: bus.tell(TOPIC, f"{account_id} {printer_id}")
