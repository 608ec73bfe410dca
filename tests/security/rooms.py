"""What an account can own, area by area, made by its own calls."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tablegram.values.opening_hours import DAYS
from tests.product import wait_until
from tests.security.town import CLOUD, FRESH_PHONES, LIVE_PHONE, PHONE, PICTURE, TOWN, House, Town


def rewards_of(house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """A coupon that is used on one order and may be used on another."""
    fields = {"name": f"Ten off at {house.name}", "gives": "percent", "percent": 10, "per_person": None}
    coupon = made("/loyalty/coupons", fields)
    reward = {"name": f"Tea at {house.name}", "gives": "percent", "percent": 10}
    card = made("/loyalty/cards", {"name": f"Card of {house.name}", "needed": 5, "reward": reward})
    guest = {"address": "Moda Cad. 1", "customer_phone": PHONE, "customer_name": house.name}
    wish = {"venue_id": house.things["venue_id"], "order_type": "delivery", **guest}
    first, second = (made("/orders", {**wish, "lines": [{"item_id": house.things["item_id"]}]}) for _ in range(2))
    whose = {"code": coupon["code"], "contact_id": house.things["contact_id"]}
    used = made("/loyalty/redemptions", {"order_id": first["order_id"], **whose})
    sold = {"amount": 50, "paid_by": "card", "greeting": f"From {house.name}", "venue_id": house.things["venue_id"]}
    gift, spare = (made("/loyalty/gifts", sold) for _ in range(2))
    return {
        "gift_id": gift["id"], "spare_gift_id": spare["id"], "gift_code": gift["code"],
        "card_id": card["id"], "coupon_id": coupon["id"], "coupon_code": coupon["code"], "redeemable_order_id": second["order_id"], "redemption_id": used["id"],
    }  # fmt: skip


def restaurant_of(town: Town, house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """A venue with one of everything, and a second venue, which is not the default."""
    fields = {"name": f"Table of {house.name}", "currency": "TRY", "time_zone": "Europe/Istanbul"}
    venue, spare = (made("/restaurant/venues", fields)["id"] for _ in range(2))
    place = f"/restaurant/venues/{venue}"
    waiter = made(f"{place}/waiters", {"name": f"Waiter of {house.name}"})["id"]
    section = made(f"{place}/sections", {"name": f"Garden of {house.name}", "waiter_id": waiter})["id"]
    empty, full = (
        made(f"{place}/menu/categories", {"name": f"{name} of {house.name}"})["id"] for name in ("No", "All")
    )
    options = {"name": f"Size of {house.name}", "options": [{"name": "Large", "price": 5}]}
    at_table = made(f"{place}/tables", {"label": "1", "section_id": section})
    table, elsewhere = at_table["id"], made(f"{place}/tables", {"label": "2"})["id"]
    item = made(f"{place}/menu/items", {"category_id": full, "name": f"Soup of {house.name}", "price": 9})["id"]
    order = {"venue_id": venue, "table_id": table, "lines": [{"item_id": item}]}
    return {
        **_order(town, house, made, order, at_table["link"]),
        "order_request_id": _wish(town, house, made, order, at_table["link"]),
        "venue_id": venue,
        "spare_venue_id": spare,
        "waiter_id": waiter,
        "section_id": section,
        "table_id": table,
        "other_table_id": elsewhere,
        "category_id": empty,
        "full_category_id": full,
        "item_id": item,
        "group_id": made(f"{place}/menu/option-groups", options)["id"],
        "zone_id": made(f"{place}/zones", {"name": f"Town of {house.name}", "corners": TOWN})["id"],
        "image_id": _image(town, house, place),
        **_paper(made, house, venue),
        **_couriers(town, house, made, venue, item),
    }


def seat(town: Town, house: House, label: str) -> dict[str, str]:
    """Guests at a table that nobody sat at: their order, their call and their bill."""

    def made(path: str, body: Any) -> Any:
        status, answer = town.ask("POST", path, body, key=house.key)
        assert status in (200, 201, 202), answer
        return answer

    venue = house.things["venue_id"]
    table = made(f"/restaurant/venues/{venue}/tables", {"label": label})
    order = {"venue_id": venue, "table_id": table["id"], "lines": [{"item_id": house.things["item_id"]}]}
    return {"table_id": table["id"], **_order(town, house, made, order, table["link"])}


def _order(
    town: Town, house: House, made: Callable[[str, Any], Any], fields: dict[str, Any], link: str
) -> dict[str, str]:
    """An order, and a guest who has scanned the table's code and calls."""
    # Each account counts from one; the other's number is one that this account does not reach.
    orders = [made("/orders", {**fields, "notes": f"from {house.name}"}) for _ in range(1 if house is town.own else 40)]
    made("/menu/calls", {**dict(parse_qsl(urlsplit(link).query)), "kind": "bill", "note": ""})
    listed = town.ask("GET", f"/restaurant/venues/{fields['venue_id']}/calls?limit=100", key=house.key)[1]["data"]
    calls = [one for one in listed if one["table_id"] == fields["table_id"]]
    order = orders[-1]["order_id"]
    tap = town.ask("POST", f"/orders/{order}/progress", {"action": "start"}, key=house.key)[1]["tap_id"]
    town.ask("POST", f"/orders/{order}/progress/{tap}/undo", key=house.key)
    bill = _bill(made, orders[-1]["tab_id"])
    count = made(f"/restaurant/venues/{fields['venue_id']}/till/counts", {"counted_amount": 1, "reason": "evening"})
    return {"order_id": order, "call_id": calls[0]["id"], "tap_id": tap, "count_id": count["id"], **bill}


