"""The long proof of campaigns: 100,000 contacts, a segment of 20,000, three `kill -9`, opt-outs all the while, and a night.

    python -m tools.campaign_proof --contacts 100000 --recipients 20000 --db postgresql

What the network took is counted at the end: everybody who was meant has one message, whoever said stop before theirs was
queued has none, and nobody else has any. Everything stays on loopback and in temporary folders. It exits with 0 only then.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.databases import KINDS, forget_settings, open_databases
from tests.faults import campaign
from tests.product import Product, running_product

SETTINGS = {"TABLEGRAM_UNKNOWN_WAIT_S": "20", "TABLEGRAM_LOG_LEVEL": "warning"}
# A death when so much of it has gone.
DEATHS = (0.15, 0.4, 0.65)
A_MINUTE = 12_000
STOPS, EVERY_S = 5, 2.0
# Quiet for the minute that begins after so many.
NIGHT_AFTER_MIN = 1.5


def main() -> int:
    parser = argparse.ArgumentParser(description="A campaign through kills, opt-outs and quiet hours.")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--recipients", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=30.0, help="Give up after so long.")
    parser.add_argument("--db", choices=KINDS, default="postgresql")
    chosen = parser.parse_args()
    forget_settings()
    databases = open_databases(chosen.db)
    try:
        url = databases.migrated()
        with running_product(url, sandbox_alone=True, settings=SETTINGS) as product:
            wrong = prove(product, chosen.contacts, chosen.recipients, time.monotonic() + chosen.minutes * 60)
        databases.drop(url)
    finally:
        databases.close()
    for one in wrong[:20]:
        print(f"  PROBLEM: {one}", flush=True)
    print("Each contact exactly once." if not wrong else f"{len(wrong)} problems.", flush=True)
    return 1 if wrong else 0


def prove(product: Product, contacts: int, recipients: int, deadline: float) -> list[str]:
    began = time.monotonic()
    campaign.fill(product, contacts, recipients)
    say(began, f"{contacts:,} contacts, {recipients:,} of them in the segment")
    night = campaign.hours(NIGHT_AFTER_MIN, NIGHT_AFTER_MIN + 1)
    # Whoever says stop here is among the next; so many at once would stop a campaign by itself.
    one = campaign.begin(product, night, pace_per_min=A_MINUTE, max_opt_out_percent=100)
    stopped, state = watch(product, one, recipients, began, deadline)
    if state != "finished":
        reasons = product.call("GET", f"/campaigns/{one}/report")[1]["reasons"]
        return [f"it is {state} and not finished: {campaign.look(product, one)['reason']}, {reasons}"]
    rows = ledger_of(product, one)
    late = [contact for contact, at in stopped.items() if (queued := rows[contact]["queued_at"]) and when(queued) <= at]
    progress = campaign.look(product, one)["progress"]
    say(began, f"{progress['sent']:,} sent, {progress['skipped']:,} left out, {len(stopped)} said stop, {len(late)} of "
        f"them when theirs was queued")  # fmt: skip
    wrong = [] if len(rows) == recipients else [f"the ledger has {len(rows)} rows"]
    # Whose message was taken back in time has none, and whose was on its way has one.
    late = [contact for contact in late if rows[contact]["state"] != "skipped"]
    return [*wrong, *campaign.judge(product, recipients, list(stopped), late)]


def watch(
    product: Product, one: str, recipients: int, began: float, deadline: float
) -> tuple[dict[str, datetime], str]:
    """Kill it where it is time to, and let people say stop; until it has ended."""
    stopped: dict[str, datetime] = {}
    deaths, known, next_stop = list(DEATHS), "", 0.0
    while time.monotonic() < deadline:
        shown = campaign.look(product, one)
        state, sent = shown["state"], shown["progress"]["sent"]
        if state != known:
            say(began, f"{state}, {sent:,} sent")
            known = state
        if state not in ("running", "held"):
            break
        if deaths and sent >= deaths[0] * recipients:
            deaths.pop(0)
            product.server.kill()
            product.server.start()
            say(began, f"killed at {sent:,} sent, and started again")
        if time.monotonic() >= next_stop:
            next_stop = time.monotonic() + EVERY_S
            for contact in campaign.waiting(product, one, STOPS):
                campaign.say_stop(product, [contact])
                stopped.setdefault(contact, datetime.now(UTC))
        time.sleep(0.2)
    return stopped, known


def ledger_of(product: Product, one: str) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    cursor = ""
    while True:
        status, page = product.call("GET", f"/campaigns/{one}/sends?limit=200{cursor}")
        assert status == 200, page
        rows |= {row["contact_id"]: row for row in page["data"]}
        if page["next_cursor"] is None:
            return rows
        cursor = f"&cursor={page['next_cursor']}"


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def say(began: float, text: str) -> None:
    print(f"{time.monotonic() - began:6.0f} s  {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
