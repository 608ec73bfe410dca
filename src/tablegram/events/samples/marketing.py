"""Campaigns, points, ratings and consent."""

from __future__ import annotations

from tablegram.values import Json

_CAMPAIGN: Json = {
    "campaign_id": "01m7egbgzkw6jjsq9bfg3vp00v",
    "name": "Sunday brunch",
    "state": "finished",
    "reason": "",
    "contacts": {"delivered": 412, "read": 251, "failed": 3, "skipped": 96, "holdout": 70},
    "started_at": "2026-11-15T10:05:07.000Z",
    "timestamp": 1794709512,
}

_FEEDBACK: Json = {
    "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
    "phone": "905551112233",
    "automation_id": "01m7egbgzkw6jjsq9bfg3vp010",
    "run_id": "01m7egbgzkw6jjsq9bfg3vp011",
    "order_id": "ORD-20261115-0042",
    "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
    "rating": 2,
    "is_low": True,
    "comment": "",
    "timestamp": 1794709512,
}

SAMPLES: dict[str, Json] = {
    "campaign.started": {
        "event": "campaign.started",
        "data": {**_CAMPAIGN, "state": "running", "contacts": {}, "timestamp": 1794709507},
    },
    "campaign.finished": {"event": "campaign.finished", "data": _CAMPAIGN},
    "campaign.stopped": {
        "event": "campaign.stopped",
        "data": {**_CAMPAIGN, "state": "stopped", "reason": "line_limited"},
    },
    "loyalty.points_changed": {
        "event": "loyalty.points_changed",
        "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
        "kind": "earn",
        "points": 73,
        "short": 0,
        "balance": 210,
        "order_id": "ORD-20261115-0042",
        "reason": "",
        "timestamp": 1794709512,
    },
    "loyalty.coupon_redeemed": {
        "event": "loyalty.coupon_redeemed",
        "redemption_id": "01m7egbgzkw6jjsq9bfg3vp00w",
        "coupon_id": "01m7egbgzkw6jjsq9bfg3vp00x",
        "code": "WELCOME10",
        "name": "10% off your first order",
        "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
        "order_id": "ORD-20261115-0042",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "amount": 73.7,
        "currency": "TRY",
        "timestamp": 1794709512,
    },
    "loyalty.gift_changed": {
        "event": "loyalty.gift_changed",
        "gift_id": "01m7egbgzkw6jjsq9bfg3vp00y",
        "code_hint": "•••• 9TDA",
        "kind": "redeem",
        "amount": -320.0,
        "balance": 180.0,
        "currency": "TRY",
        "venue_id": "01m7egbgzkw6jjsq9bfg3vp00g",
        "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
        "payment_id": "01m7egbgzkw6jjsq9bfg3vp00z",
        "reason": "",
        "by": "Elif",
        "timestamp": 1794709512,
    },
    "loyalty.stamps_given": {
        "event": "loyalty.stamps_given",
        "card_id": "01m7egbgzkw6jjsq9bfg3vp00y",
        "name": "Tea card",
        "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
        "order_id": "ORD-20261115-0042",
        "stamps": 2,
        "balance": 7,
        "needed": 10,
        "timestamp": 1794709512,
    },
    "loyalty.card_full": {
        "event": "loyalty.card_full",
        "card_id": "01m7egbgzkw6jjsq9bfg3vp00y",
        "name": "Tea card",
        "contact_id": "01m7egbgzkw6jjsq9bfg3vp00c",
        "order_id": "ORD-20261115-0042",
        "coupon_id": "01m7egbgzkw6jjsq9bfg3vp00x",
        "code": "K7PM2XQ9",
        "reward": "Tea on us",
        "ends_at": "2026-12-15T10:05:12.000Z",
        "timestamp": 1794709512,
    },
    "feedback.received": {"event": "feedback.received", **_FEEDBACK},
    "feedback.commented": {"event": "feedback.commented", **_FEEDBACK, "comment": "The soup was cold."},
    "contact.opted_out": {
        "event": "contact.opted_out",
        "data": {"contact_id": "01m7egbgzkw6jjsq9bfg3vp00c", "phone": "905551112233", "timestamp": 1794709512},
    },
    "contact.opted_in": {
        "event": "contact.opted_in",
        "data": {"contact_id": "01m7egbgzkw6jjsq9bfg3vp00c", "phone": "905551112233", "timestamp": 1794709512},
    },
}
