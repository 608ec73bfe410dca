"""The lists of the API that grow without bound: what each can be narrowed to, the statement behind it, and its index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Executable

from tablegram.accounts import store as accounts
from tablegram.accounts.keys import store as calls
from tablegram.automations.store import ratings, runs
from tablegram.campaigns.store import sends
from tablegram.crm.store import consents, conversations, terms
from tablegram.delivery.tours import store as tours
from tablegram.events import store as events
from tablegram.loyalty.store import gifts
from tablegram.loyalty.store import warnings as points
from tablegram.messaging.store.lists import listing
from tablegram.payments.store import links
from tablegram.printing.store import jobs, tickets
from tablegram.restaurant.bills import store as bills
from tablegram.restaurant.store import orders
from tablegram.storage.database import Query
from tablegram.stores.carts import store as carts
from tablegram.stores.notifications import store as notices
from tablegram.stores.store import deliveries as shop_deliveries
from tablegram.stores.store import orders as shop_orders

ACCOUNT, CURSOR, MOST = 1, "0zz", 50
# The same in a list that is in the order of a time.
PLACE = (1_900_000_000_000, CURSOR)


@dataclass(frozen=True, slots=True)
class Narrowed:
    query: Query
    # Names of which the plan has at least one. A key is named `…_pkey` by a server and `…_autoindex_…` by a file.
    indexes: tuple[str, ...]


def _key(table: str) -> tuple[str, ...]:
    return f"pk_{table}", f"sqlite_autoindex_{table}_1"


# They begin with the account and the ticket.
_OF_TICKETS = ("uq_print_jobs_account_id_ticket_id", "sqlite_autoindex_print_jobs_2")


def _to(query: Query | Executable, *indexes: str) -> Narrowed:
    return Narrowed(query if isinstance(query, Query) else Query(query), indexes)


def _messages(index: str, **filters: object) -> Narrowed:
    return _to(listing.page(ACCOUNT, filters, CURSOR, MOST)[0], index)


def _links(*indexes: str, **filters: object) -> Narrowed:
    none = dict.fromkeys(
        ("state", "mode", "phone", "contact_id", "subject_kind", "subject_key", "search", "since", "until")
    )
    given = {**none, "undecided": False, **filters}
    return _to(links.page(ACCOUNT, after=CURSOR, most=MOST, **given), *indexes)  # type: ignore[arg-type]


def _orders(*indexes: str, **filters: object) -> Narrowed:
    return _to(orders.page(ACCOUNT, filters, sort="-placed", after=(0, CURSOR), most=MOST), *indexes)  # type: ignore[arg-type]


def _tabs(*indexes: str, venue: str | None = None, state: str | None = None, table: str | None = None) -> Narrowed:
    return _to(bills.page(ACCOUNT, venue, state, table, PLACE, MOST), *indexes)


def _gifts(index: str, standing: str | None = None, contact: str | None = None) -> Narrowed:
    return _to(gifts.page(ACCOUNT, standing, contact, PLACE[0], PLACE, MOST), index)


def _tickets(
    index: str, venue: str | None = None, order: str | None = None, kind: str | None = None, printer: str | None = None
) -> Narrowed:
    page = tickets.page(
        ACCOUNT, venue_id=venue, order_key=order, kind=kind, printer_id=printer, after=CURSOR, most=MOST
    )  # fmt: skip
    return _to(page, index)


def _tours(index: str, **filters: str) -> Narrowed:
    none = dict.fromkeys(("venue_id", "courier_id", "order_id", "state"))
    return _to(tours.page(ACCOUNT, before=CURSOR, limit=MOST, **{**none, **filters}), index)


def _shop_deliveries(
    index: str, source: str | None = None, state: str | None = None, *, attention: bool = False
) -> Narrowed:
    page = shop_deliveries.page(
        ACCOUNT, source_id=source, state=state, open_only=attention, query="", before=CURSOR, most=MOST
    )  # fmt: skip
    return _to(page, index)


def _shop_orders(index: str, source: str | None = None, contact: str | None = None) -> Narrowed:
    page = shop_orders.page(ACCOUNT, source_id=source, contact_id=contact, query="", before=CURSOR, most=MOST)
    return _to(page, index)


def _notices(index: str, **filters: str) -> Narrowed:
    none = dict.fromkeys(("kind", "state", "source_id", "phone", "search"))
    return _to(notices.page(ACCOUNT, after=CURSOR, most=MOST, **{**none, **filters}), index)


def _carts(index: str, state: str | None = None, source: str | None = None) -> Narrowed:
    return _to(carts.page(ACCOUNT, state=state, source_id=source, search=None, after=CURSOR, most=MOST), index)


# By operation, then by parameter; where its values are answered by different indexes, by parameter and value.
LISTS: Mapping[str, Mapping[str, Narrowed]] = {
    "listMessages": {
        "phone": _messages("ix_messages_phone", phone="9056"),
        **{f"status={state}": _messages("ix_messages_state", state=state) for state in listing.STATES},
        "direction=in": _messages("ix_messages_state", direction="in"),
        "direction=out": _messages("ix_messages_state", direction="out"),
        # Its ids are those of a time, give or take an hour.
        "since": _to(listing.page(ACCOUNT, {"since_ms": 1_900_000_000_000}, CURSOR, MOST)[0], *_key("messages"), "ix_messages_created"),
        # Several at once: what is rarer comes first.
        "phone, status, direction": _messages("ix_messages_phone", phone="9056", state="failed", direction="out"),
        "status, direction, since": _messages("ix_messages_state", state="failed", direction="out", since_ms=1),
    },
    "listRequests": {
        "status": _to(calls.CALLS_OF_STATUS, "ix_request_log_status"),
        "status=4xx": _to(calls.STATUSES, "ix_request_log_status"),
        "key_id": _to(calls.STATUSES_OF_KEY, "ix_request_log_key"),
        "key_id, status": _to(calls.CALLS_OF_KEY, "ix_request_log_key"),
    },
    "listAudit": {
        "actor": _to(accounts.AUDIT_OF_ACTOR, "ix_audit_log_actor"),
        # A kind may be the beginning of several: first those that occur, then the newest of each.
        "action=contact.": _to(accounts.AUDIT_ACTIONS, "ix_audit_log_action"),
        "action": _to(accounts.AUDIT_OF_ACTION, "ix_audit_log_action"),
        "object_id": _to(accounts.AUDIT_OF_OBJECT, "ix_audit_log_object"),
        "since": _to(accounts.AUDIT_PAGE, *_key("audit_log")),
    },
    # What was delivered, nearly all, is met along the key.
    "listDeliveries": {
        "state=pending": _to(events.deliveries_page(ACCOUNT, "w1", CURSOR, MOST, "pending"), "ix_deliveries_pending"),
        "state=dead": _to(events.deliveries_page(ACCOUNT, "w1", CURSOR, MOST, "dead"), "ix_deliveries_dead"),
    },
    "listContacts": {
        "tag": _to(terms.by_word((1,), (0,), 4_000, since=False, after=True), "pk_contact_terms", "PRIMARY KEY"),
        "active_since": _to(terms.by_time((), since=True, after=True, active=True), "ix_contacts_wrote"),
    },
    "listConversations": {
        "status": _to(conversations.page("open", "", unread=False, after=True), "ix_contacts_open"),
        "status=closed": _to(conversations.page("closed", "", unread=False, after=True), "ix_contacts_closed"),
        "status=snoozed": _to(conversations.page("snoozed", "", unread=False, after=True), "ix_conversations_snoozed"),
        "assigned": _to(conversations.page("running", "member", unread=False, after=True), "ix_contacts_owned"),
        "assigned, status=open": _to(conversations.page("open", "member", unread=False, after=True), "ix_contacts_owned"),
        # Nobody looks after most of them: a server then reads what is open in its order.
        "assigned=nobody": _to(conversations.page("open", "nobody", unread=False, after=True), "ix_contacts_owned", "ix_contacts_open"),
        "assigned, status=closed": _to(conversations.page("closed", "member", unread=False, after=True), "ix_contacts_done"),
        "unread": _to(conversations.page("all", "", unread=True, after=True), "ix_contacts_unread"),
        "unread, status=open": _to(conversations.page("open", "", unread=True, after=True), "ix_contacts_unread"),
        "waiting": _to(conversations.waiting("", after=True), "ix_contacts_open"),
        "waiting, assigned": _to(conversations.waiting("member", after=True), "ix_contacts_owned"),
    },
    "listConsents": {
        "contact_id": _to(consents.page(("contact_id",)), "ix_consents_contact"),
        "source": _to(consents.page(("source",)), "ix_consents_source"),
        "state": _to(consents.page(("state",)), "ix_consents_state"),
        "purpose": _to(consents.page(("purpose",)), "ix_consents_purpose"),
        "since, until": _to(consents.page(()), "ix_consents_at"),
        "contact_id, source, state, purpose": _to(consents.page(consents.FILTERS), "ix_consents_contact"),
        "state, purpose": _to(consents.page(("state", "purpose")), "ix_consents_state"),
    },
    # Each source is read by the person, who has few rows in it; a reason is told apart among these.
    "listContactUnsent": {
        "source=campaign, reason": _to(sends.UNSENT, "ix_campaign_sends_contact"),
        "source=automation, reason": _to(runs.UNSENT, "ix_automation_visits_contact"),
        "source=store_notice, reason": _to(notices.UNSENT, "ix_store_notices_phone"),
        "source=loyalty, reason": _to(points.UNSENT, "ix_loyalty_warnings_contact"),
    },
    "listPaymentLinks": {
        "state": _links("ix_payment_links_state", state="failed"),
        "phone": _links("ix_payment_links_phone", phone="9056"),
        "contact_id": _links("ix_payment_links_contact", contact_id="c56"),
        "subject_kind": _links("ix_payment_links_kind", subject_kind="tab"),
        "subject_id": _links("ix_payment_links_subject", subject_key="s56"),
        "subject_kind, subject_id": _links("ix_payment_links_subject", subject_kind="order", subject_key="s56"),
        "attention": _links("ix_payment_links_attention", undecided=True),
        "since, until": _links(*_key("payment_links"), since="010", until="0155"),
    },
    "listOrders": {
        "venue_id": _orders("ix_orders_venue", venue_id="v1"),
        "order_type": _orders("ix_orders_type", order_type="delivery"),
        "status": _orders("ix_orders_state", state="rejected"),
        "open": _orders("ix_orders_state", "ix_orders_running", open_only=True),
        "venue_id, open": _orders("ix_orders_state", "ix_orders_running", venue_id="v1", open_only=True),
        "placed_since": _orders(*_key("orders"), "ix_orders_recent", since_ms=1_900_000_000_000),
        "placed_until": _orders(*_key("orders"), "ix_orders_recent", until_ms=1_900_000_000_000),
    },
    "listTabs": {
        "venue_id": _tabs("ix_tabs_venue", venue="v1"),
        "table_id": _tabs("ix_tabs_table", table="t1"),
        # Those that are open and those at which somebody owes are looked for, each by an index, and then read by their key.
        "status=open": _tabs("uq_tabs_open", state="open"),
        "venue_id, status=open": _tabs("ix_orders_running", venue="v1", state="open"),
        "table_id, status=open": _tabs(*_key("tabs"), table="t1", state="open"),
        # Nearly all are closed: these are met in the order of the list.
        "status=closed": _tabs("ix_tabs_opened", state="closed"),
    },
    "listGifts": {
        "contact_id": _gifts("ix_loyalty_gifts_contact", contact="c56"),
        "status=active": _gifts("ix_loyalty_gifts_left", "active"),
        "status=spent": _gifts("ix_loyalty_gifts_spent", "spent"),
        "status=expired": _gifts("ix_loyalty_gifts_expired", "expired"),
        "status=cancelled": _gifts("ix_loyalty_gifts_cancelled", "cancelled"),
    },
    "listTickets": {
        "venue_id": _tickets("ix_tickets_venue", venue="v1"),
        "kind": _tickets("ix_tickets_kind", kind="test"),
        "order_id": _tickets("order_key", order="o56"),
        "printer_id": _tickets("ix_print_jobs_printer", printer="p5"),
        "venue_id, kind, printer_id": _tickets("ix_print_jobs_printer", venue="v1", kind="test", printer="p5"),
        "order_id, printer_id": _tickets("order_key", order="o56", printer="p5"),
    },
    "listOrderDeliveries": {
        "venue_id": _tours("ix_order_deliveries_venue", venue_id="v1"),
        "courier_id": _tours("ix_order_deliveries_courier", courier_id="c1"),
        "order_id": _tours("ix_order_deliveries_number", order_id="o56"),
        "status": _tours("ix_order_deliveries_state", state="dropped"),
    },
    "listStoreDeliveries": {
        "source_id": _shop_deliveries("ix_store_deliveries_source", source="s1"),
        "state": _shop_deliveries("ix_store_deliveries_state", state="unreadable"),
        "attention": _shop_deliveries("ix_store_deliveries_attention", attention=True),
    },
    "listStoreOrders": {
        "source_id": _shop_orders("ix_store_orders_source", source="s1"),
        "contact_id": _shop_orders("ix_store_orders_contact", contact="c56"),
    },
    "listStoreNotices": {
        "kind": _notices("ix_store_notices_kind", kind="shipped"),
        "state": _notices("ix_store_notices_state", state="cancelled"),
        "source_id": _notices("ix_store_notices_source", source_id="s1"),
        "phone": _notices("ix_store_notices_phone", phone="9056"),
    },
    "listStoreCarts": {
        "source_id": _carts("ix_store_carts_source", source="s1"),
        "state": _carts("ix_store_carts_state", state="recovered"),
    },
    # What goes well, and what waits, is met along the key.
    "listCampaignSends": {
        "state=skipped": _to(sends.PAGE_OF_UNSENT, "ix_campaign_sends_unsent"),
        # A network's words stand behind its code: first the reasons that occur, then whom each has.
        "reason=failed": _to(sends.REASONS, "ix_campaign_sends_reason"),
        "reason": _to(sends.PAGE_OF_REASON, "ix_campaign_sends_reason"),
        "reason, state": _to(sends.PAGE_OF_REASON_AND_STATE, "ix_campaign_sends_reason"),
    },
    "listAutomationRuns": {
        "state": _to(runs.PAGE_OF_STATE, "ix_automation_runs_state"),
    },
    "listAutomationRatings": {
        "open": _to(ratings.OPEN_PAGE, "ix_automation_ratings_open"),
    },
}  # fmt: skip


# What an account has is few by nature: lines, people, places, and what they write by hand.
BOUNDED: Mapping[str, str] = {
    "listTemplates": "a line's templates, of which the network allows some hundreds",
    "listCoupons": "coupons are made by hand",
    "listPrinters": "printers of venues",
    "listCouriers": "couriers of venues",
    "listSegments": "groups are made by hand",
    "listCampaigns": "campaigns are made by hand",
    "listAutomations": "automations are made by hand",
    "listAccounts": "accounts of an installation",
}

# What else is asked of these tables, and an index of a list must not take.
BESIDE: Mapping[str, Narrowed] = {
    "what waits for a printer": _to(jobs.HEAD, "ix_print_jobs_waiting"),
    "what waits for a printer that is removed": _to(jobs.DROP_ALL, "ix_print_jobs_waiting"),
    "what people were told of a printer": _to(jobs.ALERTS_SINCE, *_key("print_jobs")),
    "jobs of a ticket": _to(jobs.OF_TICKET, *_OF_TICKETS),
    "jobs of a page of tickets": _to(jobs.of_tickets(ACCOUNT, ["t1", "t2"]), *_OF_TICKETS),
    "a campaign's contacts": _to(sends.PAGE, *_key("campaign_sends")),
}


def narrowed_by(operation: str) -> set[str]:
    """The parameters of an operation that are in the table above."""
    return {part.partition("=")[0] for name in LISTS.get(operation, {}) for part in name.split(", ")}
