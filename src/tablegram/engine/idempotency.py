"""One key, one effect: the key is stored in the same transaction as the work it stands for.

fresh       nothing is stored under the key: do the work
finished    the stored answer is given again
running     another call under the key is still at it
abandoned   the process that ran it is dead: answer from what the work left in the store
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Generic, TypeVar

import msgspec
from sqlalchemy import and_, bindparam, delete, select, update

from tablegram.engine.owners import Owner
from tablegram.engine.purging import Purge
from tablegram.engine.rows import CallRow
from tablegram.errors import Conflict, Invalid, Misconfigured
from tablegram.storage.database import Database, Query, Statement, Tx
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import idempotency
from tablegram.values.clock import HOUR_MS, Clock
from tablegram.values.secrets import SecretBox


class Call(msgspec.Struct, frozen=True):
    """What identifies a call: its route, its key if it has one, and a digest of its body."""

    route: str
    idempotency_key: str | None = None
    fingerprint: str = ""
    respond_async: bool = False
    request_id: str = ""


class KeptAnswer(msgspec.Struct, frozen=True):
    """An answer as it goes out, byte for byte, so that a replay is the same answer."""

    status: int
    body: bytes
    replayed: bool = False


T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


class Result(msgspec.Struct, Generic[T], frozen=True):
    """What a flow answers with: a value with its type. Edges encode it; a key keeps it encoded in the same way."""

    value: T
    status: int = 200
    replayed: bool = False
    # What was answered the first time, byte for byte, where this is a replay.
    kept: bytes | None = None

    def encoded(self) -> KeptAnswer:
        return KeptAnswer(self.status, _encode(self.value) if self.kept is None else self.kept, self.replayed)

    def as_now(self, value: T) -> Result[T]:
        """The same answer with the value as it is by now, for who is to hear that rather than what was answered first."""
        return Result(value, self.status, self.replayed)


def read_result(answer: KeptAnswer, kind: type[T]) -> Result[T]:
    """What was kept, as the value that it was."""
    return Result(msgspec.json.decode(answer.body, type=kind), answer.status, answer.replayed, answer.body)


# A call without a key is nobody else's to be told of.
_NO_KEY = nullcontext()
_INSERT = Query(
    lambda insert: (
        insert(idempotency)
        .values(columns(idempotency))
        .on_conflict_do_nothing(index_elements=["account_id", "route", "key"])
    ),
    planned_once=True,
)
_WHERE = and_(
    idempotency.c.account_id == bindparam("b_account"),
    idempotency.c.route == bindparam("b_route"),
    idempotency.c.key == bindparam("b_key"),
)
_GET = Query(select(idempotency).where(_WHERE), row=CallRow, planned_once=True)
_EXPIRE = Query(delete(idempotency).where(_WHERE, idempotency.c.created_at < bindparam("before")), planned_once=True)
# What was answered first stays.
_FINISH = Query(
    update(idempotency)
    .where(_WHERE, idempotency.c.status.is_(None))
    .values(status=bindparam("status"), body=bindparam("body")),
    planned_once=True,
)
# What is asked until a key is taken.
TAKES = (_GET, _EXPIRE, _INSERT)
_PURGE = Query(
    across_accounts(
        delete(idempotency).where(idempotency.c.created_at < bindparam("before")), "retention is the installation's"
    )
)


class Idempotency:
    def __init__(self, db: Database, owner: Owner, clock: Clock, keep_ms: int) -> None:
        self._db = db
        self._owner = owner
        self._clock = clock
        self._keep_ms = keep_ms
        # Keys that calls of this process are taking or working under right now, each with its calls.
        self._running: dict[tuple[int, str, str], list[Call]] = {}

    async def look(self, tx: Tx, account_id: int, call: Call) -> CallRow | None:
        """What stands under the key, if anything; a key older than its time is forgotten on the way."""
        row = await tx.first(_GET, _name(account_id, call))
        if row is not None and self._is_over(row):
            before = self._clock.now_ms() - self._keep_ms
            await tx.run(_EXPIRE, {**_name(account_id, call), "before": before})
            return None
        return row

    def _is_over(self, row: CallRow) -> bool:
        return row["created_at"] < self._clock.now_ms() - self._keep_ms

    async def reserve(self, tx: Tx, account_id: int, call: Call, message_key: str | None = None) -> None:
        """Take the key inside the work's own transaction, after `look` found it free."""
        row = {
            "account_id": account_id,
            "route": call.route,
            "key": call.idempotency_key,
            "fingerprint": call.fingerprint,
            "message_key": message_key,
            "owner_id": self._owner.id,
            "status": None,
            "body": None,
            "created_at": self._clock.now_ms(),
        }
        if await tx.run(_INSERT, row) == 0:
            # Another process took it between our look and our insert.
            raise _in_flight()

    def finish(self, account_id: int, call: Call, answer: KeptAnswer) -> Statement:
        """The statement that stores the answer; commit it together with the outcome."""
        return _FINISH, {**_name(account_id, call), "status": answer.status, "body": answer.body.decode()}

    def at_it(self, account_id: int, call: Call) -> AbstractContextManager[None]:
        """From before the key is taken until its answer is kept: whoever finds it taken meanwhile is told to ask again."""
        key = call.idempotency_key
        return _NO_KEY if key is None else self._at_it((account_id, call.route, key), call)

    @contextmanager
    def _at_it(self, name: tuple[int, str, str], call: Call) -> Iterator[None]:
        calls = self._running.setdefault(name, [])
        calls.append(call)
        try:
            yield
        finally:
            calls[:] = [one for one in calls if one is not call]
            if not calls:
                self._running.pop(name, None)

    async def resolve(self, row: CallRow, call: Call, present: Callable[[str], Awaitable[KeptAnswer]]) -> KeptAnswer:
        """What to answer when the key was taken. `present` tells the state of an abandoned call's message."""
        if row["fingerprint"] != call.fingerprint:
            raise _reused()
        if row["status"] is not None:
            return KeptAnswer(row["status"], (row["body"] or "").encode(), replayed=True)
        if await self._is_running(row):
            raise _in_flight()
        # It may have been answered since it was looked at; and of two who answer for it, the first one counts.
        kept = await self._kept(row, call)
        if kept is None:
            answer = await present(row["message_key"] or "")
            await self._db.put(self.finish(row["account_id"], call, answer))
            kept = await self._kept(row, call) or answer
        return KeptAnswer(kept.status, kept.body, replayed=True)

    async def _kept(self, row: CallRow, call: Call) -> KeptAnswer | None:
        now = await self._db.first(_GET, _name(row["account_id"], call))
        return None if now is None or now["status"] is None else KeptAnswer(now["status"], (now["body"] or "").encode())

    async def _is_running(self, row: CallRow) -> bool:
        """Whether somebody else is at it. The one that asks is not: it has found the key taken."""
        if row["owner_id"] == self._owner.id:
            return (row["account_id"], row["route"], row["key"]) in self._running
        return not await self._owner.is_dead(row["owner_id"])

    async def once(
        self, account_id: int, call: Call, work: Callable[[Tx], Awaitable[KeptAnswer]], seal: SecretBox | None = None
    ) -> KeptAnswer:
        """Work that is one transaction: the key, the work and the answer are committed together.

        An answer that holds a secret is kept sealed: give the box that seals it.
        """
        if call.idempotency_key is None:
            return await self._db.write(work)

        async def unit(tx: Tx) -> KeptAnswer | CallRow:
            taken = await self.look(tx, account_id, call)
            if taken is not None:
                return taken
            await self.reserve(tx, account_id, call)
            answer = await work(tx)
            query, params = self.finish(account_id, call, _sealed(answer, seal))
            await tx.run(query, params)
            return answer

        result = await self._db.write(unit)
        if isinstance(result, KeptAnswer):
            return result
        return _opened(await self.resolve(result, call, _no_message), seal)

    async def once_for(
        self,
        kind: type[T],
        account_id: int,
        call: Call,
        work: Callable[[Tx], Awaitable[Result[T]]],
        seal: SecretBox | None = None,
    ) -> Result[T]:
        """`once` for work that answers with a value of the kind."""
        if call.idempotency_key is None:
            return await self._db.write(work)
        made: list[Result[T]] = []

        async def encoded(tx: Tx) -> KeptAnswer:
            # A unit may run twice; what counts is what the last one made.
            made[:] = [await work(tx)]
            return made[0].encoded()

        answer = await self.once(account_id, call, encoded, seal)
        return read_result(answer, kind) if answer.replayed else made[0]

    async def after_for(
        self, kind: type[T], account_id: int, call: Call, effect: Callable[[], Awaitable[Result[T]]]
    ) -> Result[T]:
        """`after` for an effect that answers with a value of the kind."""
        if call.idempotency_key is None:
            return await effect()
        made: list[Result[T]] = []

        async def encoded() -> KeptAnswer:
            made.append(await effect())
            return made[0].encoded()

        answer = await self.after(account_id, call, encoded)
        return read_result(answer, kind) if answer.replayed else made[0]

    async def after(self, account_id: int, call: Call, effect: Callable[[], Awaitable[KeptAnswer]]) -> KeptAnswer:
        """An effect outside the store that may safely happen twice: its answer is kept once it has happened.

        Nothing is stored before, so a crash leaves no key behind that nobody can answer for.
        """
        if call.idempotency_key is None:
            return await effect()
        earlier = await self.earlier(account_id, call)
        if earlier is not None:
            return earlier
        running = self._running.get((account_id, call.route, call.idempotency_key))
        if running is not None:
            raise _reused() if running[0].fingerprint != call.fingerprint else _in_flight()
        with self.at_it(account_id, call):
            answer = await effect()
            await self._db.write(lambda tx: self._keep(tx, account_id, call, answer))
        return answer

    async def earlier(self, account_id: int, call: Call) -> KeptAnswer | None:
        """The finished answer under the call's key, if there is one."""
        row = await self.taken(account_id, call)
        if row is None or (row["status"] is None and row["fingerprint"] == call.fingerprint):
            return None
        return await self.resolve(row, call, _no_message)

    async def earlier_for(self, kind: type[T], account_id: int, call: Call) -> Result[T] | None:
        """`earlier` for an answer that is a value of the kind."""
        answer = await self.earlier(account_id, call)
        return None if answer is None else read_result(answer, kind)

    async def taken(self, account_id: int, call: Call) -> CallRow | None:
        """What stands under the call's key, looked at before any work: a replay costs this one look, and no more.

        That the key is free now is no promise: the work's own transaction looks again.
        """
        if call.idempotency_key is None:
            return None
        row = await self._db.first(_GET, _name(account_id, call))
        return None if row is None or self._is_over(row) else row

    async def _keep(self, tx: Tx, account_id: int, call: Call, answer: KeptAnswer) -> None:
        # Another process may have done the same in the meantime; its answer is as good as ours.
        if await self.look(tx, account_id, call) is None:
            await self.reserve(tx, account_id, call)
            query, params = self.finish(account_id, call, answer)
            await tx.run(query, params)

    async def purge(self) -> None:
        await _forget(self._db, self._clock.now_ms() - self._keep_ms)


