"""Whether a plan makes sense, told by field and with what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tablegram.campaigns import filling
from tablegram.campaigns.fields import PlanFields, VersionFields
from tablegram.campaigns.model import MAX_TEXT, MAX_TEXTS, Plan, Version
from tablegram.campaigns.timing import is_time
from tablegram.errors import Invalid
from tablegram.values.opening_hours import ZONE_WANTED, is_time_zone


def change(plan: Plan, fields: PlanFields) -> Plan:
    """The plan with what was given; what cannot be is refused."""
    given: Mapping[str, Any] = fields
    named = {name: given[name] for name in Plan.__struct_fields__ if name in given}
    for name in ("texts", "template_variables"):
        if name in named:
            named[name] = tuple(named[name])
    if "versions" in fields:
        named |= _versions(fields["versions"], named)
    changed = msgspec.structs.replace(plan, **named)
    _check(changed)
    return changed


def version_field(plan: Plan, arm: int, name: str) -> str:
    """How a field of one of the templates is called: where there is one alone, as in the campaign itself."""
    return f"versions[{arm}].{name}" if plan.more_versions else name


def _versions(given: Sequence[VersionFields], named: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that all templates come to: the first stands in the plan itself."""
    if len(given) > MAX_TEXTS:
        raise Invalid.field("versions", "versions_many", f"Compare at most {MAX_TEXTS} templates.")
    if not given:
        return {"more_versions": ()}
    made = [_version(one) for one in given]
    first = msgspec.structs.asdict(made[0])
    for name in given[0].keys() & named.keys():
        if named[name] != first[name]:
            words = f"versions[0] says something else. Give {name} there, and leave it out here."
            raise Invalid.field(name, "versions_mixed", words)
    return {**first, "more_versions": tuple(made[1:])}


def _version(fields: Mapping[str, Any]) -> Version:
    return msgspec.structs.replace(
        Version(), **{**fields, "template_variables": tuple(fields.get("template_variables", ()))}
    )


def _check(plan: Plan) -> None:
    if len(plan.texts) > MAX_TEXTS or any(len(text) > MAX_TEXT for text in plan.texts):
        words = f"Write at most {MAX_TEXTS} texts of {MAX_TEXT:,} characters."
        raise Invalid.field("texts", "texts_wrong", words)
    for text in plan.texts:
        filling.check(text, "texts")
    filled = (plan.template_variables, *(one.template_variables for one in plan.more_versions))
    for arm, texts in enumerate(filled):
        for text in texts:
            filling.check(text, version_field(plan, arm, "template_variables"))
    if len(filling.links_of(plan)) > filling.MAX_LINKS:
        field = "texts" if plan.kind != "template" else "versions" if plan.more_versions else "template_variables"
        raise Invalid.field(field, "links_many", f"Use at most {filling.MAX_LINKS} different links.")
    if not is_time_zone(plan.time_zone):
        raise Invalid.field("time_zone", "time_zone_unknown", ZONE_WANTED)
    for name, value in (("quiet_from", plan.quiet_from), ("quiet_until", plan.quiet_until)):
        if value and not is_time(value):
            raise Invalid.field(name, "time_wrong", "Write a time such as 21:00, or nothing.")
    if bool(plan.quiet_from) != bool(plan.quiet_until):
        raise Invalid.field("quiet_until", "quiet_hours_half", "Give both ends of the quiet hours, or none.")


def check_ready(plan: Plan) -> None:
    """What must be there before it begins."""
    if plan.kind == "template":
        for arm, one in enumerate(plan.versions):
            if not one.template_name:
                field = version_field(plan, arm, "template_name")
                raise Invalid.field(field, "template_missing", "Name the template that is sent.")
        return
    if not plan.texts or not all(text.strip() for text in plan.texts):
        raise Invalid.field("texts", "texts_missing", "Write what is to be sent.")
    if plan.kind == "media" and not (plan.media_url or plan.image_id):
        raise Invalid.field("media_url", "media_missing", "Give image_id or media_url: the file that is sent along.")
