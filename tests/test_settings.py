"""Settings: every default works, and every wrong value is refused with the name of its variable."""

from __future__ import annotations

import ipaddress
from dataclasses import fields
from pathlib import Path

import pytest

from tablegram.errors import Misconfigured
from tablegram.settings import PREFIX, Settings, load

WRONG = [
    ("PORT", ["0", "-1", "65536", "eighty", "80.5"]),
    ("PUBLIC_URL", ["gateway.example", "ftp://gateway.example", "https://", "https://host/path", "https://host?x=1", "http://host:99999"]),
    ("TRUSTED_PROXIES", ["10.0.0.0/33", "localhost", "10.0.0.1/8", "10.0.0.0/8;10.1.0.0/16"]),
    ("METRICS_PUBLIC", ["maybe", "2"]),
    ("LOG_LEVEL", ["loud", "INFO"]),
    ("DATABASE_URL", ["mysql://host/name", "tablegram.db", "sqlite://", "sqlite:///", "postgresql://", "localhost"]),
    ("LOG_FORMAT", ["xml", "JSON"]),
    ("LOG_TRAIL", ["perhaps"]),
    ("TRACES_URL", ["127.0.0.1:4318", "ftp://host", "http://"]),
    ("TRACES_SHARE", ["-0.1", "1.1", "nan", "half"]),
    ("SECRET_KEY", ["short", "x" * 31]),
    ("SECRET_KEY_PREVIOUS", ["short"]),
    ("SANDBOX", ["perhaps"]),
    ("SANDBOX_URL", ["127.0.0.1:8900", "http://:8900"]),
    ("SANDBOX_PACE", ["-1", "fast", "nan", "inf"]),
    ("CLOUD_BASE_URL", ["graph.facebook.com", "https://"]),
    ("STRIPE_URL", ["api.stripe.com", "https://", "https://host?x=1"]),
    ("IYZICO_URL", ["api.iyzipay.com", "https://", "ftp://host"]),
    ("ALLOWED_PRIVATE_TARGETS", ["127.0.0.1/8", "all"]),
    ("RATE_LIMIT", ["0", "-5", "nan", "inf", "many"]),
    ("RATE_BURST", ["0", "-1", "1.5"]),
    ("ANONYMOUS_RATE_LIMIT", ["0", "-1"]),
    ("ANONYMOUS_RATE_BURST", ["0"]),
    ("PAGE_RATE_LIMIT", ["0", "-1"]),
    ("PAGE_RATE_BURST", ["0"]),
    ("SESSION_RATE_LIMIT", ["0", "-1"]),
    ("SESSION_RATE_BURST", ["0"]),
    ("SANDBOX_TOKEN", ["short", "x" * 15, "with a space in the middle", "semi;colon;semi;colon"]),
    ("CONNECTIONS_PER_ADDRESS", ["-1", "many"]),
    ("MAX_CONNECTIONS", ["-1", "1.5"]),
    ("COURIER_FORGET_MIN", ["-1", "soon"]),
    ("GUEST_CARTS_H", ["-1", "many", "1.5"]),
    ("GUEST_ORDERS_H", ["-1"]),
    ("GUEST_CALLS_H", ["-1"]),
    ("STRANGER_SHARE", ["0", "-0.1", "1.1", "nan"]),
    ("MAX_BODY_BYTES", ["0", "-1", "1MB"]),
    ("MAX_HEADER_BYTES", ["0"]),
    ("BODY_IDLE_S", ["0", "-1", "nan"]),
    ("BODY_WITHIN_S", ["0", "-1", "nan"]),
    ("FILE_WORKERS", ["0", "-1", "two"]),
    ("BILLING", ["maybe", "on", "OFF"]),
    ("SEND_BUDGET_S", ["0", "-1", "inf"]),
    ("LEASE_S", ["0", "-1", "inf"]),
    ("QUEUE_MAX_AGE_H", ["0", "-1"]),
    ("UNKNOWN_WAIT_S", ["-1", "nan"]),
    ("CLOUD_PACE", ["-1"]),
    ("LINKED_PACE", ["0", "-1"]),
    ("RECIPIENT_INTERVAL_S", ["-1"]),
    ("RECIPIENT_BURST", ["0"]),
    ("IDEMPOTENCY_H", ["0", "-1"]),
    ("REQUEST_BODY_DAYS", ["0", "-1", "x"]),
    ("LINKED_MAX_MB", ["0", "-1", "x"]),
    ("LINKED_MAX_LINES", ["0", "-1", "x"]),
    ("LINKED_DAILY_CAP", ["-1", "1.5"]),
    ("LINKED_ENGINE", ["baileys", "NEONIZE"]),
    ("LINKED_PROXY", ["127.0.0.1:1080", "socks5://", "ftp://host", "socks5://host name"]),
    ("NATS_URL", ["localhost:4222", "http://host", "nats://", "nats://a b", "nats://a,", "nats://a/path"]),
    ("ROLE", ["everything", "API"]),
    ("WORKERS", ["0", "-1", "65", "x"]),
    ("LEAVE_S", ["-1", "301", "soon"]),
    ("MAP_TILES_URL", ["tiles.example.com/{z}/{x}/{y}", "https://tiles.example.com/{z}/{x}.png", "https://a b/{z}/{x}/{y}", "https://host;x/{z}/{x}/{y}"]),
    ("REQUEST_LOG_DAYS", ["0", "-1", "1.5"]),
    ("INBOX_DAYS", ["-1"]),
    ("AUDIT_DAYS", ["-1", "x"]),
    ("MEDIA_DAYS", ["-1", "x"]),
    ("MEDIA_URL", ["bucket", "s3://", "s3:///prefix", "s3://UPPER", "s3://b", "https://bucket", "s3://key:secret@bucket", "s3://bucket?x=1"]),
    ("MEDIA_S3_ENDPOINT", ["s3.example.com", "ftp://s3.example.com", "https://s3.example.com?x=1"]),
    ("MEDIA_S3_ACCESS_KEY", ["without its secret"]),
    ("MEDIA_S3_SECRET_KEY", ["without its key"]),
    ("CLOUD_MEDIA_HOSTS", ["https://host", "host/path", "host:443", "*.host"]),
    ("MESSAGE_DAYS", ["-1", "x"]),
    ("READER_URL", ["host/v1", "ftp://host", "https://host/v1?key=x", "http://"]),
    ("READER_CALLS_DAY", ["0", "-1", "many"]),
    ("READER_TOKENS_DAY", ["0", "-1", "1.5"]),
    ("SMTP_URL", ["mail.example.com", "http://mail.example.com", "smtp://", "smtp://host:0", "smtp://host?x=1"]),
    ("MAIL_FROM", ["desk", "Tablegram <desk>", "desk\n@example.com"]),
]  # fmt: skip
# Any text is a host, a path, a version; a crash point is checked by the engine, which knows their names.
FREE = {
    "HOST",
    "LINKED_HOST",
    "DATA_DIR",
    "CLOUD_API_VERSION",
    "MEDIA_S3_REGION",
    "RATE_CARD",
    "CRASH_AT",
    "FREEZE_AT",
    "READER_MODEL",
    "READER_KEY",
    "MAP_TILES_CREDIT",
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WRONG for text in texts])
def test_a_wrong_value_is_refused_with_the_name_of_its_variable(name: str, text: str) -> None:
    with pytest.raises(Misconfigured, match=f"^{PREFIX}{name}[ =]"):
        load({PREFIX + name: text})


