"""The OpenAPI document against the running product: every operation, every check, in all four phases."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablegram.values.cursor import encode_cursor
from tests.api import fuzz_automations as automations
from tests.api import fuzz_campaigns as campaigns
from tests.api import fuzz_couriers as couriers
from tests.api import fuzz_loyalty as loyalty
from tests.api import fuzz_operator as operator
from tests.api import fuzz_orders as orders
from tests.api import fuzz_payments as payments
from tests.api import fuzz_printing as printing
from tests.api import fuzz_restaurant as restaurant
from tests.api import fuzz_segments as segments
from tests.api import fuzz_stores as stores
from tests.api import fuzz_templates as templates
from tests.api.files import file_server
from tests.product import Product, fetch, running_product, wait_until

# By phase and operation: how its scenarios ended.
Scenarios = dict[str, dict[str, Counter[str]]]

# `make fuzz` asks for so many cases of each operation, in all four phases on both databases, and takes its time. `.ci/run` runs
# it; the suite as a whole leaves it to that. Who names one of its files without a number sees the examples and one case of each
# operation.
ASKED = int(os.environ.get("FUZZ_EXAMPLES", "0"))
WITHIN_S = 3_600 if ASKED else 540
PHASES = ("examples", "coverage", "fuzzing", "stateful") if ASKED else ("examples", "fuzzing")
PHASES_AGAIN = ("coverage", "fuzzing")
EXAMPLES = ASKED or 1
EXAMPLES_AGAIN = max(ASKED // 3, 3)
# The long form walks along the links more often, and tries every id that an answer has brought as an example.
IS_LONG = ASKED >= 100
WALKS = 80 if IS_LONG else 25
LISTS = {
    "listMessages": "/messages",
    "listInstances": "/instances",
    "listKeys": "/keys",
    "listRequests": "/requests",
    "listTemplates": "/templates",
    "listWebhooks": "/webhooks",
    "listDeliveries": "/webhooks/{webhook_id}/deliveries",
    "listEvents": "/events",
    "listContacts": "/contacts",
    "listContactOrders": "/contacts/{contact_id}/orders",
    "listAddresses": "/contacts/{contact_id}/addresses",
    "listContactMessages": "/contacts/{contact_id}/messages",
    "listInstanceStates": "/instances/{line}/states",
    "listAutoReplies": "/instances/{line}/auto-replies",
    "listConversations": "/conversations",
    "listNotes": "/conversations/{contact_id}/notes",
    "listCannedReplies": "/canned-replies",
    "listSegments": "/segments",
    "listSegmentMembers": "/segments/{segment_id}/members",
    "listContactImports": "/contacts/imports",
    "listContactJobs": "/contacts/jobs",
    "listConsents": "/consents",
    "listContactConsents": "/contacts/{contact_id}/consents",
    "listMembers": "/team",
    "listAudit": "/audit",
    "listVenues": "/restaurant/venues",
    "listOrders": "/orders",
    "listTabs": "/restaurant/tabs",
    "listImages": "/restaurant/venues/{venue_id}/images",
    "listTables": "/restaurant/venues/{floor}/tables",
    "listPrinters": "/restaurant/printers",
    "listTickets": "/restaurant/tickets",
    "listCouriers": "/restaurant/couriers",
    "listLoyaltyMembers": "/loyalty/members",
    "listCoupons": "/loyalty/coupons",
    "listGifts": "/loyalty/gifts",
    "listLoyaltyMovements": "/loyalty/members/{contact_id}/movements",
    "listOrderDeliveries": "/restaurant/deliveries",
    "listPaymentLinks": "/payment-links",
    "listStoreDeliveries": "/stores/deliveries",
    "listStoreOrders": "/stores/orders",
    "listAutomations": "/automations",
    "listCampaigns": "/campaigns",
    "listAccounts": "/operator/accounts",
    "listPlans": "/operator/plans",
}
# Operations without an example in the document get generated ones, so that none is passed over. Fuzzing draws ids for a
# deletion from what was made before and stops when all of that is gone, long before all its cases; so it makes them
# up, and the other phases delete what is really there. Examples are those of the document, or one that is made.
CONFIG = f"""
[phases.examples]
fill-missing = true
extra-data-sources.responses = {"true" if IS_LONG else "false"}

