"""The demo data of a product, loaded once for all products of a run that start alike.

To load them takes longer than to start the server. What the command has made is kept: a database, the files beside it, and what
it said; the next product gets a copy. That holds for a file that has just been migrated. A server's database is filled by the
command itself.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from tests.databases import TEMPLATES, settle

FILE = "sqlite:///"
# What differs from product to product, and is found in nothing but the links that the command prints.
OF_ITS_OWN = ("TABLEGRAM_DATABASE_URL", "TABLEGRAM_DATA_DIR", "TABLEGRAM_PORT", "TABLEGRAM_SANDBOX_URL",
              "TABLEGRAM_CLOUD_BASE_URL")  # fmt: skip

Said = dict[str, Any]


def load_demo(environment: Mapping[str, str], load: Callable[[], Said]) -> Said:
    """What `load` answers, which runs the command with this environment; the database is as after it."""
    url, beside = environment["TABLEGRAM_DATABASE_URL"], Path(environment["TABLEGRAM_DATA_DIR"])
    database = Path(url.removeprefix(FILE))
    if not url.startswith(FILE) or any(beside.iterdir()) or not _is_new(database):
        return load()
    port = environment["TABLEGRAM_PORT"]
    kept = _kept_in() / f"demo-{_named(environment)}"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (kept / "said.json").exists():
            said = load()
            settle(database)
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(beside, kept / "beside")
            shutil.copyfile(database, kept / "database")
            (kept / "said.json").write_text(json.dumps([port, said]))
            return said
    shutil.copyfile(kept / "database", database)
    shutil.copytree(kept / "beside", beside, dirs_exist_ok=True)
    made_at, said = json.loads((kept / "said.json").read_text())
    answer: Said = json.loads(json.dumps(said).replace(f"127.0.0.1:{made_at}", f"127.0.0.1:{port}"))
    return answer


def _is_new(database: Path) -> bool:
    """Whether nobody has done anything in it."""
    if not database.exists() or Path(f"{database}-wal").exists():
        return False
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        tables = opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").fetchone()
        return tables is not None and opened.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is None


def _named(environment: Mapping[str, str]) -> str:
    settings = {name: value for name, value in environment.items() if name.startswith("TABLEGRAM_")}
    alike = sorted((name, value) for name, value in settings.items() if name not in OF_ITS_OWN)
    return hashlib.sha256(json.dumps(alike).encode()).hexdigest()[:16]


@cache
def _folder_of_our_own() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="tablegram-demo-")


def _kept_in() -> Path:
    shared = os.environ.get(TEMPLATES)
    return Path(shared or _folder_of_our_own().name)
