"""The OpenAPI document says what is true, and the docs page works without the internet."""

from __future__ import annotations

import ast
import gzip
import json
import re
import subprocess
from html import escape
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from tablegram.api.docs_page import areas
from tablegram.api.docs_page.catalogue import CODES
from tablegram.api.framework import route_table
from tablegram.api.routes.docs import _ASSETS, _HERE, LANGUAGES
from tablegram.api.routing import BASE
from tablegram.messaging.lines.cloud.errors import TABLE
from tests.api.app import World, ask, shared_world
from tests.api.test_error_shape import BODIES
from tests.api.test_validation import RIGHT_TEXT, WRONG_OTHERS, WRONG_TEXT
from tests.opened_product import HANDLERS

WORDS = _HERE / "words"
DOCUMENT: dict[str, Any] = shared_world().api.openapi()
OPERATIONS = [
    (path, method, operation) for path, item in DOCUMENT["paths"].items() for method, operation in item.items()
]
# These are wrong only in what a schema cannot tell: other rows, other fields, the clock, the numbering plan.
BEYOND_A_SCHEMA = {"instance_unknown", "message_unknown", "phone_invalid", "time_invalid", "out_of_range"}


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def body_schema(path: str) -> Any:
    content = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]
    return validator(content["application/json"]["schema"])


def test_it_is_openapi_3_1_and_can_be_loaded() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    assert DOCUMENT["info"]["version"] == "1.4"
    # To load it takes a second, which every worker would spend that only collects this file.
    import schemathesis

    schema = schemathesis.openapi.from_dict(DOCUMENT)
    assert all(result.ok() is not None for result in schema.get_all_operations())


def test_every_route_is_in_it_and_nothing_else() -> None:
    documented = {(method.upper(), path) for path, method, _ in OPERATIONS}
    real = {
        (route.method, re.sub(r":\w+\}", "}", route.template))
        for route in route_table(HANDLERS, {}).routes
        if not route.public
    }
    assert documented == real


def test_every_refusal_by_the_network_is_described() -> None:
    refusals = {verdict.code for verdict in TABLE.values() if verdict.policy == "refuse"}
    assert refusals <= set(CODES)


def test_every_reference_leads_somewhere() -> None:
    text = msgspec.json.encode(DOCUMENT).decode()
    for reference in set(re.findall(r'"\$ref":"#/([^"]+)"', text)):
        place: Any = DOCUMENT
        for part in reference.split("/"):
            place = place[part]
        assert place


def test_every_operation_is_described_and_lists_its_problems() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(names) == len(set(names))
    for path, method, operation in OPERATIONS:
        where = f"{method} {path}"
        assert all(operation[part] for part in ("summary", "description", "tags")), where
        problems = {status for status in operation["responses"] if not status.startswith("2")}
        assert {"401", "403", "404", "405", "422", "429", "431", "503"} <= problems, where
        if "requestBody" in operation:
            assert {"408", "413", "415"} <= problems, where
        if method == "post":
            assert {"402", "409"} <= problems, where
            assert {"$ref": "#/components/parameters/IdempotencyKey"} in operation["parameters"], where


def test_links_name_operations_that_exist() -> None:
    names = {operation["operationId"] for _, _, operation in OPERATIONS}
    links = [
        link
        for _, _, operation in OPERATIONS
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    assert {link["operationId"] for link in links} <= names


@pytest.mark.parametrize(
    ("path", "example"),
    [
        (path, example["value"])
        for path, method, operation in OPERATIONS
        if method == "post"
        for example in operation.get("requestBody", {})
        .get("content", {})
        .get("application/json", {})
        .get("examples", {})
        .values()
    ],
)
async def test_every_example_works(path: str, example: Any) -> None:
    body_schema(path).validate(example)
    real = path.replace("{instance_id}", "1").replace("{webhook_id}", "hook-1").replace("{import_id}", "imp-1")
    real = real.replace("{member_id}", "mem-1").replace("{account_id}", "1")
    assert (await ask(World(), "POST", real, example)).status in (200, 201, 202)


@pytest.mark.parametrize("path", [path for path in BODIES if "{" not in path])
def test_what_is_accepted_fits_the_schema(path: str) -> None:
    body_schema(path).validate(BODIES[path])


@pytest.mark.parametrize("given", [given for given, _ in RIGHT_TEXT if len(given.get("message", "")) <= 4_096])
def test_right_texts_fit_the_schema(given: dict[str, Any]) -> None:
    body_schema("/messages/send").validate({"phone": "905551112233", "message": "hi", **given})


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [case for case in WRONG_TEXT if case[2] not in BEYOND_A_SCHEMA and case[0] != "reply_to"],
)
def test_wrong_texts_do_not_fit_the_schema(field: str, value: Any, code: str) -> None:
    body = {"phone": "905551112233", "message": "hi", field: value}
    assert not body_schema("/messages/send").is_valid(body)


