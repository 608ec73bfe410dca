"""What each builder makes of the same few answers. `form_of` finds out whose shape it is; none is a list of fields too."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import json_in
from tablegram.stores.platforms.forms.bodies import Pairs
from tablegram.stores.platforms.paths import leaves
from tablegram.stores.ports import Unreadable

MAX_SHOWN = 100


class Field(msgspec.Struct, frozen=True):
    """An answer. `name` is what a mapping says, `label` what people read, `kind` the builder's word for its type."""

    name: str
    value: str
    label: str = ""
    kind: str = ""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    fields: tuple[Field, ...]
    title: str = ""
    # The builder's own id of what was sent; empty where it has none.
    reference: str = ""
    at: int = 0


_ADVANCED = re.compile(r"(form|fields|meta)\[([^\]]{1,200})\](?:\[([a-z_]{1,40})\])?")
_ADDRESS = re.compile(r"https?://\S{3,1900}")
_QUESTION = re.compile(r"q\d{1,6}_(.{1,200})")
_TITLES = ("form_name", "form_title", "formtitle", "formname")
_REFERENCES = ("submission_id", "submissionid", "entry_id", "entryid", "response_id", "responseid")
# What builders and guards against robots put between the answers.
_AROUND = frozenset(
    ("form_id", "formid", "post_id", "queried_id", "referer_title", "action", "user agent", "remote ip", "powered by",
     "ip", "user_agent", "remote_ip", "g-recaptcha-response", "h-captcha-response", "cf-turnstile-response")
)  # fmt: skip


def form_of(found: object | Pairs) -> Form:
    """Raises `Unreadable` where there is no answer in it."""
    if isinstance(found, dict):
        form = _of_object(found)
    elif isinstance(found, list) and all(isinstance(one, tuple) for one in found):
        form = _of_pairs(found)
    else:
        form = _of_leaves(found)
    if not form.fields:
        raise Unreadable("form_empty", "The form has no answers.")
    return form


def _of_object(found: Mapping[str, object]) -> Form:
    if isinstance(found.get("form_response"), dict):
        return _typeform(pick.part(found, "form_response"), pick.text(found.get("event_id")))
    data = pick.part(found, "data") if found.get("eventType") == "FORM_RESPONSE" else {}
    if isinstance(data.get("fields"), list):
        return _tally(data)
    if isinstance(found.get("namedValues"), dict):
        return _google(found)
    described = _described(found.get("fields"))
    if described:
        return Form(
            fields=described, at=pick.moment(pick.first(found.get("created_at"), found.get("date"))),
            title=pick.first(found.get("form_title"), found.get("form_name"), pick.part(found, "form").get("name")),
            reference=pick.first(*(found.get(name) for name in _REFERENCES)),
        )  # fmt: skip
    return _of_leaves(found)


def _typeform(found: Mapping[str, object], event: str) -> Form:
    asked = {pick.text(one.get("id")): one for one in pick.parts(pick.part(found, "definition"), "fields", MAX_SHOWN)}
    fields = []
    for answer in pick.parts(found, "answers", MAX_SHOWN):
        field = pick.part(answer, "field")
        named = pick.text(field.get("id"))
        kind = pick.text(answer.get("type"), 40)
        value = answer.get(kind)
        if isinstance(value, dict):
            value = value.get("labels") or value.get("label") or value.get("other") or value.get("amount")
        fields.append(
            Field(
                pick.first(field.get("ref"), named), _answer(value), pick.text(asked.get(named, {}).get("title")),
                "phone_number" if "phone_number" in (kind, field.get("type")) else kind,
            )
        )  # fmt: skip
    hidden = pick.part(found, "hidden")
    fields += [Field(pick.text(name), pick.lines(value)) for name, value in list(hidden.items())[:MAX_SHOWN]]
    return Form(
        fields=_shown(fields), title=pick.text(pick.part(found, "definition").get("title")),
        reference=pick.text(found.get("token")) or event, at=pick.moment(found.get("submitted_at")),
    )  # fmt: skip


def _tally(found: Mapping[str, object]) -> Form:
    fields = []
    for one in pick.parts(found, "fields", MAX_SHOWN):
        value = one.get("value")
        texts = {pick.text(option.get("id")): option.get("text") for option in pick.parts(one, "options", MAX_SHOWN)}
        if texts and isinstance(value, list):
            value = [texts.get(pick.text(chosen), chosen) for chosen in value[:MAX_SHOWN]]
        fields.append(
            Field(
                pick.text(one.get("key")), _answer(value), pick.text(one.get("label")), pick.text(one.get("type"), 40)
            )
        )
    return Form(
        fields=_shown(fields), title=pick.text(found.get("formName")), at=pick.moment(found.get("createdAt")),
        reference=pick.first(found.get("responseId"), found.get("submissionId")),
    )  # fmt: skip


def _google(found: Mapping[str, object]) -> Form:
    """As our snippet of a few lines sends it (docs/how-to/stores/forms.md)."""
    answers = list(pick.part(found, "namedValues").items())[:MAX_SHOWN]
    return Form(
        fields=_shown([Field(pick.text(name), _answer(value)) for name, value in answers]),
        title=pick.text(found.get("title")), reference=pick.text(found.get("responseId")),
        at=pick.moment(found.get("submittedAt")),
    )  # fmt: skip


