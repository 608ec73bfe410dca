"""What is known of templates: as the network lists them, as its news turns them, and what may be done with each.

The network's word counts: a status goes wherever it says, also back. News comes twice and in any order, so each has its
time, and what is older than what is known changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.messaging.incoming import Notice
from tablegram.messaging.ports import NetworkTemplate
from tablegram.messaging.rows.lines import TemplateRow
from tablegram.messaging.store import templates as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id

# The network's clock and ours differ by less than this: news of the time in which we have asked is never too old.
SKEW_MS = 60_000
EDITABLE = ("APPROVED", "REJECTED", "PAUSED")
# An approved one may be edited so often, and so soon again.
EDITS, EDITS_WITHIN_MS, EDIT_AGAIN_MS = 10, 30 * DAY_MS, DAY_MS
NEWS = ("template_status", "template_quality", "template_category", "template_content")
# Events that are no status, and what they mean for it. A flagged one is still sent.
_EVENTS = {"REINSTATED": "APPROVED", "UNARCHIVED": "APPROVED", "UNPAUSED": "APPROVED", "FLAGGED": ""}
_MAX_WORD = 60

_encode = msgspec.json.Encoder().encode


def row_of(account_id: int, line_id: int, one: NetworkTemplate, now_ms: int) -> TemplateRow:
    """A template as the network told of it at this moment."""
    return {
        "account_id": account_id,
        "instance_id": line_id,
        "id": new_id(),
        "name": one.name,
        "language": one.language,
        "status": one.status,
        "category": one.category,
        "components": _encode(one.components).decode(),
        "network_id": one.id,
        "quality": one.quality,
        "reason": one.reason,
        "told_at": now_ms - SKEW_MS,
        "edits": "[]",
        "synced_at": now_ms,
    }


async def keep_all(
    tx: Tx, account_id: int, line_id: int, found: Iterable[NetworkTemplate], asked_at_ms: int
) -> list[TemplateRow]:
    """Make the store what the network said when it was asked; what has happened since is not undone. What is known now."""
    scope = {"b_account": account_id, "b_line": line_id}
    unique = {(one.name, one.language): row_of(account_id, line_id, one, asked_at_ms) for one in found}
    before = {(row["name"], row["language"]): row for row in await tx.all(store.OF_LINE, scope)}
    for key, row in unique.items():
        known = before.get(key)
        told_at = row["told_at"] if known is None else max(row["told_at"], known["told_at"])
        await tx.run(store.KEEP, {**row, "told_at": told_at})
    for name, language in before.keys() - unique.keys():
        await tx.run(store.FORGET, {**scope, "b_name": name, "b_language": language, "before": asked_at_ms})
    return await tx.all(store.OF_LINE, scope)


async def hear(tx: Tx, account_id: int, lines: Iterable[int], notice: Notice, at_ms: int, now_ms: int) -> bool:
    """Take news of the network to heart; whether it was about a template. One that nobody knew of is known from then on."""
    facts = notice.facts
    name, language = facts.get("message_template_name", ""), facts.get("message_template_language", "")
    if notice.kind not in NEWS or not name or not language:
        return False
    for line_id in lines:
        await _meet(tx, account_id, line_id, name, language, now_ms)
        scope = {"b_account": account_id, "b_line": line_id, "b_name": name, "b_language": language, "now": now_ms}
        match notice.kind:
            case "template_status":
                event = facts.get("event", "").upper()[:_MAX_WORD]
                if status := _EVENTS.get(event, event):
                    reason = facts.get("reason", "")[:_MAX_WORD]
                    told = {"new_status": status, "new_told_at": at_ms, "new_reason": _word(reason)}
                    await tx.run(store.TURN, {**scope, **told})
            case "template_quality":
                quality = _word(facts.get("new_quality_score", "").upper()[:_MAX_WORD])
                await tx.run(store.RATE, {**scope, "new_quality": quality})
            case "template_category":
                if category := facts.get("new_category", "").upper()[:_MAX_WORD]:
                    await tx.run(store.SORT, {**scope, "new_category": category})
    return True


async def _meet(tx: Tx, account_id: int, line_id: int, name: str, language: str, now_ms: int) -> None:
    unknown = NetworkTemplate(name, language, "UNKNOWN", "")
    row = row_of(account_id, line_id, unknown, now_ms)
    await tx.run(store.MEET, {**row, "told_at": 0})


def _word(said: str) -> str:
    """The network says NONE and UNKNOWN where it has nothing to say."""
    return "" if said.upper() in ("NONE", "UNKNOWN") else said


def why_not_editable(row: TemplateRow, now_ms: int) -> tuple[str, str] | None:
    """A code and plain words; nothing when the network will look at a change."""
    status = row["status"]
    if status not in EDITABLE:
        words = {
            "PENDING": "The network is looking at this template. Edit it when it is approved or rejected.",
            "DISABLED": "The network has disabled this template for good. Create another one.",
        }.get(status, f"The network lets nobody edit a template that is {status}.")
        return "template_not_editable", words
    if status != "APPROVED":
        return None
    edits = recent_edits(row, now_ms)
    if edits and now_ms - edits[-1] < EDIT_AGAIN_MS:
        return "template_edited_lately", "An approved template can be edited once in 24 hours. Try again tomorrow."
    if len(edits) >= EDITS:
        words = f"An approved template can be edited {EDITS} times in 30 days. Create another one, or wait."
        return "template_edited_lately", words
    return None


def recent_edits(row: TemplateRow, now_ms: int) -> list[int]:
    """When it was edited while it was approved, as far as that still counts."""
    return [at for at in msgspec.json.decode(row["edits"]) if now_ms - at < EDITS_WITHIN_MS]
