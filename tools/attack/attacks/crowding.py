"""One account sends very many files that are work, and another one a photo."""

from __future__ import annotations

import asyncio
import io
import time
from collections import Counter

from PIL import Image

from tests.product import cli_json
from tools.attack.attack import Attack, expect
from tools.attack.ground import Ground, Heard


async def run(ground: Ground) -> str:
    count = ground.size(40, 100)
    product = ground.product
    attacker = product.headers()
    venue = product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    guest = {"Authorization": f"Bearer {await asyncio.to_thread(_neighbour, ground)}"}
    made = await ground.ask("POST", "/api/v1/restaurant/venues", _VENUE, {**guest, **_JSON}, number=1)
    expect(made.status == 201, made.body)
    own = made.json()["id"]

    async def send(headers: dict[str, str], place: str, body: bytes, number: int) -> Heard:
        path = f"/api/v1/restaurant/venues/{place}/images"
        return await ground.ask("POST", path, body, {**headers, "Content-Type": "image/png"}, number)

    heavy = _photo((4_900, 4_900) if not ground.short else (1_500, 1_500), "PNG")
    many = [asyncio.create_task(send(attacker, venue, heavy, 0)) for _ in range(count)]
    # As soon as what is too many has been sent away, the rest is in line.
    await asyncio.wait(many, return_when=asyncio.FIRST_COMPLETED)
    began_s = time.monotonic()
    neighbour = await send(guest, own, _photo((1_600, 1_200), "JPEG"), 1)
    took_s, left = time.monotonic() - began_s, sum(not one.done() for one in many)
    expect(neighbour.status == 201, neighbour.body)
    answers = Counter(one.status for one in await asyncio.gather(*many))
    expect(set(answers) <= {201, 429}, dict(answers))
    expect(answers[429] > 0, "none was too many")
    return (
        f"{count} sent, {answers[429]} told to wait; another account's photo took {took_s:.1f} s, {left} still in line"
    )


_JSON = {"Content-Type": "application/json"}
_VENUE = b'{"name":"Next door","currency":"TRY","time_zone":"Europe/Istanbul","languages":["tr"]}'


def _photo(size: tuple[int, int], kind: str) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(out, kind)
    return out.getvalue()


def _neighbour(ground: Ground) -> str:
    """The key of another account."""
    environment = ground.product.environment
    cli_json("account", "create", "next door", environment=environment)
    made = cli_json(
        "key",
        "create",
        "--account",
        "next door",
        "--name",
        "till",
        "--scope",
        "restaurant:manage",
        environment=environment,
    )
    return str(made["key"])


ATTACK = Attack(name="files of one account", run=run)
