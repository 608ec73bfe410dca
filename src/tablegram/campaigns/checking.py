"""Whether a plan makes sense, told by field and with what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tablegram.campaigns import filling
from tablegram.campaigns.fields import PlanFields
from tablegram.campaigns.model import MAX_TEXT, MAX_TEXTS, Plan
from tablegram.campaigns.timing import is_time
from tablegram.errors import Invalid
from tablegram.values.opening_hours import is_time_zone


def change(plan: Plan, fields: PlanFields) -> Plan:
    """The plan with what was given; what cannot be is refused."""
    given: Mapping[str, Any] = fields
    named = {name: given[name] for name in Plan.__struct_fields__ if name in given}
    for name in ("texts", "template_variables"):
        if name in named:
            named[name] = tuple(named[name])
    changed = msgspec.structs.replace(plan, **named)
    _check(changed)
    return changed


def _check(plan: Plan) -> None:
    if len(plan.texts) > MAX_TEXTS or any(len(text) > MAX_TEXT for text in plan.texts):
        words = f"Write at most {MAX_TEXTS} texts of {MAX_TEXT:,} characters."
        raise Invalid.field("texts", "texts_wrong", words)
    for text in plan.texts:
        filling.check(text, "texts")
    for text in plan.template_variables:
        filling.check(text, "template_variables")
    if len(filling.links_of(plan)) > filling.MAX_LINKS:
        raise Invalid.field("texts", "links_many", f"Use at most {filling.MAX_LINKS} different links.")
    if not is_time_zone(plan.time_zone):
        raise Invalid.field("time_zone", "time_zone_unknown", "Name a time zone such as Europe/Istanbul.")
    for name, value in (("quiet_from", plan.quiet_from), ("quiet_until", plan.quiet_until)):
        if value and not is_time(value):
            raise Invalid.field(name, "time_wrong", "Write a time such as 21:00, or nothing.")
    if bool(plan.quiet_from) != bool(plan.quiet_until):
        raise Invalid.field("quiet_until", "quiet_hours_half", "Give both ends of the quiet hours, or none.")


def check_ready(plan: Plan) -> None:
    """What must be there before it begins."""
    if plan.kind == "template":
        if not plan.template_name:
            raise Invalid.field("template_name", "template_missing", "Name the template that is sent.")
        return
    if not plan.texts or not all(text.strip() for text in plan.texts):
        raise Invalid.field("texts", "texts_missing", "Write what is to be sent.")
    if plan.kind == "media" and not (plan.media_url or plan.image_id):
        raise Invalid.field("media_url", "media_missing", "Give image_id or media_url: the file that is sent along.")
