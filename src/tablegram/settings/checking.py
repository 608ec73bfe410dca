"""Whether settings make sense, each by itself and together; what does not is named, with what it must be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import fields
from email.utils import parseaddr
from urllib.parse import urlsplit

from tablegram.errors import Misconfigured
from tablegram.settings.model import ENGINES, MAX_LEAVE_S, MAX_WORKERS, PREFIX, ROLES, Settings

# What a figure must at least be. Where nothing is said it may be 0, which then means none, or no limit.
_POSITIVE = (
    "rate_limit",
    "rate_burst",
    "anonymous_rate_limit",
    "anonymous_rate_burst",
    "page_rate_limit",
    "page_rate_burst",
    "session_rate_limit",
    "session_rate_burst",
    "stranger_share",
    "max_body_bytes",
    "max_header_bytes",
    "body_idle_s",
    "body_within_s",
    "file_workers",
    "workers",
    "send_budget_s",
    "queue_max_age_h",
    "lease_s",
    "linked_pace",
    "linked_max_mb",
    "linked_max_lines",
    "recipient_burst",
    "idempotency_h",
    "request_log_days",
    "request_body_days",
    "inbox_days",
    "reader_calls_day",
    "reader_tokens_day",
)


def check(settings: Settings) -> None:
    def need(condition: bool, name: str, why: str) -> None:
        if not condition:
            raise Misconfigured(f"{PREFIX}{name.upper()} {why}")

    need(0 < settings.port < 65_536, "PORT", "must be between 1 and 65535")
    need(settings.stranger_share <= 1, "STRANGER_SHARE", "must be at most 1")
    need(settings.billing in ("off", "prepaid"), "BILLING", "must be off or prepaid")
    need(settings.role in ROLES, "ROLE", "must be all, api, worker or lines")
    need(settings.workers <= MAX_WORKERS, "WORKERS", f"must be at most {MAX_WORKERS}")
    need(settings.leave_s <= MAX_LEAVE_S, "LEAVE_S", f"must be at most {MAX_LEAVE_S}")
    need(settings.linked_engine in ENGINES, "LINKED_ENGINE", "must be sandbox, neonize or tryx")
    need(
        settings.log_level in ("debug", "info", "warning", "error"),
        "LOG_LEVEL",
        "must be debug, info, warning or error",
    )
    need(0 <= settings.traces_share <= 1, "TRACES_SHARE", "must lie between 0 and 1")
    need(settings.log_format in ("text", "json"), "LOG_FORMAT", "must be text or json")
    for name in ("secret_key", "secret_key_previous"):
        text = getattr(settings, name)
        need(not text or len(text) >= 32, name, "must have at least 32 characters")
    token = settings.sandbox_token
    need(
        not token or re.fullmatch(r"[A-Za-z0-9_-]{16,}", token) is not None,
        "SANDBOX_TOKEN",
        "must be 16 or more letters, digits, - or _",
    )
    _check_figures(settings, need)
    proxy = re.fullmatch(r"(socks5|https?)://[^/\s]+/?", settings.linked_proxy)
    need(proxy is not None or not settings.linked_proxy, "LINKED_PROXY", "must be such as socks5://127.0.0.1:1080")
    _check_map(settings, need)
    _check_database(settings, need)
    _check_bus(settings, need)
    _check_media(settings, need)
    _check_mail(settings, need)
    for name in (
        "public_url", "cloud_base_url", "sandbox_url", "media_s3_endpoint", "reader_url", "stripe_url", "iyzico_url",
        "traces_url",
    ):  # fmt: skip
        _check_url(name, getattr(settings, name), need)
    need(
        bool(settings.reader_model) or not settings.reader_url, "READER_MODEL", f"must be set beside {PREFIX}READER_URL"
    )
    need(urlsplit(settings.public_url).path in ("", "/"), "PUBLIC_URL", "must not have a path")


def _check_figures(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    for item in fields(settings):
        value = getattr(settings, item.name)
        if item.type in ("int", "float"):
            need(math.isfinite(value), item.name, "must be a plain number")
            need(value >= 0, item.name, "must not be negative")
            need(value > 0 or item.name not in _POSITIVE, item.name, "must be more than 0")


def _check_map(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    tiles = re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?/[!-~]*", settings.map_tiles_url)
    has_places = all(f"{{{name}}}" in settings.map_tiles_url for name in "zxy")
    need(
        not settings.map_tiles_url or (tiles is not None and has_places),
        "MAP_TILES_URL",
        "must be such as https://tiles.example.com/{z}/{x}/{y}.png",
    )
    need(
        bool(settings.map_tiles_credit) or not settings.map_tiles_url,
        "MAP_TILES_CREDIT",
        f"must be set beside {PREFIX}MAP_TILES_URL",
    )


def _check_database(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    scheme, _, rest = settings.effective_database_url.partition("://")
    known = (scheme == "sqlite" and rest.startswith("/") and len(rest) > 1) or (scheme == "postgresql" and rest != "")
    need(known, "DATABASE_URL", "must be sqlite:///path or postgresql://user:password@host/name")


def _check_bus(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    one = r"(nats|tls)://[^/,\s]+"
    need(
        not settings.nats_url or re.fullmatch(rf"{one}(\s*,\s*{one})*", settings.nats_url) is not None,
        "NATS_URL",
        "must be such as nats://host:4222, or several such with commas between",
    )


def _check_media(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    bucket = r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._/-]*)?"
    need(
        not settings.media_url or re.fullmatch(bucket, settings.media_url) is not None,
        "MEDIA_URL",
        "must be s3://bucket or s3://bucket/prefix",
    )
    access, secret = bool(settings.media_s3_access_key), bool(settings.media_s3_secret_key)
    need(secret or not access, "MEDIA_S3_ACCESS_KEY", f"needs {PREFIX}MEDIA_S3_SECRET_KEY beside it")
    need(access or not secret, "MEDIA_S3_SECRET_KEY", f"needs {PREFIX}MEDIA_S3_ACCESS_KEY beside it")
    plain = all(re.fullmatch(r"[a-z0-9.-]+", host) for host in settings.cloud_media_hosts)
    need(plain, "CLOUD_MEDIA_HOSTS", "must be host names without scheme, port or path, separated by commas")


def _check_mail(settings: Settings, need: Callable[[bool, str, str], None]) -> None:
    try:
        parts = urlsplit(settings.smtp_url)
        whole = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.port != 0 and not parts.query
    except ValueError:
        whole = False
    need(whole or not settings.smtp_url, "SMTP_URL", "must be smtp://host:587 or smtps://user:password@host:465")
    address = parseaddr(settings.mail_from)[1]
    named = "@" in address and settings.mail_from.isprintable()
    need(named or not settings.mail_from, "MAIL_FROM", "must be an address such as Tablegram <desk@example.com>")
    need(named or not settings.smtp_url, "MAIL_FROM", f"must be set beside {PREFIX}SMTP_URL")


def _check_url(name: str, url: str, need: Callable[[bool, str, str], None]) -> None:
    if not url:
        return
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    need(whole, name, "must be an address such as https://host or http://host:8000")
    need(not parts.query and not parts.fragment, name, "must not have a query or a fragment")