def _bill(made: Callable[[str, Any], Any], tab: str) -> dict[str, str]:
    """The table's bill, with something that was paid and something that was let off."""
    path = f"/restaurant/tabs/{tab}"
    paid = made(f"{path}/payments", {"method": "cash", "amount": 1})["payment"]["id"]
    let_off = made(f"{path}/discounts", {"amount": 1, "reason": "late"})["discount"]["id"]
    return {"tab_id": tab, "tab_payment_id": paid, "discount_id": let_off}


def _paper(made: Callable[[str, Any], Any], house: House, venue: str) -> dict[str, str]:
    """A printer, and a page that waits for it."""
    fields = {"name": f"Printer of {house.name}", "kind": "cloudprnt", "venue_id": venue, "stations": ["kitchen"]}
    printer = made("/restaurant/printers", fields)["id"]
    return {"printer_id": printer, "ticket_id": made(f"/restaurant/printers/{printer}/test", None)["id"]}


def money_of(town: Town, house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """Providers for test and live payments, and a link of each; the usual one is for tests."""
    keys = {"secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=", "pay_url": "https://pay.example/{link_id}"}
    modes = {"provider_id": "test", "live_provider_id": "live", "spare_provider_id": "test"}
    found = {name: house.things[name] for name in modes if name in house.things and "spare" not in name}
    for name in modes.keys() - found.keys():
        fields = {"provider": "generic", "keys": keys, "mode": modes[name]}
        found[name] = made("/payment-providers", fields)["id"]
    usual = town.ask("PATCH", f"/payment-providers/{found['provider_id']}", {"is_default": True}, key=house.key)
    assert usual[0] == 200
    link = {"amount": 450, "currency": "TRY", "description": f"live words from {house.name}"}
    live = made("/payment-links", {**link, "provider_id": found["live_provider_id"]})["id"]
    return {
        **found,
        "live_link_id": live,
        "link_id": made("/payment-links", {**link, "description": f"dinner from {house.name}"})["id"],
    }


def automations_of(house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """A draft, and an automation that was put away; a run that never was."""
    fields = {"preset": "feedback", "name": f"Automation of {house.name}"}
    draft, ended = [made("/automations", fields)["id"] for _ in range(2)]
    made(f"/automations/{ended}/archive", None)
    return {"automation_id": draft, "ended_automation_id": ended, "run_id": f"run-of-nobody-{house.name}"}


def campaigns_of(house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """A draft, and a campaign that is over."""
    fields = {"name": f"Campaign of {house.name}", "texts": [f"words from {house.name}"]}
    draft, ended = [made("/campaigns", fields)["id"] for _ in range(2)]
    made(f"/campaigns/{ended}/cancel", None)
    return {"campaign_id": draft, "ended_campaign_id": ended}


def shops_of(town: Town, house: House, made: Callable[[str, Any], Any]) -> dict[str, str]:
    """A shop that has delivered an order, and one that is taken away."""
    fields = {"platform": "woocommerce", "name": f"Shop of {house.name}", "country": "TR"}
    source, spare = [made("/stores/sources", fields)["id"] for _ in range(2)]
    made(f"/stores/sources/{source}/test", {"phone": next(FRESH_PHONES)})

    def orders() -> list[dict[str, str]]:
        answer = town.ask("GET", f"/stores/orders?source_id={source}", key=house.key)
        assert answer[0] == 200
        return list(answer[1]["data"])

    wait_until(orders, "the order of the shop")
    listed = town.ask("GET", f"/stores/deliveries?source_id={source}", key=house.key)[1]["data"]
    things = {"store_delivery_id": listed[0]["id"], "store_order_id": orders()[0]["id"]}
    return {"source_id": source, "spare_source_id": spare, **things}


def _couriers(town: Town, house: House, made: Callable[[str, Any], Any], venue: str, item: str) -> dict[str, str]:
    """A courier with an order that they have picked up and taken back, and one whose shift is over."""
    phone = next(FRESH_PHONES)
    town.ask(
        "PATCH",
        f"/restaurant/venues/{venue}",
        {"order_types": ["dine_in", "delivery"], "pays_online": ["dine_in"]},
        key=house.key,
    )
    busy = made("/restaurant/couriers", {"name": f"Courier of {house.name}", "phone": phone, "venue_id": venue})["id"]
    spare = made("/restaurant/couriers", {"name": "Spare", "venue_id": venue})["id"]
    for working in (True, False):
        town.ask("PATCH", f"/restaurant/couriers/{spare}/shift", {"working": working}, key=house.key)
    shift = town.ask("GET", f"/restaurant/couriers/{spare}/shifts", key=house.key)[1]["data"][0]["id"]
    guest = {"address": "Moda Cad. 1", "customer_phone": PHONE, "customer_name": house.name}
    lines = [{"item_id": item}]
    order = made("/orders", {"venue_id": venue, "order_type": "delivery", "lines": lines, **guest})["order_id"]
    made(f"/orders/{order}/finish", {})
    given = made("/restaurant/deliveries", {"order_id": order, "courier_id": busy})["delivery_id"]
    step = made(f"/restaurant/deliveries/{given}/pick_up", {})["step_id"]
    made(f"/restaurant/deliveries/{given}/steps/{step}/undo", None)
    return {
        "courier_id": busy, "spare_courier_id": spare, "shift_id": shift, "brought_order_id": order,
        "order_delivery_id": given, "step_id": step,
    }  # fmt: skip


def _wish(town: Town, house: House, made: Callable[[str, Any], Any], fields: dict[str, Any], link: str) -> str:
    """A guest wants an order cancelled that the kitchen has begun, and writes so to the venue's own line."""
    line, guest = made("/instances", {"kind": "sandbox", "name": f"{house.name} kitchen"})["id"], next(FRESH_PHONES)
    place = f"/restaurant/venues/{fields['venue_id']}"
    always = [{"day": day, "opens": "00:00", "closes": "00:00"} for day in DAYS]
    served = {"instance_id": line, "hours": always, "accepts_by_itself": True}
    assert town.ask("PATCH", place, served, key=house.key)[0] == 200
    wait_until(lambda: town.ask("GET", f"/instances/{line}", key=house.key)[1]["state"] == "connected", "the line")
    made("/messages/send", {"phone": guest, "message": "hello", "instance_id": line})
    wait_until(lambda: town.product.on_phone(guest), "the line's first message")
    number = town.product.on_phone(guest)[-1]["number_id"]
    cart = made("/menu/carts", {**dict(parse_qsl(urlsplit(link).query)), "lines": fields["lines"], "language": "en"})

    def write(text: str) -> None:
        town.product.sandbox_call("POST", f"/phones/{guest}/messages", {"text": text, "to": number})

    def placed() -> list[Any]:
        return list(town.ask("GET", f"/orders?q={guest[-9:]}", key=house.key)[1]["data"])

    write(cart["text"])
    wait_until(placed, "the guest's order")
    made(f"/orders/{placed()[0]['order_id']}/start", {})
    write("cancel my order please")

    def waiting() -> list[Any]:
        return list(town.ask("GET", f"{place}/order-requests", key=house.key)[1]["data"])

    def is_told() -> bool:
        found = town.ask("GET", f"/messages?phone={guest}", key=house.key)[1]["data"]
        return not any(one["status"] == "queued" for one in found)

    wait_until(lambda: waiting() and is_told(), "the guest's wish")
    return str(waiting()[0]["id"])


def _image(town: Town, house: House, place: str) -> str:
    """The smallest picture there is."""
    headers = {**town.product.headers(house.key), "Content-Type": "image/png"}
    request = urllib.request.Request(f"{town.product.api}{place}/images", data=PICTURE, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(json.load(answer)["image_id"])


def templates_of(town: Town, house: House, line: int) -> dict[str, str]:
    """One that may be edited, because the network has rejected it, and one to take away."""
    found = town.ask("GET", f"/templates?instance_id={line}", key=house.key)[1]["data"]
    named = {one["name"]: one["id"] for one in found}
    return {"template_id": named["last_chance"], "spare_template_id": named["shipping_link"]}


def rejected_template(town: Town, house: House) -> str:
    """One of its own that may be edited: the sandbox rejects it after a moment, because its name says so."""
    name = f"rejected_{next(FRESH_PHONES)}"
    fields = {
        "name": name,
        "language": "en",
        "category": "utility",
        "text": "Hi.",
        "instance_id": house.things["instance_id"],
    }
    made = town.ask("POST", "/templates", fields, key=house.key)[1]["id"]
    path = f"/templates/{made}"
    wait_until(lambda: town.ask("GET", path, key=house.key)[1]["status"] == "REJECTED", "the network's decision")
    return str(made)


def soon() -> dict[str, str]:
    return {"send_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 86_400))}


def number_of(town: Town, house: House) -> str:
    """The network's number of this very line: the one that the sandbox shows the last message from."""
    received = [one for one in town.product.on_phone(PHONE) if one["text"] == f"from {house.name}"]
    return str(received[-1]["number_id"])


def file_of(town: Town, house: House, number: str) -> str:
    """A customer sends a picture to the line."""
    sent = town.product.sandbox_call("POST", f"/phones/{PHONE}/messages", {"type": "image", "to": number})

    def media() -> dict[str, Any]:
        status, message = town.ask("GET", f"/messages/{sent['id']}", key=house.key)
        return dict(message["media"]) if status == 200 else {}

    wait_until(lambda: media().get("state") == "kept", "the file")
    return str(media()["id"])


def inbound_of(town: Town, house: House, number: str) -> str:
    """A customer writes to the line."""
    words = {"text": f"to {house.name}", "to": number}
    sent = str(town.product.sandbox_call("POST", f"/phones/{PHONE}/messages", words)["id"])
    # Nothing of it may come in later, while somebody looks whether all stays as it was.
    wait_until(lambda: town.ask("GET", f"/messages/{sent}", key=house.key)[0] == 200, "the customer's message")
    return sent


def live_of(town: Town, house: House, callback_url: str) -> dict[str, str]:
    """A customer sends a picture to the live line, by a callback as the network signs it."""
    network_id = f"wamid.live.{house.name}.{next(FRESH_PHONES)}"
    message = {
        "from": LIVE_PHONE, "id": network_id, "timestamp": str(int(time.time())), "type": "image",
        "image": {"id": "1", "mime_type": "image/png", "caption": f"live words to {house.name}"},
    }  # fmt: skip
    contact = {"profile": {"name": f"live guest of {house.name}"}, "wa_id": LIVE_PHONE}
    value = {"metadata": {"phone_number_id": "77"}, "contacts": [contact], "messages": [message]}
    body = json.dumps({"entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}]}).encode()
    signature = hmac.new(CLOUD["app_secret"].encode(), body, hashlib.sha256).hexdigest()
    headers = {"X-Hub-Signature-256": f"sha256={signature}", "Content-Type": "application/json"}
    url = town.product.api.removesuffix("/api/v1") + "/hooks/" + callback_url.partition("/hooks/")[2]
    urllib.request.urlopen(urllib.request.Request(url, data=body, headers=headers), timeout=10).close()

    def arrived() -> tuple[int, Any]:
        return town.ask("GET", f"/messages/{network_id}", key=house.key)

    wait_until(lambda: arrived()[0] == 200, "the live message")
    return {"live_id": network_id, "live_media_id": str(arrived()[1]["media"]["id"])}


def request_of(town: Town, house: House) -> str:
    def logged() -> list[Any]:
        return list(town.ask("GET", "/requests", key=house.key)[1]["data"])

    wait_until(lambda: logged(), "the request log")
    return str(logged()[0]["request_id"])
