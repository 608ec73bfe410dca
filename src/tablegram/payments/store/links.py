"""Statements on payment links."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam, func, insert, literal_column, or_, select, union, update

from tablegram.engine.rows import Backlog
from tablegram.payments.rows import DueAccess, LinkRow, NumberRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import payment_links, payment_refunds

p = payment_links.c
r = payment_refunds.c
_MINE = p.account_id == bindparam("b_account")
_ONE = and_(_MINE, p.id == bindparam("b_id"))
# Written out, as in the index of what waits for people.
_UNDECIDED = and_(p.attention != literal_column("''"), p.settled_at.is_(None))

CHANGING = (
    "state", "reference", "payment_reference", "url", "expires_at", "ask_at", "asked", "received", "received_currency",
    "refunded", "paid_at", "failure", "attention", "attention_at", "settled_by", "settled_at", "updated_at", "ended_at",
)  # fmt: skip

INSERT = Query(insert(payment_links).values(columns(payment_links)))
GET = Query(select(payment_links).where(_ONE), row=LinkRow)
# Whatever is told of a link at the same moment is applied one after the other.
LOCK = Query(select(payment_links).where(_ONE).with_for_update(), row=LinkRow)
BY_REFERENCE = Query(
    select(payment_links).where(
        _MINE, p.provider_id == bindparam("b_provider"), p.reference == bindparam("b_reference")
    ),
    row=LinkRow,
)
SHOWN = Query(
    across_accounts(
        select(payment_links).where(p.id == bindparam("b_id")), "a payer's page is reached by the link's own id alone"
    ),
    row=LinkRow,
)
OF_SUBJECT = Query(
    select(payment_links)
    .where(_MINE, p.subject_kind == bindparam("b_kind"), p.subject_key == bindparam("b_key"))
    # Adding nothing keeps a file from walking all links in this order instead of the few of the subject.
    .order_by(told_apart(p.id)),
    row=LinkRow,
)
HAND_OVER = Query(
    update(payment_links)
    .where(_MINE, p.subject_kind == bindparam("b_kind"), p.subject_key == bindparam("b_key"))
    .values(subject_key=bindparam("new_key", type_=p.subject_key.type))
)
# States only move forward: whoever was faster has changed it, and this finds nothing.
UPDATE = Query(
    update(payment_links)
    .where(_ONE, p.state == bindparam("b_state"))
    .values({name: bindparam(f"new_{name}", type_=p[name].type) for name in CHANGING})
)
# Whoever sees to a link takes it first, for as long as a provider may take to answer.
CLAIM = Query(
    update(payment_links)
    .where(_ONE, p.ask_at.is_not(None), p.ask_at <= bindparam("now"))
    .values(ask_at=bindparam("until"), asked=p.asked + 1)
)
# Not where something else has come up since it was taken.
AGAIN = Query(
    update(payment_links)
    .where(_ONE, p.state == bindparam("b_state"), p.ask_at == bindparam("b_taken"))
    .values(ask_at=bindparam("new_at", type_=p.ask_at.type), asked=bindparam("new_asked"))
)
# A provider that says no amount is asked for it, whatever the link is by now.
ASK_NOW = Query(update(payment_links).where(_ONE).values(ask_at=bindparam("now")))
DUE = Query(
    select(payment_links)
    .where(_MINE, p.provider_id == bindparam("b_provider"), p.ask_at <= bindparam("now"))
    .order_by(p.ask_at, p.id)
    .limit(50),
    row=LinkRow,
)
UNDECIDED_ANYWHERE = Query(
    across_accounts(
        select(func.count().label("n")).where(p.attention != literal_column("''"), p.settled_at.is_(None)),
        "the doctor looks at the whole installation",
    ),
    row=NumberRow,
)
# Accesses that something is to be done with, by links and by refunds.
WAITING = Query(
    across_accounts(
        union(
            select(p.account_id, p.provider_id).where(p.ask_at.is_not(None), p.ask_at <= bindparam("now")),
            select(p.account_id, p.provider_id)
            .select_from(payment_refunds.join(payment_links, and_(p.account_id == r.account_id, p.id == r.link_id)))
            .where(r.due_at.is_not(None), r.due_at <= bindparam("now")),
        ),
        "one look finds the links and refunds of every account that are due",
    ),
    row=DueAccess,
)
DEPTH = Query(
    across_accounts(
        select(func.count().label("n"), func.min(p.created_at).label("oldest")).where(
            p.ask_at.is_not(None), p.state == "making"
        ),
        "a figure of the whole installation",
    ),
    row=Backlog,
)
# Every id is behind this one. A file that has counted nothing takes the index of what waits only for who looks along it.
UNDECIDED_COUNT = Query(
    select(func.count().label("n")).where(_MINE, _UNDECIDED, p.id > literal_column("''")), row=NumberRow
)
OF_CONTACT = Query(
    select(payment_links).where(_MINE, p.contact_id == bindparam("b_contact")).order_by(p.id).limit(1_000), row=LinkRow
)
OF_PHONE = Query(
    select(payment_links).where(_MINE, p.phone == bindparam("b_phone")).order_by(p.id).limit(1_000), row=LinkRow
)
MOVE = Query(
    update(payment_links).where(_MINE, p.contact_id == bindparam("b_gone")).values(contact_id=bindparam("b_kept"))
)
FORGET = Query(
    update(payment_links).where(_ONE).values(contact_id=None, phone="", description="", items=literal_column("'[]'"))
)
FORGET_REASONS = Query(
    update(payment_refunds)
    .where(r.account_id == bindparam("b_account"), r.link_id == bindparam("b_link"))
    .values(reason="")
)
ALIVE_OF_PROVIDER = Query(
    select(func.count().label("n")).where(
        _MINE, p.provider_id == bindparam("b_provider"), p.state.in_(("making", "open"))
    ),
    row=NumberRow,
)


def page(
    account_id: int, *, state: str | None, mode: str | None, phone: str | None, contact_id: str | None,
    subject_kind: str | None, subject_key: str | None, search: str | None, since: str | None, until: str | None,
    undecided: bool, after: str | None, most: int,
) -> Query[LinkRow]:  # fmt: skip
    """Newest first. `since` and `until` are ids of that time."""
    found = select(payment_links).where(p.account_id == account_id)
    # A subject, a contact and a number have few: all else is told apart among them.
    leads = {p.subject_key: subject_key, p.contact_id: contact_id, p.phone: phone}
    lead = next((column for column, value in leads.items() if value is not None), None)
    others = {**leads, p.state: state, p.mode: mode, p.subject_kind: subject_kind}
    if lead is not None:
        found = found.where(lead == others.pop(lead))
    if subject_key is not None:
        # Their index begins with the kind.
        kinds = ("order", "tab") if subject_kind is None else (subject_kind,)
        found = found.where(p.subject_kind.in_(kinds))
        del others[p.subject_kind]
    for column, value in others.items():
        if value is not None:
            found = found.where((column if lead is None else told_apart(column)) == value)
    key: ColumnElement[str] = p.id if lead is None else told_apart(p.id)
    if search:
        words = f"%{_escape(search)}%"
        found = found.where(
            or_(
                p.description.ilike(words, escape="\\"),
                p.phone.like(words, escape="\\"),
                p.id == search,
                p.reference == search,
            )
        )
    if since is not None:
        found = found.where(key >= since)
    if until is not None:
        found = found.where(key < until)
    if undecided:
        found = found.where(_UNDECIDED)
    if after is not None:
        found = found.where(key < after)
    return Query(found.order_by(key.desc()).limit(most), row=LinkRow)


def _escape(words: str) -> str:
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
