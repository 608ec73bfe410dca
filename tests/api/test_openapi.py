"""The OpenAPI document says what is true, and the docs page works without the internet."""

from __future__ import annotations

import ast
import gzip
import json
import re
import subprocess
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from tablegram.api.docs_page import areas
from tablegram.api.docs_page.catalogue import CODES
from tablegram.api.framework import route_table
from tablegram.api.routes.docs import _ASSETS, _HERE
from tablegram.api.routing import BASE
from tablegram.messaging.lines.cloud.errors import TABLE
from tablegram.values.words import LANGUAGES
from tests.api.asking import Reply
from tests.api.bodies import BODIES
from tests.api.document import document
from tests.api.edge import GUEST, KNOWN, Edge
from tests.api.test_validation import RIGHT_TEXT, WRONG_OTHERS, WRONG_TEXT
from tests.cases import cases
from tests.opened_product import HANDLERS

WORDS = _HERE / "words"
# These are wrong only in what a schema cannot tell: other rows, other fields, the clock, the numbering plan.
BEYOND_A_SCHEMA = {"instance_unknown", "message_unknown", "phone_invalid", "time_invalid", "out_of_range"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, call) for path, item in document()["paths"].items() for method, call in item.items()]


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.Draft202012Validator({**schema, "components": document()["components"]})


@cache
def body_schema(path: str) -> Any:
    content = document()["paths"][path]["post"]["requestBody"]["content"]
    return validator(content["application/json"]["schema"])


@pytest.mark.slow
def test_it_is_openapi_3_1_and_can_be_loaded() -> None:
    assert document()["openapi"] == "3.1.0"
    assert document()["info"]["version"] == "1.4"
    # To load it takes a second, which every worker would spend that only collects this file.
    import schemathesis
    from schemathesis.core.result import Ok

    schema = schemathesis.openapi.from_dict(document())
    assert all(isinstance(result, Ok) for result in schema.get_all_operations())


def test_every_route_is_in_it_and_nothing_else() -> None:
    documented = {(method.upper(), path) for path, method, _ in operations()}
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
    text = msgspec.json.encode(document()).decode()
    for reference in set(re.findall(r'"\$ref":"#/([^"]+)"', text)):
        place: Any = document()
        for part in reference.split("/"):
            place = place[part]
        assert place


