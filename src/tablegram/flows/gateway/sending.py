"""A send, from the caller's request to the four fields of its answer.

    price and line → committed (message, quota, idempotency key: one transaction) → the line is asked
    → its answer is committed → the caller is answered

What cannot go at once stays queued, and the line's drain takes it from there.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.engine import crash_points
from tablegram.engine.courtesy import COURTESY, MOMENT_S
from tablegram.engine.idempotency import TAKES, Call, Idempotency, KeptAnswer, Result
from tablegram.engine.leases import Lease
from tablegram.engine.owners import Owner
from tablegram.engine.rows import CallRow
from tablegram.engine.timers import Tasks
from tablegram.errors import Problem
from tablegram.flows.files.attachments import take_along
from tablegram.flows.gateway import refusals
from tablegram.flows.gateway.answers.sends import BatchAnswer, BatchEntry, SendAnswer
from tablegram.flows.gateway.handing.drafts import Draft, Handed, MakeDraft, MakeDrafts
from tablegram.flows.gateway.refusals import SendRefusal
from tablegram.messaging.model import BULK, Media, Outbound, Stored, category_of
from tablegram.messaging.records.views import message_id, usd
from tablegram.messaging.rows.messages import NewSend, Priced
from tablegram.messaging.store import messages as store
from tablegram.messaging.store import turns
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.transmission.draining import Drains
from tablegram.messaging.transmission.outcomes import Attempt, Conclusion, Outcomes
from tablegram.messaging.transmission.returning import claims_of
from tablegram.settings import Settings
from tablegram.storage.database import Database, Statement, Tx
from tablegram.values.clock import HOUR_MS, Clock
from tablegram.values.ids import gateway_id, new_id
from tablegram.values.phone import calling_code
from tablegram.values.watching import trail
from tablegram.web.problems import field_problems

__all__ = ["Call", "Draft", "KeptAnswer", "MakeDraft", "MakeDrafts", "Sending"]

_ENCODER = msgspec.json.Encoder()
# What is asked to store a message that nothing is paid for, and that no file goes along with.
_PLAIN = (store.INSERT, turns.INSERT_IN_TURN, *TAKES)
T = TypeVar("T")

# Nothing where nobody could be asked: then it is queued for whoever has the line.
Hand = Callable[[LiveLine, Handed], Awaitable[Result[SendAnswer] | None]]

# One message of a batch: ready to be stored with its line, or the reason why not.
_Entry = tuple[LiveLine, NewSend, Draft] | Problem


class Sending:
    def __init__(
        self,
        db: Database,
        switchboard: Switchboard,
        drains: Drains,
        outcomes: Outcomes,
        owner: Owner,
        idempotency: Idempotency,
        card: RateCard,
        clock: Clock,
        settings: Settings,
        tasks: Tasks,
    ) -> None:
        self._db = db
        self._switchboard = switchboard
        self._drains = drains
        self._outcomes = outcomes
        self._owner = owner
        self._idempotency = idempotency
        self._card = card
        self._clock = clock
        self._budget_s = settings.send_budget_s
        self._max_age_ms = int(settings.queue_max_age_h * HOUR_MS)
        self._tasks = tasks
        # Hands a message to the process of this machine that has its line (`colleagues`).
        self.hand: Hand | None = None

    async def earlier(self, caller: Caller, call: Call) -> Result[SendAnswer] | None:
        """What was answered to this call before, for who must look at something costly or fleeting first."""
        return await self._earlier(SendAnswer, caller, call)

    async def _earlier(self, kind: type[T], caller: Caller, call: Call) -> Result[T] | None:
        caller.require("messages:send")
        answer = await self._idempotency.earlier(caller.account_id, call)
        return None if answer is None else refusals.read(answer, kind)

    async def send(self, caller: Caller, draft: Draft | MakeDraft, call: Call) -> Result[SendAnswer]:
        """Accept one message and, if its line is free, send it. Raises a `Problem` for every other end."""
        caller.require("messages:send")
        if call.idempotency_key is not None:
            taken = await self._idempotency.taken(caller.account_id, call)
            if taken is not None:
                return await self._replay(caller, taken, call)
        if not isinstance(draft, Draft):
            draft = await draft()
        line = await self._switchboard.resolve(caller.account_id, draft.instance_id, sandbox_only=caller.mode == "test")
        lease = await self._may_go_now(line, draft, call)
        handed = Handed(new_id(self._clock.now_ms()), caller, draft, call)
        # Another process has the line; if that is on this machine, it is as if it had been called.
        told = await self.hand(line, handed) if line.lease is None and self.hand and handed.is_whole else None
        return told or await self._send_here(handed, line, lease)

    async def take(self, handed: Handed) -> Result[SendAnswer] | None:
        """Send for another process of this machine, as if it had been called here; nothing where the line is not here."""
        caller, draft = handed.caller, handed.draft
        line = await self._switchboard.resolve(caller.account_id, draft.instance_id, sandbox_only=caller.mode == "test")
        lease = await self._may_go_now(line, draft, handed.call)
        if line.lease is None or self._drains.is_leaving:
            return None
        return await self._send_here(handed, line, lease)

    async def _send_here(self, handed: Handed, line: LiveLine, lease: Lease | None) -> Result[SendAnswer]:
        caller, draft, call = handed.caller, handed.draft, handed.call
        if draft.priority < BULK:
            COURTESY.passing(MOMENT_S)
        row = self._row(caller, draft, line, call.request_id, handed.key, inline=lease is not None)
        waits = lease is None and draft.send_at_ms is None
        if waits:
            # Noted before it is stored, so that the drain cannot be done with it before it is noted.
            line.note_queued(row["id"], draft.phone, draft.priority)
        # From before the commit on: whoever finds the key taken must not think that nobody is at it.
        with self._idempotency.at_it(caller.account_id, call):
            taken = await self._stored(caller, call, row, draft, line, noted=waits)
            if taken is None:
                return await self._run(caller, draft, call, line, row, lease)
        line.queued.gone(row["id"])
        return await self._replay(caller, taken, call)

    async def _stored(
        self, caller: Caller, call: Call, row: NewSend, draft: Draft, line: LiveLine, *, noted: bool
    ) -> CallRow | None:
        """As `_accept`; a line that has the message noted as queued is told what became of it."""
        crash_points.reach("accept.before_commit")
        try:
            taken = await self._accept(caller, call, row, draft)
        except BaseException as error:
            self._drains.returning.left(error, line, claims_of(row))
            if noted:
                line.queued.gone(row["id"])
            raise
        crash_points.reach("accept.committed")
        if taken is None:
            trail.step("message accepted", row["trace"], row["id"], line=row["instance_id"])
        if noted:
            line.queued.stored(row["id"])
        return taken

    async def _may_go_now(self, line: LiveLine, draft: Draft, call: Call) -> Lease | None:
        """The line's lease, if the message is to be sent at once under it."""
        if call.respond_async or draft.send_at_ms is not None:
            return None
        lease = line.lease
        if lease is None or not lease.is_sure():
            lease = await self._drains.lease_of(line)
        now = time.monotonic()
        if lease is None or not line.may_send_now(draft.phone, now):
            return None
        line.take(draft.phone, now)
        return lease

    async def _run(
        self, caller: Caller, draft: Draft, call: Call, line: LiveLine, row: NewSend, lease: Lease | None
    ) -> Result[SendAnswer]:
        # The drain may have taken up meanwhile what another process stored before.
        if lease is not None and lease.is_sure() and not row["overtakes"] and not line.is_busy(draft.phone):
            return await self._transmit(caller, draft, call, line, row, lease)
        if lease is not None:
            # Somebody stands before it; or this process hung since it committed the message, and has the line no more.
            await self._drains.returning.give_back(line, claims_of(row))
        if draft.send_at_ms is None:
            line.backlog = True
        self._drains.wake(line)
        answer = queued(row)
        if call.idempotency_key is not None:
            await self._db.put(*self._finish(caller, call, answer))
        return Result(answer)

    async def _accept(self, caller: Caller, call: Call, row: NewSend, draft: Draft) -> CallRow | None:
        """Commit the message. Returns what stands under the idempotency key if it was used before."""
        if call.idempotency_key is None and not caller.prepaid and not draft.media_id:
            if row["claimed_by"] is None or not self._db.is_shared:
                await self._db.put((store.INSERT, row))
            else:
                row["overtakes"] = (await self._db.tell(turns.INSERT_IN_TURN, row))["overtakes"]
            return None

        async def unit(tx: Tx) -> CallRow | None:
            if call.idempotency_key is not None:
                taken = await self._idempotency.look(tx, caller.account_id, call)
                if taken is not None:
                    return taken
            await self._insert(tx, caller, row, draft)
            if call.idempotency_key is not None:
                await self._idempotency.reserve(tx, caller.account_id, call, row["id"])
            return None

        is_plain = not caller.prepaid and not draft.media_id
        return await self._db.write(unit, asks=_PLAIN if is_plain else ())

    async def _insert(self, tx: Tx, caller: Caller, row: NewSend, draft: Draft) -> None:
        """Charge and store one message; one that cannot be paid raises and leaves nothing behind."""
        shares = draft.shares_media
        files = await take_along(tx, draft.media_id, row, shared=shares) if draft.media_id else []
        row["cost_micros"] = await quota.charge(
            tx, caller.account_id, row["id"], row["price_micros"], row["created_at"], caller.prepaid
        )
        if row["claimed_by"] is None or not self._db.is_shared:
            await tx.run(store.INSERT, row)
        else:
            for told in await tx.all(turns.INSERT_IN_TURN, row):
                row["overtakes"] = told["overtakes"]
        for query, params in files:
            await tx.run(query, params)

    def _row(
        self, caller: Caller, draft: Draft, line: LiveLine, request_id: str, key: str = "", *, inline: bool
    ) -> NewSend:
        now = self._clock.now_ms()
        category = category_of(draft.content)
        price = self._card.price_micros(line.instance.kind, calling_code(draft.phone), category, now)
        starts = max(now, draft.send_at_ms or now)
        return {
            "account_id": caller.account_id,
            "id": key or new_id(now),
            "instance_id": line.instance.id,
            "direction": "out",
            "phone": draft.phone,
            "type": draft.type,
            "text": draft.text,
            "content": _ENCODER.encode(Stored(draft.content, draft.reply_to)).decode(),
            "state": "queued",
            "priority": draft.priority,
            "due_at": None if inline else starts,
            "expires_at": starts + self._max_age_ms,
            "claimed_by": self._owner.id if inline else None,
            "claimed_at": now if inline else None,
            "category": category,
            "cost_micros": price,
            "price_micros": price,
            "overtakes": False,
            "created_at": now,
            "sent_by": caller.author,
            "trace": request_id or None,
        }

    async def _transmit(
        self, caller: Caller, draft: Draft, call: Call, line: LiveLine, row: NewSend, lease: Lease
    ) -> Result[SendAnswer]:
        message = Outbound(gateway_id(row["id"]), draft.phone, draft.content, draft.reply_to)
        if isinstance(draft.content, Media) and not draft.content.by_link:
            return await self._transmit_slowly(caller, call, line, row, message, lease)
        outcome = await line.ask(message, lease.is_sure)
        crash_points.reach("transmit.answered")
        attempt = _attempt(row)
        return await self._conclude(caller, call, line, row, attempt, self._outcomes.conclude(line, attempt, outcome))

    async def _transmit_slowly(
        self, caller: Caller, call: Call, line: LiveLine, row: NewSend, message: Outbound, lease: Lease
    ) -> Result[SendAnswer]:
        """A file has to be uploaded first: nobody waits longer than the budget, and the upload goes on."""

        async def upload() -> Conclusion:
            outcome = await line.ask(message, lease.is_sure)
            conclusion = self._outcomes.conclude(line, _attempt(row), outcome)
            await self._drains.commit(line, _attempt(row), conclusion, tell=line.instance.id)
            return conclusion

        task = self._tasks.spawn(f"upload {row['id']}", upload())
        done, _ = await asyncio.wait({task}, timeout=self._budget_s)
        told = _told(row, task.result()) if done else queued(row)
        await self._db.put(*self._finish(caller, call, told))
        return refusals.result(told)

    async def _conclude(
        self, caller: Caller, call: Call, line: LiveLine, row: NewSend, attempt: Attempt, conclusion: Conclusion
    ) -> Result[SendAnswer]:
        told = _told(row, conclusion)
        finish = self._finish(caller, call, told) if call.idempotency_key is not None else ()
        await self._drains.commit(line, attempt, conclusion, finish)
        crash_points.reach("outcome.committed")
        if conclusion.state == "queued":
            self._drains.wake(line)
        return refusals.result(told)

    def _finish(self, caller: Caller, call: Call, told: SendAnswer | SendRefusal) -> tuple[Statement, ...]:
        """What stores the answer under the call's key, if it has one."""
        if call.idempotency_key is None:
            return ()
        return (self._idempotency.finish(caller.account_id, call, refusals.kept(told)),)

    async def _replay(self, caller: Caller, taken: CallRow, call: Call) -> Result[SendAnswer]:
        async def present(message_key: str) -> KeptAnswer:
            row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": message_key})
            assert row is not None, "a key and its message are committed together"
            if row["state"] == "failed":
                return refusals.kept(
                    SendRefusal(row["error_code"] or "", row["error_detail"] or "", row["error_network_code"])
                )
            return refusals.kept(_answer(message_id(row), row["state"], row["cost_micros"]))

        return refusals.read(await self._idempotency.resolve(taken, call, present), SendAnswer)

    async def send_batch(
        self, caller: Caller, drafts: Sequence[Draft | Problem] | MakeDrafts, call: Call
    ) -> Result[BatchAnswer]:
        """Accept many at once. All that are good are committed together and go out by themselves."""
        earlier = await self._earlier(BatchAnswer, caller, call)
        if earlier is not None:
            return earlier
        rows: list[_Entry] = []
        for draft in await drafts() if callable(drafts) else drafts:
            rows.append(draft if isinstance(draft, Problem) else await self._batch_row(caller, draft, call.request_id))

        async def work(tx: Tx) -> Result[BatchAnswer]:
            entries = []
            for index, entry in enumerate(rows):
                entries.append(_batch_entry(index, await self._accept_entry(tx, caller, entry)))
            return Result(BatchAnswer(data=entries))

        accepted = [entry for entry in rows if not isinstance(entry, Problem)]
        for line, row, _ in accepted:
            line.note_queued(row["id"], row["phone"], row["priority"])
        try:
            answer = await self._idempotency.once_for(BatchAnswer, caller.account_id, call, work)
        finally:
            # Should some of them not be stored after all, the notes go with the drain's next look.
            for line, row, _ in accepted:
                line.queued.stored(row["id"])
        for line, row, _ in accepted:
            trail.step("message accepted", row["trace"], row["id"], line=row["instance_id"])
            line.backlog = True
            self._drains.wake(line)
        return answer

    async def _accept_entry(self, tx: Tx, caller: Caller, entry: _Entry) -> _Entry:
        if not isinstance(entry, Problem):
            try:
                await self._insert(tx, caller, entry[1], entry[2])
            except Problem as problem:
                return problem
        return entry

    async def _batch_row(self, caller: Caller, draft: Draft, request_id: str) -> _Entry:
        try:
            line = await self._switchboard.resolve(
                caller.account_id, draft.instance_id, sandbox_only=caller.mode == "test"
            )
        except Problem as problem:
            return problem
        return line, self._row(caller, draft, line, request_id, inline=False), draft


