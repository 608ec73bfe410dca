"""One row of a campaign becomes a message, waits, or is skipped with its reason."""

from __future__ import annotations

import secrets
import string
from dataclasses import dataclass, field
from typing import Any, Literal

from tablegram.accounts.money.purse import Purse
from tablegram.campaigns import timing
from tablegram.campaigns.model import HOLDOUT, Campaign
from tablegram.campaigns.store import sends as store
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.flows.campaigns.people import CampaignContact
from tablegram.flows.files.attachments import lasting_picture, take_along
from tablegram.flows.gateway.queueing import Queueing, Way, queue_all
from tablegram.messaging.model import BULK, Content, Media
from tablegram.messaging.rows.lines import LineRow
from tablegram.messaging.rows.messages import NewMessage
from tablegram.messaging.store import instances as line_store
from tablegram.storage.database import Params, Query, Tx
from tablegram.values.authors import AUTOMATIC, CAMPAIGN

Done = Literal["queued", "later", "skipped", "holdout", "no_balance"]
# No two that look alike to who copies one by hand.
_LETTERS = string.ascii_lowercase.replace("l", "").replace("o", "") + "23456789"
CODE_LENGTH = 10
BY = CAMPAIGN.removeprefix(AUTOMATIC)


def new_code() -> str:
    """Names a row in short links. It is chance alone and says nothing of anybody."""
    return "".join(secrets.choice(_LETTERS) for _ in range(CODE_LENGTH))


async def line_of(tx: Tx, account_id: int, instance_id: int | None) -> LineRow | None:
    """The line that a campaign goes by: the one it names, else the account's usual one."""
    if instance_id is not None:
        row = await tx.first(line_store.GET, {"b_account": account_id, "b_id": instance_id})
        return None if row is None or row["deleted_at"] is not None else row
    rows = await tx.all(line_store.OF_ACCOUNT, {"b_account": account_id})
    usual = [row for row in rows if row["is_default"]] or rows
    return usual[0] if usual else None


async def picture_of(tx: Tx, one: Campaign) -> Media | None:
    """The campaign's own picture; nothing where it has none, or it is gone."""
    plan = one.plan
    return await lasting_picture(tx, one.account_id, plan.image_id, "") if plan.image_id else None


def own_file(one: Campaign, content: Content) -> str:
    """The file of our own store that a message is; empty: none."""
    return one.plan.image_id if isinstance(content, Media) and not content.by_link else ""


@dataclass(slots=True)
class Decided:
    """What became of rows in one transaction, written down together: a statement for each kind and not for each row."""

    purse: Purse
    messages: list[NewMessage] = field(default_factory=list)
    rows: dict[Query, list[Params]] = field(default_factory=dict)

    def note(self, query: Query, row: Params) -> None:
        self.rows.setdefault(query, []).append(row)

    async def write(self, tx: Tx) -> None:
        await self.purse.close(tx)
        await queue_all(tx, self.messages)
        for query, rows in self.rows.items():
            await tx.many(query, rows)


class Sender:
    def __init__(self, queue: Queueing, base_url: str) -> None:
        self._queue = queue
        self._base_url = base_url

    async def wording(self, tx: Tx, one: Campaign, line_kind: str, links: list[str]) -> Wording:
        """What everybody gets, looked up once for many."""
        picture = await picture_of(tx, one)
        return Wording(one.plan, line_kind, self._base_url, links, picture)

    async def take(
        self,
        tx: Tx,
        one: Campaign,
        arm: int,
        person: CampaignContact,
        line: LineRow,
        wording: Wording,
        now: int,
        decided: Decided,
    ) -> Done:
        """What becomes of one row now."""
        which: dict[str, Any] = {
            "b_account": one.account_id, "b_campaign": one.id, "b_contact": person.id, "now": now,
        }  # fmt: skip
        if person.refusal is not None:
            decided.note(store.SKIPPED, {**which, "new_reason": person.refusal})
            return "skipped"
        place = timing.place_of(one.plan, person.phone)
        begins = now if one.starts_at is None else timing.begins_for(one.plan, one.starts_at, place)
        if one.plan.clock == "recipient":
            if timing.is_too_late(one.plan, begins, one.started_at or now):
                decided.note(store.SKIPPED, {**which, "new_reason": "too_late"})
                return "skipped"
            if begins > now:
                decided.note(store.LATER, {**which, "new_due": begins, "new_reason": "not_yet"})
                return "later"
            until = timing.after_quiet(now, one.plan, place)
            if until > now:
                decided.note(store.LATER, {**which, "new_due": until, "new_reason": "quiet_hours"})
                return "later"
        if arm == HOLDOUT:
            decided.note(store.HELD_OUT, which)
            return "holdout"
        code = new_code() if wording.links else None
        content = wording.content(arm, person.known, code or "")
        way = Way(one.account_id, line["id"], line["kind"])
        message = self._queue.pay_for(
            decided.purse, way, person.phone, content, now, by=BY, priority=BULK, category="marketing"
        )
        if message is None:
            return "no_balance"
        decided.messages.append(message)
        if file := own_file(one, content):
            for query, row in await take_along(tx, file, message, shared=True):
                decided.note(query, row)
        decided.note(store.QUEUED, {**which, "new_key": message["id"], "new_code": code})
        return "queued"
