"""A programme, its members, and every movement of their points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    # They speak of the words of this module.
    from tablegram.loyalty.rows import MemberRow, MovementRow

Kind = Literal["earn", "reverse", "redeem", "give_back", "expire", "adjust"]


class Rate(msgspec.Struct, frozen=True):
    """Of one currency, in minor units: so much brings a point, and a point takes so much off."""

    per: int
    worth: int = 0


Variable = Literal["first_name", "points", "day", "balance", "worth", "venue"]


class WarnTemplate(msgspec.Struct, frozen=True, kw_only=True):
    """A template of the network for guests who have not written for a day, and what fills its places, in their order."""

    name: str
    language: str
    variables: list[Variable] = []


def base_of(language: str) -> str:
    """Of en_US and en-GB: en."""
    return language.replace("-", "_").partition("_")[0].lower()


class Programme(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    is_on: bool = False
    rates: dict[str, Rate] = {}
    # 0: points stay.
    expires_months: int = 0
    # 0: nobody is told.
    warn_days: int = 0
    # One for each language. None: who has not written for a day is not told by a line that asks for a template.
    warn_templates: list[WarnTemplate] = []
    updated_at: int = 0

    def template_for(self, *languages: str) -> WarnTemplate | None:
        """In the first of these languages that there is one for, else the first of all."""
        for wanted in languages:
            exact = [one for one in self.warn_templates if one.language == wanted]
            near = [one for one in self.warn_templates if base_of(one.language) == base_of(wanted)]
            if exact or near:
                return (exact or near)[0]
        return self.warn_templates[0] if self.warn_templates else None

    def worth(self, points: int, currency: str) -> int:
        rate = self.rates.get(currency)
        return 0 if rate is None else points * rate.worth


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody's movements come to: `given - redeemed - expired - taken` is `balance`."""

    account_id: int
    contact_id: str
    balance: int = 0
    given: int = 0
    redeemed: int = 0
    expired: int = 0
    taken: int = 0
    created_at: int = 0
    updated_at: int = 0


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    contact_id: str
    kind: Kind
    cause: str
    points: int
    short: int = 0
    balance: int
    unused: int = 0
    expires_at: int | None = None
    warned_at: int | None = None
    order_key: str | None = None
    order_id: str = ""
    rate: int = 0
    reason: str = ""
    by: str = ""
    created_at: int


def read_member(row: MemberRow) -> Member:
    return Member(**row)


def read_movement(row: MovementRow) -> Movement:
    return Movement(**row)
