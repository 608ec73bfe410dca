"""Callbacks are believed only when signed, and read whatever shape they come in."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.messaging.incoming import InboundMessage, Malformed, NetworkError, StatusUpdate, UnknownChange
from tablegram.messaging.lines.cloud.callbacks import parse, read_phone, verify
from tests.long import many

PAYLOADS = Path(__file__).parents[3] / "payloads" / "cloud"
NAMES = sorted(path.stem for path in PAYLOADS.glob("*.json"))
NUMBER_ID = "1065"
USER_ID = "TR.13491208655302741918"


def read(name: str) -> list[Any]:
    return parse((PAYLOADS / f"{name}.json").read_bytes())


def only(name: str) -> Any:
    (found,) = read(name)
    return found


def sign(secret: str, raw: bytes) -> str:
    return "sha256=" + hmac.new(secret.encode(), raw, hashlib.sha256).hexdigest()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "unknown_field"])
def test_a_callback_tells_the_number_that_people_dial(name: str) -> None:
    raw = (PAYLOADS / f"{name}.json").read_bytes()
    assert read_phone(raw, NUMBER_ID) == "15550783881"
    assert read_phone(raw, "2077") == "", "another number's callback says nothing of this line"


def test_of_several_numbers_a_callback_tells_the_lines_own() -> None:
    def change(number_id: Any, phone: Any) -> dict[str, Any]:
        return {"value": {"metadata": {"phone_number_id": number_id, "display_phone_number": phone}}}

    changes = [change("1", "+90 555 111 00 01"), change(2, "nonsense"), {"value": 5}, change(2, "+90 555 111 00 02")]
    raw = msgspec.json.encode({"entry": [5, {"changes": changes}]})
    assert [read_phone(raw, number_id) for number_id in ("1", "2", "3")] == ["905551110001", "905551110002", ""]


@given(st.binary(max_size=200))
def test_no_body_is_too_odd_to_be_asked_for_a_number(raw: bytes) -> None:
    assert read_phone(raw, NUMBER_ID) == ""
    for odd in (b"[]", b"5", b'{"entry": 1}', b'{"entry": [{"changes": {"value": 1}}]}', b"[" * 100_000):
        assert read_phone(odd, NUMBER_ID) == ""


def test_a_genuine_signature_verifies() -> None:
    assert verify("secret", b"{}", sign("secret", b"{}"))


@pytest.mark.parametrize(
    ("secret", "header"),
    [
        ("secret", None),
        ("secret", ""),
        ("secret", "sha256="),
        ("secret", sign("secret", b"{ }")),
        ("secret", sign("other", b"{}")),
        ("secret", sign("secret", b"{}").removeprefix("sha256=")),
        ("secret", sign("secret", b"{}").replace("sha256", "sha1")),
        ("secret", sign("secret", b"{}")[:-1]),
        ("secret", "sha256=" + "ü" * 64),
        ("secret", "sha256=\udcff"),
        ("", sign("", b"{}")),
    ],
)
def test_nothing_else_verifies(secret: str, header: str | None) -> None:
    assert not verify(secret, b"{}", header)


def test_a_text_tells_who_wrote_what_and_when() -> None:
    found = only("text")
    assert isinstance(found, InboundMessage)
    assert (found.type, found.text, found.network_id) == ("text", "Merhaba", "wamid.IN1")
    assert (found.sender_phone, found.sender_name, found.sender_user_id) == ("905551112233", "Ayşe", USER_ID)
    assert (found.phone_number_id, found.at_ms) == (NUMBER_ID, 1_750_857_385_000)


@pytest.mark.parametrize("name", ["text_without_profile", "text_without_contacts"])
def test_a_sender_without_a_profile_is_still_read(name: str) -> None:
    found = only(name)
    assert (found.sender_phone, found.sender_name) == ("905551112233", "")


def test_a_sender_without_a_number_is_known_by_user_id() -> None:
    found = only("sender_by_user_id_only")
    assert (found.sender_phone, found.sender_user_id, found.sender_name) == ("", USER_ID, "Ayşe")


def test_every_message_of_a_body_is_read_in_order() -> None:
    assert [found.text for found in read("three_messages_in_one_body")] == ["m1", "m2", "m3"]


def test_every_entry_and_change_is_read() -> None:
    found = read("batched")
    assert [type(item).__name__ for item in found] == [
        "InboundMessage",
        "StatusUpdate",
        "StatusUpdate",
        "StatusUpdate",
        "InboundMessage",
    ]
    assert [item.status for item in found[1:4]] == ["sent", "delivered", "read"]


def test_duplicates_are_left_to_the_store() -> None:
    first, second = read("duplicate")
    assert first == second


def test_times_come_in_seconds_or_milliseconds_as_text_or_number() -> None:
    assert [found.at_ms for found in read("millisecond_timestamps")] == [
        1_750_857_385_123,
        1_750_857_386_000,
        1_750_857_387_456,
    ]


def test_statuses_keep_the_order_they_came_in() -> None:
    assert [found.status for found in read("read_before_delivered")] == ["read", "delivered", "sent"]


def test_a_status_carries_our_correlation_and_the_networks_price() -> None:
    found = only("status_delivered_priced")
    assert isinstance(found, StatusUpdate)
    assert (found.network_id, found.correlation, found.recipient) == ("wamid.OUT1", "corr-1", "905551112233")
    assert found.pricing == {"billable": True, "pricing_model": "PMP", "type": "regular", "category": "utility"}
    assert (found.error_code, found.reason) == (None, "")


def test_a_status_without_number_and_correlation_is_still_read() -> None:
    found = only("status_by_user_id_without_correlation")
    assert (found.recipient, found.correlation) == (USER_ID, "")


def test_a_played_voice_message_counts_as_read() -> None:
    assert only("status_played").status == "read"


def test_a_failure_tells_the_networks_code_and_ours() -> None:
    found = only("status_failed")
    assert (found.status, found.error_code, found.reason) == ("failed", 131026, "not_on_network")
    assert "Message Undeliverable." in found.detail


def test_media_carries_what_is_needed_to_fetch_it() -> None:
    image, document, voice = only("image"), only("document"), only("voice")
    assert (image.type, image.text, image.media.media_id, image.media.mime_type) == (
        "image",
        "Menü",
        "6546",
        "image/jpeg",
    )
    assert (document.type, document.media.filename, document.text) == ("document", "a.pdf", "")
    assert (voice.type, voice.media.voice, voice.media.mime_type) == ("audio", True, "audio/ogg; codecs=opus")


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("location", "location", "Ev"),
        ("contacts", "contacts", ""),
        ("reaction", "reaction", "😮"),
        ("reaction_removed", "reaction", ""),
        ("button_reply", "button", "Evet"),
        ("template_button", "button", "No"),
        ("list_reply", "list", "Çay"),
        ("flow_reply", "unsupported", "Sent"),
        ("order", "order", "acele"),
        ("system_number_changed", "unsupported", "changed"),
        ("unsupported", "unsupported", ""),
        ("unknown_type", "unsupported", ""),
    ],
)
def test_each_type_has_our_name_and_its_own_object(name: str, kind: str, text: str) -> None:
    found = only(name)
    assert (found.type, found.text) == (kind, text)
    assert found.raw["id"] == "wamid.IN1"
    if kind != "unsupported":
        assert found.body


def test_replies_name_what_they_answer() -> None:
    assert only("button_reply").reply_to == "wamid.OUT1"
    assert only("button_reply").body == {"id": "yes", "title": "Evet"}
    assert only("template_button").body == {"id": "cb", "title": "No"}


def test_an_unknown_type_is_kept_whole() -> None:
    found = only("unknown_type")
    assert (found.network_type, found.raw["hologram"]) == ("hologram", {"depth": 3})


def test_what_the_owner_wrote_elsewhere_is_an_echo() -> None:
    found = only("echoes")
    assert (found.echo, found.recipient, found.text) == (True, "905551112233", "from the app")


def test_troubles_of_the_line_are_told_apart() -> None:
    first, second = read("system_errors")
    assert isinstance(first, NetworkError)
    assert (first.error_code, first.reason) == (130429, "line_rate_limited")
    assert (second.error_code, second.reason) == (None, "network_refused")


@pytest.mark.parametrize("name", ["unknown_field", "status_unknown_word"])
def test_what_has_no_meaning_for_us_is_kept(name: str) -> None:
    found = only(name)
    assert isinstance(found, UnknownChange)
    assert found.raw


@pytest.mark.parametrize("raw", [b"", b"{", b"not json", b"\xff", b"[]", b"1", b"null", b'"text"', b"[" * 100_000])
def test_what_is_not_an_object_is_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        parse(raw)


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (rb"a\ud83d", "a\ufffd"),
        (rb"\ude00b", "\ufffdb"),
        (rb"\ud83d\ude00", "😀"),
        (rb"\\ud83d", r"\ud83d"),
        (rb"x\ud83dx\ud83d\ude00", "x\ufffdx😀"),
        (b"caf\xe9", "caf\ufffd"),
        (rb"a\u0000b", "ab"),
    ],
)
def test_a_text_cut_inside_a_character_does_not_lose_the_callback(wire: bytes, expected: str) -> None:
    raw = (PAYLOADS / "text.json").read_bytes().replace(b"Merhaba", wire)
    (found,) = parse(raw)
    assert isinstance(found, InboundMessage)
    assert found.text == expected


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["read", "text", "0", "1750857384"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def mutate(node: Any, data: st.DataObject) -> Any:
    """The same tree with members replaced, removed or repeated here and there."""
    choice = data.draw(st.integers(0, 11))
    if choice == 0:
        return data.draw(JSON)
    if isinstance(node, dict):
        return {key: mutate(value, data) for key, value in node.items() if data.draw(st.integers(0, 14))}
    if isinstance(node, list):
        return [mutate(value, data) for value in node for _ in range(data.draw(st.sampled_from([1, 1, 1, 0, 2])))]
    return node


@settings(max_examples=many(80, 300), deadline=None)
@given(name=st.sampled_from(NAMES), data=st.data())
def test_no_mutation_of_a_payload_breaks_the_parser(name: str, data: st.DataObject) -> None:
    tree = mutate(msgspec.json.decode((PAYLOADS / f"{name}.json").read_bytes()), data)
    try:
        found = parse(msgspec.json.encode(tree))
    except Malformed:
        assert not isinstance(tree, dict)
        return
    for item in found:
        if isinstance(item, StatusUpdate):
            assert item.network_id
            assert item.at_ms >= 0
        # Whatever came has to be storable and to reach a customer's server.
        msgspec.json.encode(item)


@settings(max_examples=many(60, 200), deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_parser(raw: bytes) -> None:
    try:
        parse(raw)
    except Malformed:
        pass
