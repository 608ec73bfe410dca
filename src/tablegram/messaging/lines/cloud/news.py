"""News of the network that nobody wrote: about the business account, its numbers, templates, flows, groups, payments.

Each field of the network's has a kind in our words and the parts of it that say something, none of them about a
person. What changes how a line stands says so (`LineStanding`).
"""

from __future__ import annotations

from typing import Literal

from tablegram.messaging.incoming import LineStanding, Notice
from tablegram.messaging.lines.cloud.loose import at_ms, phone, text
from tablegram.values import Json, dicts, mapping
from tablegram.values.clock import DAY_MS

# By the network's field: our kind, and what is told of it.
FIELDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "account_update": ("account", ("event", "country")),
    "account_review_update": ("account_review", ("decision",)),
    "account_alerts": ("alert", ("alert_type", "alert_severity", "alert_status", "alert_description")),
    "account_settings_update": ("account_settings", ("type",)),
    "business_capability_update": (
        "capability",
        ("max_daily_conversation_per_phone", "max_daily_conversations_per_business", "max_phone_numbers_per_business"),
    ),
    "business_status_update": ("business", ("event",)),
    "business_username_update": ("business_username", ("username", "status")),
    "partner_solutions": ("partner", ("event", "solution_id", "solution_status")),
    "phone_number_quality_update": ("quality", ("event", "current_limit", "old_limit")),
    "phone_number_name_update": ("display_name", ("decision", "requested_verified_name", "rejection_reason")),
    "security": ("security", ("event",)),
    "message_template_status_update": (
        "template_status", ("event", "message_template_name", "message_template_language", "reason"),
    ),
    "message_template_quality_update": (
        "template_quality",
        ("message_template_name", "message_template_language", "previous_quality_score", "new_quality_score"),
    ),
    "message_template_components_update": (
        "template_content", ("message_template_name", "message_template_language"),
    ),
    "template_category_update": (
        "template_category",
        ("message_template_name", "message_template_language", "previous_category", "new_category", "correct_category"),
    ),
    "flows": ("flow", ("event", "flow_id", "old_status", "new_status", "message", "alert_state")),
    "payment_configuration_update": ("payment_configuration", ("configuration_name", "provider_name", "status")),
    "group_lifecycle_update": ("group", ()),
    "group_participants_update": ("group", ()),
    "group_settings_update": ("group", ()),
    "group_status_update": ("group", ()),
    "messaging_handovers": ("handover", ()),
    "automatic_events": ("automatic_event", ()),
    "tracking_events": ("tracking", ("event_name",)),
}  # fmt: skip
# Statuses of something else than a message.
OTHER_STATUSES = ("payment", "call")
_GROUP_LISTS = ("groups", "group")
_MAX_FACT = 300
# The network never says that a warning is over.
_WARNED_MS = 7 * DAY_MS

_BANS: dict[str, tuple[Literal["restricted", "needs_attention"], str]] = {
    "DISABLE": ("restricted", "The network has disabled the business account."),
    "SCHEDULE_FOR_DISABLE": ("needs_attention", "The network is going to disable the business account."),
}
_LIMITS = {"FLAGGED": "The network has flagged the number for low quality.",
           "DOWNGRADE": "The network lets the number reach fewer people a day."}  # fmt: skip
_CALMED = ("UNFLAGGED", "UPGRADE", "ONBOARDING", "THROUGHPUT_UPGRADE")


def read(field: str, value: Json, waba_id: str, told_at_ms: int) -> Notice:
    kind, names = FIELDS[field]
    facts = {name: text(value.get(name))[:_MAX_FACT] for name in names if text(value.get(name))}
    if kind == "group":
        facts |= _group_facts(value)
    if field == "account_update":
        facts |= _account_facts(value)
    return Notice(
        kind=kind,
        field=field,
        phone_number_id=text(mapping(value.get("metadata")).get("phone_number_id")),
        waba_id=waba_id,
        phone=phone(value.get("display_phone_number") or value.get("phone_number")),
        at_ms=told_at_ms,
        facts=facts,
        standing=_standing(field, value),
    )


