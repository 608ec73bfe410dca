"""What the engine asks for again and again is answered from an index of what waits, however much is done already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablegram.automations.store import runs
from tablegram.campaigns.store import sends
from tablegram.crm.store import consents, contacts
from tablegram.engine import inbox
from tablegram.events import store as events
from tablegram.media import store as media
from tablegram.messaging.store import care, messages, reports, turns
from tablegram.payments.store import links
from tablegram.printing.store import jobs
from tablegram.restaurant.takings import store as takings
from tablegram.storage.database import Query
from tests.databases import Databases, migrate
from tests.storage.plans import fill, plan_of, plan_of_many


@pytest.fixture(scope="module")
def new_database_url(databases: Databases) -> Iterator[str]:
    """A database that no test has used. One that was has its own idea of its tables: of their size, and of their rows."""
    url = databases.empty()
    migrate(url)
    yield url
    databases.drop(url)


WAITING = {
    "ix_inbox_pending": inbox._PENDING,
    "ix_deliveries_pending": events.PENDING,
    "ix_media_wanted": media.DUE,
    "ix_messages_queue": messages.DUE,
    "ix_print_jobs_waiting": jobs.HEAD,
    "ix_print_jobs_open": jobs.OVERDUE,
    "uq_print_jobs_claimed": jobs.IN_HAND,
    # Each page of the panel says how many.
    "ix_payment_links_attention": links.UNDECIDED_COUNT,
    # Not a queue, but asked for every contact of a page or an export.
    "ix_contact_aliases_contact": contacts.ALIASES,
}


@pytest.mark.parametrize("index", WAITING)
async def test_what_is_asked_often_is_read_by_its_index(new_database_url: str, index: str) -> None:
    assert index in await plan_of(new_database_url, WAITING[index])


@pytest.mark.parametrize("query", [messages.LINES_WITH_WORK, messages.RETRYING], ids=["lines", "retrying"])
async def test_what_waits_is_found_among_what_waits(new_database_url: str, query: Query) -> None:
    """Both of these hold only what is not sent yet."""
    plan = await plan_of(new_database_url, query)
    assert "ix_messages_queue" in plan or "ix_messages_waiting" in plan, plan


@pytest.mark.shared
async def test_whom_a_message_would_overtake_is_looked_for_by_their_number(new_database_url: str) -> None:
    """And not in the queue of the whole line, however few seem to wait in it."""
    plan = await plan_of_many(new_database_url, turns.INSERT_IN_TURN)
    assert "ix_messages_queue" not in plan, plan
    assert "ix_messages_waiting" in plan or "ix_messages_phone" in plan, plan


# Each message passes through these, many at a time; those of a campaign also through what is asked about people.
MANY = [
    ("inbox", inbox._DONE),
    ("deliveries", events.DELIVERED),
    ("contact_aliases", contacts.FIND_ALIAS),
    ("contacts", contacts.SEEN),
    ("messages", messages.CLAIM),
    ("messages", messages.ACCEPTED_NOW),
    ("messages", reports.REPORTED_DELIVERED),
    ("messages", reports.FINAL_COST),
    ("consents", consents.OF_CONTACT),
    ("campaign_sends", sends.OF_CONTACT_SINCE),
    ("automation_visits", runs.OF_CONTACT_SINCE),
]


async def test_many_rows_at_once_are_each_found_by_their_key(new_database_url: str) -> None:
    for table, query in MANY:
        plan = (await plan_of_many(new_database_url, query)).lower()
        assert "index" in plan, (table, plan)
        assert f"scan {table}" not in plan, (table, plan)
        assert f"seq scan on {table}" not in plan, (table, plan)


# An account with many messages, of which few came in and few failed.
_MESSAGES = """
insert into messages (account_id, id, instance_id, direction, phone, type, text, content, state, priority, attempts, category, cost_micros,
    created_at, failed_at)
select 1, 'm' || n, 1, case when n % 1000 = 0 then 'in' else 'out' end, '90' || (n % 5000), 'text', '', '{{}}',
    case when n % 1000 = 1 then 'failed' else 'read' end, 1, 1, 'service', 0, n, case when n % 1000 = 1 then n end
from {numbers}
"""


async def test_what_one_number_wrote_and_was_sent_is_found_by_the_number(new_database_url: str) -> None:
    await fill(new_database_url, _MESSAGES, 20_000)
    for query in (messages.HEARD_LAST, messages.SENT_TO, messages.ANSWERED_BY_HAND, messages.LAST_SENT, care.WROTE):
        assert "ix_messages_phone" in await plan_of(new_database_url, query)


# The takings of an account's two venues over weeks.
_WEEKS = """
insert into tab_payments (account_id, id, venue_id, tab_id, kind, method, amount, tip, currency, lines, "by", reason, created_at)
select 1, 'p' || n, 'v' || (n % 2), 't' || n, 'payment', 'cash', 100, 0, 'TRY', '[]', 'x', '', n * 100000
from {numbers}
"""


async def test_money_is_counted_over_stretches_of_time_by_an_index(new_database_url: str) -> None:
    """Last of all: a planner that knows the tables to be empty may take any index that begins with the account."""
    await fill(new_database_url, _WEEKS, 20_000)
    assert "ix_tab_payments_time" in await plan_of(new_database_url, takings.BILLS)
