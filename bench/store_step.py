"""The store step alone: a message committed, then its outcome, by 64 callers at once.

python -m bench.store_step VARIANT SECONDS    prints one JSON line; the database comes from the settings
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import uvloop

from bench.variants import choose
from tablegram import settings as configuration
from tablegram.messaging.store import messages as store
from tablegram.storage.database import open_database
from tablegram.values.ids import new_id

CALLERS = 64


def message(key: str) -> dict[str, object]:
    return {
        "account_id": 1,
        "id": key,
        "instance_id": 1,
        "direction": "out",
        "phone": "905301112233",
        "type": "text",
        "text": "Your order *1042* is on its way.",
        "content": '{"content":{"type":"text","body":"…"}}',
        "state": "queued",
        "priority": 10,
        "due_at": None,
        "expires_at": 1,
        "claimed_by": "bench",
        "claimed_at": 1,
        "category": "service",
        "sent_by": None,
        "trace": None,
        "cost_micros": 1_000,
        "created_at": 1,
    }


async def main(variant: str, seconds: float) -> None:
    settings = configuration.load()
    choose(variant, settings.effective_database_url)
    db = open_database(settings)
    await db.open()
    until = time.perf_counter() + seconds
    count = 0

    async def caller() -> None:
        nonlocal count
        while time.perf_counter() < until:
            key = new_id()
            await db.put((store.INSERT, message(key)))
            await db.put((store.ACCEPTED, {"b_account": 1, "b_id": key, "new_network_id": f"wamid.{key}", "now": 2}))
            count += 1

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*[caller() for _ in range(CALLERS)])
    took = time.perf_counter() - started
    result = {"per_s": count / took, "cpu_s_per_1000": (time.process_time() - cpu) / count * 1_000, "sent": count}
    print(json.dumps(result), flush=True)
    await db.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], float(sys.argv[2])))
