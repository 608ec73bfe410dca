"""Whether a definition makes sense, told by the path of the field and with what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from tablegram.automations.fields import AutomationFields
from tablegram.automations.filling import VARIABLES
from tablegram.automations.model import (
    MAX_PHONES,
    MAX_STEPS,
    MAX_TEXT,
    AnyStep,
    AutomationTrigger,
    ConditionStep,
    CouponStep,
    Definition,
    FeedbackStep,
    MessageStep,
    NotifyStep,
    WaitStep,
)
from tablegram.automations.timing import is_time
from tablegram.errors import FieldError, Invalid
from tablegram.values import Json
from tablegram.values.money import CURRENCY_WANTED, MAX_AMOUNT, from_wire, is_currency
from tablegram.values.opening_hours import ZONE_WANTED, is_time_zone
from tablegram.values.texts.variables import wrong

KINDS = ("wait", "condition", "message", "feedback", "coupon", "notify", "end")
MAX_DAYS = 730
_AT = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
_LINK = re.compile(r"https://[!-~]{1,1990}")
_PHONE = re.compile(r"[1-9][0-9]{6,14}")
_TEMPLATE = re.compile(r"[a-z0-9_]{1,512}")


class _Checking:
    def __init__(self) -> None:
        self.errors: list[FieldError] = []

    def wrong(self, path: str, code: str, fix: str) -> None:
        self.errors.append(FieldError(path, code, fix))

    def need(self, holds: bool, path: str, code: str, fix: str) -> None:
        if not holds:
            self.wrong(path, code, fix)

    def convert(self, given: Any, kind: Any, path: str) -> Any:
        """The value, or nothing and a note of what is wrong with it."""
        try:
            return msgspec.convert(given, kind)
        except msgspec.ValidationError as error:
            found = _AT.fullmatch(str(error))
            assert found is not None
            inner = found[2] or ""
            field = f"{path}{inner}" if inner.startswith("[") else ".".join(filter(None, (path, inner)))
            self.wrong(field, "type_invalid", f"{found[1].replace('`', '')}.")
            return None

    def words(self, text: str, path: str, *, needed: bool, most: int = MAX_TEXT) -> None:
        if needed and not text.strip():
            self.wrong(path, "text_missing", "Write what is to be said.")
        if len(text) > most:
            self.wrong(path, "text_too_long", f"Write at most {most:,} characters.")
        if "\x00" in text:
            self.wrong(path, "text_wrong", "Leave out the character 0.")
        found = wrong(text, VARIABLES)
        if found is not None:
            self.wrong(path, *found)

    def link(self, text: str, path: str) -> None:
        if text and _LINK.fullmatch(text) is None:
            self.wrong(path, "url_wrong", "Give an address that begins with https://.")

    def number(self, value: int, low: int, high: int, path: str) -> None:
        self.need(low <= value <= high, path, "out_of_range", f"Give a number from {low} to {high}.")

    def clock(self, text: str, path: str) -> None:
        self.need(not text or is_time(text), path, "time_wrong", "Write a time such as 18:00.")

    # Parts of a definition.

    def trigger(self, one: AutomationTrigger) -> None:
        if one.on == "no_order":
            self.number(one.days, 7, MAX_DAYS, "trigger.days")
        elif one.on == "birthday":
            self.number(one.days, 0, 30, "trigger.days")
            self.clock(one.at, "trigger.at")
        elif one.days:
            self.wrong("trigger.days", "not_used", f"Leave it out with {one.on}.")
        if one.on == "tag_added":
            tag = one.tag.strip()
            self.need(0 < len(tag) <= 60 and "\x00" not in tag, "trigger.tag", "tag_wrong", "Name a tag.")
        elif one.tag:
            self.wrong("trigger.tag", "not_used", f"Leave it out with {one.on}.")
        if one.at and one.on != "birthday":
            self.wrong("trigger.at", "not_used", f"Leave it out with {one.on}.")

    def step(self, one: AnyStep, path: str) -> None:
        match one:
            case WaitStep():
                for name, most in (("minutes", 1_440), ("hours", 168), ("days", 365)):
                    self.number(getattr(one, name), 0, most, f"{path}.{name}")
                self.clock(one.until, f"{path}.until")
                waits = bool(one.minutes or one.hours or one.days or one.until)
                self.need(waits, path, "wait_empty", "Say how long, or until when.")
            case MessageStep():
                self.message(one, path)
            case FeedbackStep():
                self.feedback(one, path)
            case CouponStep():
                self.coupon(one, path)
            case NotifyStep():
                self.words(one.text, f"{path}.text", needed=True)

    def message(self, one: MessageStep, path: str) -> None:
        self.words(one.text, f"{path}.text", needed=one.kind != "template")
        self.link(one.media_url, f"{path}.media_url")
        self.link(one.button_url, f"{path}.button_url")
        if one.kind == "media" and not one.media_url:
            self.wrong(f"{path}.media_url", "media_missing", "Give the address of the file that is sent along.")
        if bool(one.button) != bool(one.button_url):
            self.wrong(f"{path}.button", "button_half", "Give the words of the button and its address, or none.")
        if one.button:
            is_line = len(one.button) <= 20 and one.button.isprintable()
            self.need(is_line, f"{path}.button", "button_wrong", "A button has one line of at most 20 characters.")
            self.need(one.kind == "text", f"{path}.button", "button_wrong", "Only a text has a button.")
        if one.kind == "template" and _TEMPLATE.fullmatch(one.template_name) is None:
            self.wrong(f"{path}.template_name", "template_missing", "Name the template that is sent.")
        language = re.fullmatch("[A-Za-z_]{2,10}", one.template_language)
        self.need(language is not None, f"{path}.template_language", "language_wrong", "Write it as tr or en_US.")
        self.need(len(one.template_variables) <= 20, f"{path}.template_variables", "too_many", "Give at most 20.")
        for place, text in enumerate(one.template_variables[:20]):
            self.words(text, f"{path}.template_variables[{place}]", needed=False, most=500)
        self.number(one.template_stop_button, -1, 9, f"{path}.template_stop_button")

    def coupon(self, one: CouponStep, path: str) -> None:
        is_line = 0 < len(one.name.strip()) <= 80 and one.name.isprintable()
        self.need(is_line, f"{path}.name", "name_wrong", "Say in at most 80 characters what the guest gets.")
        if one.percent and one.amount:
            self.wrong(f"{path}.amount", "not_used", "Give a percentage or an amount.")
        elif not one.amount:
            self.number(one.percent, 1, 100, f"{path}.percent")
        self.number(one.days, 1, 365, f"{path}.days")
        if one.amount or one.minimum or one.currency:
            self.need(is_currency(one.currency), f"{path}.currency", "currency_unknown", CURRENCY_WANTED)
        for name in ("amount", "minimum"):
            if getattr(one, name) and is_currency(one.currency):
                self.money(getattr(one, name), one.currency, f"{path}.{name}")

    def money(self, value: float, currency: str, path: str) -> None:
        try:
            is_sound = 0 < from_wire(value, currency) <= MAX_AMOUNT
        except ValueError:
            is_sound = False
        self.need(is_sound, path, "amount_wrong", "Give an amount of this currency.")

    def feedback(self, one: FeedbackStep, path: str) -> None:
        self.words(one.text, f"{path}.text", needed=True, most=900)
        for name in ("low_text", "middle_text", "high_text"):
            self.words(getattr(one, name), f"{path}.{name}", needed=False, most=900)
        self.number(one.low, 0, 4, f"{path}.low")
        self.number(one.high, 1, 6, f"{path}.high")
        self.need(one.low < one.high, f"{path}.high", "out_of_range", "Give more than what is low.")
        self.link(one.review_url, f"{path}.review_url")


def parse(given: AutomationFields, old: Definition | None = None) -> Definition:
    """The definition of what was given, on top of what there was; `Invalid` with everything that is wrong."""
    found = _Checking()
    fields = {} if old is None else {name: getattr(old, name) for name in Definition.__struct_fields__}
    if "trigger" in given:
        fields["trigger"] = found.convert(given["trigger"], AutomationTrigger, "trigger")
    if "steps" in given:
        fields["steps"] = _steps(given["steps"], found)
    others: Mapping[str, object] = given
    for name in ("language", "time_zone", "quiet_from", "quiet_until", "cap_messages", "cap_days", "phones"):
        if name in others:
            fields[name] = found.convert(others[name], _KINDS[name], name)
    if fields.get("trigger") is None and not found.errors:
        found.wrong("trigger", "trigger_missing", "Say what begins it.")
    if found.errors:
        raise Invalid.fields(found.errors[:20])
    made = Definition(**fields)
    _check(made, found)
    if found.errors:
        raise Invalid.fields(found.errors[:20])
    return made


_KINDS: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(Definition)}


def _steps(given: Any, found: _Checking) -> tuple[AnyStep, ...]:
    if not isinstance(given, list | tuple):
        found.wrong("steps", "type_invalid", "Give a list of steps.")
        return ()
    if len(given) > MAX_STEPS:
        found.wrong("steps", "steps_too_many", f"An automation has at most {MAX_STEPS} steps.")
        return ()
    made = []
    for place, one in enumerate(given):
        path = f"steps[{place}]"
        if not isinstance(one, dict) or one.get("do") not in KINDS:
            found.wrong(f"{path}.do", "step_unknown", f"Choose one of: {', '.join(KINDS)}.")
            continue
        step = found.convert(one, AnyStep, path)
        if step is not None:
            made.append(step)
    return tuple(made)


def _check(one: Definition, found: _Checking) -> None:
    found.trigger(one.trigger)
    for place, step in enumerate(one.steps):
        found.step(step, f"steps[{place}]")
    asks = [place for place, step in enumerate(one.steps) if isinstance(step, FeedbackStep)]
    for place in asks[1:]:
        found.wrong(f"steps[{place}]", "feedback_twice", "Ask how it was once in an automation.")
    found.need(is_time_zone(one.time_zone), "time_zone", "time_zone_unknown", ZONE_WANTED)
    found.clock(one.quiet_from, "quiet_from")
    found.clock(one.quiet_until, "quiet_until")
    if bool(one.quiet_from) != bool(one.quiet_until):
        found.wrong("quiet_until", "quiet_hours_half", "Give both ends of the quiet hours, or none.")
    found.number(one.cap_messages, 0, 30, "cap_messages")
    found.need(len(one.phones) <= MAX_PHONES, "phones", "too_many", f"Give at most {MAX_PHONES} numbers.")
    for place, phone in enumerate(one.phones[:MAX_PHONES]):
        is_number = _PHONE.fullmatch(phone) is not None
        found.need(
            is_number, f"phones[{place}]", "phone_wrong", "Write a number with its country, such as 905321112233."
        )


def check_ready(one: Definition) -> None:
    """What must be there before it is turned on."""
    found = _Checking()
    speaks = any(isinstance(step, MessageStep | FeedbackStep | NotifyStep | CouponStep) for step in one.steps)
    found.need(speaks, "steps", "steps_missing", "Add a step that says or gives something.")
    if any(isinstance(step, NotifyStep) for step in one.steps):
        found.need(bool(one.phones), "phones", "phones_missing", "Give a number of the house that is told.")
    if found.errors:
        raise Invalid.fields(found.errors)


def conditions(one: Definition) -> list[tuple[str, Json]]:
    """The rules of conditions, each with its path."""
    return [(f"steps[{place}]", step.rules) for place, step in enumerate(one.steps) if isinstance(step, ConditionStep)]


def coupons(one: Definition) -> list[tuple[str, CouponStep]]:
    """The coupons that it gives, each with its path."""
    return [(f"steps[{place}]", step) for place, step in enumerate(one.steps) if isinstance(step, CouponStep)]
