"""How an account words its notifications: set, looked up, and chosen for a person's language.

One shop may word some of them its own way; whatever it does not word is worded as for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tablegram.errors import Invalid
from tablegram.storage.database import Tx
from tablegram.stores.notifications import store
from tablegram.stores.notifications.filling import check_text, check_variable
from tablegram.stores.notifications.kinds import BUTTONS, KINDS, LANGUAGES, STEPS, TO_TEAM, Kind, Language
from tablegram.stores.notifications.model import Notification, Wording, WordingFields, as_it_comes, read_notification
from tablegram.stores.notifications.quiet import is_time
from tablegram.stores.notifications.rows import WordingRow
from tablegram.values import Json
from tablegram.values.opening_hours import ZONE_WANTED, is_time_zone
from tablegram.values.phone import parse_phone

MAX_DELAY_MIN = 30 * 24 * 60
MAX_PHONES = 5
_TEMPLATE_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


async def every(tx: Tx, account_id: int, source_id: str = "") -> list[Notification]:
    """All kinds, steps and languages, in their order; those that nobody has set as they come."""
    rows = [read_notification(row) for row in await tx.all(store.OF_ACCOUNT, {"b_account": account_id})]
    if source_id:
        which = {"b_account": account_id, "b_source": source_id}
        rows = _of_shop(rows, await tx.all(store.OF_SOURCE, which), source_id)
    own = {(one.kind, one.step, one.language): one for one in rows}
    return [
        own.get((kind, step, language)) or as_it_comes(account_id, kind, step, language)
        for kind in KINDS
        for step in range(1, STEPS[kind] + 1)
        for language in LANGUAGES
    ]


async def get(tx: Tx, account_id: int, kind: Kind, step: int, language: Language, source_id: str = "") -> Notification:
    for one in await of_kind(tx, account_id, kind, source_id):
        if (one.step, one.language) == (step, language):
            return one
    return as_it_comes(account_id, kind, step, language)


async def of_kind(tx: Tx, account_id: int, kind: Kind, source_id: str = "") -> list[Notification]:
    """Those that somebody has set, as they hold for a shop."""
    known = [read_notification(row) for row in await tx.all(store.OF_KIND, {"b_account": account_id, "b_kind": kind})]
    if not source_id:
        return known
    which = {"b_account": account_id, "b_source": source_id, "b_kind": kind}
    return _of_shop(known, await tx.all(store.OF_SOURCE_KIND, which), source_id)


def _of_shop(known: list[Notification], rows: Sequence[WordingRow], source_id: str) -> list[Notification]:
    """What the shop words itself in place of what is worded for all."""
    own = [msgspec.structs.replace(read_notification(row), source_id=source_id) for row in rows]
    worded = {(one.kind, one.step, one.language) for one in own}
    others = [one for one in known if (one.kind, one.step, one.language) not in worded]
    return [*own, *(msgspec.structs.replace(one, is_own=False) for one in others)]


def choose(known: Iterable[Notification], step: int, wanted: str) -> Notification | None:
    """The one that is on, in the person's language where there is one; nothing where all are off."""
    on = [one for one in known if one.enabled and one.step == step]
    return next((one for one in on if one.language == wanted), on[0] if on else None)


def next_step(known: Sequence[Notification], after: int, wanted: str) -> Notification | None:
    """The reminder that follows; steps that are off are passed over."""
    for step in range(after + 1, STEPS["abandoned_cart"] + 1):
        chosen = choose(known, step, wanted)
        if chosen is not None:
            return chosen
    return None


def change(old: Notification, fields: WordingFields) -> Notification:
    """What is given is changed and checked; the rest stays."""
    given: Json = {name: value for name, value in fields.items() if name in Wording.__struct_fields__}
    if "template_variables" in fields:
        given["template_variables"] = tuple(fields["template_variables"])
    if "buttons" in fields:
        given["buttons"] = tuple(dict.fromkeys(fields["buttons"]))
    if "phones" in fields:
        given["phones"] = tuple(dict.fromkeys(fields["phones"]))
    # A message has one picture: the one that was named last.
    if given.get("image_id"):
        given["image_url"] = ""
    elif given.get("image_url"):
        given["image_id"] = ""
    wording = msgspec.structs.replace(old.wording, **given)
    enabled = fields.get("enabled", old.enabled)
    wording = _check(old.kind, wording)
    if enabled and old.kind in TO_TEAM and not wording.phones:
        raise Invalid.field("phones", "phones_missing", "Name a phone of the team that the alert goes to.")
    return msgspec.structs.replace(old, wording=wording, enabled=enabled, is_own=True)


