"""A table's number in a link, without its code: to read, empty, disturb or keep up what its guests do."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground
from tools.attack.guests import AT, JSON, a_dish


async def run(ground: Ground) -> str:
    dish = await a_dish(ground)
    link = {name: values[0] for name, values in parse_qs(urlsplit(ground.product.extra["menu"]).query).items()}

    async def send(path: str, body: dict[str, Any], number: int, holder: str = "") -> Any:
        headers = {**JSON, "Cart-Holder": holder}
        return (await ground.ask("POST", f"{AT}{path}", json.dumps(body).encode(), headers, number)).json()

    async def look(cart: dict[str, Any], rest: str = "") -> Any:
        headers = {**JSON, "Cart-Holder": cart["holder"]}
        return (await ground.ask("GET", f"{AT}/carts/{cart['code']}{rest}", headers=headers)).json()

    lines = [{"item_id": dish}]
    guest, friend = [await send("/carts", {**link, "lines": lines}, number) for number in (1, 2)]
    ordered = await send("/carts", {**link, "lines": lines}, 1)
    await send(f"/carts/{ordered['code']}/order", {}, 1, ordered["holder"])
    stranger = await send("/carts", {"table": link["table"], "venue": link["venue"], "lines": lines}, 3)
    seen = await look(stranger, "/table")
    expect(seen["others"] == seen["ordered"] == [] and seen["total"] == 0, seen)
    taken = await send(f"/carts/{stranger['code']}/gather", {}, 3, stranger["holder"])
    expect(len(taken["lines"]) == 1 and taken["lines"][0]["quantity"] == 1, taken)
    for cart in (guest, friend):
        expect(len((await look(cart))["lines"]) == 1, "a guest's cart was emptied")
    forged = await send("/carts", {**link, "t": "A" * 12, "lines": lines}, 3)
    expect(forged["code"] == "table_code_invalid", forged)
    own = await look(guest, "/table")
    expect((len(own["others"]), len(own["ordered"])) == (1, 1), own)
    return "nothing seen, nothing taken; the guests see each other"


ATTACK = Attack(name="strange table", run=run)
