"""A burst of sends from many connections, through kills and restarts, and the count of what became of each.

Every request carries a text of its own, so that one look at the store and one at the network tell whether
anything was lost or done twice. Four kinds of request are mixed: plain, with an Idempotency-Key (tried again with
the same key until it is answered), `Prefer: respond-async`, and a key that is used a second time after its answer.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.product import Product, fetch

CONNECTIONS = 16
PHONES = [f"90555{number:07d}" for number in range(1_000_001, 1_000_061)]
KINDS = ("plain", "plain", "keyed", "keyed", "async", "again")
SETTLE_WITHIN_S = 60.0


@dataclass
class Sent:
    """One request, what it was answered, and under which ids."""

    text: str
    phone: str
    kind: str
    ids: list[str] = field(default_factory=list)
    refusals: list[Any] = field(default_factory=list)
    tries: int = 0

    @property
    def key(self) -> str | None:
        return f"key-{self.text}" if self.kind in ("keyed", "again") else None


class Burst:
    """Use: `async with Burst(product) as burst`, then `await burst.kill_and_restart()` as often as wanted."""

    def __init__(
        self, product: Product, connections: int = CONNECTIONS, *, running: bool = True, pause_s: float = 0.0
    ) -> None:
        self.product = product
        # Every text begins with it, so that a text that went wrong tells when.
        self.name = "burst"
        self.sent: list[Sent] = []
        self.in_flight = 0
        # For every kill: how many requests were under way, and how many of them never got an answer.
        self.caught: list[int] = []
        self.broken: list[int] = []
        # For every kill: how many messages the next start found in doubt, because the network was being asked just then.
        self.doubts: list[int] = []
        self._broken_now = 0
        self._connections = connections
        self._pause_s = pause_s
        self._chance = random.Random()
        self._numbers = itertools.count(1)
        self._again: list[Sent] = []
        self._up = asyncio.Event()
        if running:
            self._up.set()
        self._ending = False
        self._workers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Burst:
        timeout = aiohttp.ClientTimeout(total=30)
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout)
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._connections)]
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._ending = True
        for worker in self._workers:
            if _error[0] is not None:
                worker.cancel()
        ends = await asyncio.gather(*self._workers, return_exceptions=True)
        await self._session.close()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def run_for(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def kill_and_restart(self, *, after_s: float = 0.0) -> None:
        """Let it run, kill the server while requests are under way, and start it again."""
        # A kill may come just after the last answer that was under way. It proves nothing, and another one is made.
        while not await self._kill_and_restart(after_s):
            pass

    async def _kill_and_restart(self, after_s: float) -> bool:
        """Whether a request was left without its answer."""
        answered = self.answered
        await asyncio.sleep(after_s)
        # Something must have been answered and something be under way, or the kill would prove nothing.
        while self.in_flight < 1 or self.answered == answered:
            await asyncio.sleep(0.001)
        self._up.clear()
        self._broken_now = 0
        caught = self.in_flight
        self.product.server.kill()
        while self.in_flight:
            await asyncio.sleep(0.001)
        await asyncio.to_thread(self.product.server.start)
        self.doubts.append(int(await asyncio.to_thread(self.product.metric, "messages_in_doubt")))
        self._up.set()
        if self._broken_now:
            self.caught.append(caught)
            self.broken.append(self._broken_now)
        return self._broken_now > 0

    async def watch_it_die(self, within_s: float = 30.0) -> int:
        """Wait until the server has killed itself; requests go on until then. Returns its exit code."""
        try:
            code = await asyncio.to_thread(self.product.server.wait_for_death, within_s)
        except subprocess.TimeoutExpired:
            answers = Counter(bool(one.ids) and one.ids[0].startswith("gw.") for one in self.sent[-200:])
            raise AssertionError(
                f"it lives on after {within_s:.0f} s of {self.name}: of the last requests {answers[True]} were queued, "
                f"{answers[False]} sent or not answered:\n{self.product.server.said()[-3_000:]}"
            ) from None
        self._up.clear()
        while self.in_flight:
            await asyncio.sleep(0.001)
        return code

    def go_on(self) -> None:
        self._up.set()

    @property
    def answered(self) -> int:
        return sum(1 for one in self.sent[-2_000:] if one.ids)

    async def _work(self) -> None:
        while True:
            await self._up.wait()
            one = self._next()
            if one is None:
                return
            try:
                self.in_flight += 1
                await self._post(one)
            except (aiohttp.ClientError, OSError, TimeoutError):
                self._broken_now += 1
                if one.key is not None:
                    self._again.append(one)
                # The server is dying; whoever kills it takes the sign down in a moment.
                await asyncio.sleep(0.01)
            finally:
                self.in_flight -= 1
            if self._pause_s:
                await asyncio.sleep(self._pause_s)

    def _next(self) -> Sent | None:
        if self._again:
            return self._again.pop()
        if self._ending:
            return None
        number = next(self._numbers)
        one = Sent(f"{self.name}-{number:06d}", self._chance.choice(PHONES), self._chance.choice(KINDS))
        self.sent.append(one)
        return one

    async def _post(self, one: Sent) -> None:
        headers = dict(self.product.headers())
        if one.key is not None:
            headers["Idempotency-Key"] = one.key
        if one.kind == "async":
            headers["Prefer"] = "respond-async"
        one.tries += 1
        body = {"phone": one.phone, "message": one.text}
        async with self._session.post(f"{self.product.api}/messages/send", json=body, headers=headers) as answer:
            document = await answer.json(content_type=None)
        if answer.status == 200:
            one.ids.append(document["message_id"])
            if one.kind == "again" and len(one.ids) == 1:
                self._again.append(one)
        elif answer.status == 409 and one.key is not None and one.tries < 50:
            self._again.append(one)
            await asyncio.sleep(0.05)
        else:
            one.refusals.append(document)


@dataclass(frozen=True)
class Count:
    """What a burst came to. `problems` is empty when nothing was lost and nothing was done twice."""

    requests: int
    answered: int
    unanswered: int
    stored: int
    accepted: int
    duplicates: int
    in_doubt: int
    lost: int
    problems: list[str]

    def line(self) -> str:
        return (
            f"{self.requests} requests, {self.answered} answered 200, {self.unanswered} without an answer, "
            f"{self.stored} stored, {self.accepted} accepted by the network, {self.duplicates} twice, "
            f"{self.in_doubt} still in doubt, {len(self.problems)} problems"
        )


def settle(product: Product, within_s: float = SETTLE_WITHIN_S) -> None:
    """Wait until nothing is queued, here or on the network's side."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        queued = product.call("GET", "/messages?status=queued&limit=1")[1]["data"]
        if not queued and product.sandbox_call("GET", "/counters")["callbacks"]["pending"] == 0:
            return
        time.sleep(0.1)


