"""What a fuzzer cannot know from the document: which lines, messages, contacts and files there really are.

Loaded by schemathesis (`SCHEMATHESIS_HOOKS`). Only requests that are meant to be right are touched, and in them only
values that name something existing; what is meant to be wrong goes out as it was made. No check, no operation and no
failure is left out.
"""

from __future__ import annotations

import json
import os
import uuid
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import schemathesis
from hypothesis import strategies as st

from tests.api import fuzz_automations as automations
from tests.api import fuzz_campaigns as campaigns
from tests.api import fuzz_couriers as couriers
from tests.api import fuzz_loyalty as loyalty
from tests.api import fuzz_notices as notices
from tests.api import fuzz_operator as operator
from tests.api import fuzz_orders as orders
from tests.api import fuzz_payments as payments
from tests.api import fuzz_printing as printing
from tests.api import fuzz_restaurant as restaurant
from tests.api import fuzz_segments as segments
from tests.api import fuzz_stores as stores
from tests.api import fuzz_templates as templates

# What the test has prepared (see `fuzz_run.py`).
FACTS: dict[str, Any] = json.loads(os.environ["FUZZ_FACTS"])

PHONES = ("905551112233", "447700900123", "12025550123", "4915112345678", "5511987654321")
TEMPLATES = (
    ("hello_world", "en_US", 0),
    ("order_confirmation", "en", 3),
    ("order_confirmation", "tr", 3),
    ("shipping_link", "en", 2),
    ("weekend_offer", "en", 1),
)
FILES = {
    None: "/menu.pdf",
    "document": "/menu.pdf",
    "image": "/dish.png",
    "video": "/clip.mp4",
    "audio": "/song.mp3",
    "sticker": "/wave.webp",
}


# Refused for every line there is; without a line that is, they would only ever be 404.
LINKED_ONLY = {"getQr", "getQrPng", "getQrSvg", "logoutInstance", "createPairCode"}
# Of a message, a canned reply and a note.
LONGEST_TEXT = 4_096
# The words that customers agree to.
LONGEST_CONSENT = 1_000
# Only a cloud line has these.
CLOUD_FIELDS = {"access_token", "app_secret", "verify_token", "waba_id"}
# Only a linked device has these.
LINKED_FIELDS = {"daily_cap", "warm_up", "check_numbers", "typing", "groups"}
# Which fields an automatic reply takes beside those of all, and what it needs.
RULES: dict[str, tuple[str, ...]] = {
    "greeting": ("after_days",),
    "keyword": ("keywords", "match"),
    "closed": ("time_zone", "hours", "exceptions", "follows_venue"),
}
NEEDED: dict[str, dict[str, Any]] = {
    "greeting": {},
    "keyword": {"keywords": ["menu"]},
    "closed": {"time_zone": "Europe/Istanbul", "hours": []},
}
# A number has one contact; each that is added gets another.
FRESH_PHONES = (f"90555{number:07d}" for number in count(3_000_000))
FRESH_WORDS = (f"word-{number}" for number in count())
MAX_WAIT_S = 86_400


def _moments() -> st.SearchStrategy[str]:
    """Around now: a send may be at most 90 days ahead, and a key's end must be in the future."""
    now = datetime.now(UTC)
    return st.integers(60, 80 * 24 * 60).map(lambda minutes: (now + timedelta(minutes=minutes)).isoformat())


schemathesis.openapi.format("phone", st.sampled_from(PHONES))
schemathesis.openapi.format("message-id", st.just(FACTS["message_id"]))
schemathesis.openapi.format("media-id", st.just(FACTS["media_id"]))
schemathesis.openapi.format("contact-id", st.just(FACTS["contact_id"]))
schemathesis.openapi.format("webhook-id", st.just(FACTS["webhook_id"]))
schemathesis.openapi.format("delivery-id", st.just(FACTS["delivery_id"]))
schemathesis.openapi.format("reply-id", st.sampled_from(list(FACTS["replies"].values())))
for name in restaurant.NAMES.values():
    schemathesis.openapi.format(name.replace("_", "-"), st.just(FACTS[name]))
