"""Files of some kilobytes that are made to cost minutes and gigabytes, and one account that sends very many."""

from __future__ import annotations

import asyncio
from collections import Counter

from tests.workshop import hostile
from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, Heard

# The server holds what it reads and hands on; what is unpacked is a child's.
MOST_GROWN_MB = 250


async def run(ground: Ground) -> str:
    rounds = ground.size(1, 10)
    key = ground.product.headers()
    venue = ground.product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    menu, images = f"/api/v1/restaurant/venues/{venue}/menu/import", f"/api/v1/restaurant/venues/{venue}/images"
    files = [
        (menu, hostile.many_cells(ground.size(2_000_000, 11_900_000))),
        (menu, hostile.many_styles(30_000)),
        (menu, hostile.many_items(ground.size(50_000, 200_000))),
        (images, hostile.in_scans((1_000, 1_000), ground.size(500, 2_000))),
    ]
    before_mb = ground.resident_mb()

    async def send(path: str, body: bytes) -> Heard:
        return await ground.ask("POST", path, body, {**key, "Content-Type": "application/octet-stream"})

    answers = await asyncio.gather(*(send(path, body) for _ in range(rounds) for path, body in files))
    seen = Counter((answer.status, answer.json()["code"]) for answer in answers)
    told = {"file_too_much_work", "image_too_much_work", "too_many", "files_busy"}
    expect({code for _, code in seen} <= told and {status for status, _ in seen} <= {422, 429}, dict(seen))
    grown = ground.resident_mb() - before_mb
    expect(grown < MOST_GROWN_MB, f"the server grew by {grown:.0f} MB")
    refused = sum(count for (status, _), count in seen.items() if status == 422)
    return f"{refused} refused for their work, {len(answers) - refused} for their number"


ATTACK = Attack(name="files that cost much", run=run)
