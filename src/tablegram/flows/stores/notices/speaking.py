"""One notice on its way out: whether it may go, by which line, in which words. All of it in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.crm import contacts
from tablegram.crm.consent.asking import may_write
from tablegram.crm.consent.ledger import Purpose
from tablegram.crm.rows import ContactRow
from tablegram.flows.files.attachments import lasting_picture
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import (
    BULK,
    NORMAL,
    Button,
    Buttons,
    Content,
    LinkButton,
    Media,
    Template,
    Text,
    words_of,
)
from tablegram.messaging.rows.lines import LineRow
from tablegram.messaging.store import instances as line_store
from tablegram.storage.database import Tx
from tablegram.stores.notifications import filling, wordings
from tablegram.stores.notifications.keeping import is_told_enough
from tablegram.stores.notifications.kinds import MARKETING, TO_TEAM
from tablegram.stores.notifications.model import Notice, Notification, Reason
from tablegram.stores.notifications.quiet import after_quiet
from tablegram.values import Json

# Lines whose messages may have buttons, and how long such a message may be.
HAS_BUTTONS = frozenset({"cloud", "sandbox"})
MAX_WITH_BUTTONS = 1_024
TALK = "store_talk"


@dataclass(frozen=True, slots=True)
class QueuedNotice:
    """It is queued: the message, and the line that has to be woken after the commit."""

    message_key: str
    instance_id: int


@dataclass(frozen=True, slots=True)
class Unsaid:
    reason: Reason


@dataclass(frozen=True, slots=True)
class Later:
    at: int


Spoken = QueuedNotice | Unsaid | Later


class Speaking:
    def __init__(self, queue: Queueing) -> None:
        self._queue = queue

    def sent(self, account_id: int, instance_id: int) -> None:
        """What was said is committed: the line may send it."""
        self._queue.wake(account_id, instance_id)

    async def say(self, tx: Tx, notice: Notice, now: int, *, consents: bool | None = None) -> Spoken:
        """Queue the message, or tell why not. `consents`: what the shop says of marketing."""
        known = await wordings.of_kind(tx, notice.account_id, notice.kind, notice.source_id)
        chosen = wordings.choose(known, notice.step, notice.language)
        if chosen is None:
            return Unsaid("off")
        if not notice.phone:
            return Unsaid("no_phone")
        line = await _line(tx, notice)
        if isinstance(line, str):
            return Unsaid(line)
        contact = await contacts.of_phone(tx, notice.account_id, notice.phone)
        refusal = "" if notice.kind in TO_TEAM else await _refusal(tx, notice, contact, consents)
        if refusal:
            return Unsaid(refusal)
        if await is_told_enough(tx, notice, now):
            return Unsaid("told_enough")
        at = after_quiet(now, chosen.wording, notice.phone)
        if at > now:
            return Later(at)
        content = await _content(tx, notice, chosen, line["kind"], is_open=_is_open(contact, now))
        if content is None:
            return Unsaid("window_closed")
        if not words_of(content):
            return Unsaid("empty")
        way = Way(notice.account_id, line["id"], line["kind"])
        picture = chosen.wording.image_id if isinstance(content, Media) and not content.by_link else ""
        is_marketing = notice.kind in MARKETING
        priority = BULK if is_marketing else NORMAL
        key = await self._queue.put(
            tx, way, notice.phone, content, now, by="store", priority=priority, media_id=picture
        )
        return Unsaid("no_balance") if key is None else QueuedNotice(key, line["id"])


async def _line(tx: Tx, notice: Notice) -> LineRow | Reason:
    if notice.instance_id is not None:
        row = await tx.first(line_store.GET, {"b_account": notice.account_id, "b_id": notice.instance_id})
        return "line_gone" if row is None or row["deleted_at"] is not None else row
    rows = await tx.all(line_store.OF_ACCOUNT, {"b_account": notice.account_id})
    usual = [row for row in rows if row["is_default"]] or rows
    return usual[0] if usual else "no_line"


async def _refusal(tx: Tx, notice: Notice, contact: ContactRow | None, consents: bool | None) -> Reason:
    """Whoever wants to hear nothing of orders hears nothing; reminders need consent, the customer's own word first."""
    contact_id = "" if contact is None else contact["id"]
    purpose: Purpose = "marketing" if notice.kind in MARKETING else "orders"
    why = await may_write(tx, notice.account_id, contact_id, purpose, agreed_elsewhere=consents is True)
    return "" if why is None else why


def _is_open(contact: ContactRow | None, now: int) -> bool:
    """Whether the customer wrote within the time in which the network takes free words."""
    return contact is not None and (contact["window_until"] or 0) > now


async def _content(tx: Tx, notice: Notice, chosen: Notification, line_kind: str, *, is_open: bool) -> Content | None:
    wording, language, facts = chosen.wording, chosen.language, notice.facts
    if line_kind == "cloud" and not is_open:
        if not wording.template_name:
            return None
        known = filling.values(notice.kind, facts, language)
        # The network refuses an empty parameter.
        given = [{"type": "text", "text": _one_line(known[name]) or "-"} for name in wording.template_variables]
        body: list[Json] = [{"type": "body", "parameters": given}] if given else []
        category = "marketing" if notice.kind in MARKETING else "utility"
        return Template(wording.template_name, wording.template_language, body, category)
    text = filling.whole(notice.kind, wording, facts, language)
    has_picture = bool(wording.image_id or wording.image_url) and len(text) <= MAX_WITH_BUTTONS
    if has_picture and wording.image_id:
        found = await lasting_picture(tx, notice.account_id, wording.image_id, text)
        if found is not None:
            return found
    elif has_picture:
        return Media("image", wording.image_url, True, caption=text)
    return _tappable(notice, chosen, text) if line_kind in HAS_BUTTONS else Text(text)


def _tappable(notice: Notice, chosen: Notification, text: str) -> Content:
    """With a button where it fits: one that opens an address goes before one that answers, as a message has one kind."""
    wording, language = chosen.wording, chosen.language
    for title, address in filling.leads(wording, notice.facts, language)[:1]:
        short = filling.whole(notice.kind, wording, notice.facts, language, tapped=address)
        if len(short) <= MAX_WITH_BUTTONS and short:
            return LinkButton(short, title, address)
    talk = filling.talk(wording, language)
    if talk and len(text) <= MAX_WITH_BUTTONS:
        return Buttons(text, [Button(TALK, talk[1])])
    return Text(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