schemathesis.openapi.format("address-id", st.just(FACTS["address_id"]))
schemathesis.openapi.format("order-id", st.just(FACTS["order_id"]))
schemathesis.openapi.format("printer-id", st.just(FACTS["printer_id"]))
schemathesis.openapi.format("ticket-id", st.just(FACTS["ticket_id"]))
schemathesis.openapi.format("courier-id", st.just(FACTS["courier_id"]))
schemathesis.openapi.format("shift-id", st.just(FACTS["shift_id"]))
schemathesis.openapi.format("order-delivery-id", st.just(FACTS["order_delivery_id"]))
schemathesis.openapi.format("step-id", st.just(FACTS["step_id"]))
schemathesis.openapi.format("webhook-url", st.just(f"{FACTS['files']}/hook"))
schemathesis.openapi.format("media-url", st.sampled_from([FACTS["files"] + path for path in FILES.values()]))
schemathesis.openapi.format("template-name", st.sampled_from([name for name, _, _ in TEMPLATES]))
schemathesis.openapi.format("template-language", st.sampled_from([language for _, language, _ in TEMPLATES]))
schemathesis.openapi.format("emoji", st.sampled_from(["", "👍", "🙏", "❤️", "1️⃣", "👩‍🍳"]))
schemathesis.openapi.format("date-time", _moments())
schemathesis.openapi.format("idempotency-key", st.uuids().map(str))


@schemathesis.hook
def before_call(ctx: Any, case: Any, kwargs: Any) -> None:
    _spare_ourselves(case)
    if _name(case) == "streamEvents":
        _end_the_stream(case)
    if case.meta is not None and case.meta.generation.mode.is_negative:
        _stay_too_long(case.body)
        return
    key = (case.headers or {}).get("Idempotency-Key")
    if key:
        # A key belongs to one body; what the fuzzer gives to many would be refused for that alone.
        case.headers["Idempotency-Key"] = _fresh(str(key))
    if isinstance(case.body, dict):
        _name_what_exists(_name(case), case.body)
        _fit(case)
    if _name(case) == "uploadMedia" and not (isinstance(case.body, bytes | str) and case.body):
        # A file may be anything but nothing, which only a schema of its content could say.
        case.body = b"anything"
    automations.stay_ours(_name(case), case, FACTS)
    restaurant.fit_file(_name(case), case, FACTS)
    restaurant.keep_small(_name(case), case, FACTS)
    if str((case.query or {}).get("q", "")).lower() in ("none", "null"):
        # Drawn from some answer; in an address these words mean nothing at all, and are refused.
        case.query["q"] = "nobody"
    if "instance_id" in (case.query or {}):
        case.query["instance_id"] = FACTS["line"]
    if "cursor" in (case.query or {}):
        # Only what this very list has answered is a cursor of it.
        case.query["cursor"] = FACTS["cursors"][_name(case)]
    operator.fit(_name(case), case, FACTS)
    orders.take_days(_name(case), case.query or {})
    payments.take_times(_name(case), case.query or {})
    if _name(case) in ("getUsage", "exportUsage", "getStoreCartFigures"):
        _take_days(case.query or {})
    if "after" in (case.query or {}):
        case.query["after"] = FACTS["cursors"]["listEvents"]
    if "AutoRepl" in _name(case) or _name(case) == "makeDefault":
        # What names no line goes to the default one; one that no network knows would answer all of it with a 503.
        case.path_parameters["instance_id"] = FACTS["line"]
    if _name(case) == "markRead":
        # Only what a customer wrote can be marked read.
        case.path_parameters["message_id"] = FACTS["inbound_id"]
    if _name(case) == "listInstanceStates":
        case.path_parameters["instance_id"] = FACTS["line"]
    if _name(case) == "updateInstance" and set(case.body) & LINKED_FIELDS:
        for name in CLOUD_FIELDS & set(case.body):
            del case.body[name]
        case.path_parameters["instance_id"] = FACTS["linked_line"]
    if _name(case) in LINKED_ONLY:
        case.path_parameters["instance_id"] = FACTS["line"]
    if _name(case) == "updateInstance" and set(case.body) & CLOUD_FIELDS:
        case.path_parameters["instance_id"] = FACTS["cloud_line"]


def _stay_too_long(body: Any) -> None:
    """White space around a text does not count: one that is too long with it alone is none."""
    for name, value in body.items() if isinstance(body, dict) else ():
        for longest in (LONGEST_TEXT, LONGEST_CONSENT):
            if isinstance(value, str) and len(value) > longest >= len(value.strip()):
                body[name] = value.strip().ljust(longest + 1, "x")
                break


