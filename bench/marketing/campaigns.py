"""What a campaign costs beside plain queued messages, how fast it goes, and what an order's message feels of it.

    python -m bench.marketing.campaigns [--quick] [--db sqlite|postgresql]

Server and sandbox network are processes of their own on this machine. First so many messages lie in the queue and the line sends
them; then a campaign writes to as many people. The difference of the server's processor time is what a campaign adds to a message.
Then messages to single guests go out five times a second, alone and while another campaign runs: how long until the network has each.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from bench.kitchen import percentile
from bench.run import cpu_s
from tablegram.accounts.money.rate_card import RateCard
from tablegram.campaigns.filling import STOP
from tablegram.cli.session import Session
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import BULK, Button, Buttons
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tests.databases import forget_settings, open_databases
from tests.faults import campaign
from tests.faults.burst import every_accepted
from tests.product import Product, running_product, wait_until

WITHIN_S = 600.0
PIECE = 200
RATE = 5.0
SETTINGS = {"TABLEGRAM_LOG_LEVEL": "warning"}
WORDS = "Hi Guest, see https://t.example/l/abcdefghjk1\n\nReply STOP and we will not write again."


def taken(product: Product) -> int:
    return int(product.sandbox_call("GET", "/counters")["accepted"])


def queue(product: Product, count: int) -> None:
    """Messages as a campaign would queue them, without one."""

    async def work(session: Session) -> None:
        queueing = Queueing(RateCard.load(), Settings(), lambda account_id, line_id: None)
        content = Buttons(WORDS, [Button(STOP, "Stop these messages")])
        way = Way(1, 1, "sandbox")
        now = int(time.time() * 1_000)
        for first in range(0, count, PIECE):

            async def piece(tx: Tx, first: int = first) -> None:
                for number in range(first, min(first + PIECE, count)):
                    phone = f"90556{number:07}"
                    await queueing.put(tx, way, phone, content, now, by="campaign", priority=BULK, category="marketing")

            await session.db.write(piece)

    campaign.in_store(product, work)


def drained(product: Product, count: int) -> tuple[float, float]:
    """Until the network has so many more: seconds, and the server's processor."""
    server, sandbox = product.server, taken(product)
    cpu, began = cpu_s(server.pid), time.perf_counter()
    wait_until(lambda: taken(product) >= sandbox + count, "the line to send", WITHIN_S)
    return time.perf_counter() - began, cpu_s(server.pid) - cpu


def write_to_guests(product: Product, first: int, seconds: float) -> list[float]:
    """At a steady pace; how long until the network had each, in seconds."""
    asked: dict[str, float] = {}
    began = time.time()
    for number in range(int(seconds * RATE)):
        time.sleep(max(0.0, began + number / RATE - time.time()))
        phone = f"90557{first + number:07}"
        asked[phone] = time.time()
        status, answer = product.send(phone, "Your order is ready.")
        assert status == 200, answer
    came: dict[str, float] = {}

    def all_came() -> bool:
        came.update({one["to"]: one["timestamp"] for one in every_accepted(product) if one["to"] in asked})
        return len(came) == len(asked)

    wait_until(all_came, "every message to a guest", WITHIN_S)
    return [max(0.0, came[phone] / 1_000 - at) for phone, at in asked.items()]


def measure(product: Product, count: int, seconds: float) -> dict[str, Any]:
    campaign.fill(product, count, count)
    product.server.kill()
    queue(product, count)
    product.server.start()
    plain_s, plain_cpu = drained(product, count)
    alone = write_to_guests(product, 0, seconds)
    one = campaign.begin(product, cap_messages=0)
    campaign_s, campaign_cpu = drained(product, count)
    campaign.wait_for(product, one, "finished", within_s=WITHIN_S)
    status, other = product.call("POST", "/campaigns", {
        **campaign.WORDS, "segment_id": campaign.look(product, one)["segment_id"], "cap_messages": 0, "quiet_from": "",
        "quiet_until": "", "pace_per_min": int(count / (seconds * 1.5) * 60),
    })  # fmt: skip
    assert status == 201, other
    assert product.call("POST", f"/campaigns/{other['id']}/start", {})[0] == 200
    beside = write_to_guests(product, 500_000, seconds)
    is_running = campaign.look(product, other["id"])["state"] == "running"
    return {
        "plain_s": plain_s, "plain_ms": plain_cpu / count * 1_000, "campaign_s": campaign_s,
        "campaign_ms": campaign_cpu / count * 1_000, "alone": alone, "beside": beside, "is_running": is_running,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--db", choices=["sqlite", "postgresql"], action="append")
    asked = parser.parse_args()
    forget_settings()
    count, seconds = (1_000, 5.0) if asked.quick else (asked.count, 30.0)
    print(f"Campaigns, {count:,} messages")
    print(
        "| database | queued/s | campaign/s | queued CPU ms | campaign CPU ms | more | guest p95 ms | beside it | ratio |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for kind in asked.db or ["sqlite", "postgresql"]:
        databases = open_databases(kind)
        try:
            with running_product(databases.migrated(), sandbox_alone=True, settings=SETTINGS) as product:
                one = measure(product, count, seconds)
        finally:
            databases.close()
        alone, beside = percentile(one["alone"], 0.95), percentile(one["beside"], 0.95)
        print(
            f"| {kind} | {count / one['plain_s']:.0f} | {count / one['campaign_s']:.0f} | {one['plain_ms']:.2f} | "
            f"{one['campaign_ms']:.2f} | {one['campaign_ms'] - one['plain_ms']:+.2f} | {alone:.0f} | {beside:.0f} | "
            f"{beside / alone:.2f}{'' if one['is_running'] else ' (it ended before)'} |"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
