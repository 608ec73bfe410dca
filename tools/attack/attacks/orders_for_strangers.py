"""Orders on the page, without a table's code, each for somebody else's phone."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground
from tools.attack.guests import AT, JSON, a_dish

# As configured: a tenth of 300 for who has not proved a table, from one address.
MOST = 30


async def run(ground: Ground) -> str:
    dish = await a_dish(ground)
    seen: Counter[str] = Counter()

    async def order(number: int) -> None:
        body = json.dumps({"order_type": "takeaway", "lines": [{"item_id": dish}]}).encode()
        cart = (await ground.ask("POST", f"{AT}/carts", body, JSON)).json()
        form = json.dumps({"name": "x", "phone": f"+90555{7_000_000 + number}"}).encode()
        path = f"{AT}/carts/{cart['code']}/order"
        answer = (await ground.ask("POST", path, form, {**JSON, "Cart-Holder": cart["holder"]})).json()
        seen[answer.get("code") or answer["status"]] += 1

    count = MOST + 5
    await asyncio.gather(*(order(number) for number in range(count)))
    # The demo's venue accepts by itself; these wait for a nod all the same.
    expect(set(seen) <= {"awaiting_confirmation", "guests_limit"}, seen)
    expect(seen["awaiting_confirmation"] <= MOST, seen)
    expect(seen["guests_limit"] >= count - MOST, seen)
    _, messages = ground.product.call("GET", "/messages?limit=200")
    told = [one["phone"] for one in messages["data"] if one["phone"].lstrip("+").startswith("905557")]
    expect(told == [], f"{len(told)} messages went out")
    return f"{count} tried, {seen['awaiting_confirmation']} wait for a nod, no stranger heard of one"


ATTACK = Attack(name="orders for strangers", run=run)