async def keep(tx: Tx, notification: Notification, by: str, now: int, source_id: str = "") -> None:
    """For all shops, or for one."""
    row = {
        "account_id": notification.account_id,
        "kind": notification.kind,
        "step": notification.step,
        "language": notification.language,
        "enabled": int(notification.enabled),
        "wording": msgspec.json.encode(notification.wording).decode(),
        "updated_at": now,
        "updated_by": by,
    }
    if source_id:
        await tx.run(store.SET_FOR_SOURCE, {**row, "source_id": source_id})
    else:
        await tx.run(store.SET, row)


async def own_picture(tx: Tx, one: Notification, source_id: str) -> str:
    """The picture that this very row has, for all shops or for one; not the one that it would fall back to."""
    which = {"b_account": one.account_id, "b_source": source_id, "b_kind": one.kind}
    rows = await tx.all(store.OF_SOURCE_KIND, which) if source_id else await tx.all(store.OF_KIND, which)
    found = [read_notification(row) for row in rows]
    return next((each.wording.image_id for each in found if (each.step, each.language) == (one.step, one.language)), "")


async def unset(tx: Tx, one: Notification, source_id: str) -> bool:
    """The shop speaks as all do again; whether it had words of its own."""
    which = {"b_account": one.account_id, "b_source": source_id, "b_kind": one.kind}
    return bool(await tx.run(store.UNSET_FOR_SOURCE, {**which, "b_step": one.step, "b_language": one.language}))


def _check(kind: Kind, wording: Wording) -> Wording:
    text = check_text(kind, wording.text)
    if not 0 <= wording.delay_min <= MAX_DELAY_MIN:
        raise Invalid.field("delay_min", "notice_delay_invalid", f"Wait between 0 and {MAX_DELAY_MIN:,} minutes.")
    for field in ("quiet_from", "quiet_until"):
        value = getattr(wording, field)
        if value and not is_time(value):
            raise Invalid.field(field, "quiet_hours_format", "Write the time as 22:00.")
    if bool(wording.quiet_from) != bool(wording.quiet_until):
        missing = "quiet_until" if wording.quiet_from else "quiet_from"
        raise Invalid.field(missing, "quiet_hours_half", "Quiet hours have a beginning and an end. Give both or none.")
    if wording.time_zone and not is_time_zone(wording.time_zone):
        raise Invalid.field("time_zone", "time_zone_unknown", ZONE_WANTED)
    _check_template(kind, wording)
    if wording.image_url and not (wording.image_url.startswith("https://") and len(wording.image_url) <= 2_000):
        raise Invalid.field(
            "image_url", "image_url_invalid", "Give the address of a picture that begins with https://."
        )
    for button in wording.buttons:
        if button not in BUTTONS[kind]:
            allowed = ", ".join(BUTTONS[kind]) or "none"
            raise Invalid.field(
                "buttons", "button_unknown", f"There is no button {button} here. Choose from: {allowed}."
            )
    if wording.phones and kind not in TO_TEAM:
        raise Invalid.field("phones", "phones_unused", "Only alerts to the team have phones; leave them out.")
    if len(wording.phones) > MAX_PHONES:
        raise Invalid.field("phones", "phones_too_many", f"An alert goes to at most {MAX_PHONES} phones.")
    phones = tuple(parse_phone(one, "phones") for one in wording.phones)
    return msgspec.structs.replace(wording, text=text, phones=phones)


def _check_template(kind: Kind, wording: Wording) -> None:
    if wording.template_name and (
        len(wording.template_name) > 512 or not set(wording.template_name) <= _TEMPLATE_SIGNS
    ):
        words = "A template's name has small letters, digits and _ only."
        raise Invalid.field("template_name", "template_name_invalid", words)
    if wording.template_name and not wording.template_language:
        words = "Name the language that the template was approved in, such as en or tr."
        raise Invalid.field("template_language", "template_language_missing", words)
    if len(wording.template_variables) > 20:
        raise Invalid.field(
            "template_variables", "template_variables_too_many", "A template has at most 20 variables here."
        )
    for name in wording.template_variables:
        check_variable(kind, name, "template_variables")
