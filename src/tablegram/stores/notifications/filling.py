"""Texts with variables: checked when they are set, filled in when they are sent."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablegram.errors import Invalid
from tablegram.stores.notifications import words
from tablegram.stores.notifications.kinds import VARIABLES, Button, Kind, Language
from tablegram.stores.notifications.model import NoticeFacts, Wording
from tablegram.values.money import is_currency, written

MAX_TEXT = 1_000
# What a message on the network may have, and one that has buttons or a picture.
MAX_MESSAGE = 4_096
_MAX_VALUE = 200
_MAX_ITEMS = 10
_MAX_ANSWERS = 30
_MAX_URL = 2_000

_VARIABLE = re.compile(r"\{\s*([^{}\n]{1,60}?)\s*\}")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
# Letters, and what stands between them in names; a dot only as in `J. Smith`, never as in an address.
_NAME = re.compile(r"[^\W\d_]+(?:(?:\. ?|[ '’\-]+)(?=[^\W\d_])[^\W\d_]+)*\.?")
_ADDRESS = re.compile(r"\.[^\W\d_]{2}")
_URL = re.compile(r"https?://[^\s<>\"'\\{}|^`]+")


def check_text(kind: Kind, text: str, field: str = "text") -> str:
    """The text as it is kept. An unknown variable is named, with those that there are."""
    cleaned = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if not cleaned:
        raise Invalid.field(field, "notice_text_missing", "Write the text of the notification.")
    if len(cleaned) > MAX_TEXT:
        raise Invalid.field(field, "notice_text_too_long", f"The text may have at most {MAX_TEXT:,} characters.")
    for name in _VARIABLE.findall(cleaned):
        check_variable(kind, name, field)
    return cleaned


def check_variable(kind: Kind, name: str, field: str) -> None:
    if name not in VARIABLES[kind]:
        known = ", ".join(f"{{{one}}}" for one in VARIABLES[kind])
        raise Invalid.field(field, "variable_unknown", f"There is no {{{name}}} here. Choose from: {known}.")


def values(kind: Kind, facts: NoticeFacts, language: Language) -> Mapping[str, str]:
    """What each variable of the kind stands for; empty where nothing is known."""
    full = plain_name(facts.name)
    tracking = facts.tracking
    known = {
        "name": full.split()[0] if full else "",
        "full_name": full,
        "phone": f"+{facts.phone}" if facts.phone else "",
        "email": _line(facts.email),
        "number": _line(facts.number),
        "total": _money(facts.amount, facts.currency, language),
        "items": "\n".join(_items(facts)),
        "shop": _line(facts.shop),
        "link": _url(facts.link),
        "carrier": _line(tracking.carrier) if tracking else "",
        "tracking_number": _line(tracking.number) if tracking else "",
        "tracking_link": _url(tracking.url) if tracking else "",
        "reason": _line(facts.reason),
        "form": _line(facts.form),
        "answers": "\n".join(f"{_line(name)}: {_answered(value)}" for name, value in facts.fields[:_MAX_ANSWERS]),
    }
    return {name: known[name] for name in VARIABLES[kind]}


def fill(text: str, known: Mapping[str, str]) -> str:
    """The text for a person. A line about things of which none is known is left out, unless it only greets."""
    lines = []
    for line in text.split("\n"):
        names = [name for name in _VARIABLE.findall(line) if name in known]
        things = [name for name in names if name not in ("name", "full_name")]
        if things and not any(known[name] for name in things):
            continue
        filled = _VARIABLE.sub(lambda found: known.get(found[1], found[0]), line)
        if not all(known[name] for name in names):
            # Without a name no space may be left hanging before a comma.
            filled = re.sub(r" +([,.!?:])", r"\1", re.sub(r" {2,}", " ", filled)).strip()
        lines.append(filled)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()[:MAX_MESSAGE]


def leads(wording: Wording, facts: NoticeFacts, language: Language) -> list[tuple[str, str]]:
    """Buttons that lead somewhere: what each says, and its address. Each address once."""
    link = _url(facts.link)
    known = {"track": (_url(facts.tracking.url) if facts.tracking else "") or link, "pay": link}
    found: dict[str, str] = {}
    for button in wording.buttons:
        if address := known.get(button, ""):
            found.setdefault(address, words.button(button, language))
    return [(title, address) for address, title in found.items()]


def whole(kind: Kind, wording: Wording, facts: NoticeFacts, language: Language, *, tapped: str = "") -> str:
    """All that a message says: its text filled in, and the addresses that buttons lead to, each as a line of its own.

    Not where the text has the address already. `tapped`: the address of a real button, which needs no line.
    """
    text = fill(wording.text, values(kind, facts, language))
    lines = [
        f"{title}: {address}"
        for title, address in leads(wording, facts, language)
        if address != tapped and address not in text
    ]
    return "\n\n".join([text, "\n".join(lines)] if lines else [text])[:MAX_MESSAGE]


def talk(wording: Wording, language: Language) -> tuple[Button, str] | None:
    """The button that a customer answers with, where the account wants one."""
    return ("talk", words.button("talk", language)) if "talk" in wording.buttons else None


def plain_name(name: str) -> str:
    """A name as people have one, else nothing: whoever types it may type an advertisement."""
    tidy = " ".join(_UNSEEN.sub(" ", name).split())
    if len(tidy) > 60 or _NAME.fullmatch(tidy) is None or _ADDRESS.search(tidy):
        return ""
    return tidy


def _line(value: str) -> str:
    return " ".join(_UNSEEN.sub(" ", value).split())[:_MAX_VALUE]


def _answered(value: str) -> str:
    """What somebody wrote; the address of a file is whole or not there, since a part of it opens nothing."""
    if "://" not in value:
        return _line(value)
    return " ".join(word if _url(word) else word[:_MAX_VALUE] for word in _UNSEEN.sub(" ", value).split())[:_MAX_URL]


def _url(value: str) -> str:
    return value if len(value) <= _MAX_URL and _URL.fullmatch(value) else ""


def _money(amount: int | None, currency: str, language: Language) -> str:
    return written(amount, currency, language) if amount is not None and is_currency(currency) else ""


def _items(facts: NoticeFacts) -> list[str]:
    shown = [f"{good.quantity} × {_line(good.name)}" for good in facts.goods[:_MAX_ITEMS]]
    left = len(facts.goods) - _MAX_ITEMS
    return [*shown, f"+ {left}"] if left > 0 else shown
