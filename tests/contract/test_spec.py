"""The specification, sentence by sentence, against the running product through plain HTTP.

Each test names the section it is about. Sections 1, 2.3 to 3, 4.3, 4.4 and 6 belong to other parts of the product.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from tests.api.files import FILES, file_server
from tests.contract.wire import Answer, ask
from tests.databases import Databases
from tests.product import Product, running_product, wait_until

# The product as a whole, from the outside, on each database.
pytestmark = pytest.mark.later

FOUR = ["status", "message_id", "status_code", "cost_usd"]
PHONES = iter(range(905_551_000_000, 905_551_999_999))


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    with file_server() as url:
        yield url


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, settings={"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}) as running:
        yield running
    databases.drop(url)


@pytest.fixture(scope="module")
def prepaid(databases: Databases) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url, settings={"TABLEGRAM_BILLING": "prepaid"}) as running:
        yield running
    databases.drop(url)


@pytest.fixture
def phone() -> str:
    """A number of this test's own."""
    return str(next(PHONES))


def send(product: Product, body: Any, path: str = "/messages/send", **headers: str) -> Answer:
    return ask(product.api + path, body=body, key=product.key, headers=headers)


def accepted(answer: Answer) -> dict[str, Any]:
    """The answer's fields, once they are what section 2.2 says."""
    assert answer.status == 200, answer.raw
    assert answer.headers["content-type"] == "application/json"
    assert [name for name, _ in answer.pairs] == FOUR
    fields: dict[str, Any] = answer.json
    assert fields["status"] == "success"
    assert isinstance(fields["message_id"], str)
    assert isinstance(fields["status_code"], str)
    assert isinstance(fields["cost_usd"], int | float)
    assert not isinstance(fields["cost_usd"], bool)
    assert fields["cost_usd"] >= 0
    return fields


def on_phone(product: Product, phone: str) -> dict[str, Any]:
    wait_until(lambda: product.on_phone(phone), "a message on the phone")
    (message,) = product.on_phone(phone)
    return message


def wrong_fields(answer: Answer) -> set[str]:
    assert answer.status == 422, answer.raw
    assert answer.headers["content-type"] == "application/problem+json"
    return {error["field"] for error in answer.json["errors"]}