def read_status(status: Json, number_id: str) -> Notice | None:
    """How a payment inside a chat, or a call of ours, goes on."""
    kind, word = text(status.get("type")), text(status.get("status"))
    payment = mapping(status.get("payment"))
    if not word or (kind not in OTHER_STATUSES and not payment):
        return None
    facts = {"status": word}
    if reference := text(payment.get("reference_id")):
        facts["reference_id"] = reference[:_MAX_FACT]
    is_call = kind == "call"
    return Notice(
        kind="call" if is_call else "payment", field="calls" if is_call else "messages", phone_number_id=number_id,
        at_ms=at_ms(status.get("timestamp")), facts=facts,
    )  # fmt: skip


def _group_facts(value: Json) -> dict[str, str]:
    groups = next((dicts(value.get(name)) for name in _GROUP_LISTS if dicts(value.get(name))), [])
    facts: dict[str, str] = {}
    for group in groups[:1]:
        for name in ("group_id", "type", "subject"):
            if text(group.get(name)):
                facts[name] = text(group.get(name))[:_MAX_FACT]
    return facts


def _account_facts(value: Json) -> dict[str, str]:
    ban = text(mapping(value.get("ban_info")).get("waba_ban_state"))
    kinds = [text(one.get("restriction_type")) for one in dicts(value.get("restriction_info"))]
    violation = text(mapping(value.get("violation_info")).get("violation_type"))
    told = {"ban": ban, "restrictions": ", ".join(one for one in kinds if one), "violation": violation}
    return {name: word[:_MAX_FACT] for name, word in told.items() if word}


def _standing(field: str, value: Json) -> LineStanding | None:
    match field:
        case "account_update":
            return _account_standing(value)
        case "account_review_update":
            if text(value.get("decision")) == "REJECTED":
                reason = "The network has rejected the business account in its review."
                return LineStanding(topic="review", state="restricted", reason=reason)
            return LineStanding(topic="review", state=None)
        case "account_alerts":
            return _alert_standing(value)
        case "phone_number_quality_update":
            event = text(value.get("event"))
            if event in _LIMITS:
                return LineStanding(topic="quality", state="degraded", reason=_LIMITS[event])
            return LineStanding(topic="quality", state=None) if event in _CALMED else None
    return None


def _account_standing(value: Json) -> LineStanding | None:
    event, ban = text(value.get("event")), text(mapping(value.get("ban_info")).get("waba_ban_state"))
    if ban in _BANS:
        state, reason = _BANS[ban]
        return LineStanding(topic="account", state=state, reason=reason)
    if ban == "REINSTATE" or event in ("ACCOUNT_REINSTATED", "REINSTATED"):
        return LineStanding(topic="account", state=None)
    if event == "ACCOUNT_RESTRICTION":
        limits = dicts(value.get("restriction_info"))
        if not limits:
            return LineStanding(topic="restriction", state=None)
        ends = [at_ms(one.get("expiration")) for one in limits]
        reason = "The network has restricted the business account."
        return LineStanding(
            topic="restriction", state="restricted", reason=reason, until_ms=max(ends) if all(ends) else None
        )
    if event == "ACCOUNT_VIOLATION":
        reason = "The network says that the business account has broken its rules."
        return LineStanding(topic="violation", state="needs_attention", reason=reason, lasts_ms=_WARNED_MS)
    if event in ("ACCOUNT_DELETED", "PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED"):
        reason = "The business account is no longer connected to this app."
        return LineStanding(topic="account", state="needs_attention", reason=reason)
    if event in ("VERIFIED_ACCOUNT", "PARTNER_ADDED"):
        return LineStanding(topic="account", state=None)
    return None


def _alert_standing(value: Json) -> LineStanding | None:
    """An alert that is open and serious; one that is settled is over."""
    topic = f"alert:{text(value.get('alert_type'))}"[:100]
    if text(value.get("alert_status")).upper() not in ("ACTIVE", "NONE", ""):
        return LineStanding(topic=topic, state=None)
    if text(value.get("alert_severity")).upper() != "CRITICAL":
        return None
    said = text(value.get("alert_description"))[:_MAX_FACT]
    return LineStanding(
        topic=topic, state="needs_attention", reason=f"The network warns: {said or 'look into its alerts.'}"
    )