@pytest.mark.parametrize(
    ("path", "changes"),
    # The rows of all sections together are counted by no schema.
    [
        (path, changes)
        for path, changes, field, code in WRONG_OTHERS
        if code not in BEYOND_A_SCHEMA and field != "sections"
    ],
)
def test_other_wrong_bodies_do_not_fit_their_schema(path: str, changes: dict[str, Any]) -> None:
    assert not body_schema(path).is_valid({**BODIES[path], **changes})


# Files and orders need the real product behind them; the fuzzer holds its answers against their schemas.
ANSWERED_ELSEWHERE = {
    "/segments",
    "/segments/count",
    "/segments/preview",
    "/payment-links",
    "/payment-providers",
    "/loyalty/cards",
    "/loyalty/coupons",
    "/loyalty/coupons/check",
    "/loyalty/gifts",
    "/loyalty/gifts/check",
    "/loyalty/redemptions",
    "/stores/notifications/{notification_id:str}/preview",
    "/stores/sources",
    "/automations",
    "/campaigns",
    "/restaurant/printers",
    "/restaurant/couriers",
    "/restaurant/deliveries",
    "/messages/send-media",
    "/orders",
}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "/me", None),
        ("get", "/messages", None),
        ("get", "/messages/{message_id}", None),
        ("get", "/instances", None),
        ("get", "/instances/{instance_id}", None),
        ("get", "/keys", None),
        ("get", "/contacts", None),
        ("get", "/contacts/{contact_id}", None),
        ("get", "/contacts/{contact_id}/messages", None),
        ("delete", "/contacts/{contact_id}", None),
        ("get", "/instances/{instance_id}/auto-replies", None),
        ("get", "/instances/{instance_id}/auto-replies/{reply_id}", None),
        *[("post", path, body) for path, body in BODIES.items() if "{" not in path and path not in ANSWERED_ELSEWHERE],
    ],
)
async def test_answers_fit_their_schema(method: str, path: str, body: Any) -> None:
    real = path.replace("{message_id}", "wamid.known").replace("{instance_id}", "1")
    real = real.replace("{contact_id}", "con-1").replace("{reply_id}", "rep-1")
    reply = await ask(World(), method.upper(), real, body)
    response = DOCUMENT["paths"][path][method]["responses"][str(reply.status)]
    validator(response["content"]["application/json"]["schema"]).validate(reply.json())


async def test_a_problem_fits_its_schema() -> None:
    reply = await ask(shared_world(), "POST", "/messages/send", {})
    validator({"$ref": "#/components/schemas/ProblemDocument"}).validate(reply.json())


async def test_the_documents_need_no_key() -> None:
    world = shared_world()
    for path in ("/docs", "/docs/sending", "/openapi.json", "/docs/docs.js"):
        reply = await ask(world, "GET", path, key=None)
        assert reply.status == 200
        assert reply.headers["x-api-version"] == "1.4"
    served = (await ask(world, "GET", "/openapi.json", key=None)).json()
    assert served == msgspec.json.decode(msgspec.json.encode(DOCUMENT))


