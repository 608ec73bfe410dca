"""What was given to the cluster, held against what the people and the account's own server have got."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

import asyncpg

from tests.faults.callers import Callers
from tests.faults.cluster.load import Recipient, Senders
from tests.faults.cluster.watch import Watch
from tests.faults.looking import texts_on
from tests.faults.tally import settle, tally
from tests.faults.witness import Witness
from tests.product import Product

_ROWS = "SELECT text, attempts, created_at, sent_at FROM messages WHERE direction = 'out'"
_QUEUED = "SELECT count(*) FROM messages WHERE direction = 'out' AND state = 'queued'"


@dataclass
class Account:
    """Each promise, and what speaks against it."""

    promises: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        return sum(bool(against) for against in self.promises.values())


@dataclass(frozen=True)
class Stored:
    """A message as the store has it."""

    attempts: int
    created_at: int
    sent_at: int | None

    def was_in_doubt(self, wait_s: float) -> bool:
        """It went out again, after the time that a doubt waits: it does not hold up what came after it."""
        return self.attempts > 1 or (self.sent_at or 0) - self.created_at > wait_s * 1_000


async def come_to_rest(url: str, within_s: float) -> None:
    """Until nothing is queued any more; what stays is the account's business."""
    deadline = time.monotonic() + within_s
    connection = await asyncpg.connect(url)
    try:
        while await connection.fetchval(_QUEUED) and time.monotonic() < deadline:
            await asyncio.sleep(0.5)
    finally:
        await connection.close()


async def stored(url: str) -> dict[str, Stored]:
    connection = await asyncpg.connect(url)
    try:
        return {
            row["text"]: Stored(row["attempts"], row["created_at"], row["sent_at"])
            for row in await connection.fetch(_ROWS)
        }
    finally:
        await connection.close()


def judge_sends(account: Account, product: Product, senders: Senders, rows: dict[str, Stored], wait_s: float) -> None:
    late = {text for text, row in rows.items() if row.was_in_doubt(wait_s)}
    lost, twice, order = [], [], []
    arrived = 0
    for one in senders.recipients:
        texts = texts_on(product, one.phone)
        arrived += len(texts)
        lost += [f"{text} was answered and never came" for text in one.answered if text not in set(texts)]
        twice += [f"{text} came {times} times" for text, times in Counter(texts).items() if times > 1]
        turned = out_of_order(one, texts, late)
        order += [
            f"{text} came after {other}: {_told(one, rows, other)}; {_told(one, rows, text)}" for text, other in turned
        ]
    account.figures |= {
        "sends answered": senders.answered,
        "tries": senders.tries,
        "arrived": arrived,
        "late": len(late),
    }
    account.promises |= {
        "nothing that was answered is lost": lost,
        "nothing reaches the network twice": twice,
        "each recipient's order holds": order,
        "nothing is refused": senders.refusals,
    }


def _told(recipient: Recipient, rows: dict[str, Stored], text: str) -> str:
    return f"{recipient.told.get(text)} {rows.get(text)}"


def out_of_order(recipient: Recipient, texts: list[str], late: set[str]) -> list[tuple[str, str]]:
    """What came after a later one, and after which, unless it was in doubt meanwhile."""
    places = {text: place for place, text in enumerate(recipient.given)}
    highest = -1
    found: list[tuple[str, str]] = []
    for text in texts:
        if text in late or text not in places:
            continue
        if places[text] < highest:
            found.append((text, recipient.given[highest]))
        highest = max(highest, places[text])
    return found


def judge_callbacks(account: Account, product: Product, callers: Callers, witness: Witness) -> None:
    settle(product, callers.customers, witness, 120)
    result = tally(product, callers.customers, witness)
    account.figures |= {
        "callbacks written": result.written, "stored": result.stored, "events posted": result.requests,
        "posted again": result.repeats,
    }  # fmt: skip
    account.promises["callbacks are stored once and told in order"] = [*result.problems, *callers.refusals]


def judge_leases(account: Account, watch: Watch) -> None:
    account.figures["leases changed hands"] = watch.changes
    account.promises["no line is in two places"] = watch.problems
