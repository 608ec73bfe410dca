"""What statements say of their rows is what they give, and a mistake in it is noticed."""

from __future__ import annotations

from typing import TypedDict

import pytest
from sqlalchemy import BigInteger, bindparam, cast, func, select, update

from tablegram.storage.query import Query
from tablegram.storage.tables import contacts
from tests.faults.every_statement import every_statement
from tests.storage.statements import DIALECTS
from tests.storage.told_rows import gives_rows, wrong

# Columns that may be empty, and of which a statement leaves out the empty ones.
FILLED: dict[str, frozenset[str]] = {
    "tablegram.accounts.people.store.WITH_TOTP": frozenset({"totp_secret"}),
    "tablegram.campaigns.store.sends.ANSWERED": frozenset({"at"}),
    "tablegram.campaigns.store.sends.NEWS": frozenset({"message_key"}),
    "tablegram.campaigns.store.sends.NEWS_OF_QUEUED": frozenset({"message_key"}),
    "tablegram.campaigns.store.sends.REFUSED": frozenset({"message_key"}),
    "tablegram.campaigns.store.sends.WITH_LINE": frozenset({"message_key"}),
    "tablegram.crm.store.conversations.RESTED": frozenset({"snoozed_until"}),
    "tablegram.crm.store.imports.HELD": frozenset({"rows"}),
    "tablegram.delivery.couriers.store.SEALED": frozenset({"key_sealed"}),
    "tablegram.delivery.couriers.store.TAKEN": frozenset({"collected_by"}),
    "tablegram.messaging.store.erasure.NETWORK_IDS": frozenset({"network_id"}),
    "tablegram.messaging.store.messages.RETRYING": frozenset({"due_at"}),
    "tablegram.messaging.store.recovering.CLAIMANTS": frozenset({"claimed_by"}),
    "tablegram.restaurant.bills.store.GONE": frozenset({"tab_payment_id"}),
    "tablegram.restaurant.store.customers.SPENT": frozenset({"contact_id"}),
    "tablegram.restaurant.store.customers.SPENT_BY": frozenset({"contact_id"}),
    "tablegram.stores.carts.store.ENDED": frozenset({"ended_at"}),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_statement_that_tells_of_its_rows_tells_the_truth(dialect: str) -> None:
    telling = [(name, query) for name, query in every_statement() if query.row is not None]
    assert telling
    found = [
        f"{name}: {one}" for name, query in telling for one in wrong(query, dialect, FILLED.get(name, frozenset()))
    ]
    assert not found, "\n".join(found)


def test_every_statement_that_gives_rows_tells_of_them() -> None:
    untold = [name for name, query in every_statement() if query.row is None and gives_rows(query, DIALECTS[0])]
    assert not untold, "\n".join(untold)


def test_what_gives_rows_is_told_from_what_only_writes() -> None:
    c = contacts.c
    write = update(contacts).where(c.account_id == bindparam("account_id")).values(name="")
    # In this order, because the library remembers of a statement what it gives, in those made of it as well.
    assert gives_rows(Query(write.returning(c.id)), DIALECTS[0])
    assert not gives_rows(Query(write), DIALECTS[0])


class _Wrong(TypedDict):
    id: int
    nickname: str
    consent_at: int


def test_a_wrong_name_a_wrong_type_and_a_forgotten_column_are_noticed() -> None:
    c = contacts.c
    query = Query(select(c.id, c.name, c.consent_at).where(c.account_id == bindparam("account_id")), row=_Wrong)
    assert wrong(query, DIALECTS[0]) == [
        "consent_at may be empty, and is told as <class 'int'>",
        "id is str, and told as <class 'int'>",
        "name is not told",
        "nickname is not given",
    ]
    assert len(wrong(query, DIALECTS[0], frozenset({"consent_at"}))) == 3


class _Sums(TypedDict):
    seen: int
    written: int


def test_a_sum_that_a_server_gives_as_a_decimal_number_is_noticed() -> None:
    c = contacts.c
    seen, written = func.coalesce(func.sum(c.last_seen_at), 0), cast(func.sum(c.first_seen_at), BigInteger)
    query = Query(
        select(seen.label("seen"), written.label("written")).where(c.account_id == bindparam("account_id")), row=_Sums
    )
    assert wrong(query, DIALECTS[0]) == ["seen is a sum of large numbers, which a server gives as no int: cast it"]
