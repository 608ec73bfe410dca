"""What a campaign costs beside plain queued messages, how fast it goes, and what an order's message feels of it.

    python -m bench.marketing.campaigns [--quick] [--db sqlite|postgresql]

Server and network are processes of their own on this machine; the network is a light one (`bench.marketing.network`) that notes when
a message came. First so many messages lie in the queue and the line sends them; then a campaign writes to as many people. The
difference of the server's processor time is what a campaign adds to a message. Then guests write orders and single messages go out by the
API, at a steady pace, alone and while another campaign runs: how long until the network has what a guest is answered, and each
message. Compare ratios within a line.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.callbacks import sign, text_of
from bench.kitchen import percentile
from bench.restaurant import open_venue
from bench.run import HERE, cpu_s, prepare, tablegram
from tablegram.accounts.money.rate_card import RateCard
from tablegram.campaigns.filling import STOP
from tablegram.cli.session import Session
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import BULK, Button, Buttons
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tests.databases import forget_settings, open_databases
from tests.faults import campaign
from tests.ports import free_port
from tests.product import Process, Product, wait_until

WITHIN_S = 600.0
PIECE = 200
RATE = 10.0
# What a number of the cloud may send in a second, and three times as many.
PACES = (80, 240)
GUESTS = "90557"
ORDER = "2 çay, 1 ayran masa 5"
WORDS = "Hi Guest, see https://t.example/l/abcdefghjk1\n\nReply STOP and we will not write again."


class Network:
    """The stub, and what it has seen."""

    def __init__(self, port: int, server_port: int, hook_key: str) -> None:
        arguments = [str(port), GUESTS, str(server_port), hook_key]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.marketing.network", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parent,
        )  # fmt: skip
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == "ready"
        self.came: dict[str, float] = {}
        self.refused = 0

    def taken(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        seen = json.loads(self.process.stdout.readline())
        self.came |= seen["came"]
        self.refused = seen["refused"]
        return int(seen["taken"])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def queue(product: Product, count: int) -> None:
    """Messages as a campaign would queue them, without one."""

    async def work(session: Session) -> None:
        queueing = Queueing(RateCard.load(), Settings(), lambda account_id, line_id: None)
        content = Buttons(WORDS, [Button(STOP, "Stop these messages")])
        way = Way(1, 1, "cloud")
        now = int(time.time() * 1_000)
        for first in range(0, count, PIECE):

            async def piece(tx: Tx, first: int = first) -> None:
                for number in range(first, min(first + PIECE, count)):
                    phone = f"90556{number:07}"
                    await queueing.put(tx, way, phone, content, now, by="campaign", priority=BULK, category="marketing")

            await session.db.write(piece)

    campaign.in_store(product, work)


def drained(product: Product, network: Network, before: int, count: int) -> tuple[float, float]:
    """Until the network has so many more: seconds, and the server's processor."""
    cpu, began = cpu_s(product.server.pid), time.perf_counter()
    wait_until(lambda: network.taken() >= before + count, "the line to send", WITHIN_S)
    return time.perf_counter() - began, cpu_s(product.server.pid) - cpu


class Guests:
    """Who writes an order, and who is told of one, by turns at a steady pace; how long until the network had each message."""

    def __init__(self, product: Product, network: Network, hook_key: str) -> None:
        self.network = network
        self.server = http.client.HTTPConnection(product.url.removeprefix("http://"), timeout=30)
        self.headers = {**product.headers(), "Content-Type": "application/json"}
        self.hook = f"/hooks/cloud/{hook_key}"
        self.number = 0

    def wait(self, seconds: float) -> tuple[list[float], list[float]]:
        """Seconds until the answers to orders were there, and until messages by the API were."""
        asked: tuple[dict[str, float], dict[str, float]] = ({}, {})
        began = time.time()
        for number in range(int(seconds * RATE)):
            time.sleep(max(0.0, began + number / RATE - time.time()))
            self.number += 1
            phone = f"{GUESTS}{self.number:07}"
            asked[number % 2][phone] = time.time()
            (self._tell if number % 2 else self._order)(phone)
        everybody = asked[0].keys() | asked[1].keys()
        came = self.network.came
        wait_until(lambda: self.network.taken() and everybody <= came.keys(), "every message to a guest", WITHIN_S)
        orders, told = [[max(0.0, came[phone] - at) for phone, at in some.items()] for some in asked]
        return orders, told

    def _order(self, phone: str) -> None:
        body = text_of(phone, ORDER, self.number)
        self._post(self.hook, body, {"Content-Type": "application/json", "X-Hub-Signature-256": sign(body)})

    def _tell(self, phone: str) -> None:
        body = json.dumps({"phone": phone, "message": "Your order is ready."}).encode()
        self._post("/api/v1/messages/send", body, self.headers)

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        self.server.request("POST", path, body, headers)
        answer = self.server.getresponse()
        said = answer.read()
        assert answer.status == 200, said


