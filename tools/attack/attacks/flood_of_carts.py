"""Carts without a table's code, as large and as many as can be, and then a look at what a table chose."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from typing import Any

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, Heard
from tools.attack.guests import AT, a_dish

# As configured, for who has not proved a table: a tenth of 1,500 from one address, and a tenth of that at one table.
MOST, MOST_AT_TABLE = 150, 15
LARGEST = 16 * 1024


async def run(ground: Ground) -> str:
    dish = await a_dish(ground)
    no_dish = [{"item_id": f"none-{number}", "note": "x" * 200} for number in range(50)]
    swollen = [{"item_id": dish, "note": "ğ" * 190 + str(number), "quantity": 1} for number in range(50)]
    modest = [{"item_id": dish, "note": "x" * 200}]
    seen: Counter[str] = Counter()

    async def open_one(lines: list[dict[str, Any]], number: int = 0, table: str | None = None) -> Heard:
        body = json.dumps({"lines": lines, "table": table}).encode()
        answer = await ground.ask("POST", f"{AT}/carts", body, {"Content-Type": "application/json"}, number)
        seen["kept" if answer.status == 201 else answer.json()["code"]] += 1
        return answer

    for lines, code in ((no_dish, "dish_unknown"), (swollen, "cart_too_large")):
        answer = await open_one(lines, number=1)
        expect(answer.status == 422 and answer.json()["code"] == code, answer.body[:200])
    answers = await asyncio.gather(*(open_one(modest, 1, "7") for _ in range(MOST_AT_TABLE + 10)))
    expect(seen["kept"] == MOST_AT_TABLE and seen["guests_limit"] == 10, seen)
    kept = next(answer for answer in answers if answer.status == 201)
    count, began_s = ground.size(0, 750), time.monotonic()
    for _ in range(0, count, 10):
        # No faster than requests are paced, so that the budget is what ends it.
        await asyncio.gather(*(open_one(modest) for _ in range(10)), asyncio.sleep(1))
    # It fills up again, evenly within an hour.
    meanwhile = MOST * (time.monotonic() - began_s) / 3_600 + 1
    expect(seen["kept"] <= MOST_AT_TABLE + MOST + meanwhile, seen)
    # Others open theirs all the while, and what a table chose is told quickly.
    other = await open_one(modest, number=2)
    expect(other.status == 201, other.body[:200])
    cart = kept.json()
    view = await ground.ask(
        "GET", f"{AT}/carts/{cart['code']}/table", headers={"Cart-Holder": cart["holder"]}, number=3
    )
    expect(view.status == 200 and len(view.body) < LARGEST, f"{view.status}, {len(view.body):,} bytes")
    tried = sum(seen.values())
    return f"{tried} tried, {seen['kept']} kept, none larger than 16 KiB or of a dish that is not on the menu"


ATTACK = Attack(name="flood of carts", run=run)
