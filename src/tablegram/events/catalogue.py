"""The kinds of events, and when they happen."""

from __future__ import annotations

WHEN: dict[str, str] = {
    "messages.upsert": "A customer writes to one of the account's lines.",
    "messages.update": "A sent message changes its state; `status` is `read` when the customer has read it.",
    "messages.edited": "A message is edited after it was sent: by a customer, or by the owner in the network's own app.",
    "messages.deleted": "A message is taken back after it was sent.",
    "restaurant.order_created": "An order is confirmed and goes to the kitchen: once in its life.",
    "restaurant.order_updated": "An order is received, changed or moved on; the same body with its current `status`.",
    "restaurant.delivery_updated": "An order is given to a courier, picked up, delivered, brought back or taken away again.",
    "restaurant.waiter_called": "A guest calls the waiter to their table, or asks for the bill.",
    "restaurant.bill_paid": "The bill of a table is fully paid.",
    "restaurant.tab_closed": "The guests of a table have left: everything is served and paid, or someone says why not.",
    "restaurant.ticket_failed": "A ticket is not printed after a minute, cannot be printed, or is too old to print.",
    "restaurant.printer_status": "A printer goes online or offline, or reports a change of its paper or its cover.",
    "payment.succeeded": "A payment link is paid; `attention` is not empty when a person has to look at it.",
    "payment.failed": "A payment link is refused, expires or is cancelled, an attempt to pay fails, or a different amount arrives.",
    "payment.refunded": "A payment link is refunded, in whole or in part.",
    "store.order_received": "A connected shop reports a new order.",
    "store.order_updated": "A connected shop reports a change of an order; the same body with its current `status`.",
    "store.cart_recovered": "A customer buys after a reminder of their cart.",
    "store.form_sent": "Someone sends a connected form.",
    "campaign.started": "A campaign starts to write to its contacts.",
    "campaign.finished": "Every contact of a campaign has their message, or a reason why not.",
    "campaign.stopped": "A campaign stops on its own, or could not start in time; `reason` says why.",
    "loyalty.points_changed": "A guest earns, spends, loses or gets back points.",
    "loyalty.coupon_redeemed": "A coupon is used on an order.",
    "loyalty.gift_changed": "A gift card is created, spent, refunded, expires or is cancelled.",
    "loyalty.stamps_given": "A guest earns stamps with an order.",
    "loyalty.card_full": "A guest's stamp card is full and becomes a coupon.",
    "feedback.received": "A guest rates their visit from 1 to 5.",
    "feedback.commented": "A guest adds a comment to their rating.",
    "contact.opted_out": "A customer opts out of messages.",
    "contact.opted_in": "A customer agrees to get messages.",
    "network.notice": "The network has news about the account, a line, a template, a flow, a group, a call or a payment.",
    "instance.status": "A line changes its state.",
    "webhook.failing": "An endpoint has failed four times in a row with one event, or was disabled.",
}
ALL = "*"
# Sent by hand to try an endpoint out; never planned, so it is not part of what one can subscribe to.
TEST = "webhook.test"


def wants(subscribed: str, kind: str) -> bool:
    """Whether an endpoint's space-separated subscription covers a kind."""
    kinds = subscribed.split()
    return ALL in kinds or kind in kinds