def measure(product: Product, network: Network, hook_key: str, count: int, seconds: float) -> dict[str, Any]:
    print(f"{count:,} messages in the queue …", file=sys.stderr, flush=True)
    campaign.fill(product, count, count, window_h=20)
    queue(product, count)
    product.server.start()
    open_venue(int(product.environment["TABLEGRAM_PORT"]), product.environment["BENCH_KEY"])
    plain_s, plain_cpu = drained(product, network, 0, count)
    # What was said of the first ones is worked in before anybody counts what a guest waits for.
    time.sleep(seconds / 4)
    guests = Guests(product, network, hook_key)
    guests.wait(2.0)
    print(f"a campaign to {count:,} …", file=sys.stderr, flush=True)
    before = network.taken()
    one = campaign.begin(product, cap_messages=0)
    campaign_s, campaign_cpu = drained(product, network, before, count)
    campaign.wait_for(product, one, "finished", within_s=WITHIN_S)
    segment_id = campaign.look(product, one)["segment_id"]
    # Alone in the same store: what a campaign has left behind is there in both.
    time.sleep(seconds / 4)
    print("guests alone, and beside campaigns …", file=sys.stderr, flush=True)
    alone = guests.wait(seconds)
    beside = {pace: _beside(product, guests, segment_id, pace, seconds) for pace in PACES}
    assert not network.refused, "the server did not take what the network said"
    return {
        "plain_s": plain_s, "plain_ms": plain_cpu / count * 1_000, "campaign_s": campaign_s,
        "campaign_ms": campaign_cpu / count * 1_000, "alone": alone, "beside": beside,
    }  # fmt: skip


def _beside(
    product: Product, guests: Guests, segment_id: str, pace: int, seconds: float
) -> tuple[list[float], list[float]]:
    """What guests wait while a campaign goes out at so many a second."""
    status, other = product.call("POST", "/campaigns", {
        **campaign.WORDS, "segment_id": segment_id, "cap_messages": 0, "quiet_from": "", "quiet_until": "",
        "pace_per_min": pace * 60,
    })  # fmt: skip
    assert status == 201, other
    assert product.call("POST", f"/campaigns/{other['id']}/start", {})[0] == 200
    waited = guests.wait(seconds)
    assert campaign.look(product, other["id"])["state"] == "running", "the campaign ended before the guests did"
    assert product.call("POST", f"/campaigns/{other['id']}/cancel", {})[0] == 200
    return waited


def run(url: str, count: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
        port = free_port()
        environment = prepare(url, Path(folder), port)
        (line,) = tablegram("instance", "list", "--account", "bench", environment=environment)
        server_port = int(environment["TABLEGRAM_PORT"])
        hook_key = str(line["callback_url"]).rsplit("/", 1)[1]
        network = Network(port, server_port, hook_key)
        here = f"http://127.0.0.1:{server_port}"
        server = Process(["serve"], environment, Path(folder) / "server.log", f"{here}/readyz")
        product = Product(here, environment["BENCH_KEY"], environment, Path(folder), server)
        try:
            return measure(product, network, hook_key, count, seconds)
        finally:
            if server.is_running():
                server.stop()
            network.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--db", choices=["sqlite", "postgresql"], action="append")
    asked = parser.parse_args()
    forget_settings()
    count, seconds = (2_400, 8.0) if asked.quick else (asked.count, asked.seconds)
    print(f"Campaigns, {count:,} messages, on {os.cpu_count()} processors", flush=True)
    costs, waits = [], []
    for kind in asked.db or ["sqlite", "postgresql"]:
        print(f"{kind} …", file=sys.stderr, flush=True)
        databases = open_databases(kind)
        try:
            one = run(databases.migrated(), count, seconds)
        finally:
            databases.close()
        costs.append(
            f"| {kind} | {count / one['plain_s']:.0f} | {count / one['campaign_s']:.0f} | {one['plain_ms']:.2f} | "
            f"{one['campaign_ms']:.2f} | {one['campaign_ms'] - one['plain_ms']:+.2f} |"
        )
        for at, what in enumerate(("an order's answer", "a message by the API")):
            alone_50, alone_95 = [percentile(one["alone"][at], share) for share in (0.5, 0.95)]
            for pace, waited in one["beside"].items():
                beside_50, beside_95 = [percentile(waited[at], share) for share in (0.5, 0.95)]
                waits.append(
                    f"| {kind} | {what} | {alone_50:.1f} / {alone_95:.1f} | {pace} | {beside_50:.1f} / {beside_95:.1f} | "
                    f"{beside_95 / alone_95:.2f} |"
                )
    print("| database | queued/s | campaign/s | queued CPU ms | campaign CPU ms | more |")
    print("|---|---|---|---|---|---|")
    print("\n".join(costs))
    print("\n| database | a guest waits for | p50 / p95 ms | campaign/s | beside it | ratio |")
    print("|---|---|---|---|---|---|")
    print("\n".join(waits))


if __name__ == "__main__":
    main()
