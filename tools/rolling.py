"""Servers of the earlier version are replaced by servers of this one, and not one request fails: a stage of `make upgrade-proof`.

Two servers stand behind a front that goes by /readyz alone and repeats nothing. While sends and callbacks come, on connections
that are kept and on fresh ones, each server is told to end when another in its place is ready. Every request is counted. Who is
too old to say at /readyz that it leaves is sent nothing any more before it is told, as a load balancer is told to drain it. At
last a server of this version is replaced as well: the next upgrade begins with how this one leaves.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlsplit

import msgspec

from tests.faults.callers import SECRET, add_cloud_line, callback
from tests.product import Process, Product, fetch, wait_until
from tools.rolling_front import Front, Spoken, exchange
from tools.versions import Version

# How long a server still answers when it was told to end: many looks of the front, and longer than one that is late.
LEAVE_S = 10
SERVERS = 2
# Callers of each kind, and how long each rests between two calls; the longer it takes, the longer they rest.
CALLERS = 2
REST_S = 0.2
TIRED_AFTER = 500
# So many of each kind are answered before the first server goes, and after the last one came.
STEADY = 20
STEPS_WITHIN_S = 240.0
LIMITS = {
    "TABLEGRAM_RATE_LIMIT": "100000",
    "TABLEGRAM_RATE_BURST": "100000",
    "TABLEGRAM_ANONYMOUS_RATE_LIMIT": "100000",
    "TABLEGRAM_ANONYMOUS_RATE_BURST": "100000",
}


@dataclass
class Calls:
    """Everything that was asked, and what came of it."""

    port: int
    key: str
    hook: str
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    accepted: list[str] = field(default_factory=list)
    is_over: bool = False
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def asked(self) -> int:
        return self.answers.total() + len(self.wrong)

    async def go_on(self, kind: str, *, kept: bool) -> None:
        """One request after another, until it is over."""
        spoken: Spoken | None = None
        while not self.is_over:
            name = f"{kind} on a {'kept' if kept else 'fresh'} connection"
            number = next(self._numbers)
            try:
                if spoken is None:
                    spoken = await asyncio.open_connection("127.0.0.1", self.port)
                answer = await exchange(spoken, self._request(kind, number), STEPS_WITHIN_S)
                if answer.status == 200:
                    self.answers[name] += 1
                    if kind == "send":
                        self.accepted.append(_text(number))
                else:
                    self.wrong.append(f"a {name} was answered {answer.status}: {answer.body[:200]!r}")
                is_last = answer.is_last
            except (OSError, EOFError, TimeoutError, ValueError) as error:
                self.wrong.append(f"a {name} got no answer: {error!r}")
                is_last = True
            if spoken is not None and (is_last or not kept):
                spoken[1].close()
                spoken = None
            await asyncio.sleep(REST_S * (1 + self.asked // TIRED_AFTER))
        if spoken is not None:
            spoken[1].close()

    def _request(self, kind: str, number: int) -> bytes:
        phone = _phone(number)
        if kind == "send":
            path, body = "/api/v1/messages/send", msgspec.json.encode({"phone": phone, "message": _text(number)})
            headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": _text(number)}
        else:
            path, body = self.hook, callback(phone, [f"wamid.rolled.{number}"])
            headers = {"X-Hub-Signature-256": f"sha256={hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()}"}
        lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
        head = f"POST {path} HTTP/1.1\r\nHost: tablegram\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return (head + "".join(lines) + "\r\n").encode() + body

    async def many_more(self, what: str) -> None:
        kinds = [f"{kind} on a {how} connection" for kind in ("send", "callback") for how in ("kept", "fresh")]
        until = {kind: self.answers[kind] + STEADY for kind in kinds}
        deadline = time.monotonic() + STEPS_WITHIN_S
        while any(self.answers[kind] < until[kind] for kind in kinds) and not self.wrong:
            if time.monotonic() > deadline:
                self.wrong.append(f"too few answers while {what}")
                return
            await asyncio.sleep(0.05)
        print(f"  {what}: {self.answers.total()} requests answered so far", flush=True)


def _text(number: int) -> str:
    return f"rolled-{number:05}"


def _phone(number: int) -> str:
    return f"9055522233{number % 20:02}"


@dataclass(frozen=True, slots=True)
class Step:
    old: Version
    new: Version


def replaced(before: Version, now: Version, key: str, sandbox_url: str) -> list[str]:
    """What went wrong. `now` serves until the first of them are there."""
    first = before if before.may_return else now
    steps = _steps(first, now)
    print(f"  {SERVERS} servers of {first.name} are to be replaced", flush=True)
    servers = [*(step.old for step in steps[:SERVERS]), *(step.new for step in steps)]
    process = Process([], {}, now.log, "")
    product = Product(now.url, key, {}, now.folder, process, sandbox_url=sandbox_url)
    hook = urlsplit(add_cloud_line(product).hook).path
    try:
        started = time.monotonic()
        for one in servers[:SERVERS]:
            one.launch("serve")
        for one in servers[:SERVERS]:
            wait_until(one.is_ready, one.name, STEPS_WITHIN_S)
        now.end(signal.SIGTERM)
        calls = asyncio.run(_replaced(servers, steps, key, hook))
        print(
            f"  {time.monotonic() - started:.0f} s, {calls.asked} requests: {dict(sorted(calls.answers.items()))}",
            flush=True,
        )
        if len(calls.answers) < 4:
            calls.wrong.append(f"not every kind of request was answered: {dict(calls.answers)}")
        complaints = [said for one in servers for said in one.complaints()]
        return calls.wrong + _not_there_once(calls.accepted, sandbox_url) + complaints
    finally:
        for one in servers:
            one.end(signal.SIGKILL)


def _steps(first: Version, now: Version) -> list[Step]:
    numbers = count(1)

    def another(version: Version) -> Version:
        leaves = {"TABLEGRAM_LEAVE_S": str(LEAVE_S)} if version.says_that_it_leaves else {}
        return version.another(next(numbers), {**LIMITS, **leaves})

    olds = [another(first) for _ in range(SERVERS)]
    news = [another(now) for _ in range(SERVERS + 1)]
    return [*map(Step, olds, news), Step(news[0], news[-1])]


async def _replaced(servers: list[Version], steps: list[Step], key: str, hook: str) -> Calls:
    front = Front([one.port for one in servers])
    async with front.open() as port:
        calls = Calls(port, key, hook)
        await front.knows(*(one.port for one in servers[:SERVERS]), within_s=STEPS_WITHIN_S)
        callers = [
            asyncio.create_task(calls.go_on(kind, kept=kept))
            for kind in ("send", "callback")
            for kept in (True, False)
            for _ in range(CALLERS)
        ]
        try:
            await calls.many_more(f"{SERVERS} servers answer")
            for step in steps:
                await _begun(step.new, front)
                how = await _ended(step.old, front)
                print(f"  {step.new.name} stands for {step.old.name}, {how}: {calls.asked} requests so far", flush=True)
            await calls.many_more("others answer")
        finally:
            calls.is_over = True
            for failed in await asyncio.gather(*callers, return_exceptions=True):
                if isinstance(failed, BaseException):
                    calls.wrong.append(f"a caller gave up: {failed!r}")
    print(f"  the front's own count: {dict(sorted(front.passed.items()))}", flush=True)
    calls.wrong += front.wrong
    calls.wrong += [f"{one.name} answered nothing" for at, one in enumerate(servers, 1) if not front.passed[at]]
    return calls


async def _begun(new: Version, front: Front) -> None:
    new.launch("serve")
    try:
        await front.knows(new.port, within_s=STEPS_WITHIN_S)
    except TimeoutError:
        raise AssertionError(f"{new.name} is not ready:\n{new.log.read_text(errors='replace')[-4_000:]}") from None


async def _ended(old: Version, front: Front) -> str:
    """Told to end, and gone; how it left."""
    if not old.says_that_it_leaves:
        await front.drain(old.port, within_s=STEPS_WITHIN_S)
    await asyncio.to_thread(old.end, signal.SIGTERM)
    return "which said that it left" if old.says_that_it_leaves else "to which the front sent nothing any more"


def _not_there_once(accepted: list[str], sandbox_url: str) -> list[str]:
    def held() -> Counter[str]:
        found: Counter[str] = Counter()
        for phone in {_phone(number) for number in range(20)}:
            _, answer = fetch(f"{sandbox_url}/phones/{phone}/messages?limit=1000")
            found.update(one["text"] for one in answer["data"] if str(one.get("text", "")).startswith("rolled-"))
        return found

    with suppress(AssertionError):
        wait_until(lambda: all(held()[text] for text in accepted), "what was sent to be on the phones", STEPS_WITHIN_S)
    on_phone = held()
    return [f"{text} is on the phone {on_phone[text]} times" for text in accepted if on_phone[text] != 1]
