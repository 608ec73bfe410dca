"""A product with an endpoint that a witness stands behind, and a line that customers write to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.faults.callers import Callers, Customer, Line, add_cloud_line
from tests.faults.tally import Tally, settle, tally
from tests.faults.witness import Witness, witness
from tests.product import Product, running_product

SETTINGS = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8", "TABLEGRAM_LOG_LEVEL": "warning"}


@dataclass(frozen=True)
class Reception:
    product: Product
    witness: Witness
    line: Line
    # Whoever wrote here so far.
    everybody: list[Customer] = field(default_factory=list)

    def callers(self, **options: Any) -> Callers:
        made = Callers(self.line, **options)
        self.everybody.extend(made.customers)
        return made

    async def kill_and_restart(self, callers: Callers, *, after_s: float = 0.0) -> None:
        """Kill the server while customers write, and start it again."""
        # Something must have been answered since the last start, or the kill would prove little.
        await callers.hear(10)
        await asyncio.sleep(after_s)
        self.product.server.kill()
        await asyncio.to_thread(self.product.server.start)

    async def come_to_rest(self) -> None:
        """The account's server is well from now on, and asked at once: after a start nothing waits for its next try."""
        self.witness.calm_down()
        self.product.server.kill()
        await asyncio.to_thread(self.product.server.start)

    def judge(self, callers: Callers) -> Tally:
        """Wait until all is told, and count."""
        settle(self.product, callers.customers, self.witness)
        result = tally(self.product, callers.customers, self.witness)
        result.problems.extend(callers.refusals)
        return result


@contextmanager
def reception(database_url: str) -> Iterator[Reception]:
    with (
        witness() as seeing,
        running_product(database_url, sandbox_alone=True, settings=SETTINGS) as product,
    ):
        endpoint = {"url": seeing.receiver.url, "events": ["messages.upsert"]}
        status, made = product.call("POST", "/webhooks", endpoint)
        assert status == 201, made
        seeing.secret = made["secret"]
        yield Reception(product, seeing, add_cloud_line(product))