class TestTextRequest:
    """Section 2.1"""

    def test_the_number_is_country_code_and_digits(self, product: Product, phone: str) -> None:
        """2.1 phone"""
        accepted(send(product, {"phone": phone, "message": "Hello"}))
        assert on_phone(product, phone)["to"] == phone

    @pytest.mark.parametrize(
        "number", ["+905551112233", "90 555 111 22 33", "90-555-1112233", "(90)5551112233", "05551112233", "90555a112233",
                   "123456", "1234567890123456", "٩٠٥٥٥١١١٢٢٣٣", "9999999999999", ""],
    )  # fmt: skip
    def test_another_form_of_number_is_refused(self, product: Product, number: str) -> None:
        """2.1 phone"""
        assert wrong_fields(send(product, {"phone": number, "message": "Hello"})) == {"phone"}

    @pytest.mark.parametrize("number", [905551112233, None, ["905551112233"], True])
    def test_the_number_is_a_string(self, product: Product, number: Any) -> None:
        """2.1 phone, type"""
        assert wrong_fields(send(product, {"phone": number, "message": "Hello"})) == {"phone"}

    @pytest.mark.parametrize("text", [7, None, ["Hello"], {"text": "Hello"}, False])
    def test_the_message_is_a_string(self, product: Product, phone: str, text: Any) -> None:
        """2.1 message, type"""
        assert wrong_fields(send(product, {"phone": phone, "message": text})) == {"message"}
        assert product.on_phone(phone) == []

    @pytest.mark.parametrize("missing", ["phone", "message"])
    def test_number_and_message_are_required(self, product: Product, phone: str, missing: str) -> None:
        """2.1 required"""
        body = {"phone": phone, "message": "Hello"}
        del body[missing]
        assert wrong_fields(send(product, body)) == {missing}

    @pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u00a0\u2003"])
    def test_the_message_is_not_empty(self, product: Product, phone: str, text: str) -> None:
        """2.1 message"""
        assert wrong_fields(send(product, {"phone": phone, "message": text})) == {"message"}
        assert product.on_phone(phone) == []

    @pytest.mark.parametrize(
        "text",
        ["*bold* _italic_", "~gone~ ```code```", "Çağrı: ₺640,00 için *teşekkürler* 🙏", "first\nsecond\n\n  third"],
    )
    def test_formatting_and_letters_arrive_as_written(self, product: Product, phone: str, text: str) -> None:
        """2.1 message, formatting"""
        accepted(send(product, {"phone": phone, "message": text}))
        assert on_phone(product, phone)["text"] == text

    @pytest.mark.parametrize("given", [{}, {"instance_id": None}, {"instance_id": ""}])
    def test_without_a_line_the_default_one_is_used(self, product: Product, phone: str, given: dict[str, Any]) -> None:
        """2.1 instance_id, empty or omitted"""
        lines = ask(f"{product.api}/instances", method="GET", key=product.key).json["data"]
        (default,) = [line["id"] for line in lines if line["is_default"]]
        answer = accepted(send(product, {"phone": phone, "message": "Hello", **given}))
        assert look_up(product, answer["message_id"])["instance_id"] == default

    def test_the_caller_chooses_the_line_by_its_integer(self, product: Product, phone: str) -> None:
        """2.1 instance_id"""
        made = ask(f"{product.api}/instances", body={"kind": "sandbox"}, key=product.key).json
        assert isinstance(made["id"], int)
        place = f"{product.api}/instances/{made['id']}"
        wait_until(lambda: ask(place, method="GET", key=product.key).json["state"] == "connected", "the line")
        answer = accepted(send(product, {"phone": phone, "message": "Hello", "instance_id": made["id"]}))
        assert look_up(product, answer["message_id"])["instance_id"] == made["id"]

    @pytest.mark.parametrize("line", ["1", "x", 0, -1, 1.5, [], True, 999_999])
    def test_a_line_that_is_no_integer_or_not_there_is_refused(self, product: Product, phone: str, line: Any) -> None:
        """2.1 instance_id, type"""
        assert wrong_fields(send(product, {"phone": phone, "message": "Hello", "instance_id": line})) == {"instance_id"}
        assert product.on_phone(phone) == []


def look_up(product: Product, message_id: str) -> dict[str, Any]:
    answer = ask(f"{product.api}/messages/{message_id}", method="GET", key=product.key)
    assert answer.status == 200, answer.raw
    found: dict[str, Any] = answer.json
    return found


class TestTextResponse:
    """Section 2.2"""

    def test_it_has_exactly_four_fields_in_order_with_their_types(self, product: Product, phone: str) -> None:
        """2.2 the table"""
        answer = accepted(send(product, {"phone": phone, "message": "Hello"}))
        assert answer["status"] == "success"
        assert answer["status_code"] == "sent"
        assert answer["cost_usd"] > 0

    def test_the_identifier_is_the_networks_own(self, product: Product, phone: str) -> None:
        """2.2 message_id"""
        answer = accepted(send(product, {"phone": phone, "message": "Hello"}))
        assert len(answer["message_id"]) >= 20
        assert on_phone(product, phone)["id"] == answer["message_id"]

    def test_identifiers_differ(self, product: Product, phone: str) -> None:
        """2.2 message_id"""
        answers = [accepted(send(product, {"phone": phone, "message": "Hello"})) for _ in range(3)]
        assert len({answer["message_id"] for answer in answers}) == 3

    def test_the_cost_is_what_the_look_up_tells(self, product: Product, phone: str) -> None:
        """2.2 cost_usd"""
        answer = accepted(send(product, {"phone": phone, "message": "Hello"}))
        assert look_up(product, answer["message_id"])["cost_usd"] == pytest.approx(answer["cost_usd"])


