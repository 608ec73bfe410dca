"""The pool in the running product: a customer writes on a phone, is answered, and can be found by what was said."""

from __future__ import annotations

import pytest

from tests.product import running_product, wait_until

PHONE = "905551112277"


@pytest.mark.slow
def test_a_customer_is_greeted_on_the_phone_and_found_by_his_words(database_url: str) -> None:
    with running_product(database_url) as product:
        line = product.call("GET", "/instances")[1]["data"][0]["id"]
        reply = {"kind": "greeting", "message": "Hoş geldiniz"}
        assert product.call("POST", f"/instances/{line}/auto-replies", reply)[0] == 201
        product.sandbox_call("POST", f"/phones/{PHONE}/messages", {"text": "İyi günler, şubeniz nerede?"})
        wait_until(lambda: "Hoş geldiniz" in str(product.on_phone(PHONE)), "the greeting on the phone")

        def found(words: str) -> list[str]:
            status, page = product.call("GET", f"/contacts?q={words}")
            assert status == 200, page
            return [number for contact in page["data"] for number in contact["phones"]]

        assert found(PHONE[-4:]) == [PHONE]
        wait_until(lambda: found("subeniz+hos") == [PHONE], "the words of both messages")
