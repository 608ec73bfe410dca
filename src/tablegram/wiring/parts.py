"""The parts of the product, one line each. A part finds what it needs in those before it."""

from __future__ import annotations

from tablegram.wiring.areas import (
    account,
    callbacks,
    contacts,
    engine,
    files,
    gateway,
    inbox,
    integrations,
    operator,
    printers,
    printing,
    restaurant,
    retention,
)
from tablegram.wiring.areas.delivery import couriers, zones
from tablegram.wiring.areas.marketing import automations, campaigns, loyalty, segments
from tablegram.wiring.areas.paying import orders as order_payments
from tablegram.wiring.areas.paying import payments
from tablegram.wiring.areas.stores import kitchen_orders
from tablegram.wiring.areas.stores import notices as store_notices
from tablegram.wiring.areas.stores import sources as stores
from tablegram.wiring.edges import api, docs_site, panel, sandbox, server
from tablegram.wiring.part import Part

PARTS: tuple[Part, ...] = (
    engine.PART,
    account.PART,
    integrations.PART,
    files.PART,
    gateway.PART,
    inbox.PART,
    contacts.PART,
    payments.PART,
    restaurant.PART,
    order_payments.PART,
    loyalty.PART,
    zones.PART,
    printing.PART,
    couriers.PART,
    printers.PART,
    stores.PART,
    kitchen_orders.PART,
    store_notices.PART,
    segments.PART,
    campaigns.PART,
    automations.PART,
    callbacks.PART,
    retention.PART,
    operator.PART,
    api.PART,
    panel.PART,
    sandbox.PART,
    docs_site.PART,
    server.PART,
)
