"""Programmes, members and movements as people and programs see them."""

from __future__ import annotations

from tablegram.flows.loyalty.answers.rewards import (
    CollectedStamps,
    CouponView,
    LoyaltyMember,
    LoyaltyMovement,
    LoyaltyProgramme,
    LoyaltyRate,
    LoyaltyWarnTemplate,
    LoyaltyWorth,
    RedemptionView,
    StampCard,
    StampRewardView,
)
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.model import Member, Movement, Programme
from tablegram.loyalty.redeeming import Redemption
from tablegram.loyalty.stamps import Card
from tablegram.values.clock import iso
from tablegram.values.money import to_wire


def programme_view(one: Programme) -> LoyaltyProgramme:
    return LoyaltyProgramme(
        is_on=one.is_on,
        rates=[
            LoyaltyRate(currency=currency, per=to_wire(rate.per, currency), worth=to_wire(rate.worth, currency))
            for currency, rate in sorted(one.rates.items())
        ],
        expires_months=one.expires_months,
        warn_days=one.warn_days,
        warn_templates=[
            LoyaltyWarnTemplate(name=each.name, language=each.language, variables=each.variables)
            for each in one.warn_templates
        ],
        updated_at=iso(one.updated_at) if one.updated_at else None,
    )


def movement_view(one: Movement) -> LoyaltyMovement:
    return LoyaltyMovement(
        id=one.id,
        kind=one.kind,
        points=one.points,
        short=one.short,
        balance=one.balance,
        unused=one.unused,
        expires_at=iso(one.expires_at),
        order_id=one.order_id,
        reason=one.reason,
        by=one.by,
        created_at=iso(one.created_at),
    )


def worth_view(rules: Programme, points: int) -> list[LoyaltyWorth]:
    """What points take off, in each currency that has a rate."""
    return [
        LoyaltyWorth(currency=currency, amount=to_wire(rules.worth(points, currency), currency))
        for currency in sorted(rules.rates)
    ]


def member_view(one: Member, rules: Programme, name: str = "", phone: str = "") -> LoyaltyMember:
    return LoyaltyMember(
        contact_id=one.contact_id,
        name=name,
        phone=phone,
        balance=one.balance,
        worth=worth_view(rules, one.balance),
        given=one.given,
        redeemed=one.redeemed,
        expired=one.expired,
        taken=one.taken,
        updated_at=iso(one.updated_at) if one.updated_at else None,
    )


def coupon_view(one: Coupon) -> CouponView:
    return CouponView(
        id=one.id,
        code=one.shown_code,
        name=one.name,
        kind=one.kind,
        gives=one.gives,
        percent=one.percent / 100,
        amount=to_wire(one.amount, one.currency) if one.currency else 0,
        currency=one.currency,
        item_id=one.item_id,
        category_id=one.category_id,
        minimum=to_wire(one.minimum, one.currency) if one.currency else 0,
        per_person=one.per_person,
        in_all=one.in_all,
        venue_id=one.venue_id,
        order_types=list(one.order_types),
        starts_at=iso(one.starts_at),
        ends_at=iso(one.ends_at),
        contact_id=one.contact_id,
        is_active=one.is_active,
        used=one.used,
        by=one.by,
        created_at=iso(one.created_at),
    )


def card_view(one: Card) -> StampCard:
    offer = one.offer
    return StampCard(
        id=one.id,
        name=one.name,
        item_id=one.item_id,
        category_id=one.category_id,
        needed=one.needed,
        reward=StampRewardView(
            name=offer.name,
            gives=offer.gives,
            percent=offer.percent / 100,
            amount=to_wire(offer.amount, offer.currency) if offer.currency else 0,
            currency=offer.currency,
            item_id=offer.item_id,
            category_id=offer.category_id,
            minimum=to_wire(offer.minimum, offer.currency) if offer.currency else 0,
            days=offer.days,
        ),
        expires_months=one.expires_months,
        is_active=one.is_active,
        created_at=iso(one.created_at),
    )


def collected_view(card: Card, stamps: int) -> CollectedStamps:
    return CollectedStamps(card_id=card.id, name=card.name, stamps=stamps, needed=card.needed, reward=card.offer.name)


def redemption_view(one: Redemption) -> RedemptionView:
    return RedemptionView(
        id=one.id,
        kind=one.kind,
        state=one.state,
        contact_id=one.contact_id,
        coupon_id=one.coupon_id,
        order_id=one.order_id,
        name=one.name,
        points=one.points,
        amount=to_wire(one.amount, one.currency) if one.currency else 0,
        currency=one.currency,
        by=one.by,
        created_at=iso(one.created_at),
    )
