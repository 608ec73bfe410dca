"""Statements on the model that reads texts: an account's switch, its spending, and the texts that wait."""

from __future__ import annotations

from sqlalchemy import BigInteger, SmallInteger, Text, and_, bindparam, delete, func, or_, select, update

from tablegram.restaurant.rows import HowMany
from tablegram.restaurant.rows.guests import LeftText, WaitingRow
from tablegram.restaurant.rows.readers import ReaderDay, ReaderRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import reader_days, readers, waiting_texts

r, d, w = readers.c, reader_days.c, waiting_texts.c
_ACCOUNT = r.account_id == bindparam("b_account")
_DAY = and_(d.account_id == bindparam("b_account"), d.day == bindparam("b_day"))
_ONE = and_(w.account_id == bindparam("b_account"), w.message_key == bindparam("b_key"))

# The switch.

BEGIN = Query(lambda insert: insert(readers).values(columns(readers, "account_id", "trouble", "updated_at")).on_conflict_do_nothing())  # fmt: skip
GET = Query(select(readers).where(_ACCOUNT), row=ReaderRow)
SWITCH = Query(
    update(readers)
    .where(_ACCOUNT)
    .values(is_on=bindparam("new_is_on", type_=SmallInteger), updated_at=bindparam("now", type_=BigInteger))
)
WENT_WELL = Query(
    update(readers).where(_ACCOUNT).values(trouble="", trouble_at=None, answered_at=bindparam("now", type_=BigInteger))
)
WENT_WRONG = Query(
    update(readers)
    .where(_ACCOUNT)
    .values(trouble=bindparam("new_trouble", type_=Text), trouble_at=bindparam("now", type_=BigInteger))
)

# Spending. The condition and the change are one statement, so that two processes never take the same last call.

BEGIN_DAY = Query(lambda insert: insert(reader_days).values(columns(reader_days, "account_id", "day")).on_conflict_do_nothing())  # fmt: skip
SPENT = Query(select(reader_days).where(_DAY), row=ReaderDay)
TAKE = Query(
    update(reader_days)
    .where(
        _DAY,
        d.calls < bindparam("most_calls", type_=BigInteger),
        d.tokens + bindparam("reserved", type_=BigInteger) <= bindparam("most_tokens", type_=BigInteger),
    )
    .values(calls=d.calls + 1, tokens=d.tokens + bindparam("reserved", type_=BigInteger))
)
PUT_RIGHT = Query(update(reader_days).where(_DAY).values(tokens=d.tokens + bindparam("more", type_=BigInteger)))

# Texts that wait.

WAIT = Query(lambda insert: insert(waiting_texts).values(columns(waiting_texts)).on_conflict_do_nothing())
WAITING = Query(select(waiting_texts).where(_ONE), row=WaitingRow)
COUNT_WAITING = Query(select(func.count().label("n")).where(w.account_id == bindparam("b_account")), row=HowMany)
ANSWERED = Query(delete(waiting_texts).where(_ONE))
# Whoever had it is dead: one of the others has it from now on.
TAKE_UP = Query(
    update(waiting_texts)
    .where(_ONE, w.due_at == bindparam("was_due", type_=BigInteger))
    .values(due_at=bindparam("new_due", type_=BigInteger))
)
LEFT = Query(
    across_accounts(
        select(w.account_id, w.message_key, w.due_at)
        # One that is due later than any could be was put there before the clock was set back.
        .where(or_(w.due_at <= bindparam("now", type_=BigInteger), w.due_at > bindparam("latest", type_=BigInteger)))
        .order_by(w.due_at)
        .limit(100),
        "the engine works for every account",
    ),
    row=LeftText,
)
MOVE = Query(
    update(waiting_texts)
    .where(w.account_id == bindparam("b_account"), w.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target", type_=w.contact_id.type))
)
FORGET_CONTACT = Query(
    delete(waiting_texts).where(w.account_id == bindparam("b_account"), w.contact_id == bindparam("b_contact"))
)
FORGET_PHONE = Query(
    delete(waiting_texts).where(w.account_id == bindparam("b_account"), w.phone == bindparam("b_phone"))
)