def _spare_ourselves(case: Any) -> None:
    """A run that revokes its own key, or deletes its line, would test nothing from then on."""
    operation, path = _name(case), case.path_parameters or {}
    restaurant.spare_ourselves(operation, path, FACTS)
    printing.spare_ourselves(operation, path, FACTS)
    couriers.spare_ourselves(operation, path, FACTS)
    payments.spare_ourselves(operation, path, FACTS)
    stores.spare_ourselves(operation, path, FACTS)
    segments.spare_ourselves(operation, path, FACTS)
    templates.spare_ourselves(operation, path, FACTS)
    automations.spare_ourselves(operation, path, FACTS)
    if operation == "revokeKey" and path.get("key_id") == FACTS["own_key"]:
        path["key_id"] = FACTS["spare_key"]
    line = _whole(path.get("instance_id"))
    if operation in ("deleteInstance", "updateInstance") and line == FACTS["line"]:
        path["instance_id"] = FACTS["spare_line"]
    if operation == "makeDefault" and line is not None:
        # Also where something else of the call is wrong: whatever names no line goes to the default one from then on.
        path["instance_id"] = FACTS["line"]
    if operation == "deleteWebhook" and path.get("webhook_id") == FACTS["webhook_id"]:
        path["webhook_id"] = FACTS["spare_webhook"]
    if operation in ("removeMember", "changeMember") and path.get("member_id") == FACTS["member_id"]:
        path["member_id"] = FACTS["spare_member"]
    if operation == "deleteAddress" and path.get("address_id") == FACTS["address_id"]:
        path["contact_id"], path["address_id"] = FACTS["settler"], FACTS["spare_address"]
    # The one that was merged leads to the one that stayed.
    if operation == "eraseContact" and path.get("contact_id") in (FACTS["contact_id"], FACTS["doubled_contact"]):
        path["contact_id"] = FACTS["spare_contact"]


def _whole(given: Any) -> int | None:
    """The number that the product reads in a path, however it is written."""
    try:
        return int(str(given))
    except ValueError:
        return None


def _take_days(query: dict[str, Any]) -> None:
    """Days that there are, in their order and not too many; and a time zone of the list."""
    for name, day in (("since", "2026-02-01"), ("until", "2026-03-01")):
        if query.get(name):
            query[name] = day
    if "until" in query and not query.get("until"):
        query.pop("since", None)
    if "time_zone" in query:
        query["time_zone"] = "Europe/Istanbul"


def _end_the_stream(case: Any) -> None:
    """An answer without an end cannot be checked. What is wrong in `wait_s` stays wrong."""
    given = (case.query or {}).get("wait_s", "0")
    if str(given).isdecimal() and int(given) <= MAX_WAIT_S:
        case.query = {**(case.query or {}), "wait_s": 0}


def _fit(case: Any) -> None:
    """Fields that belong together, which a schema cannot say."""
    operation, body = _name(case), case.body
    restaurant.fit(operation, case, FACTS)
    orders.fit(operation, case, FACTS)
    printing.fit(operation, case, FACTS)
    couriers.fit(operation, case, FACTS)
    payments.fit(operation, case, FACTS)
    notices.fit(operation, case)
    loyalty.fit(operation, case, FACTS)
    stores.fit(operation, case, FACTS)
    automations.fit(operation, case, FACTS)
    campaigns.fit(operation, case, FACTS)
    segments.fit(operation, case)
    templates.fit(operation, case, FACTS)
    if operation in ("createWebhook", "updateWebhook") and "url" in body:
        body["url"] = f"{FACTS['files']}/hook"
    if operation == "createContact":
        body["phone"] = next(FRESH_PHONES)
    if operation in ("createAddress", "updateAddress"):
        # Both figures or none, and words that show something; a contact has ten of them at most.
        case.path_parameters["contact_id"] = FACTS["contact_id"] if operation == "updateAddress" else FACTS["settler"]
        if "latitude" in body or "longitude" in body:
            body["latitude"], body["longitude"] = 41, 29
        if "address" in body:
            body["address"] = next(FRESH_WORDS)
    if operation == "mergeContact":
        case.path_parameters["contact_id"] = FACTS["doubled_contact"]
        body["into"] = FACTS["contact_id"]
    if "shortcut" in body:
        # A word of its own for each, of letters that a pattern would not have to list.
        body["shortcut"] = next(FRESH_WORDS)
    if operation == "updateConversation" and body.get("assigned_to"):
        body["assigned_to"] = FACTS["member_id"]
    if operation == "updateConversation" and body.get("snoozed_until"):
        # It rests until a time that is still to come, or is closed.
        body["snoozed_until"] = _moment(FACTS["ready_ms"] + 86_400_000)
        if body.get("closed"):
            body.pop("snoozed_until")
    if operation == "startContactJob":
        # One of two ways to say who is meant, and what goes with it.
        body.update(act="tag", tag="vip", contact_ids=[FACTS["contact_id"]])
        body.pop("matching", None)
        body.pop("expects", None)
    if operation == "noteConsent":
        # Somebody there is, a time that was, and a proof for who agrees.
        body.update(contact_id=FACTS["contact_id"], proof="form 7")
        body.pop("at", None)
    if operation == "checkContactImport":
        body["csv"] = f"phone,name\n{next(FRESH_PHONES)},Ayşe\n"
    if operation == "replayWebhook":
        # What happened before the run; replaying the run itself would grow with it.
        body["since"], body["until"] = _moment(FACTS["ready_ms"] - 60_000), _moment(FACTS["ready_ms"])
    if operation == "createAutoReply":
        kind = body["kind"]
        _keep_rule(kind, body)
        body.update({name: value for name, value in NEEDED[kind].items() if body.get(name) is None})
    if operation == "updateAutoReply":
        kind = next((kind for kind, fields in RULES.items() if set(fields) & set(body)), "greeting")
        if case.path_parameters["reply_id"] in FACTS["replies"].values():
            case.path_parameters["reply_id"] = FACTS["replies"][kind]
        else:
            # Made by the run itself, of a kind that is not known here.
            kind = ""
        _keep_rule(kind, body)
    if "time_zone" in body:
        body["time_zone"] = "Europe/Istanbul"


