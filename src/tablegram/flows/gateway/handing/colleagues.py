"""A send goes to the process of this machine that has its line, and is answered from there.

Handed over as a row it would be stored, found, claimed, sent and told of as an event, in place of stored and sent. The message's
key is made by who was called, so that it is stored once whoever stores it: when the other process falls silent,
this one looks for it, and queues it if nobody has.
"""

from __future__ import annotations

import logging
import time
from typing import Any

import msgspec

from tablegram.engine.idempotency import Result
from tablegram.engine.leases import steady_s
from tablegram.engine.together.peers import NotThere, Peers, Silent
from tablegram.errors import FieldError, Problem
from tablegram.flows.gateway.answers.sends import SendAnswer
from tablegram.flows.gateway.handing.drafts import Handed
from tablegram.flows.gateway.sending import Sending, queued
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.draining import Drains
from tablegram.storage.database import Database
from tablegram.values.watching import trail

log = logging.getLogger("tablegram.peers")

# Beyond what the other process takes itself for an answer of the network.
WAITS_S = 3.0
# Who finds a question this close to its end does not begin any more.
MARGIN_S = 2.0


class _Question(msgspec.Struct, frozen=True, array_like=True):
    # By the machine's own clock, which all of its processes share: later it is not begun.
    until: float
    handed: Handed


class _Trouble(msgspec.Struct, frozen=True, array_like=True):
    """A problem on its way back."""

    kind: str
    detail: str
    code: str
    errors: tuple[FieldError, ...]
    retry_after_s: int | None
    headers: dict[str, str]
    extra: dict[str, Any]


class _Told(msgspec.Struct, frozen=True, array_like=True):
    """All empty: the line is not here."""

    answer: SendAnswer | None = None
    status: int = 200
    is_replayed: bool = False
    trouble: _Trouble | None = None
    failed: bool = False


_ENCODE = msgspec.msgpack.Encoder().encode
_QUESTION = msgspec.msgpack.Decoder(_Question)
_TOLD = msgspec.msgpack.Decoder(_Told)


class Colleagues:
    def __init__(self, peers: Peers, sending: Sending, drains: Drains, db: Database, budget_s: float) -> None:
        self._peers = peers
        self._sending = sending
        self._drains = drains
        self._db = db
        self._within_s = budget_s + WAITS_S
        peers.answer(self._take)
        sending.hand = self._hand

    async def _hand(self, line: LiveLine, handed: Handed) -> Result[SendAnswer] | None:
        holder = self._drains.holder(line)
        if not holder:
            return None
        question = _Question(steady_s() + self._within_s - MARGIN_S, handed)
        try:
            told = _TOLD.decode(await self._peers.ask(holder, _ENCODE(question), self._within_s))
        except NotThere:
            return None
        except Silent:
            return await self._left_behind(handed)
        if told.trouble is not None:
            raise _problem(told.trouble)
        if told.failed:
            return await self._left_behind(handed)
        if told.answer is None:
            return None
        # It has the line: the store need not be asked who does.
        line.note_anothers(time.monotonic())
        return Result(told.answer, told.status, told.is_replayed)

    async def _left_behind(self, handed: Handed) -> Result[SendAnswer] | None:
        """The answer if the other process has stored it; what it did with it is found out as after its death."""
        row = await self._db.first(store.GET, {"b_account": handed.caller.account_id, "b_id": handed.key})
        # What stands under the call's key tells more.
        return None if row is None or handed.call.idempotency_key is not None else Result(queued(row))

    async def _take(self, body: bytes) -> bytes:
        question = _QUESTION.decode(body)
        if steady_s() > question.until:
            return _ENCODE(_Told())
        trail.follow(question.handed.call.request_id)
        try:
            result = await self._sending.take(question.handed)
        except Problem as problem:
            return _ENCODE(_Told(trouble=_trouble(problem)))
        except Exception:
            log.exception("a send for another process failed")
            return _ENCODE(_Told(failed=True))
        return _ENCODE(_Told() if result is None else _Told(result.value, result.status, result.replayed))


def _trouble(one: Problem) -> _Trouble:
    return _Trouble(type(one).__name__, one.detail, one.code, one.errors, one.retry_after_s, one.headers, one.extra)


def _problem(told: _Trouble) -> Problem:
    kind = next((one for one in _below(Problem) if one.__name__ == told.kind), Problem)
    return kind(
        told.detail, code=told.code, errors=told.errors, retry_after_s=told.retry_after_s, headers=told.headers,
        extra=told.extra,
    )  # fmt: skip


def _below(kind: type[Problem]) -> list[type[Problem]]:
    return [kind, *(deeper for one in kind.__subclasses__() for deeper in _below(one))]
