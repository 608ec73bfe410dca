"""How a notification is worded, what it is filled in with, and a notice that waits or was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

import msgspec

from tablegram.storage.database import Params
from tablegram.stores.notifications.kinds import BUTTONS, Button, Kind, Language
from tablegram.stores.notifications.words import DELAYS, text
from tablegram.stores.ports import Good, Tracking

if TYPE_CHECKING:
    from tablegram.stores.notifications.rows import NoticeRow, WordingRow

State = Literal["waiting", "sent", "skipped", "cancelled"]
# Why nothing was sent, or not yet. Stable: programs read them, pages have words for each.
Reason = Literal[
    "",
    # Skipped.
    "off",
    "no_phone",
    "bad_number",
    "no_consent",
    "opted_out",
    "no_line",
    "line_gone",
    "window_closed",
    "no_balance",
    "too_old",
    "overtaken",
    "told_enough",
    # The text has nothing but variables of which none is known.
    "empty",
    "failed",
    # Cancelled.
    "bought",
    "erased",
    # Waiting.
    "delay",
    "quiet_hours",
]


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What an account says for a kind, in a language."""

    text: str
    delay_min: int = 0
    # `22:00` to `08:00`; both empty: at any time. By the shop's clock, or the recipient's where no zone is given.
    quiet_from: str = ""
    quiet_until: str = ""
    time_zone: str = ""
    # What goes out over a line of the network's own, when it may not send free words any more.
    template_name: str = ""
    template_language: str = ""
    template_variables: tuple[str, ...] = ()
    image_url: str = ""
    # A picture of our own store in its place.
    image_id: str = ""
    buttons: tuple[Button, ...] = ()
    # Of the team.
    phones: tuple[str, ...] = ()


class WordingFields(TypedDict, total=False):
    """What may be changed of a notification: `Wording`, field by field, and whether it is on."""

    enabled: bool
    text: str
    delay_min: int
    quiet_from: str
    quiet_until: str
    time_zone: str
    template_name: str
    template_language: str
    template_variables: Sequence[str]
    image_url: str
    image_id: str
    buttons: Sequence[str]
    phones: Sequence[str]


class Notification(msgspec.Struct, frozen=True, kw_only=True):
    """A kind with its wording in one language, for one shop where it names one. `is_own`: somebody has set it so."""

    account_id: int
    kind: Kind
    step: int
    language: Language
    enabled: bool
    wording: Wording
    is_own: bool = False
    source_id: str = ""


class NoticeFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a text is filled in with."""

    name: str = ""
    phone: str = ""
    email: str = ""
    number: str = ""
    shop: str = ""
    amount: int | None = None
    currency: str = ""
    goods: tuple[Good, ...] = ()
    link: str = ""
    tracking: Tracking | None = None
    reason: str = ""
    form: str = ""
    fields: tuple[tuple[str, str], ...] = ()


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    source_id: str
    reference: str
    kind: Kind
    step: int = 1
    part: str = ""
    number: str = ""
    name: str = ""
    phone: str = ""
    language: str = ""
    facts: NoticeFacts = NoticeFacts()
    instance_id: int | None = None
    state: State = "waiting"
    reason: Reason = ""
    due_at: int | None = None
    message_key: str | None = None
    created_at: int = 0
    updated_at: int = 0


_FACTS = msgspec.json.Decoder(NoticeFacts)
_WORDING = msgspec.json.Decoder(Wording)


def read_facts(text: str) -> NoticeFacts:
    return _FACTS.decode(text)


def read_notice(row: NoticeRow) -> Notice:
    return Notice(
        account_id=row["account_id"],
        id=row["id"],
        source_id=row["source_id"],
        reference=row["reference"],
        kind=row["kind"],
        step=row["step"],
        part=row["part"],
        number=row["number"],
        name=row["name"],
        phone=row["phone"],
        language=row["language"],
        facts=read_facts(row["facts"]),
        instance_id=row["instance_id"],
        state=row["state"],
        reason=row["reason"],
        due_at=row["due_at"],
        message_key=row["message_key"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def notice_row(notice: Notice) -> Params:
    return {**msgspec.structs.asdict(notice), "facts": msgspec.json.encode(notice.facts).decode()}


def read_notification(row: WordingRow) -> Notification:
    return Notification(
        account_id=row["account_id"],
        kind=row["kind"],
        step=row["step"],
        language=row["language"],
        enabled=bool(row["enabled"]),
        wording=_WORDING.decode(row["wording"]),
        is_own=True,
    )


def as_it_comes(account_id: int, kind: Kind, step: int, language: Language) -> Notification:
    """Before anybody has set it: off, and worded by us."""
    delays = DELAYS.get(kind, (0,))
    talks = BUTTONS[kind][-1:]
    wording = Wording(text=text(kind, step, language), delay_min=delays[step - 1], buttons=talks)
    return Notification(account_id=account_id, kind=kind, step=step, language=language, enabled=False, wording=wording)