def _keep_rule(kind: str, body: dict[str, Any]) -> None:
    for other, fields in RULES.items():
        for name in fields if other != kind else ():
            body.pop(name, None)
    # The line has no venue whose hours could be followed, and whoever follows them has none of their own.
    if body.get("follows_venue"):
        body["follows_venue"] = False


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).isoformat()


def _name(case: Any) -> str:
    return str(case.operation.definition.raw.get("operationId"))


def _fresh(key: str) -> str:
    """Another key of the same length, where there is room for chance."""
    chance = uuid.uuid4().hex
    return (chance + key)[: max(len(key), len(chance))]


def _name_what_exists(operation: str | None, body: dict[str, Any]) -> None:
    messages = body.get("messages")
    if operation == "sendBatch" and isinstance(messages, list):
        for message in messages:
            if isinstance(message, dict):
                _name_what_exists(None, message)
        return
    # A whole number is written with or without its point; both mean the same.
    if isinstance(body.get("instance_id"), int | float):
        body["instance_id"] = FACTS["line"]
    if body.get("expires_at") is not None:
        body["expires_at"] = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    if "reply_to" in body and body["reply_to"] is not None:
        body["reply_to"] = FACTS["message_id"]
    if "message_id" in body:
        body["message_id"] = FACTS["message_id"]
    if "phone" in body and body["phone"] not in PHONES:
        # The pattern allows digits that no numbering plan has.
        body["phone"] = PHONES[len(str(body["phone"])) % len(PHONES)]
    if "media_url" in body:
        body["media_url"] = FACTS["files"] + FILES[body.get("type")]
    if "template" in body:
        _take_template(body)
    for number, button in enumerate(body.get("buttons", [])):
        # An id may stand once; a schema cannot say so.
        if isinstance(button, dict) and "id" in button:
            button["id"] = f"{number}{button['id']}"[:256]
    if "sections" in body:
        _keep_ten_rows(body)


def _take_template(body: dict[str, Any]) -> None:
    """Name, language and the number of values belong together, and the components are the template's own."""
    name, language, count = TEMPLATES[len(str(body)) % len(TEMPLATES)]
    body["template"], body["language"] = name, language
    given = list(body.get("parameters") or [])[:count]
    body["parameters"] = given + ["value"] * (count - len(given))
    body.pop("components", None)


def _keep_ten_rows(body: dict[str, Any]) -> None:
    """The rows of all sections together are counted by no schema, and each has an id of its own."""
    left = 10
    kept = []
    for section in body["sections"]:
        section["rows"] = section["rows"][: max(left, 0)]
        for row in section["rows"]:
            row["id"] = f"{left}{row['id']}"[:200]
            left -= 1
        if section["rows"]:
            kept.append(section)
    body["sections"] = kept
