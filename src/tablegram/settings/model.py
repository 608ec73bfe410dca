"""Every setting with its default, and a sentence that says what it is for and why the figure is what it is."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PREFIX = "TABLEGRAM_"
ROLES = ("all", "api", "worker", "lines")
# Each holds a dozen connections to the database.
MAX_WORKERS = 64
# Who waits longer to be gone is taken for stuck.
MAX_LEAVE_S = 300
ENGINES = ("", "sandbox", "neonize", "tryx")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _setting(default: Any, doc: str) -> Any:
    if isinstance(default, list | dict):
        raise TypeError("defaults are immutable")
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    # Where it listens and how the world sees it.
    host: str = _setting("127.0.0.1", "Address the server listens on. Loopback, so that a first start is private.")
    port: int = _setting(8000, "Port the server listens on.")
    public_url: str = _setting(
        "",
        "Address under which others reach this installation, without a path; callback URLs are built from it. Empty: http://HOST:PORT.",
    )
    role: str = _setting(
        "all",
        "What this process does: api answers requests, worker processes queues, lines runs the lines, all does everything. Roles other than all need PostgreSQL.",
    )
    workers: int = _setting(
        1, "Processes that share the port on this machine, each with the same role; more than one needs PostgreSQL."
    )
    leave_s: float = _setting(
        0.0,
        "Seconds for which a server that was told to end (SIGTERM) still takes requests: /readyz returns 503 meanwhile, so that whoever distributes requests by it moves on before the port closes. Longer than its checks need to notice, 10 for most. 0: ends at once, right for one server.",
    )
    trusted_proxies: tuple[Network, ...] = _setting(
        (), "Networks (comma-separated CIDRs) whose X-Forwarded-For is trusted to identify callers by address."
    )
    metrics_public: bool = _setting(False, "Serve /metrics to addresses other than loopback.")
    log_level: str = _setting("info", "One of debug, info, warning, error.")
    log_format: str = _setting("text", "text: lines for people. json: one object per line, for log collectors.")
    log_trail: bool = _setting(
        False,
        "Log a line for each step of each message: requested, accepted, sent, reported, delivered to an endpoint; each with the id of the request that started it. A busy installation writes thousands a second.",
    )

    traces_url: str = _setting(
        "",
        "Where to send OpenTelemetry traces (OTLP over HTTP), such as http://127.0.0.1:4318/v1/traces. Empty: no traces. Needs: make traces.",
    )
    traces_share: float = _setting(
        1.0, "Share of requests to trace, from 0 to 1; a call with a traceparent decides for itself."
    )

    # What it keeps, and where.
    data_dir: Path = _setting(
        Path(".tablegram"),
        "Folder of the SQLite file, the secret key, the sandbox's file and the lock of the running server.",
    )
    database_url: str = _setting(
        "", "sqlite:///path or postgresql://user:password@host/name. Empty: a SQLite file in DATA_DIR."
    )
    secret_key: str = _setting(
        "",
        "Seals secrets at rest and peppers key hashes; at least 32 characters. Empty: created once, in DATA_DIR/secret.key, mode 0600.",
    )
    secret_key_previous: str = _setting(
        "", "The former secret key during a rotation: opens what the new one cannot open yet."
    )

    nats_url: str = _setting(
        "",
        "Address of a NATS server over which several servers of one PostgreSQL database call each other, such as nats://user:password@host:4222; several are separated by commas. Needs the extra nats. Empty: they call each other over the database.",
    )

    media_url: str = _setting(
        "", "Where to store customers' files: s3://bucket or s3://bucket/prefix. Empty: the folder DATA_DIR/media."
    )
    media_s3_endpoint: str = _setting(
        "", "Address of the S3-compatible server. Empty: the public cloud's address for MEDIA_S3_REGION."
    )
    media_s3_region: str = _setting("us-east-1", "Region of the bucket; most other S3-compatible servers take any.")
    media_s3_access_key: str = _setting("", "Access key of the bucket. Empty: the role of the machine itself.")
    media_s3_secret_key: str = _setting("", "Secret key that belongs to MEDIA_S3_ACCESS_KEY.")

    # The networks on the other side.
    sandbox: bool = _setting(False, "Serve the sandbox network and its phone page under /sandbox. Off unless 1.")
    sandbox_url: str = _setting(
        "", "Address of a sandbox network that runs separately (tablegram sandbox). Empty: the one inside this server."
    )
    sandbox_token: str = _setting(
        "",
        "Lets another device use the sandbox's phones (make run LAN=1 creates one at each start); 16 characters or more. Empty: only this machine, and people who are signed in.",
    )
    sandbox_pace: float = _setting(0.0, "Messages per second of a sandbox line without its own pace; 0 is no limit.")
    cloud_base_url: str = _setting(
        "https://graph.facebook.com", "Address of the Cloud API, for every cloud line of the installation."
    )
    cloud_media_hosts: tuple[str, ...] = _setting(
        ("lookaside.fbsbx.com",),
        "Hosts (comma-separated) besides the Cloud API's own from which its files may be fetched; the access token goes to no other.",
    )
    cloud_api_version: str = _setting("v25.0", "Version segment of the Cloud API's paths.")
    stripe_url: str = _setting("", "Address of Stripe's API, for every connected Stripe account. Empty: Stripe's own.")
    iyzico_url: str = _setting(
        "",
        "Address of iyzico's API, for keys of either mode. Empty: iyzico's own, its sandbox for keys of the sandbox.",
    )
    allowed_private_targets: tuple[Network, ...] = _setting(
        (),
        "Networks (comma-separated CIDRs) that outgoing calls may reach although they are private; plain http and any port are allowed only there.",
    )

    # A language model that reads what guests write, where the rules do not. Each account switches it on for itself.
    reader_url: str = _setting(
        "",
        "Address of an OpenAI-compatible server up to /chat/completions, such as https://host/v1; it may be private, and plain http. Empty: no model. What it gets: docs/explanation/language-model.md.",
    )
    reader_model: str = _setting("", "Name of the model there; needed with READER_URL.")
    reader_key: str = _setting("", "Key for that server. Empty: it needs none.")
    reader_calls_day: int = _setting(
        500, "Texts per account and UTC day that the model may read; a busy evening has about 100."
    )
    reader_tokens_day: int = _setting(
        2_000_000,
        "Tokens that one account may spend on the model in a day. A call reserves about 30,000 and gives back what it did not use.",
    )

    # Letters: invitations and links for a new password.
    smtp_url: str = _setting(
        "",
        "Mail server for invitations and password links: smtp://user:password@host:587 (switches to TLS if offered) or smtps://user:password@host:465. Empty: create links with tablegram member link; with one account, the team page shows them too.",
    )
    mail_from: str = _setting("", "Sender of these mails, such as Tablegram <desk@example.com>; needed with SMTP_URL.")

    # What a caller may do.
    rate_limit: float = _setting(50.0, "Requests per second for each API key.")
    rate_burst: int = _setting(100, "Requests that a key may make at once before the rate applies.")
    anonymous_rate_limit: float = _setting(20.0, "Requests per second for each address without a valid key.")
    anonymous_rate_burst: int = _setting(60, "Requests that such an address may make at once.")
    courier_forget_min: int = _setting(
        10,
        "Minutes after a delivery during which its courier still sees the guest's number and address, in case something was forgotten; 0 hides them at once.",
    )
    map_tiles_url: str = _setting(
        "",
        "Tiles for the map of delivery zones, such as https://tiles.example.com/{z}/{x}/{y}.png. Empty: a plain grid, which calls no host. Your staff's browsers call this host and no other.",
    )
    map_tiles_credit: str = _setting("", "Attribution to show beside the map, as its owner requires.")
    guest_carts_h: int = _setting(
        1_500,
        "Carts that guests behind one address may open on the menu page in an hour; enough for 80 tables of 8 that share an address and start twice. A table may open a tenth of that, a venue 4 times, the installation 20 times as many; 0 is no limit.",
    )
    guest_orders_h: int = _setting(
        300, "Orders that guests behind one address may place on the page in an hour; shares as for GUEST_CARTS_H."
    )
    guest_calls_h: int = _setting(
        300, "Calls for the waiter or the bill from one address in an hour; shares as for GUEST_CARTS_H."
    )
    stranger_share: float = _setting(
        0.1,
        "Share of the three limits above for visitors who have not scanned a table's code, separate from guests who have; use 1 if tables have no codes.",
    )
    max_body_bytes: int = _setting(
        1_048_576, "Largest request body of the API; 1 MiB holds a full batch of 100 messages."
    )
    max_header_bytes: int = _setting(32_768, "Largest request header; a larger one gets 431.")
    body_idle_s: float = _setting(15.0, "Seconds without a byte of the body before a slow client gets 408.")
    body_within_s: float = _setting(
        60.0, "Seconds that a whole body may take, plus one for each 16 KiB received; then 408."
    )
    page_rate_limit: float = _setting(
        60.0,
        "Requests per second to the panel for each address without a session. Signed-in staff do not count here, so guests on the same network cannot lock them out.",
    )
    page_rate_burst: int = _setting(600, "Requests that such an address may make at once.")
    session_rate_limit: float = _setting(
        20.0, "Requests per second to the panel for each session; a busy board asks for one or two."
    )
    session_rate_burst: int = _setting(300, "Requests that a session may make at once.")
    connections_per_address: int = _setting(
        500,
        "Connections that one address (a /64 of IPv6) may have open at once; 0 is no limit. All guests of a restaurant may share one address, and each open page holds one connection. Behind TRUSTED_PROXIES, the limit is for running requests of each forwarded address.",
    )
    max_connections: int = _setting(
        4_000,
        "Connections that may be open at once in total, and never more than five eighths of the files that the process may open. When there is no room, the connection that has been silent longest is closed.",
    )
    file_workers: int = _setting(
        2,
        "Files of customers (photos, menus, tables of contacts, codes to print) that are processed at once, each in a child process with limits. One account uses at most all but one of them, so 2 keep room for the others.",
    )
    billing: str = _setting(
        "off",
        "off: no quota, cost_usd only shows the price. prepaid: free quota first, then the account's balance is charged.",
    )
    rate_card: str = _setting("", "Path of a rate card (JSON) that replaces the shipped sample.")

    # Sending.
    send_budget_s: float = _setting(10.0, "Seconds a send call waits for the network before it answers queued.")
    queue_max_age_h: float = _setting(24.0, "Hours a queued message keeps trying before it fails.")
    unknown_wait_s: float = _setting(
        300.0, "Seconds to wait for a status callback when a send's outcome is unknown, before sending again."
    )
    cloud_pace: float = _setting(
        80.0, "Messages per second of a cloud line without its own pace: the network's default allowance."
    )
    linked_engine: str = _setting("", "What runs linked devices: sandbox, neonize or tryx. Empty: sandbox if the sandbox is on, otherwise neonize.")  # fmt: skip
    linked_host: str = _setting("", "Command of your own program that runs linked devices with the line protocol.")
    linked_proxy: str = _setting("", "Proxy for linked devices, such as socks5://127.0.0.1:1080. Empty: none.")
    linked_pace: float = _setting(1.0, "Messages per second of a linked device; faster ones get restricted.")
    linked_max_mb: int = _setting(
        400, "Megabytes that the program of one linked device may use; one that uses more is restarted."
    )
    linked_daily_cap: int = _setting(
        1_000,
        "Messages in 24 hours of a linked device without its own cap; more wait for the next day. 0 is no limit.",
    )
    linked_max_lines: int = _setting(
        200,
        "Linked devices that this process runs at once, each in its own program; one more waits and says so.",
    )
    recipient_interval_s: float = _setting(
        6.0, "Seconds between two messages to one recipient on a cloud line, once the burst is used up."
    )
    recipient_burst: int = _setting(45, "Messages to one recipient on a cloud line that may go at once.")

    lease_s: float = _setting(
        9.0,
        "Seconds that a silent process keeps its lines, endpoints and transactions before another process of the same database takes over. Set the same value everywhere. With 9, others take over within 15 seconds. SQLite, which one process serves, uses at least 60.",
    )

    # How long things are kept.
    idempotency_h: float = _setting(24.0, "Hours an Idempotency-Key is remembered.")
    request_log_days: int = _setting(30, "Days the API request log is kept.")
    request_body_days: int = _setting(
        7,
        "Days the bodies of API calls are kept, for accounts that switch it on. They hold guests' words, so keep them for a few days only.",
    )
    inbox_days: int = _setting(30, "Days raw callbacks are kept.")
    audit_days: int = _setting(365, "Days the audit log is kept; 0 keeps it forever.")
    media_days: int = _setting(0, "Days customers' files are kept; 0 keeps them as long as their messages.")
    message_days: int = _setting(0, "Days messages are kept after their last change; 0 keeps them forever.")

    # For tests only.
    crash_at: str = _setting(
        "", "Name of a crash point, optionally with :N for its Nth pass; the process kills itself there. Tests only."
    )
    freeze_at: str = _setting(
        "", "The same, but the process freezes itself there and continues on SIGCONT. Tests only."
    )

    @property
    def base_url(self) -> str:
        """Scheme, host and port of this installation, without a trailing slash."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def local_url(self) -> str:
        """How a process of the same machine reaches this server."""
        return f"http://{'127.0.0.1' if self.host in ('0.0.0.0', '::') else self.host}:{self.port}"

    @property
    def effective_database_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'tablegram.db'}"

    @property
    def effective_lease_s(self) -> float:
        """Where nobody waits to take over, a slow disk shall cost nobody a lease, and an idle one is left alone."""
        is_shared = self.effective_database_url.startswith("postgresql")
        return self.lease_s if is_shared else max(self.lease_s, 60.0)

    @property
    def effective_sandbox_url(self) -> str:
        return self.sandbox_url.rstrip("/") or f"http://127.0.0.1:{self.port}/sandbox"
