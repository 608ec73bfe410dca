"""A step's message for one person."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.automations.model import Definition, FeedbackStep, MessageStep
from tablegram.campaigns.filling import STOP, WORDS, with_way_out
from tablegram.flows.automations.words import speak
from tablegram.flows.campaigns.message.wording import HAS_BUTTONS, MAX_WITH_BUTTONS
from tablegram.messaging.model import (
    Button,
    Buttons,
    Content,
    LinkButton,
    ListMenu,
    Media,
    Row,
    Section,
    Template,
    Text,
)
from tablegram.values.texts.variables import fill

# What a rating's list carries, with the run and the figure.
RATE = "tg:rate"
Values = Mapping[str, str]


def message(step: MessageStep, one: Definition, line_kind: str, values: Values) -> Content:
    """Advertising: the way out is part of it, and no setting removes it."""
    if step.kind == "template":
        return _template(step, values)
    text = with_way_out(fill(step.text, values), one.language)
    if step.kind == "media":
        return Media(step.media_kind, step.media_url, True, caption=text)
    can_tap = line_kind in HAS_BUTTONS and len(text) <= MAX_WITH_BUTTONS
    if step.button:
        return LinkButton(text, step.button, step.button_url) if can_tap else Text(f"{text}\n\n{step.button_url}")
    return Buttons(text, [Button(STOP, WORDS.of(one.language)["stop_button"])]) if can_tap else Text(text)


def question(step: FeedbackStep, one: Definition, line_kind: str, values: Values, run_id: str) -> Content:
    """From 5 to 1 as a list; where a line has none, by a number."""
    words, text = speak(one.language), fill(step.text, values)
    if line_kind not in HAS_BUTTONS:
        return Text(f"{text}\n\n{words['by_number']}")
    rows = [Row(f"{RATE}:{run_id}:{figure}", words[f"rate_{figure}"]) for figure in (5, 4, 3, 2, 1)]
    return ListMenu(text, words["choose"], [Section(rows)])


def thanks(step: FeedbackStep, one: Definition, line_kind: str, values: Values, rating: int) -> Content:
    """What is said to a rating: nobody who is not content is asked to tell others."""
    words = speak(one.language)
    kind = "low" if rating <= step.low else "high" if rating >= step.high else "middle"
    text = fill(getattr(step, f"{kind}_text"), values) or words[kind]
    if kind != "high" or not step.review_url:
        return Text(text)
    if line_kind in HAS_BUTTONS:
        return LinkButton(text, words["review"], step.review_url)
    return Text(f"{text}\n\n{step.review_url}")


def shown_buttons(content: Content) -> list[str]:
    """What can be tapped, for a look at it."""
    match content:
        case Buttons():
            return [button.title for button in content.buttons]
        case LinkButton():
            return [content.title]
        case ListMenu():
            return [row.title for section in content.sections for row in section.rows]
        case _:
            return []


def _template(step: MessageStep, values: Values) -> Template:
    # The network refuses an empty parameter, and one with several lines.
    given = [{"type": "text", "text": " ".join(fill(text, values).split()) or "-"} for text in step.template_variables]
    parts: list[dict[str, object]] = [{"type": "body", "parameters": given}] if given else []
    if step.template_stop_button >= 0:
        place = {"type": "button", "sub_type": "quick_reply", "index": str(step.template_stop_button)}
        parts.append({**place, "parameters": [{"type": "payload", "payload": STOP}]})
    return Template(step.template_name, step.template_language, parts, "marketing")
