"""The specification's keys, errors, limits and versions, sentence by sentence, through plain HTTP.

Each test names the section it is about.
"""

from __future__ import annotations

import re
import time
from datetime import datetime

import pytest

from tests.contract.spec.sends import accepted, send, wrong_fields
from tests.contract.wire import ask
from tests.product import Product, wait_until

# The product as a whole, from the outside, on each database.
pytestmark = pytest.mark.later


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