def test_every_operation_is_described_and_lists_its_problems() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(names) == len(set(names))
    for path, method, operation in operations():
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
    names = {operation["operationId"] for _, _, operation in operations()}
    links = [
        link
        for _, _, operation in operations()
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert links
    assert {link["operationId"] for link in links} <= names


def examples() -> list[tuple[str, Any]]:
    return [
        (path, example["value"])
        for path, method, operation in operations()
        if method == "post"
        for example in operation.get("requestBody", {})
        .get("content", {})
        .get("application/json", {})
        .get("examples", {})
        .values()
    ]


# What is made by a call gives its name to calls that come after it.
NAMED_BY = {
    "/team": "member_id",
    "/contacts/import": "import_id",
    "/restaurant/venues": "venue_id",
    "/instances/{instance_id}/auto-replies": "reply_id",
}


class Calls:
    """Calls of the document, made one after another, with names of things that are really there."""

    def __init__(self, edge: Edge, operator: str, contact_id: str) -> None:
        self.edge, self.operator = edge, operator
        self.names = {"instance_id": "1", "account_id": "1", "message_id": KNOWN, "contact_id": contact_id}

    async def make(self, method: str, path: str, body: Any = None) -> Reply:
        key = self.operator if path.startswith("/operator/") else self.edge.key
        if isinstance(body, dict):
            body = {name: self.names.get(name, value) for name, value in body.items()}
        reply = await self.edge.ask(method.upper(), path.format(**self.names), body, key=key)
        if reply.status == 201 and path in NAMED_BY:
            self.names[NAMED_BY[path]] = reply.json()["id"]
        return reply


async def calls(edge: Edge) -> Calls:
    (guest,) = (await edge.ask("GET", f"/contacts?q={GUEST}")).json()["data"]
    return Calls(edge, await edge.operators_key(), guest["id"])


def test_what_is_accepted_fits_the_schema() -> None:
    with cases() as every:
        for path in [path for path in BODIES if "{" not in path]:
            with every.case(path):
                body_schema(path).validate(BODIES[path])
        for given, _ in RIGHT_TEXT:
            if len(given.get("message", "")) <= 4_096:
                with every.case(f"{given!r:.60}"):
                    body_schema("/messages/send").validate({"phone": "905551112233", "message": "hi", **given})


def test_what_is_wrong_does_not_fit_the_schema() -> None:
    with cases() as every:
        for field, value, code in WRONG_TEXT:
            if code not in BEYOND_A_SCHEMA and field != "reply_to":
                with every.case(f"{field} {value!r:.40}"):
                    body = {"phone": "905551112233", "message": "hi", field: value}
                    assert not body_schema("/messages/send").is_valid(body)
        for path, changes, field, code in WRONG_OTHERS:
            # The rows of all sections together are counted by no schema.
            if code not in BEYOND_A_SCHEMA and field != "sections":
                with every.case(f"{path} {changes!r:.40}"):
                    assert not body_schema(path).is_valid({**BODIES[path], **changes})


# These need an order, or a network, behind them; the fuzzer holds their answers against their schemas.
ANSWERED_ELSEWHERE = {
    "/messages/send-media",
    "/templates",
    "/templates/sync",
    "/orders",
    "/loyalty/redemptions",
    "/restaurant/deliveries",
}
LOOKS = [
    ("get", "/me"),
    ("get", "/messages"),
    ("get", "/messages/{message_id}"),
    ("get", "/instances"),
    ("get", "/instances/{instance_id}"),
    ("get", "/keys"),
    ("get", "/contacts"),
    ("get", "/contacts/{contact_id}"),
    ("get", "/contacts/{contact_id}/messages"),
    ("get", "/instances/{instance_id}/auto-replies"),
    ("get", "/instances/{instance_id}/auto-replies/{reply_id}"),
    ("delete", "/contacts/{contact_id}"),
]


async def test_every_example_works_and_answers_fit_their_schema(edge: Edge) -> None:
    of, shown = await calls(edge), examples()
    said = {*ANSWERED_ELSEWHERE, *(path for path, _ in shown)}
    others = [(path, body) for path, body in BODIES.items() if "{" not in path and path not in said]
    posts = [("post", path, body) for path, body in (*shown, *others)]
    with cases() as every:
        for method, path, body in (*posts, *((method, path, None) for method, path in LOOKS)):
            with every.case(f"{method} {path}"):
                if body is not None:
                    body_schema(path).validate(body)
                reply = await of.make(method, path, body)
                assert reply.status in (200, 201, 202), reply.body
                response = document()["paths"][path][method]["responses"][str(reply.status)]
                validator(response["content"]["application/json"]["schema"]).validate(reply.json())
        assert every.tried > 50


async def test_a_problem_fits_its_schema(edge: Edge) -> None:
    reply = await edge.ask("POST", "/messages/send", {})
    validator({"$ref": "#/components/schemas/ProblemDocument"}).validate(reply.json())


async def test_the_documents_need_no_key(edge: Edge) -> None:
    for path in ("/docs", "/docs/sending", "/openapi.json", "/docs/docs.js"):
        reply = await edge.ask("GET", path, key=None)
        assert reply.status == 200
        assert reply.headers["x-api-version"] == "1.4"
    served = (await edge.ask("GET", "/openapi.json", key=None)).json()
    assert served == msgspec.json.decode(msgspec.json.encode(document()))


async def test_every_area_has_a_page_that_holds_each_call_once_and_fetches_nothing_from_elsewhere(edge: Edge) -> None:
    pages = ["/docs", *(f"/docs/{slug}" for slug in areas.names(document()))]
    held: list[str] = []
    for path in pages:
        page = await edge.ask("GET", path, key=None)
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
    small = await edge.ask("GET", "/docs/menus", key=None, headers={"Accept-Encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip"
    assert len(small.body) < 30_000
    assert gzip.decompress(small.body) == (await edge.ask("GET", "/docs/menus", key=None)).body
    assert sorted(held) == sorted(operation["operationId"] for _, _, operation in operations())
    for name in _ASSETS:
        file = await edge.ask("GET", f"/docs/{name}", key=None)
        assert file.status == 200
        assert b"://" not in file.body.replace(b"http://www.w3.org/2000/svg", b"")


async def test_the_words_around_the_document_are_in_the_readers_language(edge: Edge) -> None:
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
            page = await edge.ask("GET", asked, key=None, headers={"Accept-Language": header})
            text = page.body.decode()
            assert '<html lang="tr">' in text
            assert (page.headers["content-language"], "Accept-Language" in page.headers["vary"]) == ("tr", True)
            said = {one.strip() for one in re.findall(r">([^<]+)<", apart.sub("", text))}
            assert not said & foreign
            assert spoken["tr"]["key"] in said
            # Who chose it keeps it.
            assert ('/docs/orders?lang=tr"' in text) == ("lang=" in asked)
    assert '<html lang="en">' in (await edge.ask("GET", "/docs?lang=xx", key=None)).body.decode()


def test_pages_show_every_kind_of_what_has_kinds() -> None:
    calls = {call.id: call for slug in ("sending", "automations") for call in areas.area(document(), slug, "").calls}
    entries = [(one.name, one.depth) for one in calls["sendBatch"].body if one.name.startswith("kind: ")]
    assert entries[0] == ("kind: text", 1)
    assert len(entries) == len(document()["components"]["schemas"]["Batch"]["properties"]["messages"]["items"]["oneOf"])
    steps = [(one.name, one.depth) for one in calls["getAutomation"].answer]
    at = steps.index(("do: wait", 1))
    assert steps[at : at + 6] == [
        ("do: wait", 1), ("minutes", 2), ("hours", 2), ("days", 2), ("until", 2), ("do: condition", 1),
    ]  # fmt: skip
    # In a list there is room for what they are called.
    named = [(one.name, one.depth) for one in calls["listAutomations"].answer if one.name.startswith("do: ")]
    assert named[-1] == ("do: end", 2)


def test_what_is_answered_as_it_was_taken_may_get_more_fields() -> None:
    schemas = document()["components"]["schemas"]
    assert "additionalProperties" not in schemas["WaitStep"]
    assert "additionalProperties" not in schemas["AutomationTrigger"]
    assert schemas["CreateAutomation"]["additionalProperties"] is False


def test_every_sample_can_be_read_in_its_language_and_shows_no_key(tmp_path: Path) -> None:
    calls = [
        call for slug in areas.names(document()) for call in areas.area(document(), slug, "http://a.example").calls
    ]
    assert len(calls) == len(operations())
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


async def test_only_the_pages_own_files_are_served(edge: Edge) -> None:
    for name in ("swagger-ui.css", "..%2Fcatalogue.py", "LICENSE", "__init__.py"):
        assert (await edge.ask("GET", f"/docs/{name}", key=None)).status == 404


async def test_a_problem_document_links_to_its_description(edge: Edge) -> None:
    page = await edge.ask("GET", "/docs", key=None)
    for code in CODES:
        assert f'id="problem-{code}"'.encode() in page.body
