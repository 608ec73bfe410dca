"""Where meanings are changed, and which tests should notice.

Only tests within one process count: a product that a test starts as a process of its own runs the code as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tablegram"


@dataclass(frozen=True)
class Area:
    """Files and folders below the source, and files and folders of tests."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]
    count: int = 22

    def files(self) -> list[Path]:
        found = []
        for name in self.sources:
            path = SOURCE / name
            found += [path] if path.is_file() else sorted(path.glob("*.py"))
        return found


AREAS = (
    Area("group commit", ("storage/group_commit.py", "storage/rows.py", "storage/query.py"), ("storage", "messaging")),
    Area("idempotency", ("engine/idempotency.py", "engine/kept_answers.py"), ("engine", "flows")),
    Area("drains", ("engine/drains.py", "engine/flights.py", "engine/timers.py"), ("engine", "messaging")),
    Area("leases", ("engine/leases.py", "engine/owners.py", "engine/retries.py"), ("engine", "messaging")),
    Area("inbox", ("engine/inbox.py",), ("engine", "hooks")),
    Area(
        "arrivals",
        ("flows/gateway/inbound.py", "flows/gateway/callbacks", "flows/gateway/statuses.py", "engine/raw_callbacks.py"),
        ("flows", "hooks"),
    ),
    Area(
        "lanes and courier",
        ("events/waiting/lanes.py", "events/courier.py", "events/schedule.py", "events/store.py"),
        ("events", "media/test_waiting_events.py"),
    ),
    Area(
        "outages",
        ("events/waiting/items.py", "events/waiting/outages.py", "events/addressee.py", "events/posting.py"),
        ("events",),
    ),
    Area(
        "sends",
        ("messaging/transmission", "messaging/store/messages.py", "messaging/store/reports.py"),
        ("messaging", "flows"),
    ),
    Area(
        "gateway sends",
        ("flows/gateway/sending.py",),
        ("flows", "messaging"),
    ),
    Area(
        "erasure",
        ("messaging/store/erasure.py", "flows/contacts/erasure.py", "events/erasure.py"),
        ("flows", "events", "crm/test_importing.py", "api/test_contacts.py"),
    ),
    Area("carts", ("restaurant/carts",), ("restaurant/carts", "restaurant/flows")),
    Area(
        "orders",
        ("restaurant/orders", "restaurant/orders/finding"),
        ("restaurant/orders", "restaurant/flows", "restaurant/till/test_till.py", "loyalty/gifts/test_guest_gifts.py"),
    ),
    Area(
        "order flows",
        ("flows/restaurant/orders",),
        ("restaurant/flows", "restaurant/orders", "payments/gate", "stores/test_gloriafood.py"),
    ),
    Area(
        "stored orders",
        ("restaurant/store/orders.py",),
        ("restaurant/orders", "restaurant/flows", "restaurant/figures"),
    ),
    Area("tickets", ("printing/tickets", "printing/jobs.py", "printing/store/jobs.py"), ("printing",)),
    Area("paper", ("printing/transports",), ("printing/transports", "printing/test_desks.py")),
    Area(
        "tours",
        ("delivery/tours", "flows/delivery/couriers/dispatching.py", "flows/delivery/couriers/delivery_desk.py"),
        ("delivery",),
    ),
    Area(
        "payments",
        ("payments/states.py", "payments/hearing.py", "payments/keeping.py", "payments/store"),
        ("payments",),
    ),
    Area(
        "payment gates",
        (
            "payments/caretaking.py",
            "payments/returning.py",
            "flows/payments/orders/gate.py",
            "flows/payments/tabs/gate.py",
        ),
        ("payments",),
    ),
    Area("payment providers", ("payments/providers",), ("payments/providers", "payments/test_links.py")),
    Area("bills", ("restaurant/bills", "restaurant/till"), ("restaurant/bills", "restaurant/till", "payments/tabs")),
    Area(
        "ledgers",
        ("loyalty", "loyalty/store", "loyalty/gifts", "crm/consent"),
        ("loyalty", "crm/consents", "crm/test_consent.py"),
    ),
    Area("campaigns", ("campaigns", "campaigns/store"), ("campaigns",)),
    Area(
        "campaign runs",
        (
            "flows/campaigns/running.py",
            "flows/campaigns/sender.py",
            "flows/campaigns/moving.py",
            "flows/campaigns/people.py",
        ),
        ("campaigns",),
    ),
    Area(
        "automation runs",
        (
            "flows/automations/stepping.py",
            "flows/automations/starting.py",
            "flows/automations/automation_clock.py",
            "automations/keeping.py",
            "automations/timing.py",
        ),
        ("automations",),
    ),
    Area(
        "store hooks",
        ("stores/hearing.py", "stores/recording.py", "stores/platforms/proving.py", "stores/carts/keeping.py"),
        ("stores", "contract/stores/test_sources.py"),
    ),
    Area(
        "signing",
        ("values/http/signing.py", "values/secrets.py"),
        ("values/test_secrets.py", "values/test_signing.py", "events/test_delivery_signing.py"),
    ),
    Area(
        "targets",
        ("values/http/targets.py", "values/http/network.py"),
        ("values/test_outbound_urls.py", "values/test_outbound_calls.py", "values/test_network.py"),
    ),
    Area(
        "outbound",
        ("values/http/outbound.py", "values/http/guarded.py"),
        (
            "values/test_outbound_urls.py",
            "values/test_outbound_calls.py",
            "values/test_outbound_dialling.py",
            "values/test_wire.py",
            "values/test_wire_hostile.py",
        ),
    ),
    Area(
        "wire",
        ("values/http/wire.py",),
        ("values/test_wire.py", "values/test_wire_hostile.py", "messaging/lines/cloud/test_driver.py"),
    ),
    Area("a file's writer", ("storage/sqlite.py",), ("storage",)),
    Area("people", ("accounts/people",), ("accounts",)),
    Area(
        "access",
        ("accounts/keys", "accounts/scopes.py", "accounts/roles.py", "accounts/people/throttle.py"),
        ("accounts", "security"),
    ),
)
