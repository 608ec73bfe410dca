"""The account's own server, in a thread: checks every signature, writes down every request, and may be moody."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from standardwebhooks.webhooks import Webhook

from tests.events.receiver import ERROR, OK, RESET, Receiver, Seen

MOODS = ("well", "well", "well", "error", "refused", "slow", "reset")


class Witness:
    """`secret` is set once the endpoint exists."""

    def __init__(self) -> None:
        self.secret = ""
        self.forged: list[str] = []
        # Called with each request before it is answered.
        self.on_request: Callable[[], None] | None = None
        self._mood = "well"
        self._chance = random.Random()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._flapping: Future[None] | None = None
        self.receiver = Receiver(decide=self._decide)

    @property
    def seen(self) -> list[Seen]:
        return self.receiver.seen

    def open(self) -> None:
        self._thread.start()
        self.receiver.gate.set()
        self._run(self.receiver.listen())

    def close(self) -> None:
        self.calm_down()
        self._run(self.receiver.refuse())
        self._run(self._end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def flap(self) -> None:
        """Be well, broken, gone, slow or rude by turns, until `calm_down`."""
        self._flapping = asyncio.run_coroutine_threadsafe(self._flap(), self._loop)

    def calm_down(self) -> None:
        if self._flapping is not None:
            self._flapping.cancel()
            self._flapping = None
        self._run(self._take_on("well"))

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _flap(self) -> None:
        while True:
            await self._take_on(self._chance.choice(MOODS))
            await asyncio.sleep(self._chance.uniform(0.1, 0.5))

    async def _take_on(self, mood: str) -> None:
        before, self._mood = self._mood, mood
        if mood == "refused":
            await self.receiver.refuse()
        elif before == "refused":
            await self.receiver.listen()
        if mood == "slow":
            self.receiver.gate.clear()
        else:
            self.receiver.gate.set()

    async def _end_tasks(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _decide(self, seen: Seen) -> bytes | str:
        try:
            Webhook(self.secret).verify(seen.body, seen.headers)
        except Exception as error:
            self.forged.append(f"{seen.id}: {error}")
        if self.on_request is not None:
            self.on_request()
        answers: dict[str, bytes | str] = {"error": ERROR, "reset": RESET}
        return answers.get(self._mood, OK)


@contextmanager
def witness() -> Iterator[Witness]:
    one = Witness()
    one.open()
    try:
        yield one
    finally:
        one.close()
