"""A flow as a form: one card for each step, in the order in which they stand, and back."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import msgspec

from tablegram.automations.checking import KINDS
from tablegram.automations.fields import AutomationFields
from tablegram.errors import FieldError, Invalid, Problem
from tablegram.panel.frame.forms import Form

MAX_CARDS = 20
_DO = re.compile(r"do-([0-9]{1,4})")
_STEP = re.compile(r"steps\[([0-9]+)\](?:\.(\w+))?.*")
UNITS = ("minutes", "hours", "days")
# What a card shows of a step as it is; whatever else a step holds is kept in the card and comes back with it.
_TEXTS = {
    "condition": ("otherwise",),
    "message": ("kind", "text", "media_url", "button", "button_url", "template_name", "template_language"),
    "feedback": ("text", "low_text", "middle_text", "high_text", "review_url"),
    "coupon": ("name", "currency"),
    "notify": ("text",),
}
_NUMBERS = {"feedback": ("low",), "coupon": ("percent", "days")}
_AMOUNTS = {"coupon": ("amount", "minimum")}


def _shown(given: dict[str, Any]) -> dict[str, Any]:
    """What was not said is empty."""
    return defaultdict(str, given)


def cards_of(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the cards of these steps show."""
    return [card_of(number, step) for number, step in enumerate(steps, 1)]


def card_of(number: int, step: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in step.items() if name != "do"}
    if step["do"] == "wait":
        unit = next((one for one in UNITS if step.get(one)), "hours")
        shown = {"number": step.get(unit, ""), "unit": unit, "until": step.get("until", "")}
    elif step["do"] == "condition":
        rules = step.get("rules", {})
        segment = rules.get("is") if isinstance(rules, dict) and rules.get("rule") == "segment" else None
        words = "" if segment is not None or not rules else msgspec.json.format(msgspec.json.encode(rules)).decode()
        shown = {"segment": segment or "", "rules": words, "otherwise": step.get("otherwise", "end")}
    elif step["do"] == "message":
        shown["template_variables"] = "\n".join(step.get("template_variables", ()))
    return {"n": number, "do": step["do"], "given": _shown(shown), "rest": msgspec.json.encode(step).decode()}


def cards_in(form: Form) -> list[dict[str, Any]]:
    """The cards of a form that was sent, as they stood."""
    found = []
    for name in form.names():
        if (match := _DO.fullmatch(name)) and form.text(name) in KINDS:
            number = int(match[1])
            found.append(
                {"n": number, "do": form.text(name), "given": _shown({}), "rest": form.raw(f"rest-{number}")[:20_000]}
            )
    return found[: MAX_CARDS + 1]


def fields_in(form: Form) -> AutomationFields:
    """The fields of an automation; what is wrong with them is found by who keeps it."""
    trigger: dict[str, Any] = {"on": form.text("on")}
    if trigger["on"] in ("no_order", "birthday"):
        trigger["days"] = _whole(form.text("days"))
    if trigger["on"] == "birthday":
        trigger["at"] = form.text("at")
    if trigger["on"] == "tag_added":
        trigger["tag"] = form.text("tag")
    phones = ["".join(sign for sign in one if sign.isdigit()) for one in re.split(r"[,;\n]", form.text("phones"))]
    return {
        "name": form.text("name"),
        "trigger": trigger,
        "steps": [_step(form, card) for card in cards_in(form)],
        "language": form.text("language"),
        "quiet_from": form.text("quiet_from"),
        "quiet_until": form.text("quiet_until"),
        "cap_messages": _whole(form.text("cap_messages")),
        "phones": [one for one in phones if one],
    }


def _step(form: Form, card: dict[str, Any]) -> dict[str, Any]:
    number, do = card["n"], card["do"]

    def typed(name: str) -> str:
        return form.text(f"f-{number}-{name}")

    made: dict[str, Any] = _rest(card["rest"], do)
    if do == "wait":
        made = {"do": "wait"}
        if typed("number") not in ("", "0"):
            made[typed("unit") if typed("unit") in UNITS else "hours"] = _whole(typed("number"))
        return {**made, "until": typed("until")} if typed("until") else made
    if do == "condition":
        made["rules"] = {"rule": "segment", "is": typed("segment")} if typed("segment") else _json(typed("rules"))
    for name in _TEXTS.get(do, ()):
        if form.has(f"f-{number}-{name}"):
            made[name] = typed(name)
    if do == "message" and form.has(f"f-{number}-template_variables"):
        lines = form.raw(f"f-{number}-template_variables").strip().splitlines()
        made |= {"template_variables": [" ".join(line.split()) for line in lines]}
        if not lines:
            del made["template_variables"]
    for name in _NUMBERS.get(do, ()):
        if typed(name):
            made[name] = _whole(typed(name))
        else:
            made.pop(name, None)
    for name in _AMOUNTS.get(do, ()):
        figure = form.number(f"f-{number}-{name}") if form.has(f"f-{number}-{name}") else None
        if figure:
            made[name] = figure
        else:
            made.pop(name, None)
    return {name: value for name, value in made.items() if value != "" or name == "text"}


def _rest(text: str, do: str) -> dict[str, Any]:
    found = _json(text)
    return {**found, "do": do} if found.get("do") == do else {"do": do}


def _json(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _whole(text: str) -> Any:
    """A number where it is one; else as it was typed, which is then told."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text or 0


def beside(problem: Problem, form: Form) -> Problem:
    """Faults of steps as faults of the fields of their cards."""
    cards = cards_in(form)
    told = []
    for error in problem.errors:
        found = _STEP.fullmatch(error.field)
        field = error.field.removeprefix("trigger.").partition("[")[0]
        if found and int(found[1]) < len(cards):
            card = cards[int(found[1])]
            names = {"minutes": "number", "hours": "number", "days": "number"} if card["do"] == "wait" else {}
            names |= {"rules": "segment"} if card["do"] == "condition" else {}
            inner = found[2] or {"wait": "number", "condition": "segment"}.get(card["do"], "text")
            field = f"f-{card['n']}-{names.get(inner, inner)}"
        told.append(FieldError("on" if field == "trigger" else field, error.code, error.detail))
    return Invalid(problem.detail, code=problem.code, errors=tuple(told)) if told else problem