def test_a_number_that_is_none_is_told_in_plain_words() -> None:
    for name, text, words in (("PORT", "abc", "a whole number"), ("LEASE_S", "x", "a number")):
        with pytest.raises(Misconfigured, match=f"it must be {words}$"):
            load({PREFIX + name: text})


def test_every_setting_that_can_be_wrong_is_tried() -> None:
    assert {name for name, _ in WRONG} | FREE == {item.name.upper() for item in fields(Settings)}


def test_a_secret_is_not_repeated_in_the_refusal() -> None:
    with pytest.raises(Misconfigured) as caught:
        load({PREFIX + "SECRET_KEY": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_an_unknown_variable_is_refused_because_it_is_a_typing_error() -> None:
    with pytest.raises(Misconfigured, match="TABLEGRAM_PROT"):
        load({"TABLEGRAM_PROT": "8000"})


def test_a_language_model_is_named_with_its_server() -> None:
    with pytest.raises(Misconfigured, match=r"^TABLEGRAM_READER_MODEL must be set beside TABLEGRAM_READER_URL"):
        load({"TABLEGRAM_READER_URL": "http://127.0.0.1:11434/v1"})
    both = load({"TABLEGRAM_READER_URL": "http://127.0.0.1:11434/v1", "TABLEGRAM_READER_MODEL": "small"})
    assert (both.reader_model, both.reader_key) == ("small", "")


def test_the_defaults_stand_when_nothing_is_said() -> None:
    assert load({}) == Settings()
    assert load({"TABLEGRAM_PORT": " ", "TABLEGRAM_KEY": "tg_live_x", "HOME": "/root"}) == Settings()


def test_values_are_read_as_what_they_are() -> None:
    settings = load(
        {
            "TABLEGRAM_PORT": " 9000 ",
            "TABLEGRAM_SANDBOX": "Yes",
            "TABLEGRAM_METRICS_PUBLIC": "off",
            "TABLEGRAM_DATA_DIR": "~/data",
            "TABLEGRAM_RATE_LIMIT": "2.5",
            "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8, ::1/128,",
            "TABLEGRAM_PUBLIC_URL": "https://gateway.example/",
        }
    )
    assert (settings.port, settings.sandbox, settings.metrics_public, settings.rate_limit) == (9000, True, False, 2.5)
    assert settings.data_dir == Path.home() / "data"
    assert settings.allowed_private_targets == (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
    assert settings.base_url == "https://gateway.example"


def test_addresses_follow_from_host_port_and_folder() -> None:
    settings = load({"TABLEGRAM_PORT": "9000", "TABLEGRAM_DATA_DIR": "/data"})
    assert settings.base_url == "http://127.0.0.1:9000"
    assert settings.effective_database_url == "sqlite:////data/tablegram.db"
    assert settings.effective_sandbox_url == "http://127.0.0.1:9000/sandbox"
    assert (
        load({"TABLEGRAM_SANDBOX_URL": "http://127.0.0.1:8900/sandbox/"}).effective_sandbox_url
        == "http://127.0.0.1:8900/sandbox"
    )


def test_every_setting_says_what_it_is_for() -> None:
    for item in fields(Settings):
        assert len(item.metadata["doc"]) > 20, item.name