class TestSendText:
    """Section 4.1"""

    def test_it_sends_a_text(self, product: Product, phone: str) -> None:
        """4.1 sends"""
        accepted(send(product, {"phone": phone, "message": "Your table is ready."}))
        message = on_phone(product, phone)
        assert (message["type"], message["text"], message["direction"]) == ("text", "Your table is ready.", "in")

    @pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
    def test_only_post_sends(self, product: Product, phone: str, method: str) -> None:
        """4.1 POST"""
        body = {"phone": phone, "message": "Hello"}
        answer = ask(f"{product.api}/messages/send", method=method, body=body, key=product.key)
        assert answer.status == 405
        assert answer.headers["allow"] == "POST"
        assert product.on_phone(phone) == []


class TestSendMedia:
    """Section 4.2"""

    @pytest.mark.parametrize(
        ("name", "given", "shown_as"),
        [
            ("/dish.png", None, "image"),
            ("/dish.png", "image", "image"),
            ("/dish.png", "document", "document"),
            ("/menu.pdf", None, "document"),
            ("/menu.pdf", "document", "document"),
            ("/clip.mp4", None, "video"),
            ("/song.mp3", "audio", "audio"),
            ("/wave.webp", "sticker", "sticker"),
        ],
    )
    def test_a_file_arrives_as_its_kind(
        self, product: Product, files: str, phone: str, name: str, given: str | None, shown_as: str
    ) -> None:
        """4.2 type, told or found out"""
        body = {"phone": phone, "media_url": files + name, **({} if given is None else {"type": given})}
        answer = accepted(send(product, body, "/messages/send-media"))
        assert answer["status_code"] == "sent"
        message = on_phone(product, phone)
        assert (message["type"], message["id"]) == (shown_as, answer["message_id"])
        assert message["media"]["mime_type"] == FILES[name][0]
        if shown_as == "document":
            assert message["media"]["filename"] == name.strip("/")

    @pytest.mark.parametrize("name", ["/dish.png", "/menu.pdf"])
    def test_the_caption_goes_with_the_file(self, product: Product, files: str, phone: str, name: str) -> None:
        """4.2 caption"""
        body = {"phone": phone, "media_url": files + name, "caption": "*Tonight* only"}
        accepted(send(product, body, "/messages/send-media"))
        assert on_phone(product, phone)["text"] == "*Tonight* only"

    def test_the_file_itself_arrives(self, product: Product, files: str, phone: str) -> None:
        """4.2 media_url"""
        accepted(send(product, {"phone": phone, "media_url": f"{files}/menu.pdf"}, "/messages/send-media"))
        media = on_phone(product, phone)["media"]
        content = ask(product.url + media["url"] if media["url"].startswith("/") else media["url"], method="GET")
        assert content.raw == FILES["/menu.pdf"][1]

    @pytest.mark.parametrize("missing", ["phone", "media_url"])
    def test_number_and_address_are_required(self, product: Product, files: str, phone: str, missing: str) -> None:
        """4.2, required as decided"""
        body = {"phone": phone, "media_url": f"{files}/menu.pdf"}
        del body[missing]
        assert wrong_fields(send(product, body, "/messages/send-media")) == {missing}

    @pytest.mark.parametrize(
        ("field", "value"),
        [("media_url", "/none.pdf"), ("media_url", "/page.html"), ("media_url", "/empty.pdf"), ("type", "hologram"),
         ("caption", "x" * 1_025), ("phone", "+1")],
    )  # fmt: skip
    def test_what_is_wrong_is_refused(self, product: Product, files: str, phone: str, field: str, value: str) -> None:
        """4.2 with 7"""
        changed = files + value if field == "media_url" else value
        body = {"phone": phone, "media_url": f"{files}/menu.pdf", field: changed}
        assert wrong_fields(send(product, body, "/messages/send-media")) == {field}
        assert product.on_phone(phone) == []


