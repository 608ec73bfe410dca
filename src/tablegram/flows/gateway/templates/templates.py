"""An account's templates: the network has them, the store knows them.

Whoever lists them asks the network; news of the network keeps the store up to date in between. Whatever changes one is
done by the network first and kept then: a crash in between loses nothing that the next look does not bring back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, Unavailable, no_such
from tablegram.flows.files.attachments import Attachments
from tablegram.flows.gateway import refusals
from tablegram.flows.gateway.answers.templates import TemplatePage, TemplateSync, TemplateView, show
from tablegram.flows.gateway.refusals import SendRefusal
from tablegram.messaging.model import Media
from tablegram.messaging.ports import (
    Accepted,
    Delayed,
    LineUnreachable,
    NetworkRefused,
    NetworkTemplate,
    TemplateCalls,
    Unknown,
)
from tablegram.messaging.rows.lines import TemplateRow
from tablegram.messaging.store import templates as store
from tablegram.messaging.switchboard import LiveLine, Switchboard
from tablegram.messaging.templates import keeping
from tablegram.messaging.templates.checking import check
from tablegram.messaging.templates.components import build, is_named, read, says_the_same
from tablegram.messaging.templates.model import MEDIA_FORMATS, DraftFields, TemplateDraft
from tablegram.storage.database import Database, Params, Tx
from tablegram.values import Json
from tablegram.values.clock import Clock
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.folding import fold

READ, MANAGE = "messages:read", "instances:manage"
# Both who write messages and who tend the lines see what there is.
LOOK = (READ, MANAGE)
RETRY_S = 5

_encode = msgspec.json.Encoder().encode


class Templates:
    def __init__(
        self,
        db: Database,
        switchboard: Switchboard,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        attachments: Attachments,
        changed: Callable[[int], None],
    ) -> None:
        self._db = db
        self._switchboard = switchboard
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._attachments = attachments
        # Told of an account whose templates are not what they were.
        self._changed = changed

    async def page(
        self,
        caller: Caller,
        instance_id: int | None,
        limit: int,
        cursor: str | None,
        *,
        status: str | None = None,
        language: str | None = None,
        q: str | None = None,
    ) -> TemplatePage:
        """The line's templates. The first page asks the network; the others go on with what it said."""
        caller.require(*LOOK)
        line = await self._line(caller, instance_id)
        rows = await self._refresh(line) if cursor is None else await self._rows(line)
        after = "" if cursor is None else decode_cursor(cursor)
        found = [row for row in ordered(rows) if _place(row) > after and fits(row, status, language, q)]
        return TemplatePage(
            data=[show(row) for row in found[:limit]],
            next_cursor=encode_cursor(_place(found[limit - 1])) if len(found) > limit else None,
        )

    async def known(self, caller: Caller, instance_id: int | None = None) -> list[TemplateView]:
        """What the store knows, of one line or of all, without asking anybody."""
        caller.require(*LOOK)
        rows = await self._db.all(store.ALL, {"b_account": caller.account_id})
        reach = await self._reach(caller)
        mine = [row for row in rows if row["instance_id"] in reach and row["id"]]
        return [show(row) for row in ordered(mine) if instance_id in (None, row["instance_id"])]

    async def get(self, caller: Caller, template_id: str) -> TemplateView:
        caller.require(*LOOK)
        return show(await self._find(caller, template_id))

    async def why_not_editable(self, caller: Caller, template_id: str) -> str:
        """The code of what keeps it from being edited now; nothing when the network would look at a change."""
        caller.require(*LOOK)
        trouble = keeping.why_not_editable(await self._find(caller, template_id), self._clock.now_ms())
        return "" if trouble is None else trouble[0]

    async def sync(self, caller: Caller, instance_id: int | None, call: Call) -> Result[TemplateSync]:
        """Ask the network for all of a line's templates now."""
        caller.require(*LOOK)

        async def effect() -> Result[TemplateSync]:
            line = await self._line(caller, instance_id)
            before = {_place(row): _told(row) for row in await self._rows(line)}
            now = {_place(row): _told(row) for row in await self._refresh(line)}
            told = TemplateSync(
                instance_id=line.instance.id,
                templates=len(now),
                added=len(now.keys() - before.keys()),
                changed=sum(1 for place in now.keys() & before.keys() if now[place] != before[place]),
                removed=len(before.keys() - now.keys()),
            )
            return Result(told)

        return await self._idempotency.after_for(TemplateSync, caller.account_id, call, effect)

    async def renew(self, account_id: int, instance_id: int) -> None:
        """Ask the network for a line's templates, for what the product itself is about to do with them."""
        await self._refresh(await self._switchboard.resolve(account_id, instance_id, sandbox_only=False))

    async def create(
        self, caller: Caller, instance_id: int | None, draft: TemplateDraft, call: Call
    ) -> Result[TemplateView]:
        """Hand a new template over to the network, which looks at it in its own time."""
        caller.require(MANAGE)
        return await refusals.after(
            self._idempotency, TemplateView, caller.account_id, call, lambda: self._create(caller, instance_id, draft)
        )

    async def _create(
        self, caller: Caller, instance_id: int | None, draft: TemplateDraft
    ) -> Result[TemplateView] | SendRefusal:
        check(draft)
        line, calls = await self._desk(caller, instance_id)
        components = await self._components(caller, calls, draft)
        told = await calls.create(draft.name, draft.language, draft.category, components, is_named=_has_names(draft))
        if isinstance(told, NetworkRefused) and told.code == "template_exists":
            told = await self._twin(line, draft, components) or told
        if isinstance(told, NetworkRefused):
            return SendRefusal(told.code, told.detail, told.network_code)
        if not isinstance(told, NetworkTemplate):
            raise _not_now(told)
        row = keeping.row_of(caller.account_id, line.instance.id, told, self._clock.now_ms())
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> TemplateRow:
            await tx.run(store.KEEP, row)
            kept = await tx.first(store.NAMED, _named(row))
            assert kept is not None
            detail = {"name": row["name"], "language": row["language"], "line": line.instance.id}
            await acting.note(tx, "template.created", "template", kept["id"], detail)
            return kept

        kept = await self._db.write(work)
        self._changed(caller.account_id)
        return Result(show(kept), 201)

    async def _twin(self, line: LiveLine, draft: TemplateDraft, components: list[Json]) -> NetworkTemplate | None:
        """Our own template, where the network's answer to it was lost: it is there and says the same."""
        for row in await self._refresh(line):
            if (row["name"], row["language"]) != (draft.name, draft.language):
                continue
            there = msgspec.json.decode(row["components"])
            if says_the_same(there, components):
                return NetworkTemplate(
                    row["name"], row["language"], row["status"], row["category"], there, row["network_id"],
                    row["quality"], row["reason"],
                )  # fmt: skip
        return None

    async def update(self, caller: Caller, template_id: str, fields: DraftFields) -> TemplateView:
        """Change what is given, leave the rest, and hand it over to be looked at again."""
        caller.require(MANAGE)
        row = await self._find(caller, template_id)
        line, calls = await self._desk(caller, row["instance_id"])
        row = await self._complete(line, row)
        before = read(row["name"], row["language"], row["category"], msgspec.json.decode(row["components"]))
        draft = msgspec.structs.replace(before, **fields)
        now = self._clock.now_ms()
        if trouble := keeping.why_not_editable(row, now):
            raise Conflict(trouble[1], code=trouble[0])
        if row["status"] == "APPROVED" and draft.category != before.category:
            words = "The category of an approved template stays as it is. Create another one for the other category."
            raise Conflict(words, code="template_category_fixed")
        check(draft)
        components = await self._components(caller, calls, draft)
        category = draft.category if draft.category != before.category else ""
        told = await calls.edit(row["network_id"], category, components)
        if isinstance(told, NetworkRefused):
            raise refusals.refused(SendRefusal(told.code, told.detail, told.network_code))
        if not isinstance(told, Accepted):
            raise _not_now(told)
        edits = keeping.recent_edits(row, now) + ([now] if row["status"] == "APPROVED" else [])
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> TemplateRow:
            change = {
                "new_status": "PENDING",
                "new_category": draft.category.upper(),
                "new_components": _encode(components).decode(),
                "new_edits": _encode(edits).decode(),
                "new_told_at": max(row["told_at"], now - keeping.SKEW_MS),
                "now": now,
            }
            await tx.run(store.EDIT, {"b_account": caller.account_id, "b_id": row["id"], **change})
            detail = {"name": row["name"], "language": row["language"], "line": row["instance_id"]}
            await acting.note(tx, "template.changed", "template", row["id"], detail)
            kept = await tx.first(store.GET, {"b_account": caller.account_id, "b_id": row["id"]})
            if kept is None:
                raise _missing()
            return kept

        kept = await self._db.write(work)
        self._changed(caller.account_id)
        return show(kept)

    async def delete(self, caller: Caller, template_id: str) -> None:
        """Take one language of a template away, here and on the network."""
        caller.require(MANAGE)
        row = await self._find(caller, template_id)
        line, calls = await self._desk(caller, row["instance_id"])
        row = await self._complete(line, row)
        told = await calls.delete(row["network_id"], row["name"])
        if isinstance(told, NetworkRefused):
            raise refusals.refused(SendRefusal(told.code, told.detail, told.network_code))
        if not isinstance(told, Accepted):
            raise _not_now(told)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            await tx.run(store.DELETE, {"b_account": caller.account_id, "b_id": row["id"]})
            detail = {"name": row["name"], "language": row["language"], "line": row["instance_id"]}
            await acting.note(tx, "template.deleted", "template", row["id"], detail)

        await self._db.write(work)
        self._changed(caller.account_id)

    async def _components(self, caller: Caller, calls: TemplateCalls, draft: TemplateDraft) -> list[Json]:
        """For the network, which wants to see a file where the header is one."""
        if draft.header is None or draft.header.format not in MEDIA_FORMATS:
            return build(draft)
        handle = await calls.upload_sample(await self._sample(caller, draft.header.media_id, draft.header.format))
        if isinstance(handle, NetworkRefused):
            raise Invalid.field("header.media_id", handle.code, handle.detail)
        if isinstance(handle, Delayed):
            raise _not_now(handle)
        return build(draft, handle)

    async def _sample(self, caller: Caller, media_id: str, wanted: Any) -> Media:
        async def lines() -> frozenset[int] | None:
            return await self._switchboard.sandbox_lines(caller.account_id) if caller.mode == "test" else None

        try:
            facts = await self._attachments.inspect(caller, media_id, wanted, lines)
        except Invalid as problem:
            wrong = problem.errors[0]
            words = "Upload a file of the header's format first, and give its media_id."
            raise Invalid.field("header.media_id", wrong.code, words) from None
        return Media(facts.kind, facts.kept_url, False, "", facts.filename, facts.mime_type)

    async def _complete(self, line: LiveLine, row: TemplateRow) -> TemplateRow:
        """A template that only news has told of has no name on the network yet: it is asked for."""
        if row["network_id"]:
            return row
        found = [one for one in await self._refresh(line) if one["id"] == row["id"] and one["network_id"]]
        if not found:
            raise _missing()
        return found[0]

    async def _desk(self, caller: Caller, instance_id: int | None) -> tuple[LiveLine, TemplateCalls]:
        line = await self._line(caller, instance_id)
        calls = line.driver.template_calls
        if calls is None:
            words = "A linked device needs no templates: it may write at any time. Choose a cloud line."
            raise Invalid.field("instance_id", "template_unavailable", words)
        return line, calls

    async def _refresh(self, line: LiveLine) -> list[TemplateRow]:
        """Ask the network, and keep what it says."""
        asked_at = self._clock.now_ms()
        account_id, line_id = line.instance.account_id, line.instance.id
        try:
            found = await line.driver.templates()
        except LineUnreachable as error:
            raise Unavailable(str(error), code="line_unreachable", retry_after_s=RETRY_S) from None
        return await self._db.write(lambda tx: keeping.keep_all(tx, account_id, line_id, found, asked_at))

    async def _rows(self, line: LiveLine) -> list[TemplateRow]:
        return await self._db.all(store.OF_LINE, {"b_account": line.instance.account_id, "b_line": line.instance.id})

    async def _line(self, caller: Caller, instance_id: int | None) -> LiveLine:
        return await self._switchboard.resolve(caller.account_id, instance_id, sandbox_only=caller.mode == "test")

    async def _reach(self, caller: Caller) -> frozenset[int]:
        if caller.mode == "test":
            return await self._switchboard.sandbox_lines(caller.account_id)
        return frozenset(await self._switchboard.lines(caller.account_id))

    async def _find(self, caller: Caller, template_id: str) -> TemplateRow:
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": template_id})
        if row is None or row["instance_id"] not in await self._reach(caller):
            raise _missing()
        return row