[phases.stateful.generation]
max-examples = {WALKS}

[[operations]]
include-operation-id = [
  "deleteInstance", "revokeKey", "deleteWebhook", "eraseContact", "deleteAutoReply", "deleteCannedReply", "removeMember",
  "deleteVenue", "deleteWaiter", "deleteSection", "deleteTable", "deleteCategory", "deleteItem", "deleteOptionGroup",
  "deleteImage", "deletePrinter", "deletePaymentProvider", "deleteStoreSource", "deleteZone", "deleteAddress",
  "deleteSegment", "deleteTemplate",
]
phases.fuzzing.extra-data-sources.responses = false
"""


PARTS = {"gateway": "^/(?!restaurant|orders|operator)", "restaurant": "^/(restaurant|orders)", "operator": "^/operator"}


# Each part is a file of tests, so that they can go side by side.
marks = [pytest.mark.slow, pytest.mark.timeout(WITHIN_S + 60)]
if ASKED:
    marks.append(pytest.mark.both)


def hold_against_the_running_product(part: str, database_url: str, tmp_path: Path, *, again: bool) -> None:
    """Every operation of this part of the document, every check."""
    most, phases = (EXAMPLES_AGAIN, PHASES_AGAIN) if again else (EXAMPLES, PHASES)
    with _product(database_url) as (product, facts):
        said, scenarios, fuzzed = _fuzz(product, facts, tmp_path, most, part, phases)
        operations, without_input = _operations(product, part)
        for phase in set(phases) - {"stateful"}:
            assert set(scenarios[phase]) == operations, f"{phase} left out {operations - set(scenarios[phase])}"
            assert {status for found in scenarios[phase].values() for status in found} == {"success"}, said
        # Nothing can be varied in a call that takes nothing.
        # Now and then the fuzzer makes a few calls less of an operation; half of them show that it was tried.
        few = {name: count for name, count in fuzzed.items() if count < most / 2 and name not in without_input}
        assert few == {}, f"fewer than half of {most} calls: {few}"
        assert set(scenarios) == set(phases), said
        # A run whose key was revoked on the way would have been answered 401, which every check takes.
        assert product.call("GET", "/me")[0] == 200
        assert _server_errors(product) == {}
    assert not re.search(r"ERROR|Traceback", product.server.said()), product.server.said()


@contextmanager
def _product(database_url: str) -> Iterator[tuple[Product, dict[str, Any]]]:
    settings = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
    with file_server() as files, running_product(database_url, sandbox_alone=True, settings=settings) as product:
        yield product, _prepare(product, files)


def _prepare(product: Product, files: str) -> dict[str, Any]:
    """What `fuzz_hooks.py` puts where the document cannot know what exists."""

    def made(path: str, body: Any) -> Any:
        status, answer = product.call("POST", path, body)
        assert status in (200, 201, 202), answer
        return answer

    endpoint = {"url": f"{files}/hook", "events": ["messages.upsert"]}
    cloud = {"kind": "cloud", "phone_number_id": "1", "access_token": "t", "app_secret": "s", "verify_token": "v"}
    text = {"phone": "905551112233", "message": "hello"}
    facts = {
        "files": files,
        "line": product.call("GET", "/instances")[1]["data"][0]["id"],
        "spare_line": made("/instances", {"kind": "sandbox"})["id"],
        "cloud_line": made("/instances", cloud)["id"],
        "linked_line": made("/instances", {"kind": "linked"})["id"],
        "own_key": product.call("GET", "/me")[1]["key"]["id"],
        "spare_key": made("/keys", {"scopes": ["messages:read"]})["id"],
        "message_id": made("/messages/send", text)["message_id"],
        "inbound_id": _inbound(product),
        "media_id": _file(product),
        "contact_id": product.call("GET", "/contacts")[1]["data"][0]["id"],
        "doubled_contact": made("/contacts", {"phone": "905559990001"})["id"],
        "spare_contact": made("/contacts", {"phone": "905559990002"})["id"],
        "webhook_id": made("/webhooks", endpoint)["id"],
        "spare_webhook": made("/webhooks", endpoint)["id"],
    }
    facts["settler"] = made("/contacts", {"phone": "905559990003"})["id"]
    for name, owner in (("address_id", "contact_id"), ("home", "contact_id"), ("spare_address", "settler")):
        facts[name] = made(f"/contacts/{facts[owner]}/addresses", {"address": f"door of {name}"})["id"]
    facts |= loyalty.furnish(made, [facts["contact_id"], facts["settler"]])
    facts |= restaurant.furnish(made, lambda path, raw: _upload(product, path, raw))
    facts |= orders.furnish(made, facts["line"])
    facts |= printing.furnish(made, facts["floor"])
    facts |= couriers.furnish(made, facts)
    facts |= payments.furnish(made)
    facts |= stores.furnish(made)
    facts |= automations.furnish(made)
    facts |= campaigns.furnish(made)
    facts |= segments.furnish(made)
    facts |= templates.furnish(made)
    for wish in ("1 ayran, masa 1", "evet", "2 ayran, masa 1", "evet"):
        _write(product, text=wish)
    made("/messages/send", text)
    _write(product, sender="447700900123", text="another customer")
    for number in range(2):
        made("/canned-replies", {"shortcut": f"hours{number}", "text": "We are open."})
        facts["note_id"] = made(f"/conversations/{facts['contact_id']}/notes", {"text": "Allergic to nuts."})["id"]
        made("/contacts/import", {"csv": f"phone\n9055599910{number}0\n"})
        made("/contacts/jobs", {"act": "tag", "tag": "vip", "contact_ids": [facts["contact_id"]]})
        made("/consents", {"contact_id": facts["contact_id"], "state": "denied", "source": f"till {number}"})
        name = ("member_id", "spare_member")[number]
        facts[name] = made("/team", {"email": f"{name}@example.com", "role": "staff"})["id"]
    tests = [made(f"/webhooks/{facts['webhook_id']}/test", None)["id"] for _ in range(2)]
    rules: dict[str, Any] = {
        "keyword": {"keywords": ["menu"]},
        "greeting": {},
        "closed": {"time_zone": "Europe/Istanbul", "hours": []},
    }
    replies = {
        kind: made(f"/instances/{facts['line']}/auto-replies", {"kind": kind, "message": "hi", **rule})["id"]
        for kind, rule in rules.items()
    }
    facts |= operator.furnish(product)
    cursors = {
        name: _cursor(product, path.format(**facts), facts["operator_key"] if "/operator" in path else None)
        for name, path in LISTS.items()
    }
    # The lists of a venue that are read whole have one kind of cursor, which names a place.
    cursors |= dict.fromkeys(
        ("listSections", "listWaiters", "listZones", "listTableCalls", "listOrderRequests"), cursors["listTables"]
    )
    # Shops tell of these; a cursor of any list in the order of ids is one of theirs.
    cursors |= dict.fromkeys(("listStoreNotices", "listStoreCarts"), cursors["listPaymentLinks"])
    # A draft has written to nobody.
    cursors["listCampaignSends"] = cursors["listCampaigns"]
    # Nobody was left out yet.
    cursors["listContactUnsent"] = encode_cursor('[1,"campaign","c"]')
    # Nothing has begun in one that is not on.
    cursors |= dict.fromkeys(("listAutomationRuns", "listAutomationRatings"), cursors["listAutomations"])
    # Counts of a drawer are numbered.
    cursors["listTillCounts"] = encode_cursor("2")
    now_ms = int(time.time() * 1000)
    return {**facts, "delivery_id": tests[0], "replies": replies, "cursors": cursors, "ready_ms": now_ms}


def _upload(product: Product, path: str, raw: bytes) -> Any:
    headers = {**product.headers(product.key), "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(f"{product.api}{path}", data=raw, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def _write(product: Product, sender: str = "905551112233", **message: str) -> str:
    """A customer writes to the demo line; gives the network's id."""
    number = product.on_phone("905551112233")[-1]["number_id"]
    return str(product.sandbox_call("POST", f"/phones/{sender}/messages", {**message, "to": number})["id"])


