"""A PostgreSQL database as after two years of one busy account: what is there is made by the server itself.

Ids, indexes and contents are those that the product makes. Indexes are taken away while the rows come in and made again after
them, and the server has counted everything at the end.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import asyncpg

from bench.contacts import FIRST, LAST, SAID, SYLLABLES
from bench.generator import TEXT

DAY_MS = 86_400_000
DAYS = 730
TABLES = ("messages", "contacts", "contact_aliases", "contact_terms", "events", "deliveries", "request_log", "inbox")
# Kept for 30 days, and so no more than one in 24 of all messages: events of what came in, their deliveries, raw callbacks and calls.
KEPT_DAYS = 30
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"

_HELP = f"""
CREATE FUNCTION pg_temp.id_of(ms bigint, n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT {" || ".join(f"substr('{_LETTERS}', (ms >> {shift} & 31)::int + 1, 1)" for shift in range(45, -1, -5))} || lpad(n::text, 16, '0')
$$;
CREATE FUNCTION pg_temp.one_of(names text[], n bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT names[1 + abs(n) % cardinality(names)]
$$;
CREATE FUNCTION pg_temp.folded(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT translate(lower(translate(word, 'Iİ', 'ii')), 'ışğüöçâ', 'isguoca')
$$;
"""
# The first contacts are those whom the load writes to and hears from. Half of the last names are among the common ones; one is nobody
# else's, so that a search for that person finds one in either database.
ALONE, ALONES_NAME = 7, "Karaçalıoğlu"
_CONTACTS = f"""
CREATE UNLOGGED TABLE book AS
SELECT n, pg_temp.id_of($1::bigint + n, n) AS id, (905300000000 + n)::text AS phone,
    pg_temp.one_of($3::text[], n * 31 / 7) AS first,
    CASE WHEN n = {ALONE} THEN '{ALONES_NAME}' WHEN n % 2 = 0 THEN pg_temp.one_of($4::text[], n * 17 / 3)
        ELSE initcap(pg_temp.one_of($5::text[], n) || pg_temp.one_of($5::text[], n / 40) || pg_temp.one_of($5::text[], n / 1600)) END AS last,
    $1::bigint + (n * 7919 % $2::bigint) * ($6::bigint / $2::bigint) AS seen
FROM generate_series(0::bigint, $2::bigint - 1) AS n
"""
_FILL = {
    "contacts": """
INSERT INTO contacts (account_id, id, name, name_is_own, username, language, tags, notes, consent, consent_source, last_instance_id, first_seen_at, last_seen_at, window_until, birthday)
SELECT $1::bigint, id, first || ' ' || last, 0, '', 'tr', '[]', '', 'unknown', '', $2::bigint, seen - 86400000, seen, seen + 86400000, '' FROM book
""",
    "contact_aliases": "INSERT INTO contact_aliases (account_id, kind, value, contact_id) SELECT $1::bigint, 'phone', phone, id FROM book",
    "contact_terms": """
INSERT INTO contact_terms (account_id, term, contact_id, source, said_at)
SELECT $1::bigint, term, id, 'profile', NULL FROM book CROSS JOIN LATERAL unnest(ARRAY[pg_temp.folded(first), pg_temp.folded(last), phone, '~' || reverse(phone), substr(phone, 3)]) AS term
UNION SELECT $1::bigint, pg_temp.folded(pg_temp.one_of($2::text[], n * 13 / 5 + k * 7)), id, 'said', seen / 86400000 * 86400000 FROM book, generate_series(1, 5) AS k
""",
}
_MESSAGES = """
INSERT INTO messages (account_id, id, instance_id, direction, phone, type, text, content, state, priority, attempts, network_id, category, cost_micros, created_at, sent_at, delivered_at, read_at, failed_at, sent_by, trace)
SELECT $1::bigint, pg_temp.id_of(at, n), $2::bigint, CASE WHEN is_out THEN 'out' ELSE 'in' END, (905300000000 + n * 7919 % $4::bigint)::text, 'text', said,
    '{"content":{"type":"text","body":' || to_json(said) || '},"reply_to":""}',
    CASE WHEN NOT is_out THEN 'received' WHEN n % 97 = 0 THEN 'failed' WHEN n % 3 = 0 THEN 'delivered' ELSE 'read' END,
    10, is_out::int, 'wamid.HBgMOTA1MzAwMDAwMDAwFQIAERgS' || lpad(n::text, 20, '0'), 'service', CASE WHEN is_out THEN 5300 ELSE 0 END, at,
    CASE WHEN is_out THEN at + 300 END, CASE WHEN is_out AND n % 97 > 0 THEN at + 1200 END, CASE WHEN is_out AND n % 97 > 0 AND n % 3 > 0 THEN at + 60000 END,
    CASE WHEN is_out AND n % 97 = 0 THEN at + 900 END, CASE WHEN is_out THEN 'key:1' END, CASE WHEN is_out THEN 'req_' || lpad(n::text, 26, '0') END
FROM (SELECT n, $3::bigint + n * $5::bigint / $6::bigint AS at, n % 5 < 3 AS is_out,
        CASE WHEN n % 5 < 3 THEN $8::text ELSE pg_temp.one_of($7::text[], n) || ' ' || pg_temp.one_of($7::text[], n / 7) || ' ' || pg_temp.one_of($7::text[], n / 49) || ' ' || n % 9 END AS said
    FROM generate_series($9::bigint, $10::bigint) AS n) AS made
"""
_EVENTS = """
INSERT INTO events (account_id, id, type, sender, body, created_at)
SELECT account_id, 'evt_' || id, 'messages.upsert', phone, json_build_object('event', 'messages.upsert', 'data', json_build_object('message_id', 'gw.' || id, 'from', phone, 'text', text))::text, created_at
FROM messages WHERE account_id = $1 AND id > $2 AND direction = 'in'
"""
_DELIVERIES = """
INSERT INTO deliveries (account_id, webhook_id, event_id, sender, state, attempts, due_at, created_at, delivered_at, last_status)
SELECT account_id, $2, id, sender, 'delivered', 1, created_at, created_at, created_at + 40, 200 FROM events WHERE account_id = $1
"""
_CALLS = """
INSERT INTO request_log (account_id, id, request_id, key_id, method, path, status, duration_us, remote, created_at)
SELECT account_id, id, trace, '1', 'POST', '/api/v1/messages/send', 200, 2100, '192.0.2.7', created_at
FROM messages WHERE account_id = $1 AND id > $2 AND direction = 'out'
"""
_CALLBACKS = """
INSERT INTO inbox (account_id, source, external_id, body, received_at, done_at, due_at)
SELECT account_id, 'cloud:' || instance_id, encode(sha256(id::bytea), 'hex'), convert_to(content, 'UTF8'), created_at, created_at + 20, created_at
FROM messages WHERE account_id = $1 AND id > $2 AND direction = 'in'
"""
# The words of all these messages are findable: whoever walks behind them has been here (`crm/said/indexing`).
_INDEXED = """
INSERT INTO installation (name, value)
SELECT 'contacts_indexed:' || $1::bigint, max(id) FROM messages WHERE account_id = $1::bigint
UNION ALL SELECT 'contacts_met:' || $1::bigint, max(id) FROM contacts WHERE account_id = $1::bigint
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
PIECE = 500_000


async def fill(url: str, messages: int, contacts: int, webhook: str, now_ms: int) -> None:
    """The rows of account 1 and its line 1, up to a minute ago."""
    connection = await asyncpg.connect(url)
    try:
        for name, value in {
            "maintenance_work_mem": "512MB", "work_mem": "256MB", "synchronous_commit": "off", "max_parallel_maintenance_workers": "0",
        }.items():  # fmt: skip
            await connection.execute(f"SET {name} = '{value}'")
        await connection.execute(_HELP)
        await _fill(_Told(connection), messages, contacts, webhook, now_ms)
    finally:
        await connection.close()


class _Told:
    """A connection whose steps are told, with the time that they took."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def __call__(self, what: str, statement: str, *values: object) -> None:
        began = time.perf_counter()
        await self._connection.execute(statement, *values)
        print(f"  {what}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)

    async def rows(self, statement: str, *values: object) -> list[Any]:
        return list(await self._connection.fetch(statement, *values))


async def _fill(run: _Told, messages: int, contacts: int, webhook: str, now_ms: int) -> None:
    again = await _without_indexes(run)
    span = DAYS * DAY_MS
    began = now_ms - span - 60_000
    said = SAID.split()
    names = FIRST.split(), LAST.split(), SYLLABLES.split()
    await run("a book", _CONTACTS, began, contacts, *names, span)
    for table, statement in _FILL.items():
        values: tuple[object, ...] = {"contacts": (1, 1), "contact_terms": (1, said)}.get(table, (1,))
        await run(table, statement, *values)
    await run("the book", "DROP TABLE book")
    for first in range(0, messages, PIECE):
        last = min(first + PIECE, messages) - 1
        await run(
            f"messages up to {last + 1:,}", _MESSAGES, 1, 1, began, contacts, span, messages, said, TEXT, first, last
        )
    for name, statement in again:
        await run(name, statement)
    (since,) = await run.rows("SELECT pg_temp.id_of($1, 0) AS id", now_ms - KEPT_DAYS * DAY_MS)
    await run("events", _EVENTS, 1, since["id"])
    await run("deliveries", _DELIVERIES, 1, webhook)
    await run("calls", _CALLS, 1, since["id"])
    await run("callbacks", _CALLBACKS, 1, since["id"])
    await run("where the index of words stands", _INDEXED, 1)
    await run("vacuum and analyze", "VACUUM ANALYZE")
    await run("checkpoint", "CHECKPOINT")


async def _without_indexes(run: _Told) -> list[tuple[str, str]]:
    """Take the indexes of the large tables away; returns what makes them again."""
    large = ["messages", "contacts", "contact_aliases", "contact_terms"]
    again: list[tuple[str, str]] = []
    for row in await run.rows(
        "SELECT conrelid::regclass::text AS of, conname, pg_get_constraintdef(oid) AS made FROM pg_constraint"
        " WHERE conrelid::regclass::text = ANY($1) AND contype IN ('p', 'u')",
        large,
    ):
        again.append((row["conname"], f"ALTER TABLE {row['of']} ADD CONSTRAINT {row['conname']} {row['made']}"))
        await run(f"without {row['conname']}", f"ALTER TABLE {row['of']} DROP CONSTRAINT {row['conname']}")
    for row in await run.rows("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = ANY($1)", large):
        again.append((row["indexname"], row["indexdef"]))
        await run(f"without {row['indexname']}", f"DROP INDEX {row['indexname']}")
    return again
