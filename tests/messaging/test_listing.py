"""Lists of messages hold what they are narrowed to, all of it and nothing else, newest first, page by page."""

from __future__ import annotations

import itertools
import random
from typing import Any

from tablegram.messaging.store.lists import listing
from tests.storage.opened import INSERT_MESSAGE, add_accounts, message, opened

PHONES = ("905550000001", "905550000002")
LINES = (1, 2)


def many() -> list[dict[str, Any]]:
    chance = random.Random(11)
    rows = []
    for number in range(140):
        # Of one state there is a single message, and of another none.
        state = "failed" if number == 70 else chance.choice(("queued", "sent", "delivered", "read", "received"))
        rows.append(
            message(
                1, f"01{number:08d}", state=state, direction="in" if state == "received" else "out",
                phone=chance.choice(PHONES), instance_id=chance.choice(LINES),
            )
        )  # fmt: skip
    return rows


async def test_a_list_holds_what_fits_and_nothing_else(database_url: str) -> None:
    rows = many()
    async with opened(database_url) as db:
        await add_accounts(db, 1, 2)
        await db.put(*[(INSERT_MESSAGE, row) for row in rows])
        # Somebody else's, of every state.
        await db.put(*[(INSERT_MESSAGE, message(2, f"02{state}", state=state)) for state in listing.STATES])
        choices = {
            "state": (None, *listing.STATES),
            "direction": (None, "in", "out"),
            "phone": (None, PHONES[0]),
            "instance_id": (None, 2),
        }
        for values in itertools.product(*choices.values()):
            filters = dict(zip(choices, values, strict=True))
            fit = [row["id"] for row in rows if all(row[name] == v for name, v in filters.items() if v is not None)]
            found: list[str] = []
            while page := await db.all(*listing.page(1, filters, found[-1] if found else None, 30)):
                found += [row["id"] for row in page]
            assert found == fit[::-1], filters