OTHER_SENDS: list[tuple[str, dict[str, Any], str]] = [
    ("send-template", {"template": "hello_world", "language": "en_US"}, "template"),
    ("send-location", {"latitude": 41.0, "longitude": 29.0, "name": "Door"}, "location"),
    ("send-contacts", {"contacts": [{"name": "Ayşe", "phones": ["+90 555 111 22 33"]}]}, "contacts"),
    ("send-buttons", {"body": "Well?", "buttons": [{"id": "y", "title": "Yes"}]}, "interactive"),
    (
        "send-list",
        {"body": "Well?", "button": "Open", "sections": [{"title": "A", "rows": [{"id": "1", "title": "One"}]}]},
        "interactive",
    ),
]


@pytest.mark.parametrize(("path", "fields", "shown_as"), OTHER_SENDS, ids=[path for path, _, _ in OTHER_SENDS])
def test_every_other_send_answers_alike_and_is_on_the_phone(
    product: Product, phone: str, path: str, fields: dict[str, Any], shown_as: str
) -> None:
    """2.2, for the sends beside the two shown"""
    answer = accepted(send(product, {"phone": phone, **fields}, f"/messages/{path}"))
    message = on_phone(product, phone)
    assert (message["id"], message["type"]) == (answer["message_id"], shown_as)


def test_a_reaction_is_on_the_phone(product: Product, phone: str) -> None:
    """2.2, for the sends beside the two shown"""
    product.sandbox_call("POST", f"/phones/{phone}/messages", {"text": "Thank you"})
    listed = f"{product.api}/messages?direction=in&phone={phone}"
    wait_until(lambda: ask(listed, method="GET", key=product.key).json["data"], "the customer's words")
    (said,) = ask(listed, method="GET", key=product.key).json["data"]
    body = {"phone": phone, "message_id": said["message_id"], "emoji": "🙏"}
    answer = accepted(send(product, body, "/messages/react"))

    def there() -> list[str]:
        return [one["id"] for one in product.on_phone(phone) if one["type"] == "reaction"]

    # It may have to queue behind an automatic reply to the same customer; then the network names it later.
    wait_until(there, "the reaction")
    (shown,) = there()
    assert answer["status_code"] == "queued" or shown == answer["message_id"]


