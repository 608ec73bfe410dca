"""Between a template as people write it and the components that the network reads."""

from __future__ import annotations

import re
from typing import get_args

from tablegram.messaging.templates.model import ButtonKind, Format, Header, TemplateButton, TemplateDraft
from tablegram.values import Json, dicts, listed, mapping, string

PLACE = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")
_KINDS: dict[str, ButtonKind] = {
    "QUICK_REPLY": "quick_reply",
    "URL": "url",
    "PHONE_NUMBER": "phone",
    "COPY_CODE": "copy_code",
}
_FORMATS: tuple[Format, ...] = get_args(Format)


def places(text: str) -> list[str]:
    """The names of its variables, each once, in the order of their values: numbers count, names as they come."""
    found = list(dict.fromkeys(PLACE.findall(text)))
    if all(place.isdecimal() for place in found):
        found.sort(key=lambda place: (len(place), place))
    return found


def is_named(text: str) -> bool:
    """Whether variables have names instead of numbers."""
    return any(not place.isdecimal() for place in places(text))


def build(draft: TemplateDraft, handle: str = "") -> list[Json]:
    """`handle`: what the network calls the sample of a header's file."""
    made: list[Json] = []
    if draft.header is not None:
        made.append(_header(draft.header, handle))
    body: Json = {"type": "BODY", "text": draft.text}
    if draft.examples:
        body["example"] = _examples("body_text", draft.text, list(draft.examples))
    made.append(body)
    if draft.footer:
        made.append({"type": "FOOTER", "text": draft.footer})
    if draft.buttons:
        made.append({"type": "BUTTONS", "buttons": [_button(one) for one in draft.buttons]})
    return made


def read(name: str, language: str, category: str, components: list[Json]) -> TemplateDraft:
    """What the network's components say, as far as it can be written here."""
    parts = {str(part.get("type", "")).upper(): part for part in components}
    body = parts.get("BODY", {})
    header = parts.get("HEADER")
    buttons = dicts(parts.get("BUTTONS", {}).get("buttons"))
    return TemplateDraft(
        name=name,
        language=language,
        category=category.lower(),
        text=_text(body),
        examples=tuple(_values(body, "body_text")),
        header=None if header is None else _read_header(header),
        footer=_text(parts.get("FOOTER", {})),
        buttons=tuple(made for one in buttons if (made := _read_button(one))),
    )


def says_the_same(one: list[Json], other: list[Json]) -> bool:
    """Whether two sets of components read alike to a customer; examples do not count."""

    def core(components: list[Json]) -> list[object]:
        draft = read("", "", "", components)
        header = draft.header and (draft.header.format, draft.header.text)
        return [header, draft.text, draft.footer, [(b.type, b.text, b.url, b.phone) for b in draft.buttons]]

    return core(one) == core(other)


def _examples(name: str, text: str, values: list[str]) -> Json:
    if is_named(text):
        named = [{"param_name": place, "example": value} for place, value in zip(places(text), values, strict=False)]
        return {f"{name}_named_params": named}
    return {name: [values] if name == "body_text" else values}


def _header(header: Header, handle: str) -> Json:
    made: Json = {"type": "HEADER", "format": header.format.upper()}
    if header.format == "text":
        made["text"] = header.text
        if header.example:
            made["example"] = _examples("header_text", header.text, [header.example])
    elif header.format != "location":
        made["example"] = {"header_handle": [handle]}
    return made


def _button(button: TemplateButton) -> Json:
    match button.type:
        case "url":
            made: Json = {"type": "URL", "text": button.text, "url": button.url}
            if places(button.url):
                is_whole = button.example.startswith(("https://", "http://"))
                shown = button.example if is_whole else PLACE.sub(lambda _: button.example, button.url)
                made["example"] = [shown]
            return made
        case "phone":
            return {"type": "PHONE_NUMBER", "text": button.text, "phone_number": button.phone}
        case "copy_code":
            return {"type": "COPY_CODE", "example": button.example}
    return {"type": "QUICK_REPLY", "text": button.text}


def _text(part: Json) -> str:
    return string(part.get("text"))


def _values(part: Json, name: str) -> list[str]:
    example = mapping(part.get("example"))
    named = example.get(f"{name}_named_params")
    if isinstance(named, list):
        return [str(one.get("example", "")) for one in dicts(named)]
    given = listed(example.get(name))
    if given and isinstance(given[0], list):
        given = given[0]
    return [str(one) for one in given]


def _read_header(part: Json) -> Header:
    kind = str(part.get("format", "TEXT")).lower()
    values = _values(part, "header_text")
    return Header(
        format=next((known for known in _FORMATS if known == kind), "text"),
        text=_text(part),
        example=values[0] if values else "",
    )


def _read_button(part: Json) -> TemplateButton | None:
    kind = _KINDS.get(str(part.get("type", "")).upper())
    if kind is None:
        return None
    example = part.get("example")
    if isinstance(example, list):
        example = example[0] if example else ""
    return TemplateButton(
        type=kind,
        text=_text(part),
        url=str(part.get("url") or ""),
        phone=str(part.get("phone_number") or ""),
        example=string(example),
    )