def count(product: Product, sent: list[Sent]) -> Count:
    """Compare what was asked for with what the store and the network have."""
    stored = every_message(product)
    accepted = Counter(one["correlation"] for one in every_accepted(product))
    problems = [
        *_check_answers(sent, stored),
        *_check_store(stored),
        *_check_network(stored, accepted),
        *_check_ids(product, sent),
    ]
    return Count(
        requests=len(sent),
        answered=sum(1 for one in sent if one.ids),
        unanswered=sum(1 for one in sent if not one.ids),
        stored=len(stored),
        accepted=sum(accepted.values()),
        duplicates=product.sandbox_call("GET", "/counters")["duplicates"],
        in_doubt=sum(1 for one in stored if one["status"] == "queued"),
        lost=_count_lost(sent, stored, accepted),
        problems=problems,
    )


def _count_lost(sent: list[Sent], stored: list[dict[str, Any]], accepted: Counter[str]) -> int:
    """Answered 200 and not in the store, or in the store and never with the network."""
    unstored = {one.text for one in sent if one.ids} - {message["text"] for message in stored}
    return len(unstored) + len({message["gateway_id"] for message in stored} - set(accepted))


def _check_answers(sent: list[Sent], stored: list[dict[str, Any]]) -> list[str]:
    texts = Counter(message["text"] for message in stored)
    by_text = {message["text"]: message for message in stored}
    problems = [f"{text} is stored {times} times" for text, times in texts.items() if times > 1]
    for one in sent:
        message = by_text.get(one.text)
        if one.ids and message is None:
            problems.append(f"{one.text} was answered 200 and is not in the store")
        elif message is not None and not set(one.ids) <= {message["message_id"], message["gateway_id"]}:
            problems.append(f"{one.text} was answered {one.ids} and is {message['gateway_id']} in the store")
        if one.key is not None and not one.ids:
            problems.append(f"{one.text} was tried {one.tries} times under its key and never answered")
        problems += [f"{one.text} was refused: {refusal}" for refusal in one.refusals]
    known = {one.text for one in sent}
    return problems + [f"{text} is stored and was never asked for" for text in texts if text not in known]


def _check_store(stored: list[dict[str, Any]]) -> list[str]:
    return [
        f"{message['text']} ended as {message['status']}: {message['error']}"
        for message in stored
        if message["status"] not in ("sent", "delivered")
    ]


def _check_network(stored: list[dict[str, Any]], accepted: Counter[str]) -> list[str]:
    ours = {message["gateway_id"] for message in stored}
    problems = [f"{one} reached the network {times} times" for one, times in accepted.items() if times > 1]
    problems += [f"{one} never reached the network" for one in ours - set(accepted)]
    return problems + [f"{one} reached the network and is not in the store" for one in set(accepted) - ours]


def _check_ids(product: Product, sent: list[Sent], most: int = 50) -> list[str]:
    """A message is found by the id of its answer, whichever it was, and by the other one too."""
    problems = []
    for one in [one for one in sent if one.ids][:: max(1, len(sent) // most)]:
        status, message = product.call("GET", f"/messages/{one.ids[0]}")
        if status != 200 or message["text"] != one.text:
            problems.append(f"{one.text} is not found by {one.ids[0]}: {status}")
            continue
        for other in (message["message_id"], message["gateway_id"]):
            if product.call("GET", f"/messages/{other}")[1].get("text") != one.text:
                problems.append(f"{one.text} is not found by {other}")
    return problems


def every_message(product: Product) -> list[dict[str, Any]]:
    """Everything in the store that was to be sent."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        status, page = product.call("GET", f"/messages?direction=out&limit=200{cursor}")
        assert status == 200, page
        found += page["data"]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def every_accepted(product: Product) -> list[dict[str, Any]]:
    """Everything that the network took, in order."""
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        status, page = fetch(f"{product.sandbox_url}/accepted?limit=10000&after={after}")
        assert status == 200, page
        found += page["data"]
        if page["next_after"] is None:
            return found
        after = page["next_after"]
