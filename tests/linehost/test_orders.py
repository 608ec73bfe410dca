"""Orders as anybody may write them: what lacks something is refused before an engine hears of it."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.linehost.engines import open_engine
from tablegram.linehost.engines.port import Account, Fetched, Refusal, Standing, TypedCode
from tablegram.linehost.engines.sandbox import Sandbox
from tablegram.linehost.orders import carry_out

TEXT = {"type": "text", "text": "Hi"}


@pytest.mark.parametrize(
    ("name", "given", "lacks"),
    [
        ("send", {}, "content"),
        ("send", {"content": "Hi"}, "content"),
        ("send", {"content": {"text": "Hi"}, "to": "905"}, "content"),
        ("send", {"content": TEXT}, "to"),
        ("send", {"content": TEXT, "to": ""}, "to"),
        ("send", {"content": TEXT, "to": 905}, "to"),
        ("read", {"id": None}, "id"),
        ("typing", {"state": "typing"}, "to"),
        ("fetch", {"id": "A", "path": "/x"}, "max_bytes"),
        ("fetch", {"id": "A", "path": ["/x"], "max_bytes": 1}, "path"),
        ("fetch", {"id": "A", "path": "/x", "max_bytes": "many"}, "max_bytes"),
        ("check", {}, "phone"),
        ("history", {"since_ms": "yesterday"}, "since_ms"),
    ],
)
def test_an_order_that_lacks_something_is_refused_by_its_name(name: str, given: dict[str, Any], lacks: str) -> None:
    with pytest.raises(Refusal, match=rf"its {lacks}\.") as refused:
        carry_out(open_engine("sandbox"), name, given, None)
    assert (refused.value.code, refused.value.sent, refused.value.again_s) == ("order_invalid", "no", None)


@pytest.mark.parametrize("name", ["", "dance", "rehearse", 7])
def test_an_unknown_order_is_refused(name: Any) -> None:
    with pytest.raises(Refusal) as refused:
        carry_out(open_engine("sandbox"), name, {}, None)
    assert refused.value.code == "unknown_order"


class Obeying(Sandbox):
    """Does nothing, and says so."""

    def pair(self, phone: str) -> TypedCode | None:
        return TypedCode(code="1234", until_ms=9) if phone else None

    def fetch(self, order: Any) -> Fetched:
        return Fetched(mime_type=f"{order.id} {order.path} {order.max_bytes}")

    def check(self, phone: str) -> Account:
        return Account(exists=True, phone=phone)

    def history(self, since_ms: int) -> int:
        return since_ms

    def probe(self) -> Standing:
        return Standing(state="connected", phone="905")

    def logout(self) -> None: ...


def test_answers_have_the_members_of_the_protocol() -> None:
    for name, given, answer in (
        ("pair", {}, {}),
        ("pair", {"phone": "905"}, {"code": "1234", "until_ms": 9}),
        ("fetch", {"id": "A", "path": "/x", "max_bytes": 5}, {"mime_type": "A /x 5", "sha256": ""}),
        ("check", {"phone": "905"}, {"exists": True, "phone": "905", "lid": ""}),
        ("history", {}, {"told": 0}),
        ("history", {"since_ms": 7}, {"told": 7}),
        ("probe", {}, {"state": "connected", "phone": "905"}),
        ("logout", {"why": "nobody knows"}, {}),
    ):
        assert carry_out(Obeying(), name, given, None) == answer, name