class TestAuthentication:
    """Section 5"""

    @pytest.mark.parametrize(
        ("path", "method"), [("/messages/send", "POST"), ("/messages/send-media", "POST"), ("/me", "GET")]
    )
    def test_every_request_carries_the_key(self, product: Product, path: str, method: str) -> None:
        """5 (1)"""
        answer = ask(product.api + path, method=method, body={} if method == "POST" else None)
        assert answer.refused() == (401, "key_missing")
        assert answer.headers["www-authenticate"].startswith("Bearer")

    def test_the_key_is_a_bearer_token(self, product: Product) -> None:
        """5 (1)"""
        for header, status in [(f"Bearer {product.key}", 200), (f"bearer {product.key}", 200), (product.key, 401),
                               (f"Basic {product.key}", 401)]:  # fmt: skip
            answer = ask(f"{product.api}/me", method="GET", headers={"Authorization": header})
            assert answer.status == status, header

    @pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
    def test_a_body_is_json(self, product: Product, phone: str, kind: str) -> None:
        """5 (2)"""
        accepted(send(product, {"phone": phone, "message": "Hello"}, **{"Content-Type": kind}))

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    def test_a_body_of_another_type_is_refused(self, product: Product, phone: str, kind: str) -> None:
        """5 (2)"""
        answer = send(product, {"phone": phone, "message": "Hello"}, **{"Content-Type": kind})
        assert answer.refused() == (415, "content_type_unsupported")
        assert product.on_phone(phone) == []

    def test_an_account_obtains_keys_that_work(self, product: Product, phone: str) -> None:
        """5 (3), by the same means that stand behind the panel"""
        made = ask(f"{product.api}/keys", body={"scopes": ["messages:send"]}, key=product.key)
        assert made.status == 201
        body = {"phone": phone, "message": "Hello"}
        accepted(ask(f"{product.api}/messages/send", body=body, key=made.json["key"]))

    @pytest.mark.parametrize("wrong", ["nonsense", "tg_live_", "tg_live_" + "0" * 46, "é"])
    def test_an_invalid_token_is_401(self, product: Product, phone: str, wrong: str) -> None:
        """5 (4)"""
        body = {"phone": phone, "message": "Hello"}
        answer = ask(f"{product.api}/messages/send", body=body, headers={"Authorization": f"Bearer {wrong}"})
        assert answer.refused() in [(401, "key_malformed"), (401, "key_unknown")]
        assert product.on_phone(phone) == []

    def test_a_suspended_account_is_401_until_it_is_resumed(self, product: Product) -> None:
        """5 (4)"""
        product.cli("account", "create", "Sleeper")
        key = product.cli("key", "create", "--account", "Sleeper")["key"]
        me = f"{product.api}/me"
        assert ask(me, method="GET", key=key).status == 200
        product.cli("account", "suspend", "Sleeper")
        wait_until(lambda: ask(me, method="GET", key=key).status == 401, "the suspension")
        assert ask(me, method="GET", key=key).refused() == (401, "account_suspended")
        product.cli("account", "resume", "Sleeper")
        wait_until(lambda: ask(me, method="GET", key=key).status == 200, "the end of the suspension")


class TestErrors:
    """Section 7: 200 and 401 are above"""

    @pytest.mark.parametrize(
        ("body", "field"),
        [({"phone": "905551112233"}, "message"), ({"message": "Hello"}, "phone"),
         ({"phone": "05551112233", "message": "Hello"}, "phone"), ({"phone": "905551112233", "message": ""}, "message")],
    )  # fmt: skip
    def test_422_for_each_of_its_conditions(self, product: Product, body: dict[str, str], field: str) -> None:
        """7, 422"""
        assert wrong_fields(send(product, body)) == {field}

    def test_every_wrong_parameter_is_named(self, product: Product) -> None:
        """7, 422"""
        assert wrong_fields(send(product, {"phone": "x", "message": " ", "instance_id": "y"})) == {
            "phone", "message", "instance_id",
        }  # fmt: skip

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b"null", b"\xff", b'{"phone":'])
    def test_422_for_a_body_that_is_no_object(self, product: Product, body: bytes) -> None:
        """7, 422"""
        assert wrong_fields(send(product, body)) == {"body"}


