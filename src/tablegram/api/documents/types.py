"""Every type of the API as JSON Schema, in a form that programs which write clients understand."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts import answers as audit_answers
from tablegram.accounts import authors
from tablegram.accounts.operating import answers as operator_answers
from tablegram.api.schemas import answers
from tablegram.api.schemas.account import team, usage
from tablegram.api.schemas.automations import automations
from tablegram.api.schemas.campaigns import campaigns, segments
from tablegram.api.schemas.contacts import consents, contacts, imports, jobs, retention
from tablegram.api.schemas.delivery import addresses, couriers, zones
from tablegram.api.schemas.gateway import auto_replies, batches, manage, sends, templates
from tablegram.api.schemas.inbox import conversations
from tablegram.api.schemas.integrations import webhooks
from tablegram.api.schemas.loyalty import cards as loyalty_cards
from tablegram.api.schemas.loyalty import coupons as loyalty_coupons
from tablegram.api.schemas.loyalty import gifts as loyalty_gifts
from tablegram.api.schemas.loyalty import points as loyalty_points
from tablegram.api.schemas.operator import accounts as operator
from tablegram.api.schemas.payments import links as payments
from tablegram.api.schemas.printing import layouts, printers
from tablegram.api.schemas.restaurant import bills, orders, progress, reader, till
from tablegram.api.schemas.restaurant import menu as restaurant_menu
from tablegram.api.schemas.restaurant import venues as restaurant
from tablegram.api.schemas.stores import notifications as store_notifications
from tablegram.api.schemas.stores import sources as stores
from tablegram.campaigns import comparing
from tablegram.crm.answers import contacts as contact_answers
from tablegram.events.answers import feed as event_answers
from tablegram.events.answers import webhooks as webhook_answers
from tablegram.flows import wire
from tablegram.flows.account import answers as account_answers
from tablegram.flows.automations import answers as automation_answers
from tablegram.flows.campaigns import answers as campaign_answers
from tablegram.flows.campaigns import reporting as campaign_reports
from tablegram.flows.campaigns.segments import answers as segment_answers
from tablegram.flows.contacts import answers as contact_flow_answers
from tablegram.flows.contacts import unsent
from tablegram.flows.delivery import answers as delivery_answers
from tablegram.flows.delivery.couriers import answers as courier_answers
from tablegram.flows.files import answers as file_answers
from tablegram.flows.gateway.answers import auto_replies as reply_answers
from tablegram.flows.gateway.answers import messages as message_answers
from tablegram.flows.gateway.answers import sends as send_answers
from tablegram.flows.gateway.answers import templates as template_answers
from tablegram.flows.inbox import answers as inbox_answers
from tablegram.flows.inbox import notes
from tablegram.flows.integrations import answers as key_answers
from tablegram.flows.loyalty.answers import rewards as loyalty_answers
from tablegram.flows.loyalty.gifts import answers as gift_answers
from tablegram.flows.payments import answers as payment_answers
from tablegram.flows.printing import answers as print_answers
from tablegram.flows.printing.layouts import answers as layout_answers
from tablegram.flows.restaurant.answers import calls as call_answers
from tablegram.flows.restaurant.answers import figures
from tablegram.flows.restaurant.answers import menus as menu_answers
from tablegram.flows.restaurant.answers import reader as reader_answers
from tablegram.flows.restaurant.answers import venues as venue_answers
from tablegram.flows.restaurant.bills import answers as bill_answers
from tablegram.flows.restaurant.kitchen import answers as progress_answers
from tablegram.flows.restaurant.orders import answers as order_answers
from tablegram.flows.restaurant.till import answers as till_answers
from tablegram.flows.stores import answers as store_answers
from tablegram.flows.stores.notices import answers as notice_answers
from tablegram.media import shown
from tablegram.messaging.records import lines as line_answers
from tablegram.restaurant.menu.importing import written
from tablegram.restaurant.orders import brief
from tablegram.web import problems

_REF = "#/components/schemas/{name}"
# Whose types are part of the document.
_MODULES = (
    sends,
    batches,
    templates,
    template_answers,
    manage,
    answers,
    problems,
    file_answers,
    line_answers,
    send_answers,
    order_answers,
    bills,
    bill_answers,
    progress_answers,
    message_answers,
    shown,
    webhooks,
    webhook_answers,
    event_answers,
    key_answers,
    contacts,
    contact_answers,
    contact_flow_answers,
    brief,
    consents,
    unsent,
    retention,
    loyalty_points,
    loyalty_coupons,
    loyalty_cards,
    loyalty_gifts,
    gift_answers,
    auto_replies,
    reply_answers,
    conversations,
    authors,
    notes,
    inbox_answers,
    imports,
    jobs,
    operator,
    operator_answers,
    orders,
    progress,
    restaurant,
    restaurant_menu,
    written,
    reader,
    figures,
    reader_answers,
    venue_answers,
    menu_answers,
    call_answers,
    loyalty_answers,
    delivery_answers,
    wire,
    till,
    till_answers,
    segments,
    segment_answers,
    zones,
    addresses,
    layouts,
    layout_answers,
    printers,
    print_answers,
    payments,
    payment_answers,
    store_notifications,
    notice_answers,
    stores,
    automations,
    automation_answers,
    campaigns,
    campaign_answers,
    campaign_reports,
    comparing,
    store_answers,
    couriers,
    courier_answers,
    team,
    account_answers,
    audit_answers,
    usage,
)
# What a schema says of what may be anything.
_ANYTHING = {"$comment": "anything"}


def schemas() -> dict[str, Any]:
    """Every type of the API in its own words."""
    types = [
        thing
        for module in _MODULES
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, msgspec.Struct) and thing.__module__ == module.__name__
    ]
    _, made = msgspec.json.schema_components(types, schema_hook=_of_anything, ref_template=_REF)
    made.pop("Send")
    _leave_kind_out(made)
    _let_grow(made, made["AutomationView"])
    for schema in made.values():
        _say_for_generators(schema)
    return dict(sorted(made.items()))


def _of_anything(kind: type) -> dict[str, Any]:
    """What is inside of `Json` may be anything. msgspec takes no empty schema, so that it is taken away afterwards."""
    if kind is not object:
        raise NotImplementedError
    return dict(_ANYTHING)


def _leave_kind_out(made: dict[str, Any]) -> None:
    """An entry of a batch without a kind is a text, which msgspec cannot say and a discriminator does not allow."""
    made["BatchText"]["required"].remove("kind")
    entries = made["Batch"]["properties"]["messages"]["items"]
    made["Batch"]["properties"]["messages"]["items"] = {"oneOf": entries["anyOf"]}


def _let_grow(made: dict[str, Any], answered: dict[str, Any]) -> None:
    """What is taken strictly and answered as it was taken may get more fields: who reads it must not refuse them."""
    view = answered["properties"]
    for ref in (view["trigger"]["$ref"], *view["steps"]["items"]["discriminator"]["mapping"].values()):
        made[ref.rpartition("/")[2]].pop("additionalProperties", None)


def _say_for_generators(schema: Any) -> None:
    """What a schema leaves open and generators of clients ask for.

    A default makes some of them think that a field is always there, so it is said in words where it is not plain, and
    an array of anything says so.
    """
    if isinstance(schema, list):
        for one in schema:
            _say_for_generators(one)
    if not isinstance(schema, dict):
        return
    for name in ("additionalProperties", "items"):
        if schema.get(name) == _ANYTHING:
            del schema[name]
    if "discriminator" in schema and "anyOf" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    if schema.get("type") == "array":
        schema.setdefault("items", {})
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default:
            words = field.get("description", "")
            field["description"] = f"{words} Left out: {msgspec.json.encode(default).decode()}.".lstrip()
    for name, value in schema.items():
        # A field may be called `properties` itself.
        _say_for_generators(list(value.values()) if name == "properties" else value)
