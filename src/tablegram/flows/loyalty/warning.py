"""Somebody's points expire soon: they are told, or it is noted why not."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.crm.consent.asking import may_write
from tablegram.crm.contacts import known_phones
from tablegram.crm.merging import find_living
from tablegram.crm.own_data.unsent import Asked, Silence, Unsent
from tablegram.crm.rows import ContactRow
from tablegram.errors import NotFound
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.flows.loyalty.replies import day_of
from tablegram.flows.loyalty.words import WORDS, speak
from tablegram.loyalty import ledger, programme
from tablegram.loyalty.gifts import codes
from tablegram.loyalty.gifts import keeping as gifts
from tablegram.loyalty.model import Programme, WarnTemplate, base_of
from tablegram.loyalty.store import warnings as store
from tablegram.loyalty.unsent import Reason, note
from tablegram.messaging.model import Content, Template, Text
from tablegram.messaging.store import instances as line_store
from tablegram.restaurant import venues
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values import Json
from tablegram.values.money import written


@dataclass(frozen=True, slots=True)
class QueuedWarning:
    """The message, and the line that has to be woken after the commit."""

    message_key: str
    instance_id: int


class Warnings:
    def __init__(self, queue: Queueing) -> None:
        self._queue = queue

    def sent(self, account_id: int, told: QueuedWarning) -> None:
        self._queue.wake(account_id, told.instance_id)

    async def warn(self, tx: Tx, account_id: int, contact_id: str, now: int) -> QueuedWarning | None:
        """Of all points that expire soon and were not spoken of, once: what was sent, or why nothing was, is a row."""
        rules = await programme.find(tx, account_id)
        soon = await ledger.going_by(tx, account_id, contact_id, now, rules.warn_days)
        contact = await find_living(tx, account_id, contact_id)
        if soon is None or contact is None:
            return None
        points, expires_at = soon
        outcome = await self._say(tx, rules, contact, points, expires_at, now)
        told = outcome if isinstance(outcome, QueuedWarning) else None
        await note(
            tx, account_id, contact["id"], "points_expire", now, reason="" if isinstance(outcome, QueuedWarning) else outcome,
            message_key=None if told is None else told.message_key, points=points, expires_at=expires_at,
        )  # fmt: skip
        return told

    async def _say(
        self, tx: Tx, rules: Programme, contact: ContactRow, points: int, expires_at: int, now: int
    ) -> QueuedWarning | Reason:
        account_id, contact_id = contact["account_id"], contact["id"]
        refusal = await may_write(tx, account_id, contact_id, "marketing")
        if refusal is not None:
            return refusal
        phone = (await known_phones(tx, [(account_id, contact_id)])).get((account_id, contact_id), "")
        if not phone:
            return "no_phone"
        venue = await speaker(tx, account_id)
        line = None
        if venue is not None:
            line = await tx.first(line_store.GET, {"b_account": account_id, "b_id": venue.instance_id})
        if venue is None or line is None or line["deleted_at"] is not None:
            return "no_line"
        balance = (await ledger.member(tx, account_id, contact_id)).balance
        language = contact["language"] or venue.languages[0]
        # Beyond a day after the guest's last message the network takes nothing but templates.
        is_closed = line["kind"] == "cloud" and (contact["window_until"] or 0) <= now
        template = rules.template_for(language, venue.languages[0]) if is_closed else None
        if is_closed and template is None:
            return "window_closed"
        language = language if template is None else base_of(template.language)
        known = {
            "first_name": contact["name"].partition(" ")[0] or speak(language)["nameless"],
            "points": str(points),
            "day": day_of(expires_at, venue, WORDS.spoken(language) if template is None else language),
            "balance": str(balance),
            "worth": written(rules.worth(balance, venue.currency), venue.currency, language),
            "venue": venue.name,
        }
        content: Content = Text(speak(language)["expiring"].format(**known))
        if template is not None:
            content = filled(template, known)
        way = Way(account_id, line["id"], line["kind"])
        key = await self._queue.put(tx, way, phone, content, now, by="loyalty", category="marketing")
        return "no_balance" if key is None else QueuedWarning(key, line["id"])


async def speaker(tx: Tx, account_id: int) -> Venue | None:
    """The venue that speaks for the programme: the usual one of those that have a line."""
    known = [one for one in await venues.every(tx, account_id) if one.instance_id is not None]
    return next((one for one in known if one.is_default), known[0] if known else None)


def filled(template: WarnTemplate, known: dict[str, str]) -> Template:
    # The network refuses an empty parameter.
    given = [{"type": "text", "text": " ".join(known[name].split()) or "-"} for name in template.variables]
    body: list[Json] = [{"type": "body", "parameters": given}] if given else []
    return Template(template.name, template.language, body, "marketing")


async def _unsent(tx: Tx, asked: Asked) -> list[Unsent]:
    rows = await tx.all(store.UNSENT, asked.params())
    cards = {row["gift_id"]: await _hint(tx, asked.account_id, row["gift_id"]) for row in rows if row["gift_id"]}
    return [
        Unsent(
            source_id=row["gift_id"] or row["contact_id"], name=cards.get(row["gift_id"], str(row["points"])),
            kind=row["about"], reason=row["reason"], at=row["created_at"], key=row["id"],
        )
        for row in rows
    ]  # fmt: skip


async def _hint(tx: Tx, account_id: int, gift_id: str) -> str:
    """What a card is called by who must not know its code."""
    try:
        return codes.hint((await gifts.find(tx, account_id, gift_id)).code)
    except NotFound:
        return ""


SILENCE = Silence("loyalty", _unsent, scope="loyalty:read")
