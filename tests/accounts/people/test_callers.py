"""How a person calls the services: with the figures of their account, else with those of the installation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablegram.accounts.accounts import Account
from tablegram.accounts.people.model import Membership, Person
from tablegram.accounts.people.sessions import caller_of
from tablegram.accounts.roles import SCOPES
from tablegram.accounts.team import Member
from tablegram.settings import Settings

SETTINGS = Settings(rate_limit=7.0, rate_burst=70)
PERSON = Person("p1", "ada@example.com", "", True, False, "", False, None, 0)
ACCOUNT = Account(3, "Bistro", "active", "standard", 0, None, 0, None, None, 0)
MEMBER = Member(3, "m1", "ada@example.com", "Ada", "staff", 0)


@pytest.mark.parametrize(
    ("rate", "burst", "expected"),
    [(None, None, (7.0, 70)), (2.0, None, (2.0, 70)), (None, 5, (7.0, 5)), (2.0, 5, (2.0, 5))],
)
def test_an_accounts_own_rates_go_before_the_installations(
    rate: float | None, burst: int | None, expected: tuple[float, int]
) -> None:
    account = replace(ACCOUNT, rate_limit=rate, rate_burst=burst)
    caller = caller_of(PERSON, Membership(account, MEMBER), SETTINGS)
    assert (caller.rate, caller.burst) == expected
    assert (caller.account_id, caller.account_name, caller.plan) == (3, "Bistro", "standard")
    assert caller.scopes == SCOPES["staff"]


def test_who_has_no_account_calls_with_the_installations_rates_and_may_do_nothing() -> None:
    caller = caller_of(PERSON, None, SETTINGS)
    assert (caller.rate, caller.burst, caller.scopes) == (7.0, 70, frozenset())
    assert (caller.account_id, caller.account_name, caller.plan, caller.key_name) == (0, "", "", "ada@example.com")


def test_a_suspended_account_gives_no_scope() -> None:
    caller = caller_of(PERSON, Membership(replace(ACCOUNT, state="suspended"), MEMBER), SETTINGS)
    assert caller.scopes == frozenset()