def _described(listed: object) -> tuple[Field, ...]:
    """Fields that come with what they are, in a list or by their ids: WPForms and others."""
    rows = list(listed.items())[:MAX_SHOWN] if isinstance(listed, dict) else []
    if isinstance(listed, list):
        rows = [(str(place), one) for place, one in enumerate(listed[:MAX_SHOWN])]
    found = []
    for key, one in rows:
        if not isinstance(one, dict) or "value" not in one:
            return ()
        label = pick.first(one.get("title"), one.get("label"), one.get("name"))
        found.append(
            Field(pick.first(one.get("id"), key), _answer(one.get("value")), label, pick.text(one.get("type"), 40))
        )
    return _shown(found)


def _of_pairs(pairs: Pairs) -> Form:
    raw = next((value for name, value in pairs if name == "rawRequest"), "")
    if raw and any(name == "submissionID" for name, _ in pairs):
        return _jotform(dict(pairs), raw)
    if any(name.startswith("fields[") for name, _ in pairs):
        return _elementor(pairs)
    fields = [Field(pick.text(name).removesuffix("[]"), pick.lines(value)) for name, value in pairs]
    return _flat(fields)


def _elementor(pairs: Pairs) -> Form:
    """Advanced data: each field with its type and title. The simple one is a flat form."""
    told: dict[tuple[str, str], dict[str, str]] = {}
    for name, value in pairs:
        if place := _ADVANCED.fullmatch(name[:500]):
            told.setdefault((place[1], place[2]), {})[place[3] or "value"] = value
    fields = [
        Field(pick.text(key), pick.lines(one.get("value")), pick.text(one.get("title")), pick.text(one.get("type"), 40))
        for (group, key), one in told.items()
        if group == "fields"
    ]
    title = told.get(("form", "name"), {}).get("value")
    return Form(fields=_shown(fields), title=pick.text(title))


def _jotform(found: Mapping[str, str], raw: str) -> Form:
    answers = json_in({}, raw.encode("utf-8", "replace"))
    fields = []
    for key, value in list(answers.items())[:1_000] if isinstance(answers, dict) else []:
        question = _QUESTION.fullmatch(key)
        # Files stand under a name without a number.
        if not question and not (isinstance(value, list) and value and all(_file(one) for one in value[:50])):
            continue
        label = re.sub(r"(?<=[a-zçğıöşü])(?=[A-ZÇĞİÖŞÜ])", " ", pick.text(question[1] if question else key))
        text, kind = _jotform_answer(value)
        fields.append(Field(pick.text(key), text, label, kind))
    return Form(
        fields=_shown(fields), title=pick.text(found.get("formTitle")), reference=pick.text(found.get("submissionID"))
    )


def _jotform_answer(value: object) -> tuple[str, str]:
    """A text and its type, which shows in the parts that an answer has."""
    if not isinstance(value, dict):
        return _answer(value), ""
    if "full" in value:
        return _answer(value["full"]), "tel"
    if {"area", "phone"} <= value.keys():
        return pick.full_name(value["area"], value["phone"]), "tel"
    return _answer(value), "name" if {"first", "last"} <= value.keys() else ""


def _of_leaves(found: object) -> Form:
    # What a list holds is one answer of several.
    return _flat([Field(pick.text(re.sub(r"\.\d+$", "", path)), value) for path, value in leaves(found)])


def _flat(fields: list[Field]) -> Form:
    """Names and values, and between them what the builder says of the form."""
    by_name = {field.name.lower(): field.value for field in reversed(fields)}
    around = {*_TITLES, *_REFERENCES, *_AROUND}
    kept = [one for one in fields if one.name.lower() not in around and not one.name.startswith("_")]
    return Form(
        fields=_shown(kept), title=pick.first(*(by_name.get(name) for name in _TITLES)),
        reference=pick.first(*(by_name.get(name) for name in _REFERENCES)),
    )  # fmt: skip


def _answer(value: object) -> str:
    """One text of an answer that may have several."""
    if isinstance(value, bool):
        return ("false", "true")[value]
    if isinstance(value, list) and any(_file(one) for one in value[:50]):
        # One a line: addresses of files are long, and are opened.
        return pick.lines("\n".join(filter(None, (_file(one) or pick.lines(one, 500) for one in value[:50]))))
    if isinstance(value, dict) and _file(value):
        return _file(value)
    if isinstance(value, list):
        return pick.lines(", ".join(filter(None, (pick.lines(one, 500) for one in value[:50]))))
    if isinstance(value, dict):
        return pick.lines(" ".join(filter(None, (pick.lines(one, 500) for one in list(value.values())[:20]))))
    return pick.lines(value)


def _file(value: object) -> str:
    """A file that lies at the builder, with its name where it says one: `menu.pdf https://…`. Nothing for what is none."""
    if isinstance(value, dict):
        address, name = pick.lines(value.get("url")), pick.first(value.get("name"), value.get("filename"))
    else:
        address, name = pick.lines(value), ""
    if not _ADDRESS.fullmatch(address):
        return ""
    return f"{name} {address}" if name else address


def _shown(fields: list[Field]) -> tuple[Field, ...]:
    """The answers, several under one name as one."""
    found: dict[str, Field] = {}
    for field in fields:
        known = found.get(field.name)
        if not field.name or not field.value:
            continue
        if known is not None:
            field = msgspec.structs.replace(known, value=pick.lines(f"{known.value}, {field.value}"))
        elif len(found) >= MAX_SHOWN:
            break
        found[field.name] = field
    return tuple(found.values())
