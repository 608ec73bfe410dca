"""Who signed a body, and when: `verified` answers the id of what was signed with the secret, and nothing else."""

from __future__ import annotations

import base64

import pytest

from tablegram.values.http.signing import PREFIX, TOLERANCE_S, new_secret, prepare, sign, signed_headers, verified

SECRET, OTHER = new_secret(), new_secret()
NOW = 1_800_000_000
BODY = b'{"paid": true}'
HEADERS = signed_headers(SECRET, "evt_1", NOW, BODY)


def by(*secrets: str, id: str = "evt_1", at: int = NOW) -> dict[str, str]:
    keys = [prepare(secret) for secret in secrets]
    return {**HEADERS, "webhook-id": id, "webhook-timestamp": str(at), "webhook-signature": sign(keys, id, at, BODY)}


def test_what_was_signed_is_known_by_any_of_its_signatures() -> None:
    assert verified(SECRET, HEADERS, BODY, NOW) == "evt_1"
    assert verified(SECRET, by(OTHER, SECRET), BODY, NOW) == "evt_1"
    assert verified(SECRET, by(*[OTHER] * 9, SECRET), BODY, NOW) == "evt_1"
    assert verified(SECRET, by(*[OTHER] * 10, SECRET), BODY, NOW) is None


@pytest.mark.parametrize("ahead", [1, -1])
def test_a_signature_holds_for_a_while(ahead: int) -> None:
    assert verified(SECRET, HEADERS, BODY, NOW + ahead * TOLERANCE_S) == "evt_1"
    assert verified(SECRET, HEADERS, BODY, NOW + ahead * (TOLERANCE_S + 1)) is None


@pytest.mark.parametrize(
    "wrong",
    [
        by(OTHER),
        {**HEADERS, "webhook-id": "evt_2"},
        {**HEADERS, "webhook-timestamp": str(NOW - 1)},
        {**HEADERS, "webhook-timestamp": f"0{NOW}"},
        {**HEADERS, "webhook-timestamp": "soon"},
        {**HEADERS, "webhook-signature": HEADERS["webhook-signature"].removeprefix("v1,")},
        {**HEADERS, "webhook-signature": ""},
        {**HEADERS, "webhook-signature": "v1,\udcff"},
        by(SECRET, id=""),
        by(SECRET, id="a b"),
        {},
    ],
)
def test_anything_else_was_signed_by_nobody(wrong: dict[str, str]) -> None:
    assert verified(SECRET, wrong, BODY, NOW) is None


@pytest.mark.parametrize("secret", ["", PREFIX, "whsec_nicht base64!"])
def test_nobody_signs_with_a_secret_that_is_none(secret: str) -> None:
    empty = "v1," + base64.b64encode(b"").decode()
    assert verified(secret, {**HEADERS, "webhook-signature": empty}, BODY, NOW) is None


def test_another_body_was_not_signed() -> None:
    assert verified(SECRET, HEADERS, BODY + b" ", NOW) is None