class TestLimits:
    """Section 8"""

    def test_more_requests_than_the_maximum_are_429(self, product: Product) -> None:
        """8 (1) and 7, 429"""
        product.cli("account", "create", "Hasty")
        product.cli("account", "limit", "Hasty", "--rate", "1", "--burst", "3")
        key = product.cli("key", "create", "--account", "Hasty")["key"]
        answers = [ask(f"{product.api}/me", method="GET", key=key)]
        # Every second one more is allowed: a slow machine needs more of them before one is too many.
        while answers[-1].status == 200 and len(answers) < 100:
            answers.append(ask(f"{product.api}/me", method="GET", key=key))
        assert len(answers) > 3
        refused = answers[-1]
        assert refused.refused() == (429, "rate_limited")
        assert int(refused.headers["retry-after"]) >= 1
        for answer in answers:
            assert re.fullmatch(r'"default";q=3;w=3', answer.headers["ratelimit-policy"])
            assert answer.headers["ratelimit"].startswith('"default";r=')
        time.sleep(int(refused.headers["retry-after"]))
        assert ask(f"{product.api}/me", method="GET", key=key).status == 200

    def test_one_keys_haste_is_not_anothers(self, product: Product) -> None:
        """8 (1)"""
        product.cli("account", "create", "Hastier")
        product.cli("account", "limit", "Hastier", "--rate", "1", "--burst", "1")
        keys = [product.cli("key", "create", "--account", "Hastier")["key"] for _ in range(2)]
        statuses = [200]
        while statuses[-1] == 200 and len(statuses) < 100:
            statuses.append(ask(f"{product.api}/me", method="GET", key=keys[0]).status)
        assert statuses[-1] == 429
        assert ask(f"{product.api}/me", method="GET", key=keys[1]).status == 200

    def test_the_first_three_days_have_a_free_quota(self, prepaid: Product, phone: str) -> None:
        """8 (2)"""
        before = ask(f"{prepaid.api}/me", method="GET", key=prepaid.key).json["quota"]
        assert (before["free_messages"], before["free_used"], before["free_until"]) == (250, 0, None)
        assert accepted(send(prepaid, {"phone": phone, "message": "Hello"}))["cost_usd"] == 0
        after = ask(f"{prepaid.api}/me", method="GET", key=prepaid.key).json["quota"]
        assert (after["free_used"], after["free_left"]) == (1, 249)
        hours = (datetime.fromisoformat(after["free_until"]).timestamp() - time.time()) / 3_600
        assert hours == pytest.approx(72, abs=0.1)

    def test_after_it_the_balance_pays_and_an_empty_one_is_402(self, prepaid: Product, phone: str) -> None:
        """8 (2) and (4)"""
        account = ask(f"{prepaid.api}/me", method="GET", key=prepaid.key).json["account"]["name"]
        prepaid.cli("plan", "set", "tiny", "--free-messages", "0")
        prepaid.cli("plan", "assign", "tiny", "--account", account)
        body = {"phone": phone, "message": "Hello"}
        refused = send(prepaid, body)
        assert refused.refused() == (402, "quota_exhausted")
        assert prepaid.on_phone(phone) == []
        prepaid.cli("account", "top-up", account, "1")
        cost = accepted(send(prepaid, body))["cost_usd"]
        assert cost > 0
        left = ask(f"{prepaid.api}/me", method="GET", key=prepaid.key).json["quota"]["balance_usd"]
        assert left == pytest.approx(1 - cost)

    @pytest.mark.parametrize(("length", "status"), [(4_096, 200), (4_097, 422)])
    def test_the_longest_text(self, product: Product, phone: str, length: int, status: int) -> None:
        """8 (3), as decided"""
        assert send(product, {"phone": phone, "message": "x" * length}).status == status

    def test_each_send_tells_its_cost(self, product: Product, phone: str) -> None:
        """8 (4)"""
        assert accepted(send(product, {"phone": phone, "message": "Hello"}))["cost_usd"] > 0


class TestVersioning:
    """Section 9"""

    def test_the_version_is_a_segment_of_every_path(self, product: Product, phone: str) -> None:
        """9 (1)"""
        assert product.api.endswith("/api/v1")
        accepted(send(product, {"phone": phone, "message": "Hello"}))
        for base in (product.url, f"{product.url}/v1", f"{product.url}/api", f"{product.url}/api/v2"):
            answer = ask(f"{base}/messages/send", body={"phone": phone, "message": "Hello"}, key=product.key)
            assert answer.status == 404, base

    def test_the_interface_is_labelled(self, product: Product) -> None:
        """9 (2)"""
        document = ask(f"{product.api}/openapi.json", method="GET")
        assert document.json["info"]["version"] == "1.4"
        for answer in (document, ask(f"{product.api}/me", method="GET", key=product.key), ask(f"{product.api}/none")):
            assert answer.headers["x-api-version"] == "1.4"
            assert answer.headers["x-request-id"]