def ordered(rows: list[TemplateRow]) -> list[TemplateRow]:
    return sorted(rows, key=lambda row: (_place(row), row["instance_id"]))


def fits(row: TemplateRow, status: str | None, language: str | None, q: str | None) -> bool:
    if (status and row["status"] != status) or (language and row["language"] != language):
        return False
    sought = fold(q or "").strip()
    return not sought or sought in fold(f"{row['name']} {show(row).text}")


def _place(row: TemplateRow) -> str:
    return f"{row['name']}\n{row['language']}"


def _told(row: TemplateRow) -> tuple[str, ...]:
    return (
        row["status"], row["category"], row["components"], row["quality"], row["reason"], row["network_id"],
    )  # fmt: skip


def _named(row: TemplateRow) -> Params:
    return {
        "b_account": row["account_id"],
        "b_line": row["instance_id"],
        "b_name": row["name"],
        "b_language": row["language"],
    }


def _has_names(draft: TemplateDraft) -> bool:
    return is_named(draft.text) or (draft.header is not None and is_named(draft.header.text))


def _missing() -> NotFound:
    return NotFound(no_such("template"), code="template_not_found")


def _not_now(told: Delayed | Unknown) -> Unavailable:
    wait = RETRY_S if isinstance(told, Unknown) else max(RETRY_S, int(told.retry_after_s))
    return Unavailable(told.detail, code="line_unreachable", retry_after_s=wait)