def _attempt(row: NewSend) -> Attempt:
    return Attempt(row["account_id"], row["id"], row["phone"], 0, row["expires_at"], row["trace"])


def _answer(message_id: str, status_code: str, cost_micros: int) -> SendAnswer:
    return SendAnswer(status="success", message_id=message_id, status_code=status_code, cost_usd=usd(cost_micros))


def queued(row: Priced) -> SendAnswer:
    return _answer(gateway_id(row["id"]), "queued", row["cost_micros"])


def _told(row: NewSend, conclusion: Conclusion) -> SendAnswer | SendRefusal:
    if conclusion.state == "sent":
        return _answer(conclusion.network_id, "sent", row["cost_micros"])
    if conclusion.state == "failed":
        return SendRefusal(conclusion.code, conclusion.detail, conclusion.network_code)
    return queued(row)


def _batch_entry(index: int, entry: _Entry) -> BatchEntry:
    if isinstance(entry, Problem):
        errors = field_problems(entry.errors)
        return BatchEntry(index=index, status="error", code=entry.code, detail=entry.detail, errors=errors)
    sent = queued(entry[1])
    return BatchEntry(
        index=index,
        status="success",
        message_id=sent.message_id,
        status_code=sent.status_code,
        cost_usd=sent.cost_usd,
    )
