"""Every route × every kind of caller: an account reaches what is its own, and nothing else.

The routes come from the product's own table. One that is added without an entry here fails the inventory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tablegram.api.framework import route_table
from tests.cases import cases
from tests.databases import Databases
from tests.opened_product import HANDLERS
from tests.product import fetch
from tests.security.houses import furnish, town
from tests.security.matrix import CASES
from tests.security.matrix.case import TEST_KEY
from tests.security.rooms import rejected_template
from tests.security.town import FRESH_PHONES, PHONE, House, Town, Watched

ROUTES = {route.name.replace(":str", "").replace(":int", ""): route for route in route_table(HANDLERS, {}).routes}
AN_HOUR_AGO = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 3_600))
# Where a test key gets in at all. Whatever is not named here is closed to it.
OPEN_TO_TEST_KEYS = {
    *[name for name in CASES if name.split(" ")[1].startswith(("/messages", "/templates", "/instances", "/media"))],
    *[name for name in CASES if name.split(" ")[1].startswith(("/keys", "/payment-links"))],
    "GET /me", "GET /events", "GET /events/samples", "GET /events/stream",
}  # fmt: skip
# Closed to every key of an account: `test_operator_keys.py` is about them.
OPERATORS = {name for name in ROUTES if name.split(" ")[1].startswith("/operator/")}
PUBLIC = {"GET /docs", "GET /docs/{name}", "GET /openapi.json"}

# What they name is called the same in every account: whose it is, the key says.
NOBODYS = {name for name in CASES if name.endswith(("/{notification_id}", "/{notification_id}/preview"))}
FOREIGN = [name for name, case in CASES.items() if case.foreign]
# The owner's calls last, those that take something away at the very end, and the line after what it holds.
OWN = sorted(CASES, key=lambda name: ("DELETE" in name, name == "DELETE /instances/{instance_id}"))
# Each of these ends a thing of its own, which must be made anew.
ENDING = {
    "POST /messages/{message_id}/cancel",
    "DELETE /webhooks/{webhook_id}",
    "POST /contacts/imports/{import_id}/start",
    "DELETE /canned-replies/{canned_id}",
    "DELETE /segments/{segment_id}",
    "DELETE /conversations/{contact_id}/notes/{note_id}",
}


@pytest.fixture(scope="module")
def place(databases: Databases) -> Iterator[Town]:
    url = databases.migrated()
    with town(url) as built:
        yield built
    databases.drop(url)


def call(
    place: Town, name: str, house: House, key: str | None, things: dict[str, Any] | None = None
) -> tuple[int, Any]:
    """Call a route about the things of a house with a key; without one, anonymously."""
    path, body = written(
        place,
        name,
        {"fresh_phone": next(FRESH_PHONES), "fresh_word": f"w{next(FRESH_PHONES)}", **house.things, **(things or {})},
    )
    headers = {} if key is None else place.product.headers(key)
    return fetch(place.product.api + path, method=name.split(" ")[0], body=body, headers=headers)


def written(place: Town, name: str, things: dict[str, Any]) -> tuple[str, Any]:
    """The path and the body of a call about these things."""
    case, path = CASES[name], name.split(" ")[1]
    known = {
        "files": place.files,
        "an_hour_ago": AN_HOUR_AGO,
        "action": "delay",
        "word": "refuse",
        "move": "pick_up",
        "notification_id": "order_confirmation-1-en",
        **things,
    }
    if case.thing:
        known[path[path.index("{") + 1 : path.index("}")]] = known[case.thing]
    path = path.format(**{thing: quote(str(value), safe="") for thing, value in known.items()})
    return path + case.query, filled(case.body, known)


def filled(value: Any, known: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: filled(inner, known) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, known) for inner in value]
    if isinstance(value, str) and value.startswith("{"):
        name, _, rest = value[1:].partition("}")
        return f"{known[name]}{rest}" if rest else known[name]
    return value


def test_every_route_has_its_place_in_the_matrix() -> None:
    assert set(CASES) | PUBLIC | OPERATORS == set(ROUTES)
    assert {name for name, route in ROUTES.items() if route.public} == PUBLIC
    assert {name for name in CASES if "{" in name} - NOBODYS <= set(FOREIGN)
    assert {name for name, route in ROUTES.items() if route.test_keys} == OPEN_TO_TEST_KEYS


def test_another_accounts_things_are_not_there_and_stay_as_they_are(place: Town) -> None:
    watched = Watched(place, place.other)
    with cases() as every:
        for name in FOREIGN:
            with every.case(name):
                status, answer = call(place, name, place.other, place.own.key)
                watched.note(name)
                assert (status, answer["code"]) == CASES[name].foreign
        with every.case("the last of them"):
            watched.compare()


def test_what_names_no_thing_shows_and_changes_nothing_of_another_account(place: Town) -> None:
    watched = Watched(place, place.other)
    with cases() as every:
        for name in [name for name in CASES if CASES[name].foreign is None]:
            with every.case(name):
                status, answer = call(place, name, place.other, place.own.key)
                watched.note(name)
                assert status in (200, 201, 202)
                _shows_nothing_of_another(place, name, answer)
        with every.case("the last of them"):
            watched.compare()


def _shows_nothing_of_another(place: Town, name: str, answer: Any) -> None:
    shown = json.dumps(answer)
    if name == "POST /messages/batch":
        assert [(entry["status"], entry["code"]) for entry in answer["data"]] == [("error", "instance_unknown")]
    else:
        if name == "GET /requests":
            # The log shows the paths that this account itself has tried, and they name the other's things.
            shown = json.dumps([{**row, "path": ""} for row in answer["data"]])
        for value in place.other.things.values():
            assert not isinstance(value, str) or value not in shown
    assert "from Other" not in shown


def test_nobody_gets_in_without_a_key(place: Town) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                status, answer = call(place, name, place.own, None)
                assert (status, answer["code"]) == (401, "key_missing")


@pytest.mark.parametrize("reason", ["account_suspended", "key_revoked", "key_expired"])
def test_nobody_gets_in_with_a_key_that_has_ended(place: Town, reason: str) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                status, answer = call(place, name, place.own, place.refused[reason])
                assert (status, answer["code"]) == (401, reason)


def test_a_key_without_the_scope_is_refused(place: Town) -> None:
    with cases() as every:
        for name in CASES:
            with every.case(name):
                may = ROUTES[name].scope == "campaigns:manage"
                key = place.other_narrow_key if may else place.narrow_key
                status, answer = call(place, name, place.own, key)
                if ROUTES[name].scope:
                    assert (status, answer["code"]) == (403, "scope_missing")
                else:
                    assert status == 200


def test_what_is_live_is_closed_to_a_test_key(place: Town) -> None:
    watched = Watched(place, place.own)
    with cases() as every:
        for name in [name for name in CASES if name not in OPEN_TO_TEST_KEYS]:
            with every.case(name):
                status, answer = call(place, name, place.own, place.test_key)
                watched.note(name)
                assert (status, answer["code"]) == TEST_KEY
                assert "live key" in answer["detail"]
        with every.case("the last of them"):
            watched.compare()


def test_a_test_key_does_not_reach_what_is_live(place: Town) -> None:
    own = place.own.things
    live = {"instance_id": own["cloud_id"], "message_id": own["live_id"], "media_id": own["live_media_id"]}
    live["link_id"] = own["live_link_id"]
    watched = Watched(place, place.own)
    with cases() as every:
        for name in [name for name, case in CASES.items() if case.test_key]:
            with every.case(name):
                status, answer = call(place, name, place.own, place.test_key, live)
                watched.note(name)
                assert (status, answer["code"]) == CASES[name].test_key
        with every.case("the last of them"):
            watched.compare()


@pytest.mark.parametrize("name", [name for name in CASES if name in OPEN_TO_TEST_KEYS and "DELETE" not in name])
def test_a_test_key_works_within_the_sandbox(place: Town, name: str) -> None:
    if name in ENDING:
        furnish(place, place.own)
    if name == "PATCH /templates/{template_id}":
        # The network looks at it again, and lets nobody edit it meanwhile.
        place.own.things["template_id"] = rejected_template(place, place.own)
    status, answer = call(place, name, place.own, place.test_key)
    assert status == CASES[name].status, answer
    if name == "GET /instances":
        assert {line["kind"] for line in answer["data"]} == {"sandbox"}
    if name == "POST /keys":
        assert answer["mode"] == "test"
    if name == "GET /keys":
        assert {key["mode"] for key in answer["data"]} == {"test"}
    assert "live words" not in json.dumps(answer)


def test_a_test_key_hears_of_sandbox_lines_only(place: Town) -> None:
    cloud = place.own.things["cloud_id"]
    for path in ("/events?limit=200", "/events/stream?after=MA&wait_s=0"):
        status, answer = place.ask("GET", path)
        shown = json.dumps(answer)
        assert status == 200
        assert "live words to" in shown
        status, answer = place.ask("GET", path, key=place.test_key)
        shown = json.dumps(answer)
        assert status == 200
        assert "live words" not in shown
        assert "messages.upsert" in shown
        assert f'"instance_id":{cloud},' not in shown.replace("\\", "").replace(" ", "")


def test_files_of_others_and_of_live_lines_are_not_sent(place: Town) -> None:
    def send(media_id: str, key: str) -> tuple[int, Any]:
        own = f"{place.product.api}/media/{media_id}"
        body = {"phone": PHONE, "media_url": own, "instance_id": place.own.things["instance_id"]}
        return place.ask("POST", "/messages/send-media", body, key=key)

    live = place.ask("POST", "/media", {"any": "file"})[1]["id"]
    assert send(live, place.own.key)[0] == 200
    assert send(place.own.things["media_id"], place.own.key)[0] == 200
    for media_id, key in (
        (place.other.things["media_id"], place.own.key),
        (place.ask("POST", "/media", {"any": "file"}, key=place.other.key)[1]["id"], place.own.key),
        (place.own.things["live_media_id"], place.test_key),
        (live, place.test_key),
        ("med_unknown", place.own.key),
        ("x/y", place.own.key),
    ):
        status, answer = send(media_id, key)
        assert (status, answer["code"], answer["errors"][0]["field"]) == (422, "media_unknown", "media_url")
    tried = place.ask("POST", "/media", {"any": "file"}, key=place.test_key)[1]["id"]
    assert send(tried, place.test_key)[0] == 200
    assert place.ask("GET", f"/media/{tried}", key=place.test_key)[0] == 200
    assert place.ask("GET", f"/media/{live}", key=place.test_key)[0] == 404


def test_a_test_key_is_not_shown_what_a_live_one_was_answered(place: Town) -> None:
    body = {"scopes": ["*"], "name": "till"}
    status, made = place.product.call("POST", "/keys", body, Idempotency_Key="same")
    assert (status, made["mode"]) == (201, "live")
    status, answer = place.product.call("POST", "/keys", body, key=place.test_key, Idempotency_Key="same")
    assert (status, answer["code"]) == (422, "idempotency_key_reused")


def test_a_test_key_sees_no_message_of_a_live_line(place: Town) -> None:
    body = {"phone": PHONE, "message": "live words", "instance_id": place.own.things["cloud_id"]}
    status, sent = place.product.call("POST", "/messages/send", body, Prefer="respond-async")
    assert status == 200
    path = f"/messages/{sent['message_id']}"
    assert place.ask("GET", path)[0] == 200
    assert place.ask("GET", path, key=place.test_key)[0] == 404
    assert place.ask("POST", f"{path}/cancel", key=place.test_key)[0] == 404
    assert "live words" in json.dumps(place.ask("GET", "/messages?limit=200")[1])
    assert "live words" not in json.dumps(place.ask("GET", "/messages?limit=200", key=place.test_key)[1])


@pytest.mark.parametrize("name", OWN)
def test_an_account_reaches_what_is_its_own(place: Town, name: str) -> None:
    if name in ENDING:
        furnish(place, place.own)
    if name == "PATCH /templates/{template_id}":
        # The network looks at it again, and lets nobody edit it meanwhile.
        place.own.things["template_id"] = rejected_template(place, place.own)
    status, answer = call(place, name, place.own, place.own.key)
    assert status == CASES[name].status, answer
    if name == "POST /messages/batch":
        assert [entry["status"] for entry in answer["data"]] == ["success"]


def test_things_of_two_accounts_are_never_joined(place: Town) -> None:
    own, other = place.own.things, place.other.things
    before = place.everything_of(place.other)
    into = {"into": other["contact_id"]}
    status, answer = place.ask("POST", f"/contacts/{own['contact_id']}/merge", into)
    assert (status, answer["errors"][0]["code"]) == (422, "contact_unknown")
    # A delivery is named by its event and its endpoint; one of each account name none.
    for mixed in (
        f"{own['delivery_id'].split('.')[0]}.{other['webhook_id']}",
        f"{other['delivery_id'].split('.')[0]}.{own['webhook_id']}",
    ):
        assert place.ask("GET", f"/deliveries/{mixed}")[0] == 404
        assert place.ask("POST", f"/deliveries/{mixed}/replay")[0] == 404
    line = place.ask("POST", "/instances", {"kind": "sandbox"})[1]["id"]
    assert place.ask("GET", f"/instances/{line}/auto-replies/{other['reply_id']}")[0] == 404
    venue = f"/restaurant/venues/{own['venue_id']}"
    for path in ("tables/{table_id}", "tables/{table_id}/code.png", "menu/items/{item_id}"):
        assert place.ask("GET", f"{venue}/{path.format(**other)}")[0] == 404
    for path, body in (
        ("", {"instance_id": other["instance_id"]}),
        ("", {"logo_id": other["image_id"]}),
        (f"/tables/{own['table_id']}", {"waiter_id": other["waiter_id"]}),
        (f"/tables/{own['table_id']}", {"section_id": other["section_id"]}),
        (f"/sections/{own['section_id']}", {"waiter_id": other["waiter_id"]}),
        (f"/menu/items/{own['item_id']}", {"category_id": other["full_category_id"]}),
        (f"/menu/items/{own['item_id']}", {"option_group_ids": [other["group_id"]]}),
        (f"/menu/items/{own['item_id']}", {"image_id": other["image_id"]}),
    ):
        assert place.ask("PATCH", venue + path, body)[0] in (404, 422), (path, body)
    printer = f"/restaurant/printers/{own['printer_id']}"
    assert place.ask("PATCH", printer, {"fallback_id": other["printer_id"]})[0] == 422
    strange = {"name": "x", "kind": "sandbox", "venue_id": other["venue_id"]}
    assert place.ask("POST", "/restaurant/printers", strange)[0] == 404
    link = {"amount": 1, "currency": "TRY", "description": "x"}
    for name in ("provider_id", "contact_id"):
        assert place.ask("POST", "/payment-links", {**link, name: other[name]})[0] == 404
    again = f"/restaurant/tickets/{own['ticket_id']}/reprint"
    assert place.ask("POST", again, {"printer_id": other["printer_id"]})[0] == 422
    # Nor things of two venues of one account.
    spare = f"/restaurant/venues/{own['spare_venue_id']}"
    assert place.ask("GET", f"{spare}/tables/{own['table_id']}")[0] == 404
    assert place.ask("POST", f"{spare}/tables", {"label": "1", "section_id": own["section_id"]})[0] in (404, 422)
    for path in ("/events?", "/events/stream?wait_s=0&"):
        status, answer = place.ask("GET", f"{path}after={other['delivery_id'].split('.')[0]}")
        assert (status, answer["errors"][0]["code"]) == (422, "cursor_invalid")
    assert place.everything_of(place.other) == before


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_what_needs_no_key_shows_nothing_of_any_account(place: Town, name: str) -> None:
    path = name.split(" ")[1].format(name="docs.css")
    status, answer = fetch(place.product.api + path)
    assert status == 200
    shown = json.dumps(answer)
    for house in (place.own, place.other):
        for value in (house.key, house.things["message_id"], house.things["key_id"]):
            assert str(value) not in shown