def _file(product: Product) -> str:
    """A picture from a customer, which can be downloaded."""
    message_id = _write(product, type="image")

    def media() -> dict[str, Any]:
        status, message = product.call("GET", f"/messages/{message_id}")
        return dict(message["media"]) if status == 200 else {}

    wait_until(lambda: media().get("state") == "kept", "the file")
    return str(media()["id"])


def _inbound(product: Product) -> str:
    """A message of a customer, which can be marked read."""
    _write(product, text="thank you")

    def arrived() -> list[Any]:
        return list(product.call("GET", "/messages?direction=in")[1]["data"])

    wait_until(arrived, "the customer's message")
    return str(arrived()[0]["message_id"])


def _cursor(product: Product, path: str, key: str | None = None) -> str:
    """Where the second page of a list begins. The request log is written a moment after its calls."""
    deadline = time.monotonic() + 20
    while True:
        status, page = product.call("GET", f"{path}?limit=1", key=key)
        assert status == 200, page
        if page["next_cursor"] is not None:
            return str(page["next_cursor"])
        assert time.monotonic() < deadline, f"{path} has no second page"
        time.sleep(0.1)


def _fuzz(
    product: Product, facts: dict[str, Any], folder: Path, most: int, part: str, phases: tuple[str, ...]
) -> tuple[str, Scenarios, Counter[str]]:
    """Run schemathesis in a process of its own.

    Its words, how each phase ended for each operation, and how many cases of each were fuzzed.
    """
    (folder / "schemathesis.toml").write_text(CONFIG)
    report = folder / "events.ndjson"
    root = Path(__file__).parents[2]
    # It is built for whoever asks first, which on a busy machine takes longer than schemathesis waits.
    urllib.request.urlopen(f"{product.api}/openapi.json", timeout=120).close()
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")), "--no-color",
            "--config-file", str(folder / "schemathesis.toml"),
            "run", f"{product.api}/openapi.json", "--url", product.api,
            "--header", f"Authorization: Bearer {facts['operator_key'] if part == 'operator' else product.key}",
            "--include-path-regex", PARTS[part],
            "--phases", ",".join(phases), "--checks", "all", "--max-examples", str(most),
            # The same cases in every run: no seed, no memory of former runs.
            "--generation-deterministic", "--continue-on-failure", "--request-timeout", "30",
            "--report-ndjson-path", str(report),
        ],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.api.fuzz_hooks", "PYTHONPATH": str(root), "FUZZ_FACTS": json.dumps(facts)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    # Its own words, which also say that no seed is used; pytest shows them with -rP.
    sys.stdout.write(said)
    assert done.returncode == 0, said
    return said, *_scenarios(report)


