"""What the network surely refuses, told before it is asked: which field it is, and how to put it right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tablegram.errors import FieldError, Invalid
from tablegram.messaging.templates.components import PLACE, is_named, places
from tablegram.messaging.templates.model import MEDIA_FORMATS, Header, TemplateButton, TemplateDraft

MAX_NAME, MAX_TEXT, MAX_LINE, MAX_LABEL, MAX_URL, MAX_CODE = 512, 1_024, 60, 25, 2_000, 15
MAX_PLACES = 20
MAX_BUTTONS = 10
# How many of a kind a template may have.
MOST = {"url": 2, "phone": 1, "copy_code": 1}
CATEGORIES = ("marketing", "utility")

_NAME = re.compile(r"[a-z0-9_]+", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2,3})?", re.ASCII)
_PLACE_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_PHONE = re.compile(r"\+?[0-9]{5,19}", re.ASCII)
_CODE = re.compile(r"[A-Za-z0-9]+", re.ASCII)
# Two variables with nothing but space between them, and half a pair of braces.
_TOUCHING = re.compile(r"\}\}\s*\{\{")
_ADDRESS = re.compile(r"https?://[^\s/?#.{}]+\.[^\s]+")
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def check(draft: TemplateDraft) -> None:
    """Raises `Invalid` with everything that is wrong."""
    wrong = _check_names(draft)
    wrong += _check_text(draft)
    if draft.header is not None:
        wrong += _check_header(draft.header)
    wrong += _check_footer(draft.footer)
    wrong += _check_buttons(draft.buttons)
    if wrong:
        raise Invalid.fields(wrong)


def _check_names(draft: TemplateDraft) -> list[FieldError]:
    wrong = []
    if not _NAME.fullmatch(draft.name) or len(draft.name) > MAX_NAME:
        words = "A template's name has small letters a to z, digits and _ only, for example order_ready."
        wrong.append(FieldError("name", "template_name_invalid", words))
    if not _LANGUAGE.fullmatch(draft.language):
        words = "Name the language as the network does, for example en, en_US or tr."
        wrong.append(FieldError("language", "template_language_invalid", words))
    if draft.category not in CATEGORIES:
        words = "Choose marketing for offers, or utility for news about an order."
        wrong.append(FieldError("category", "template_category_invalid", words))
    return wrong


def _check_text(draft: TemplateDraft) -> list[FieldError]:
    text = draft.text
    if not text.strip():
        return [FieldError("text", "blank", "Write what the message says.")]
    wrong = []
    if len(text) > MAX_TEXT:
        wrong.append(
            FieldError("text", "template_text_too_long", f"The text may have at most {MAX_TEXT:,} characters.")
        )
    if _CONTROLS.search(text):
        wrong.append(FieldError("text", "control_character", "Leave out tabs and characters that cannot be shown."))
    wrong += _check_places("text", text)
    if not wrong and places(text):
        if PLACE.match(text.lstrip()) or (PLACE.search(text.rstrip()[-60:]) and text.rstrip().endswith("}}")):
            words = "A variable may be neither the first nor the last thing of the text. Put a word before it, or a dot after it."
            wrong.append(FieldError("text", "template_variable_at_edge", words))
        if _TOUCHING.search(text):
            words = "Put a word between two variables that follow each other."
            wrong.append(FieldError("text", "template_variables_touch", words))
    if not wrong:
        wrong += _check_examples(places(text), draft.examples)
    return wrong


def _check_places(field: str, text: str) -> list[FieldError]:
    found = places(text)
    rest = PLACE.sub("", text)
    if "{{" in rest or "}}" in rest:
        words = "Write a variable as {{1}}: two braces, a number, two braces."
        return [FieldError(field, "template_variable_invalid", words)]
    if not found:
        return []
    if len(found) > MAX_PLACES:
        words = f"A text may have at most {MAX_PLACES} variables."
        return [FieldError(field, "template_variables_too_many", words)]
    if is_named(text):
        if all(_PLACE_NAME.fullmatch(place) for place in found):
            return []
        words = "Variables have either numbers, {{1}}, or names of small letters, {{first_name}}, and never both."
        return [FieldError(field, "template_variable_invalid", words)]
    if found != [str(n + 1) for n in range(len(found))]:
        words = f"Number the variables without a gap: {{{{1}}}} to {{{{{len(found)}}}}}."
        return [FieldError(field, "template_variables_gap", words)]
    return []


def _check_examples(found: Sequence[str], examples: Sequence[str]) -> list[FieldError]:
    if len(found) != len(examples):
        words = (
            f"Give an example for each variable: the text has {len(found)}, and there are {len(examples)} examples."
            if found
            else "The text has no variables, so that it needs no examples."
        )
        return [FieldError("examples", "template_examples_mismatch", words)]
    wrong = []
    for number, example in enumerate(examples):
        if not example.strip() or _CONTROLS.search(example) or "\n" in example or PLACE.search(example):
            words = f"Write on one line what {{{{{found[number]}}}}} may become, for example a name."
            wrong.append(FieldError(f"examples[{number}]", "template_example_invalid", words))
    return wrong


def _check_header(header: Header) -> list[FieldError]:
    if header.format in MEDIA_FORMATS:
        if not header.media_id:
            words = "Upload a file that shows what the header will hold, and give its media_id."
            return [FieldError("header.media_id", "template_sample_missing", words)]
        return []
    if header.format == "location":
        return []
    text = header.text
    if not text.strip():
        return [FieldError("header.text", "blank", "Write what the header says, or leave the header out.")]
    if len(text) > MAX_LINE or "\n" in text or _CONTROLS.search(text):
        words = f"The header is one line of at most {MAX_LINE} characters."
        return [FieldError("header.text", "template_text_too_long", words)]
    if wrong := _check_places("header.text", text):
        return wrong
    found = places(text)
    if len(found) > 1:
        return [FieldError("header.text", "template_variables_too_many", "The header may have one variable.")]
    if bool(found) != bool(header.example.strip()):
        words = (
            "Give an example for the header's variable."
            if found
            else "The header has no variable to give an example for."
        )
        return [FieldError("header.example", "template_examples_mismatch", words)]
    if "\n" in header.example or _CONTROLS.search(header.example) or PLACE.search(header.example):
        return [FieldError("header.example", "template_example_invalid", "The example is one line of plain words.")]
    return []


def _check_footer(footer: str) -> list[FieldError]:
    if not footer:
        return []
    if len(footer) > MAX_LINE or "\n" in footer or _CONTROLS.search(footer):
        words = f"The footer is one line of at most {MAX_LINE} characters."
        return [FieldError("footer", "template_text_too_long", words)]
    if "{{" in footer or "}}" in footer:
        return [
            FieldError("footer", "template_variable_invalid", "The footer has no variables. Move them to the text.")
        ]
    if not footer.strip():
        return [FieldError("footer", "blank", "Write what the footer says, or leave it out.")]
    return []


def _check_buttons(buttons: Sequence[TemplateButton]) -> list[FieldError]:
    wrong = []
    if len(buttons) > MAX_BUTTONS:
        words = f"A template may have at most {MAX_BUTTONS} buttons."
        return [FieldError("buttons", "template_buttons_too_many", words)]
    for kind, most in MOST.items():
        if sum(1 for one in buttons if one.type == kind) > most:
            words = f"A template may have at most {most} of the buttons of type {kind}."
            wrong.append(FieldError("buttons", "template_buttons_too_many", words))
    turns = [one.type == "quick_reply" for one in buttons]
    if sum(1 for before, after in pairwise(turns) if before != after) > 1:
        words = "Put all quick replies together: before the other buttons, or after them."
        wrong.append(FieldError("buttons", "template_buttons_mixed", words))
    labels: set[str] = set()
    for number, button in enumerate(buttons):
        found = _check_button(f"buttons[{number}]", button)
        if not found and button.type != "copy_code" and button.text.strip().casefold() in labels:
            found = [FieldError(f"buttons[{number}].text", "template_button_twice", "Two buttons say the same.")]
        labels.add(button.text.strip().casefold())
        wrong += found
    return wrong


def _check_button(field: str, button: TemplateButton) -> list[FieldError]:
    if button.type == "copy_code":
        if not _CODE.fullmatch(button.example) or len(button.example) > MAX_CODE:
            words = f"Give an example of the code: at most {MAX_CODE} letters and digits."
            return [FieldError(f"{field}.example", "template_example_invalid", words)]
        return []
    label = button.text
    if not label.strip() or len(label) > MAX_LABEL or "\n" in label or _CONTROLS.search(label) or "{{" in label:
        words = f"A button says something in at most {MAX_LABEL} characters, without variables."
        return [FieldError(f"{field}.text", "template_button_invalid", words)]
    if button.type == "phone" and not _PHONE.fullmatch(button.phone):
        words = "Write the number with its country code, for example +905551112233."
        return [FieldError(f"{field}.phone", "template_button_invalid", words)]
    if button.type == "url":
        return _check_address(field, button)
    return []


def _check_address(field: str, button: TemplateButton) -> list[FieldError]:
    url = button.url
    if not _ADDRESS.fullmatch(url) or len(url) > MAX_URL:
        words = "Write an address that begins with https://, for example https://shop.example/t/{{1}}."
        return [FieldError(f"{field}.url", "template_button_invalid", words)]
    found = places(url)
    if wrong := _check_places(f"{field}.url", url):
        return wrong
    if found and (len(found) > 1 or not url.endswith("}}") or url.count("{{") > 1):
        words = "An address may have one variable, and only at its end."
        return [FieldError(f"{field}.url", "template_variable_invalid", words)]
    example = button.example
    if bool(found) != bool(example.strip()) or re.search(r"\s", example):
        words = (
            "Give an example of how the address ends, without spaces."
            if found
            else "The address has no variable to give an example for."
        )
        return [FieldError(f"{field}.example", "template_example_invalid", words)]
    return []
