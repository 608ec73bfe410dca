"""Finding a contact among 100,000, beside reading one row by its key.

    python -m bench.contacts                          both databases
    python -m bench.contacts --contacts 10000 --db sqlite

Names and messages are made up of Turkish words with the frequencies of a real address book: some names are common, a few
letters are the beginning of very many. Each kind of search runs many times with other words; so does the plain read, on
the same connection. Compare p95 within a row.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg
import uvloop

from tablegram.crm import search
from tablegram.crm.contacts import new_contact
from tablegram.crm.store import contacts as store
from tablegram.crm.store import terms as term_store
from tablegram.crm.terms import parse_query, profile_terms, said_terms
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx, open_database
from tests.databases import open_databases

FIRST = "Ayşe Fatma Emine Hatice Zeynep Elif Meryem Şerife Zehra Sultan Mehmet Mustafa Ahmet Ali Hüseyin Hasan İbrahim İsmail Osman Yusuf Murat Ömer Ramazan Halil Süleyman Işıl Çağla Gökhan Ünal Özge"
LAST = "Yılmaz Kaya Demir Şahin Çelik Yıldız Yıldırım Öztürk Aydın Özdemir Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özkan Şimşek"
SAID = "merhaba masa rezervasyon yarın akşam iki kişi dört menü fiyat adres açık mısınız teşekkürler künefe kebap ayran paket servis sipariş nerede kaldı alerji fıstık vegan doğum günü pasta sürpriz iptal kapıda kart nakit hesap fatura park bahçe sessiz"
SYLLABLES = (
    "ka ra de mir can tan gül bar sel nur ok tay er dem al per sen gün doğ ay az iz um ut ben bey kan tek öz iş ler"
)
CHUNK = 500
RUNS = 300
HERE = Path(__file__).parent

Figures = dict[str, Any]


class Book:
    """An address book, the same at every run."""

    def __init__(self, count: int) -> None:
        self.chance = random.Random(7)
        self.count = count
        self.ids = [f"{number:026}" for number in range(count)]

    def phone(self, number: int) -> str:
        return f"905{300_000_000 + number * 7_919 % 700_000_000}"

    def name(self) -> str:
        # Half of the last names are among the twenty most common, the others are of all kinds.
        rare = "".join(self.chance.choices(SYLLABLES.split(), k=3)).capitalize()
        last = self.chance.choice(LAST.split()) if self.chance.random() < 0.5 else rare
        return f"{self.chance.choice(FIRST.split())} {last}"

    async def fill(self, db: Database) -> None:
        for start in range(0, self.count, CHUNK):
            rows, aliases, terms = [], [], []
            for number in range(start, min(start + CHUNK, self.count)):
                contact_id, phone, name = self.ids[number], self.phone(number), self.name()
                seen_at = self.chance.randrange(10**12, 2 * 10**12)
                rows.append(new_contact(1, contact_id, name, seen_at))
                aliases.append({"account_id": 1, "kind": "phone", "value": phone, "contact_id": contact_id})
                said = said_terms(" ".join(self.chance.choices(SAID.split(), k=12)))
                own = profile_terms(name, "", [], [("phone", phone)])
                for source, found, at in (("profile", own, None), ("said", said, seen_at)):
                    of_them = {"account_id": 1, "contact_id": contact_id, "source": source, "said_at": at}
                    terms += [{**of_them, "term": term} for term in found]

            async def keep(tx: Tx, rows: Any = rows, aliases: Any = aliases, terms: Any = terms) -> None:
                await tx.many(store.INSERT, rows)
                await tx.many(store.CLAIM_ALIAS, aliases)
                await tx.many(term_store.ADD, terms)

            await db.write(keep)

    def searches(self) -> dict[str, Callable[[], str]]:
        pick = self.chance.choice
        return {
            "first and last name": lambda: f"{pick(FIRST.split())} {pick(LAST.split())}",
            "a name while it is typed": lambda: pick(FIRST.split())[: self.chance.randint(1, 4)],
            "a rare last name": lambda: "".join(self.chance.choices(SYLLABLES.split(), k=3)),
            "a whole number": lambda: self.phone(self.chance.randrange(self.count)),
            "the end of a number": lambda: self.phone(self.chance.randrange(self.count))[-5:],
            "a word of a message": lambda: pick(SAID.split()),
            "a name and a word of a message": lambda: (
                f"{pick(FIRST.split())} {pick(LAST.split())} {pick(SAID.split())}"
            ),
        }


async def measure(url: str, count: int) -> Figures:
    db = open_database(Settings(database_url=url))
    await db.open()
    book = Book(count)
    kind = url.partition(":")[0]
    print(f"{kind}: {count:,} contacts are filled in …", file=sys.stderr, flush=True)
    started = time.perf_counter()
    await book.fill(db)
    # A server gathers its figures by itself after a while; here it would be in the middle of the measurement.
    await _gather_figures(url)
    figures: Figures = {"filled_s": time.perf_counter() - started, "contacts": count}

    print(f"{kind}: {RUNS} searches of each kind …", file=sys.stderr, flush=True)

    async def read() -> object:
        return await db.first(store.GET, {"b_account": 1, "b_id": book.chance.choice(book.ids)})

    figures["plain read by key"] = await _times(read)
    for name, words in book.searches().items():

        async def find(words: Callable[[], str] = words) -> object:
            wanted = search.ContactSearch(1, parse_query(words()), None, None, 51)
            return await db.snapshot(lambda tx: search.find(tx, wanted))

        figures[name] = await _times(find)
    await db.close()
    return figures


async def _gather_figures(url: str) -> None:
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        await connection.execute("VACUUM ANALYZE")
        await connection.close()


async def _times(call: Callable[[], Awaitable[object]]) -> dict[str, float]:
    for _ in range(20):
        await call()
    took = []
    for _ in range(RUNS):
        started = time.perf_counter()
        await call()
        took.append((time.perf_counter() - started) * 1_000)
    cuts = statistics.quantiles(took, n=100)
    return {"p50_ms": cuts[49], "p95_ms": cuts[94], "max_ms": max(took)}


def report(results: dict[str, Figures]) -> list[str]:
    lines = [
        "| database | search among the contacts | p50 ms | p95 ms | slowest ms | p95 ÷ plain read |",
        "|---|---|---|---|---|---|",
    ]
    for kind, figures in results.items():
        plain = figures["plain read by key"]["p95_ms"]
        for name, one in figures.items():
            if isinstance(one, dict):
                times = f"{one['p50_ms']:.2f} | {one['p95_ms']:.2f} | {one['max_ms']:.1f} | {one['p95_ms'] / plain:.1f}"
                lines.append(f"| {kind} | {name} | {times} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    parser.add_argument("--quick", action="store_true", help="10,000 contacts")
    options = parser.parse_args()
    count = 10_000 if options.quick else options.contacts
    results: dict[str, Figures] = {}
    for kind in options.db or ["sqlite", "postgresql"]:
        databases = open_databases(kind)
        try:
            url = databases.migrated()
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                results[kind] = runner.run(measure(url, count))
        finally:
            databases.close()
    print(f"{count:,} contacts, {RUNS} searches of each kind, one at a time.")
    print("\n".join(report(results)))
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / "contacts.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