def _scenarios(report: Path) -> tuple[Scenarios, Counter[str]]:
    found: Scenarios = defaultdict(lambda: defaultdict(Counter))
    fuzzed: Counter[str] = Counter()
    with report.open() as lines:
        for line in lines:
            event = json.loads(line).get("ScenarioFinished")
            if event is not None:
                label, cases = str(event["recorder"]["label"]), event["recorder"].get("cases", {})
                found[event["phase"]][label][event["status"]] += 1
                if event["phase"] == "fuzzing":
                    # Cases with a parent are a check's own, made from another one.
                    fuzzed[label] += sum(not case.get("parent_id") for case in cases.values())
    return found, fuzzed


def _operations(product: Product, part: str) -> tuple[set[str], set[str]]:
    """Every operation of a part of the document, and those that take no input at all."""
    status, document = fetch(f"{product.api}/openapi.json")
    assert status == 200
    found = {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if re.search(PARTS[part], path)
    }
    return set(found), {name for name, one in found.items() if not one["parameters"] and "requestBody" not in one}


def _server_errors(product: Product) -> dict[str, str]:
    """Answers of 500 and above, counted by the product itself."""
    text = str(fetch(f"{product.url}/metrics")[1])
    return dict(re.findall(r'requests_total\{status="(5\d\d)"\} (\d+)', text))
