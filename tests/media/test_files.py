"""What is known of a file before and after it is seen."""

from __future__ import annotations

import base64
import hashlib

import pytest

from tablegram.media.files import (
    AWAY_WAIT_MS,
    PATIENCE_MS,
    RETRY_S,
    clean_type,
    download_name,
    judge_type,
    next_try_ms,
    read_digest,
)
from tablegram.media.ports import key_of
from tablegram.media.rows import Named

DIGEST = hashlib.sha256(b"x")


@pytest.mark.parametrize(
    "claim",
    [
        DIGEST.hexdigest(), DIGEST.hexdigest().upper(), base64.b64encode(DIGEST.digest()).decode(),
        base64.urlsafe_b64encode(DIGEST.digest()).decode().rstrip("="), f" {DIGEST.hexdigest()}\n",
    ],
)  # fmt: skip
def test_a_hash_is_read_in_all_its_forms(claim: str) -> None:
    assert read_digest(claim) == DIGEST.hexdigest()


@pytest.mark.parametrize("claim", ["", "aGFzaA==", "x", "0" * 63, "zz" * 32, "ğ" * 64, "=" * 44])
def test_what_is_no_hash_is_none(claim: str) -> None:
    assert read_digest(claim) == ""


@pytest.mark.parametrize(
    ("claim", "clean"),
    [
        ("image/png", "image/png"), ("audio/ogg; codecs=opus", "audio/ogg; codecs=opus"), ("image/png\r\nX: 1", ""),
        ("image", ""), ("", ""), ("text/html;charset=utf-8", "text/html;charset=utf-8"), ("image/" + "x" * 200, ""),
        ("image/ğ", ""), (" image/png ", "image/png"),
    ],
)  # fmt: skip
def test_a_type_is_one_that_a_header_can_carry(claim: str, clean: str) -> None:
    assert clean_type(claim) == clean


@pytest.mark.parametrize(
    ("first", "claim", "judged"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg", ("image/jpeg", None)),
        (b"\xff\xd8\xff\xe0", "image/jpg", ("image/jpg", None)),
        (b"\xff\xd8\xff\xe0", "", ("image/jpeg", None)),
        (b"\xff\xd8\xff\xe0", "image/png", ("image/jpeg", "image/png")),
        (b"nothing known", "image/png", ("application/octet-stream", "image/png")),
        (b"\0\0\0\x18ftypisom", "audio/mp4", ("audio/mp4", None)),
        (b"\0\0\0\x18ftypisom", "image/png", ("video/mp4", "image/png")),
        (b"OggS", "audio/ogg; codecs=opus", ("audio/ogg; codecs=opus", None)),
        (b"a,b\n1,2", "text/csv", ("text/csv", None)),
        (b"hello", "application/octet-stream", ("text/plain", None)),
    ],
)  # fmt: skip
def test_bytes_count_more_than_a_claim(first: bytes, claim: str, judged: tuple[str, str | None]) -> None:
    assert judge_type(first, claim, "") == judged


def test_a_file_is_tried_again_at_growing_distances_and_then_given_up() -> None:
    times = [next_try_ms({"attempts": tried, "created_at": 0}, 1_000, network_away=False) for tried in range(7)]
    assert times == [1_000 + wait_s * 1_000 for wait_s in RETRY_S] + [None, None]


def test_an_absent_network_is_asked_less_often_the_longer_it_is_away() -> None:
    waits = []
    now = 0
    while (at := next_try_ms({"attempts": 99, "created_at": 0}, now, network_away=True)) is not None:
        waits.append(at - now)
        now = at
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (RETRY_S[0] * 1_000, AWAY_WAIT_MS)
    assert now > PATIENCE_MS


def test_a_file_without_a_name_is_saved_under_one_that_says_what_it_is() -> None:
    row: Named = {"filename": "", "mime_type": "image/png", "kind": "image", "id": "med_01m7egbgzkw6jjsq9bfg3vp00c"}
    assert download_name(row) == "image-01m7egbgzk.png"
    assert download_name({**row, "filename": "a.pdf"}) == "a.pdf"
    assert download_name({**row, "mime_type": "x/unknown"}) == "image-01m7egbgzk"


def test_the_place_of_a_file_never_changes() -> None:
    assert key_of(7, "med_a") == key_of(7, "med_a")
    assert key_of(7, "med_a") != key_of(8, "med_a")
    assert len({key_of(1, f"med_{number}").split("/")[1] for number in range(2_000)}) > 200
