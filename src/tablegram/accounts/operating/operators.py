"""Who runs the installation: a person whom a command made an operator, or a key that a command made for it."""

from __future__ import annotations

from tablegram.accounts.audit import Actor
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people.model import Person
from tablegram.accounts.scopes import OPERATE
from tablegram.errors import ScopeMissing

Operator = Person | Caller

# What an operator's form repeats is known under the installation itself, which is no account.
INSTALLATION = 0


def check_operator(operator: Operator) -> None:
    """Asked before anything else, whatever a route or a page has asked already."""
    if isinstance(operator, Caller):
        operator.require(OPERATE)
    elif not operator.is_operator:
        raise ScopeMissing("Only the installation's own operators may do this.", code="operator_only")


def actor_of(operator: Operator) -> Actor:
    if isinstance(operator, Caller):
        return Actor.of(operator)
    return Actor("person", operator.id, operator.shown_name)


def calls_from(operator: Operator) -> int:
    """The account under which an operator's Idempotency-Keys are kept."""
    return operator.account_id if isinstance(operator, Caller) else INSTALLATION


def holds(operator: Operator, account_id: int) -> bool:
    """Whether the account is the one that the operator's own key belongs to."""
    return isinstance(operator, Caller) and operator.account_id == account_id
