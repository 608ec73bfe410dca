"""Statements on the ledger: one row for a campaign and a contact."""

from __future__ import annotations

from sqlalchemy import Select, and_, bindparam, case, func, literal_column, null, or_, select, update

from tablegram.campaigns.rows import (
    AnswerRow,
    Counted,
    DelayCount,
    NewsRow,
    QueuedRow,
    ReasonRow,
    SendCount,
    SendRow,
    SoonestRow,
    UnsentRow,
    WrittenTo,
)
from tablegram.storage.database import Query
from tablegram.storage.query import columns, read_by, told_apart
from tablegram.storage.tables import campaign_sends, campaigns, contacts, messages

s = campaign_sends.c
m = messages.c
p = contacts.c
c = campaigns.c
_OF = and_(s.account_id == bindparam("b_account"), s.campaign_id == bindparam("b_campaign"))
_ONE = and_(_OF, s.contact_id == bindparam("b_contact"))
# What the network may still say something of.
OPEN = ("queued", "sent", "delivered")
# Who got nothing.
UNREACHED = ("failed", "skipped", "holdout")

# Whoever has a row already keeps it.
ADD = Query(
    lambda dialect_insert: (
        dialect_insert(campaign_sends)
        .values(columns(campaign_sends))
        .on_conflict_do_nothing(index_elements=["account_id", "campaign_id", "contact_id"])
    ),
    bulk=True,
)
DUE = Query(
    select(campaign_sends)
    .where(_OF, s.due_at.is_not(None), s.due_at <= bindparam("now"))
    .order_by(s.due_at, s.contact_id)
    .limit(bindparam("most"))
    # Whoever merges or erases one of them waits until it is decided on.
    .with_for_update(),
    row=SendRow,
)
NEXT = Query(select(func.min(s.due_at).label("at")).where(_OF, s.due_at.is_not(None)), row=SoonestRow)
QUEUED = Query(
    update(campaign_sends)
    .where(_ONE, s.state == "waiting")
    .values(
        state="queued",
        reason="",
        due_at=null(),
        message_key=bindparam("new_key"),
        code=bindparam("new_code", type_=s.code.type),
        at=bindparam("now"),
        updated_at=bindparam("now"),
    ),
    bulk=True,
)
SKIPPED = Query(
    update(campaign_sends)
    .where(_ONE, s.state == "waiting")
    .values(state="skipped", reason=bindparam("new_reason"), due_at=null(), updated_at=bindparam("now")),
    bulk=True,
)
# Left out to compare with, from the moment at which it would have been written to.
HELD_OUT = Query(
    update(campaign_sends)
    .where(_ONE, s.state == "waiting")
    .values(state="holdout", reason="", due_at=null(), at=bindparam("now"), updated_at=bindparam("now")),
    bulk=True,
)
LATER = Query(
    update(campaign_sends)
    .where(_ONE, s.state == "waiting")
    .values(due_at=bindparam("new_due"), reason=bindparam("new_reason"), updated_at=bindparam("now")),
    bulk=True,
)
# Its message was taken back before the line had sent it.
TAKEN_BACK = Query(
    update(campaign_sends)
    .where(_ONE, s.state == "queued", s.message_key == bindparam("b_key"))
    .values(
        state="waiting",
        reason=bindparam("new_reason"),
        due_at=bindparam("new_due"),
        message_key=null(),
        code=null(),
        at=null(),
        updated_at=bindparam("now"),
    )
)
# The campaign is over: what waits is not sent any more.
LEFT_OUT = Query(
    update(campaign_sends)
    .where(_OF, s.due_at.is_not(None))
    .values(state="skipped", reason=bindparam("new_reason"), due_at=null(), updated_at=bindparam("now"))
)
WITH_LINE = Query(select(s.contact_id, s.message_key).where(_OF, s.state == "queued"), row=QueuedRow)
HOW_MANY_WITH_LINE = Query(select(func.count().label("n")).where(_OF, s.state == "queued"), row=Counted)
# Of what lies with the line: who does not want to hear of it any more.
REFUSED = Query(
    select(s.contact_id, s.message_key)
    .join(contacts, and_(p.account_id == s.account_id, p.id == s.contact_id))
    .where(_OF, s.state == "queued", p.consent == "denied"),
    row=QueuedRow,
)
# What became of messages since the last look: of those with the line, or of all that are open.
_NEWS = (
    select(
        s.contact_id, s.message_key, s.state.label("known"), m.state, m.error_code, m.error_network_code,
    )
    .join(messages, and_(m.account_id == s.account_id, m.id == s.message_key))
    .where(_OF, m.state != s.state)
)  # fmt: skip
NEWS_OF_QUEUED = Query(_NEWS.where(s.state == "queued").limit(bindparam("most")), row=NewsRow)
NEWS = Query(_NEWS.where(s.state.in_(OPEN)).limit(bindparam("most")), row=NewsRow)
# What a network says of a message that it did not take yet.
DELAYS = Query(
    select(s.arm, m.error_network_code.label("code"), func.count().label("n"))
    .join(messages, and_(m.account_id == s.account_id, m.id == s.message_key))
    .where(_OF, s.state == "queued", m.error_network_code.is_not(None))
    .group_by(s.arm, m.error_network_code),
    row=DelayCount,
)
BECAME = Query(
    update(campaign_sends)
    .where(_ONE, s.message_key == bindparam("b_key"), s.state.in_(OPEN))
    .values(state=bindparam("new_state"), reason=bindparam("new_reason"), updated_at=bindparam("now")),
    bulk=True,
)
# Who has written, or asked to be left alone, since the message went.
_PERSON = and_(p.account_id == s.account_id, p.id == s.contact_id)
ANSWERED = Query(
    select(s.contact_id, s.at, p.last_seen_at.label("seen"), p.consent, p.consent_at)
    .join(contacts, _PERSON)
    .where(
        _OF,
        s.state.in_((*OPEN, "read")),
        or_(
            and_(s.replied_at.is_(None), p.window_until.is_not(None), p.last_seen_at > s.at),
            and_(s.opted_out_at.is_(None), p.consent == "denied", p.consent_at >= s.at),
        ),
    )
    .limit(bindparam("most")),
    row=AnswerRow,
)
NOTE_ANSWER = Query(
    update(campaign_sends)
    .where(_ONE)
    .values(
        replied_at=func.coalesce(s.replied_at, bindparam("replied", type_=s.replied_at.type)),
        opted_out_at=func.coalesce(s.opted_out_at, bindparam("opted_out", type_=s.opted_out_at.type)),
    ),
    bulk=True,
)
COUNTS = Query(
    select(
        s.arm, s.state, s.reason, func.count().label("n"),
        func.sum(case((s.replied_at.is_not(None), 1), else_=0)).label("replied"),
        func.sum(case((s.opted_out_at.is_not(None), 1), else_=0)).label("opted_out"),
    )
    .where(_OF)
    .group_by(s.arm, s.state, s.reason), row=SendCount
)  # fmt: skip
LAST_SENT = Query(
    select(func.count().label("n")).where(_OF, s.at >= bindparam("since"), s.state != "holdout"), row=Counted
)
# How often somebody was written to by any campaign since then.
OF_CONTACT_SINCE = Query(
    select(s.contact_id, func.count().label("n"))
    .where(
        s.account_id == bindparam("b_account"),
        s.contact_id == bindparam("b_contact"),
        s.at >= bindparam("since"),
        s.state.in_((*OPEN, "read")),
    )
    .group_by(s.contact_id),
    row=WrittenTo,
    bulk=True,
)
_PAGE = select(campaign_sends).where(_OF, s.contact_id > bindparam("after")).order_by(s.contact_id)
_PAGE = _PAGE.limit(bindparam("most"))
PAGE = Query(_PAGE, row=SendRow)
# Messages pass through these, or rest in them: they are met along the key. Whatever else is found is told apart by them.
_IN_STATE = told_apart(s.state) == bindparam("b_state")
PAGE_OF_COMMON = Query(_PAGE.where(_IN_STATE), row=SendRow)
# In the words of the index that holds the others.
_UNSENT = s.state.in_([literal_column(f"'{state}'") for state in UNREACHED])
PAGE_OF_UNSENT = Query(_PAGE.where(_UNSENT, s.state == bindparam("b_state")), row=SendRow)
# And of the one that holds whoever has a reason.
_HAS_REASON = s.reason != literal_column("''")
_OF_REASON = read_by(
    "ix_campaign_sends_reason", campaign_sends, _PAGE.where(_HAS_REASON, s.reason == bindparam("b_reason"))
)
PAGE_OF_REASON = Query(_OF_REASON, row=SendRow)
PAGE_OF_REASON_AND_STATE = Query(_OF_REASON.where(_IN_STATE), row=SendRow)