async def _forget(db: Database, before_ms: int) -> int:
    await db.put((_PURGE, {"before": before_ms}))
    return 0


PURGE = Purge("", lambda settings: int(settings.idempotency_h * HOUR_MS), _forget)


def _name(account_id: int, call: Call) -> dict[str, Any]:
    return {"b_account": account_id, "b_route": call.route, "b_key": call.idempotency_key}


async def _no_message(_key: str) -> KeptAnswer:
    raise Conflict("The first request with this key did not finish. Use a new key.", code="state_conflict")


def _sealed(answer: KeptAnswer, box: SecretBox | None) -> KeptAnswer:
    return answer if box is None else KeptAnswer(answer.status, box.seal(answer.body.decode()).encode())


def _opened(answer: KeptAnswer, box: SecretBox | None) -> KeptAnswer:
    if box is None:
        return answer
    try:
        body = box.open(answer.body.decode())
    except Misconfigured:
        raise Conflict("The secret key has changed since the first request with this key. Use a new key.") from None
    return KeptAnswer(answer.status, body.encode(), answer.replayed)


def _reused() -> Invalid:
    return Invalid.field(
        "Idempotency-Key",
        "idempotency_key_reused",
        "This Idempotency-Key was used with another body. Use a new key for a new request.",
    )


def _in_flight() -> Conflict:
    return Conflict(
        "The first request with this Idempotency-Key is still running. Ask again in a second.",
        code="idempotency_in_flight",
        retry_after_s=1,
    )
