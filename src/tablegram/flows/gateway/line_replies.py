"""The automatic replies of a line, as the API manages them."""

from __future__ import annotations

from typing import Literal, Required, TypedDict

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.auto_replies import (
    COOLDOWNS_S,
    MAX_PER_LINE,
    Closed,
    Greeting,
    Keywords,
    Kind,
    Replies,
    Reply,
    read,
    rule_of,
    write,
)
from tablegram.crm.store import auto_replies as store
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing
from tablegram.flows.gateway.answers.auto_replies import AutoReplyPage, AutoReplyView
from tablegram.flows.wire import DayFields, DayOffFields, days_of, days_off_of, picked
from tablegram.messaging.instances import Instances
from tablegram.storage.database import Database, Params, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, following
from tablegram.values.ids import new_id


class ReplyFields(TypedDict, total=False):
    """What may be changed of a reply; the last six belong to one kind each."""

    message: str
    enabled: bool
    cooldown_s: int
    after_days: int | None
    keywords: list[str]
    match: Literal["whole", "word"]
    follows_venue: bool
    time_zone: str
    hours: list[DayFields]
    exceptions: list[DayOffFields]


class NewReplyFields(TypedDict, total=False):
    """A new reply. What is null is as good as not said."""

    kind: Required[Kind]
    message: Required[str]
    enabled: bool | None
    cooldown_s: int | None
    after_days: int | None
    keywords: list[str] | None
    match: Literal["whole", "word"] | None
    follows_venue: bool | None
    time_zone: str | None
    hours: list[DayFields] | None
    exceptions: list[DayOffFields] | None


class LineReplies:
    def __init__(
        self,
        db: Database,
        instances: Instances,
        replies: Replies,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
    ) -> None:
        self._audit = audit
        self._db = db
        self._instances = instances
        self._replies = replies
        self._idempotency = idempotency
        self._clock = clock

    async def create(
        self, caller: Caller, instance_id: int, fields: NewReplyFields, call: Call
    ) -> Result[AutoReplyView]:
        await self._check_line(caller, instance_id)
        kind, enabled, cooldown_s = fields["kind"], fields.get("enabled"), fields.get("cooldown_s")
        rule = rule_of(kind, {name: value for name, value in fields.items() if value is not None}, {})
        await self._check_venue(caller, instance_id, kind, bool(fields.get("follows_venue")))
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        reply = Reply(
            caller.account_id, new_id(), instance_id, enabled is not False, fields["message"],
            COOLDOWNS_S[kind] if cooldown_s is None else cooldown_s, rule, now,
        )  # fmt: skip

        async def work(tx: Tx) -> Result[AutoReplyView]:
            line = {"b_account": caller.account_id, "b_instance": instance_id}
            row = await tx.first(store.COUNT, line)
            if row is not None and row["n"] >= MAX_PER_LINE:
                raise Conflict(f"A line has at most {MAX_PER_LINE} automatic replies. Delete one first.")
            await tx.run(store.INSERT, write(reply))
            await acting.note(tx, "auto_reply.created", "auto_reply", reply.id, {"line": instance_id, "kind": kind})
            return Result(_view(reply), 201)

        answer = await self._idempotency.once_for(AutoReplyView, caller.account_id, call, work)
        await self._replies.reload(caller.account_id)
        return answer

    async def page(self, caller: Caller, instance_id: int, limit: int, cursor: str | None) -> AutoReplyPage:
        await self._check_line(caller, instance_id)
        after = "" if cursor is None else decode_cursor(cursor)
        line = {"b_account": caller.account_id, "b_instance": instance_id}
        rows = await self._db.all(store.PAGE, {**line, "after": after, "most": limit + 1})
        return AutoReplyPage(data=[_view(read(row)) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def get(self, caller: Caller, instance_id: int, reply_id: str) -> AutoReplyView:
        await self._check_line(caller, instance_id)
        return _view(await self._db.snapshot(lambda tx: _find(tx, caller, instance_id, reply_id)))

    async def update(self, caller: Caller, instance_id: int, reply_id: str, fields: ReplyFields) -> AutoReplyView:
        """Change what is given and leave the rest; its kind stays."""
        await self._check_line(caller, instance_id)
        if fields.get("follows_venue"):
            before = await self._db.snapshot(lambda tx: _find(tx, caller, instance_id, reply_id))
            await self._check_venue(caller, instance_id, before.kind, follows=True)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Reply:
            old = await _find(tx, caller, instance_id, reply_id)
            plain = picked(fields, "enabled", "message", "cooldown_s")
            rule = rule_of(old.kind, fields, msgspec.to_builtins(old.rule))
            fresh = msgspec.structs.replace(old, rule=rule, **plain)
            await tx.run(store.UPDATE, {**_which(caller, instance_id, reply_id), **write(fresh)})
            told = {"line": instance_id, "fields": sorted(fields)}
            await acting.note(tx, "auto_reply.changed", "auto_reply", reply_id, told)
            return fresh

        changed = await self._db.write(work)
        await self._replies.reload(caller.account_id)
        return _view(changed)

    async def delete(self, caller: Caller, instance_id: int, reply_id: str) -> None:
        await self._check_line(caller, instance_id)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            await _find(tx, caller, instance_id, reply_id)
            await tx.run(store.DELETE, _which(caller, instance_id, reply_id))
            await tx.run(store.FORGET_REPLY, {"b_account": caller.account_id, "b_id": reply_id})
            await acting.note(tx, "auto_reply.deleted", "auto_reply", reply_id, {"line": instance_id})

        await self._db.write(work)
        await self._replies.reload(caller.account_id)

    async def _check_venue(self, caller: Caller, instance_id: int, kind: Kind, follows: bool) -> None:
        if kind != "closed" or not follows:
            return
        if instance_id not in await self._replies.hours_of_lines(caller.account_id):
            raise Invalid.field(
                "follows_venue",
                "venue_without_hours",
                "No venue with opening hours takes orders on this line. Enter the venue's hours, or give time_zone and hours.",
            )

    async def _check_line(self, caller: Caller, instance_id: int) -> None:
        caller.require("instances:manage")
        instance = await self._instances.get(caller.account_id, instance_id)
        if caller.mode == "test" and instance.kind != "sandbox":
            raise ScopeMissing("A test key can only reach sandbox lines.", code="test_key")


async def _find(tx: Tx, caller: Caller, instance_id: int, reply_id: str) -> Reply:
    row = await tx.first(store.GET, _which(caller, instance_id, reply_id))
    if row is None:
        raise NotFound("This line has no such automatic reply.", code="auto_reply_unknown")
    return read(row)


def _which(caller: Caller, instance_id: int, reply_id: str) -> Params:
    return {"b_account": caller.account_id, "b_instance": instance_id, "b_id": reply_id}


def _view(reply: Reply) -> AutoReplyView:
    rule = reply.rule
    own = rule if isinstance(rule, Closed) and not rule.follows_venue else None
    return AutoReplyView(
        id=reply.id,
        instance_id=reply.instance_id,
        kind=reply.kind,
        enabled=reply.enabled,
        message=reply.message,
        cooldown_s=reply.cooldown_s,
        created_at=iso(reply.created_at) or "",
        after_days=rule.after_days if isinstance(rule, Greeting) else None,
        keywords=rule.keywords if isinstance(rule, Keywords) else None,
        match=rule.match if isinstance(rule, Keywords) else None,
        follows_venue=rule.follows_venue if isinstance(rule, Closed) else None,
        time_zone=None if own is None else own.time_zone,
        hours=None if own is None else days_of(own.hours),
        exceptions=None if own is None else days_off_of(own.exceptions),
    )