def _reasons() -> Query[ReasonRow]:
    """The reasons that occur and are asked for, one look into their index for each of all, among however many contacts."""
    occurring = read_by(
        "ix_campaign_sends_reason", campaign_sends, select(func.min(s.reason).label("reason")).where(_OF, _HAS_REASON)
    )
    seen = occurring.cte("seen", recursive=True)
    following = occurring.where(s.reason > seen.c.reason).correlate(seen)
    seen = seen.union_all(select(following.scalar_subquery()).where(seen.c.reason.is_not(None)))
    asked = bindparam("b_reason", type_=s.reason.type)
    # What a network said stands behind its code.
    behind = func.substr(seen.c.reason, 1, func.length(asked) + 1) == asked.concat(":")
    return Query(select(seen.c.reason).where(or_(seen.c.reason == asked, behind)), row=ReasonRow)


REASONS = _reasons()


def page(state: str | None) -> Query[SendRow]:
    """Who has a row, by their ids; only those of a state where one is given."""
    if state is None:
        return PAGE
    return PAGE_OF_UNSENT if state in UNREACHED else PAGE_OF_COMMON


def page_of_reason(state: str | None) -> Query[SendRow]:
    """The same of one of the reasons that occur."""
    return PAGE_OF_REASON if state is None else PAGE_OF_REASON_AND_STATE


