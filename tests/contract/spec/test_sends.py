"""The specification's sends, sentence by sentence, against the running product through plain HTTP.

Each test names the section it is about. Sections 1, 2.3 to 3, 4.3, 4.4 and 6 belong to other parts of the product.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.files import FILES
from tests.contract.spec.sends import accepted, look_up, on_phone, send, wrong_fields
from tests.contract.wire import ask
from tests.product import Product, wait_until

# The product as a whole, from the outside, on each database.
pytestmark = pytest.mark.later


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
