"""Numbered messages to several people, given to all servers by turns, each again under its key until it is answered."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field

import aiohttp

from tests.faults.cluster.nodes import Node

# Who gets no answer asks another server; one that hangs costs so much.
ANSWER_WITHIN_S = 4.0
AGAIN_S = 0.1
# The network shows so many of one phone.
MOST = 950


@dataclass
class Recipient:
    """Whom one sender writes to, one message after the other has been answered."""

    phone: str
    line_id: int
    # In the order in which they were given; `answered` of them with 200 or 202.
    given: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    # Which server answered, and what.
    told: dict[str, str] = field(default_factory=dict)


class Senders:
    """Use: `async with Senders(nodes, recipients) as senders`."""

    def __init__(self, nodes: list[Node], recipients: list[Recipient], *, pause_s: float, seed: int) -> None:
        self._nodes = nodes
        self.recipients = recipients
        self._pause_s = pause_s
        self._chance = random.Random(seed)
        self._turns = itertools.count()
        self._ending = False
        self._workers: list[asyncio.Task[None]] = []
        self.tries = 0
        # What was said instead of an answer.
        self.troubles: Counter[str] = Counter()
        self.refusals: list[str] = []

    @property
    def answered(self) -> int:
        return sum(len(one.answered) for one in self.recipients)

    async def __aenter__(self) -> Senders:
        timeout = aiohttp.ClientTimeout(total=ANSWER_WITHIN_S)
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout)
        self._workers = [asyncio.create_task(self._write(one)) for one in self.recipients]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._ending = True
        if error[0] is not None:
            for worker in self._workers:
                worker.cancel()
        ends = await asyncio.gather(*self._workers, return_exceptions=True)
        await self._session.close()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def _write(self, recipient: Recipient) -> None:
        while not self._ending and len(recipient.given) < MOST:
            text = f"{recipient.phone} {len(recipient.given):05d}"
            recipient.given.append(text)
            while not await self.give(self._nodes[next(self._turns) % len(self._nodes)], recipient, text):
                await asyncio.sleep(AGAIN_S)
            recipient.answered.append(text)
            await asyncio.sleep(self._pause_s * self._chance.uniform(0.5, 1.5))

    async def give(self, node: Node, recipient: Recipient, text: str) -> bool:
        """Whether it was answered for good. A refusal is noted, and not tried again."""
        self.tries += 1
        body = {"phone": recipient.phone, "message": text, "instance_id": recipient.line_id}
        headers = {**node.product.headers(), "Idempotency-Key": text.replace(" ", "-")}
        try:
            async with self._session.post(f"{node.product.api}/messages/send", json=body, headers=headers) as answer:
                told = await answer.json(content_type=None)
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            self.troubles[type(error).__name__] += 1
            return False
        if answer.status in (200, 202):
            recipient.told[text] = f"{told.get('status_code')} by {node.name}"
            return True
        self.troubles[f"{answer.status} {told.get('code')}"] += 1
        if answer.status in (409, 503):
            return False
        self.refusals.append(f"{text} was refused by {node.name}: {answer.status} {told}")
        return True