# A person, in all campaigns.
_PERSONS = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_contact"))
OF_CONTACT = Query(select(campaign_sends).where(_PERSONS).order_by(s.campaign_id), row=SendRow, bulk=True)
# Why they got nothing of any campaign, the newest first.
UNSENT = Query(
    select(s.campaign_id, c.name, s.state, s.reason, s.updated_at)
    .join(campaigns, and_(c.account_id == s.account_id, c.id == s.campaign_id))
    .where(
        _PERSONS,
        s.state.in_(("skipped", "holdout")),
        or_(
            s.updated_at < bindparam("before_at"),
            and_(s.updated_at == bindparam("before_at"), s.campaign_id < bindparam("before_key")),
        ),
        or_(
            bindparam("only_reason", type_=s.reason.type) == "",
            s.reason == bindparam("only_reason", type_=s.reason.type),
            and_(bindparam("only_reason", type_=s.reason.type) == "holdout", s.state == "holdout"),
        ),
    )
    .order_by(s.updated_at.desc(), s.campaign_id.desc())
    .limit(bindparam("most")),
    row=UnsentRow,
)
LEAVE = Query(
    update(campaign_sends).where(_PERSONS, s.due_at.is_not(None)).values(state="skipped", reason="gone", due_at=null())
)
# Two contacts are one person: of two rows of a campaign, the one that something came of counts.
_other = campaign_sends.alias("other")


def _campaigns_of(contact: str) -> Select[tuple[str]]:
    is_theirs = _other.c.contact_id == bindparam(contact)
    return select(_other.c.campaign_id).where(_other.c.account_id == bindparam("b_account"), is_theirs)


_SETTLED = _campaigns_of("b_contact").where(_other.c.state.in_((*OPEN, "read", "failed", "holdout")))
NOT_TWICE = Query(
    update(campaign_sends)
    .where(
        s.account_id == bindparam("b_account"),
        s.contact_id == bindparam("target"),
        s.due_at.is_not(None),
        s.campaign_id.in_(_SETTLED),
    )
    .values(state="skipped", reason="gone", due_at=null())
)
MOVE = Query(
    update(campaign_sends)
    .where(_PERSONS, s.campaign_id.not_in(_campaigns_of("target")))
    .values(contact_id=bindparam("target"))
)
# Without its message nobody learns any more what became of it: what is on its way counts as sent, the rest is not sent.
_WENT = (
    select(m.id)
    .where(
        s.account_id == bindparam("b_account"),
        m.account_id == bindparam("b_account"),
        m.id == s.message_key,
        m.state.in_(("sending", "sent", "delivered", "read")),
    )
    .correlate(campaign_sends)
    .exists()
)
FORGET = Query(
    update(campaign_sends)
    .where(_PERSONS)
    .values(
        state=case((s.state != "queued", s.state), (_WENT, "sent"), else_="skipped"),
        reason=case((or_(s.state != "queued", _WENT), s.reason), else_="gone"),
        code=null(),
        message_key=null(),
        replied_at=null(),
        opted_out_at=null(),
    )
)