async def test_every_area_has_a_page_that_holds_each_call_once_and_fetches_nothing_from_elsewhere() -> None:
    world = shared_world()
    pages = ["/docs", *(f"/docs/{slug}" for slug in areas.names(DOCUMENT))]
    held: list[str] = []
    for path in pages:
        page = await ask(world, "GET", path, key=None)
        assert page.status == 200, path
        text = page.body.decode()
        held += re.findall(r'<details class="call" id="(\w+)"', text)
        addresses = set(re.findall(r'(?:src|href)="([^"#?]+)', text))
        assert addresses
        for address in addresses:
            # Between the areas each page leads to the same ones, and to the guides that this server has too.
            if address == "/docs/":
                continue
            assert address.startswith(BASE + "/"), address
            assert address.removeprefix(BASE) in {*pages, "/openapi.json", *(f"/docs/{name}" for name in _ASSETS)}
        assert not re.search(r"<script>|<style|\sstyle=|\son\w+=", text)
        rules = page.headers["content-security-policy"]
        assert "default-src 'none'" in rules
        assert "unsafe" not in rules
    small = await ask(world, "GET", "/docs/menus", key=None, headers={"Accept-Encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip"
    assert len(small.body) < 30_000
    assert gzip.decompress(small.body) == (await ask(world, "GET", "/docs/menus", key=None)).body
    assert sorted(held) == sorted(operation["operationId"] for _, _, operation in OPERATIONS)
    for name in _ASSETS:
        file = await ask(world, "GET", f"/docs/{name}", key=None)
        assert file.status == 200
        assert b"://" not in file.body.replace(b"http://www.w3.org/2000/svg", b"")


async def test_the_words_around_the_document_are_in_the_readers_language() -> None:
    world = shared_world()
    spoken = {
        name: msgspec.json.decode((WORDS / f"{name}.json").read_bytes(), type=dict[str, str]) for name in LANGUAGES
    }
    assert spoken["en"].keys() == spoken["tr"].keys()
    figures = re.compile(r"\{\w+\}|`[^`]+`")
    for word, text in spoken["en"].items():
        assert set(figures.findall(text)) == set(figures.findall(spoken["tr"][word])), word
    # What the document says itself stays English, and says so to who reads it aloud.
    apart = re.compile(r'<(\w+)[^>]* lang="en"[^>]*>.*?</\1>|<pre.*?</pre>| data-words="[^"]*"', re.DOTALL)
    foreign = {escape(spoken["en"][word]) for word in spoken["en"] if spoken["en"][word] != spoken["tr"][word]}
    for path in ("/docs", "/docs/contacts"):
        for asked, header in ((f"{path}?lang=tr", "en"), (path, "tr-TR,tr;q=0.9,en;q=0.5")):
            page = await ask(world, "GET", asked, key=None, headers={"Accept-Language": header})
            text = page.body.decode()
            assert '<html lang="tr">' in text
            assert (page.headers["content-language"], "Accept-Language" in page.headers["vary"]) == ("tr", True)
            said = {one.strip() for one in re.findall(r">([^<]+)<", apart.sub("", text))}
            assert not said & foreign
            assert spoken["tr"]["key"] in said
            # Who chose it keeps it.
            assert ('/docs/orders?lang=tr"' in text) == ("lang=" in asked)
    assert '<html lang="en">' in (await ask(world, "GET", "/docs?lang=xx", key=None)).body.decode()


def test_every_sample_can_be_read_in_its_language_and_shows_no_key(tmp_path: Path) -> None:
    calls = [call for slug in areas.names(DOCUMENT) for call in areas.area(DOCUMENT, slug, "http://a.example").calls]
    assert len(calls) == len(OPERATIONS)
    shell: list[str] = []
    for call in calls:
        curl, python, javascript = (one.code for one in call.samples)
        shell.append(curl)
        ast.parse(python, filename=call.id)
        for code in (curl, python, javascript):
            assert "TABLEGRAM_KEY" in code
            assert "{" not in code.split("://", 1)[1].split("\n", 1)[0].replace(", {", ""), call.id
        if call.example:
            assert json.loads(call.example) == ast.literal_eval(python.split("body = ", 1)[1].split("\nrequest", 1)[0])
            assert json.loads(javascript.split("JSON.stringify(", 1)[1].split("),\n});", 1)[0]) == json.loads(
                call.example
            )
    script = tmp_path / "all.sh"
    script.write_text("\n".join(shell))
    subprocess.run(["bash", "-n", script], check=True, timeout=60)


@pytest.mark.parametrize("name", ["swagger-ui.css", "..%2Fcatalogue.py", "LICENSE", "__init__.py"])
async def test_only_the_pages_own_files_are_served(name: str) -> None:
    assert (await ask(shared_world(), "GET", f"/docs/{name}", key=None)).status == 404
