"""`kill -9` in the middle of an import: every row is in once, and the rest comes in by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tablegram.engine import crash_points
from tests.long import many
from tests.product import Product, running_product, wait_until

# They come in by the hundred, and each start dies after some of these pieces.
ROWS, PIECES = many(1_000, 3_000), many(3, 8)
KILLS = 2
pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(240)]


def table() -> str:
    return "phone,name,tags\n" + "".join(f"9055{number:08d},Guest {number},batch\n" for number in range(ROWS))


def guests(product: Product) -> list[str]:
    """The numbers of everybody who came in, as often as they did."""
    exported = product.call("GET", "/contacts/export?format=json")[1]["data"]
    return [phone for one in exported if "batch" in one["tags"] for phone in one["phones"]]


def test_a_kill_in_the_middle_of_an_import_costs_no_row_and_doubles_none(
    database_url: str, say: Callable[[str], None]
) -> None:
    chance = random.Random()
    deaths = [f"{chance.choice(crash_points.IMPORTING)}:{chance.randint(1, PIECES)}" for _ in range(KILLS)]
    with running_product(database_url, settings={"TABLEGRAM_CRASH_AT": deaths[0]}) as product:

        def shown() -> dict[str, Any]:
            return dict(product.call("GET", path)[1])

        status, made = product.call("POST", "/contacts/import", {"csv": table()})
        assert (status, made["total"]) == (201, ROWS)
        path = f"/contacts/imports/{made['id']}"
        assert product.call("POST", f"{path}/start", {})[0] == 202
        assert product.server.wait_for_death() == -9
        for death in deaths[1:]:
            product.server.environment["TABLEGRAM_CRASH_AT"] = death
            # It goes on by itself and may die again before it is ready.
            product.server.launch()
            assert product.server.wait_for_death() == -9, product.server.said()
        del product.server.environment["TABLEGRAM_CRASH_AT"]
        product.server.start()
        begun = shown()["done"]
        wait_until(lambda: shown()["state"] == "done", "the import", within_s=120)
        say(f"import of {ROWS} rows: killed at {', '.join(deaths)}; the last start found {begun} in")
        assert shown()["done"] == ROWS
        found = guests(product)
        assert len(found) == len(set(found)) == ROWS
