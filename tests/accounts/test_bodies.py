"""Bodies of API calls as they are kept: no secret, no file, nothing long."""

from __future__ import annotations

import msgspec

from tablegram.accounts.keys.bodies import HIDDEN, MAX_KEPT_CHARS, MAX_RAW_BYTES, shown

SECRET = "s3cr3t-of-the-house"


def kept(value: object) -> str:
    return shown(msgspec.json.encode(value))


def test_no_secret_stands_in_what_is_kept_whatever_it_is_called_and_however_deep() -> None:
    names = [
        "password", "new_password", "PassWord", "passphrase", "secret", "app_secret", "client_secret", "access_token",
        "verify_token", "token", "refreshToken", "authorization", "Authorization", "api_key", "apiKey", "key", "pin",
        "otp", "cvv", "private_key", "credentials", "cookie", "signature", "card_number", "cardNumber",
    ]  # fmt: skip
    for name in names:
        for value in (SECRET, [SECRET], {"a": {"b": SECRET}}):
            text = kept({"name": "Till", "deep": [{"deeper": {name: value}}]})
            assert SECRET not in text, name
            assert HIDDEN in text, name
            assert "Till" in text
    doors = (
        f"tg_live_{SECRET}", f"my key is tg_test_{SECRET}, keep it", f"whsec_{SECRET}", f"Bearer {SECRET}",
        f"https://a.example/panel/link/{SECRET}", f"https://a.example/hooks/cloud/{SECRET}?x=1",
        f"/hooks/pay/stripe/{SECRET}", f"/print/epson/{SECRET}",
    )  # fmt: skip
    for door in doors:
        assert SECRET not in kept({"message": door}), door
    # What only sounds like one stays, and so does what is empty.
    plain = kept({"key_id": "k1", "idempotent": True, "password": None, "secret": "", "monkey": "banana"})
    for word in ("k1", "banana", '"password": null', '"secret": ""'):
        assert word in plain


def test_files_and_long_things_are_cut_and_what_is_no_json_is_told_by_its_size() -> None:
    picture = "iVBORw0KGgo" * 400
    for data in (picture, f"data:image/png;base64,{picture}"):
        assert "iVBOR" not in kept({"media": data})
    letter = kept({"text": "so " * 4_000, "list": list(range(500))})
    assert "(12,000 characters)" in letter
    assert "480 more" in letter
    assert len(kept({str(number): "word " * 150 for number in range(500)})) <= MAX_KEPT_CHARS + 2
    deep: object = SECRET
    for _ in range(400):
        deep = [deep]
    assert SECRET not in kept(deep)
    assert shown(b"") == ""
    assert shown(b"\xff\xfe{}") == "(4 bytes, no JSON)"
    assert shown(b"x" * (MAX_RAW_BYTES + 1)).endswith("too large to keep)")
    assert shown(b"[" * 100_000).endswith("no JSON)")
    assert shown('{"a":"çay ☕"}'.encode()) == '{\n  "a": "çay ☕"\n}'
