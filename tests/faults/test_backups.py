"""A backup of a running installation, restored elsewhere: all of it, at one moment, and nothing is sent twice."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tablegram.errors import Conflict
from tablegram.storage.database import sqlite_path
from tablegram.storage.upkeep import archive
from tests.faults.burst import Burst, every_message, settle
from tests.faults.looking import network_stands_still
from tests.ports import free_port
from tests.product import Process, Product, run_cli, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.later, pytest.mark.timeout(180)]


def elsewhere(product: Product, folder: Path, url: str, name: str = "restored") -> dict[str, str]:
    """The environment of a second installation with the same secret key and the same network."""
    data_dir = folder / name
    data_dir.mkdir()
    shutil.copy(product.data_dir / "secret.key", data_dir / "secret.key")
    return {
        **product.environment,
        "TABLEGRAM_DATABASE_URL": url,
        "TABLEGRAM_DATA_DIR": str(data_dir),
        "TABLEGRAM_PORT": str(free_port()),
    }


async def back_up_under_load(product: Product, file: Path) -> dict[str, int]:
    async with Burst(product, connections=6, pause_s=0.01) as burst:
        await burst.run_for(0.5)
        made = await asyncio.to_thread(product.cli, "backup", str(file))
        await burst.run_for(0.2)
    assert len(burst.sent) > made["rows"]["messages"] > 0, "sends went on before and after the backup's moment"
    return dict(made["rows"])


def rows_in(file: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    with gzip.open(file, "rt") as lines:
        for line in lines:
            table = json.loads(line).get("t")
            if table is not None:
                counts[table] = counts.get(table, 0) + 1
    return counts


def test_a_backup_under_load_restores_whole_and_sends_nothing_twice(
    make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    file = tmp_path / "backup.gz"
    with running_product(
        make_database_url(), sandbox_alone=True, settings={"TABLEGRAM_UNKNOWN_WAIT_S": "2"}
    ) as product:
        counts = asyncio.run(back_up_under_load(product, file))
        settle(product)
        sent = product.sandbox_call("GET", "/counters")["accepted"]
        product.server.stop()
        environment = elsewhere(product, tmp_path, make_database_url(migrated=False))
        done = run_cli("restore", str(file), "--json", environment=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        restored = json.loads(done.stdout)
        assert restored["rows"] == {table: count for table, count in counts.items() if count} == rows_in(file)
        url = f"http://127.0.0.1:{environment['TABLEGRAM_PORT']}"
        server = Process(["serve"], environment, tmp_path / "restored.log", f"{url}/readyz")
        server.start()
        try:
            second = Product(url, product.key, environment, tmp_path, server, None, product.sandbox_url)
            found = every_message(second)
            assert len(found) == counts["messages"]
            assert not [one for one in found if one["status"] == "queued"]
            unsent = [one for one in found if one["status"] == "failed"]
            assert {one["error"]["code"] for one in unsent} <= {"restored_unsent"}
            assert len(unsent) <= restored["restored_unsent"]
            assert second.send("905551112233", "life goes on")[1]["status_code"] == "sent"
            settle(second)
            counters = product.sandbox_call("GET", "/counters")
            assert (counters["accepted"], counters["duplicates"]) == (sent + 1, 0)
            checked = run_cli("doctor", environment=environment)
            assert checked.returncode == 0, checked.stdout + checked.stderr
        finally:
            server.stop()


def test_a_damaged_backup_is_refused_in_plain_words_and_nothing_is_half_loaded(
    make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    good = tmp_path / "good.gz"
    with running_product(make_database_url()) as product:
        for number in range(30):
            product.send("905551112233", f"number {number}")
        product.cli("backup", str(good))
        environment = elsewhere(product, tmp_path, make_database_url(migrated=False))
    whole = good.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    damaged = {
        "empty": b"",
        "something else": b"not a backup at all",
        "another document": gzip.compress(b"[1, 2]\n"),
        "cut off in its head": whole[:15],
        "cut off in the middle": whole[: len(whole) // 2],
        "cut off at the end": whole[:-20],
        "without its last line": gzip.compress(b"".join(lines[:-1])),
        "without some rows": gzip.compress(b"".join(lines[:-6] + lines[-1:])),
        "a flipped bit": whole[: len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1 :],
    }
    bad = tmp_path / "bad.gz"
    # What is wrong with a file is seen alike before every database; what a database has taken by then, it must give back.
    tried = damaged if sqlite_path(environment["TABLEGRAM_DATABASE_URL"]) else dict([*damaged.items()][4:9:2])
    for name, content in tried.items():
        bad.write_bytes(content)
        with pytest.raises(Conflict) as refusal:
            archive.load(environment["TABLEGRAM_DATABASE_URL"], bad)
        assert refusal.value.code in ("backup_damaged", "backup_unreadable"), name
    # The last of them through the command itself: one plain sentence and no trace of the program's insides.
    done = run_cli("restore", str(bad), environment=environment)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ")
    assert "Traceback" not in done.stderr
    done = run_cli("restore", str(good), "--json", environment=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["rows"] == rows_in(good)
    again = run_cli("restore", str(good), environment=environment)
    assert again.returncode == 1
    assert "not empty" in again.stderr


def test_a_message_that_was_being_sent_at_the_moment_of_the_backup_is_taken_up_again(
    make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    file, phone = tmp_path / "backup.gz", "905551112233"
    settings = {"TABLEGRAM_UNKNOWN_WAIT_S": "8"}
    with running_product(make_database_url(), sandbox_alone=True, settings=settings) as product:
        product.sandbox_call("POST", "/faults", {"kind": "latency", "ms": 4_000, "times": 1})
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(product.send, phone, "under way")
            wait_until(lambda: len(every_message(product)) == 1, "the send to be under way")
            with network_stands_still(product):
                product.cli("backup", str(file))
                assert not sending.done()
                product.server.kill()
            assert isinstance(sending.exception(), OSError)
        environment = elsewhere(product, tmp_path, make_database_url(migrated=False))
        done = run_cli("restore", str(file), "--send-queued", environment=environment)
        assert done.returncode == 0, done.stdout + done.stderr
        url = f"http://127.0.0.1:{environment['TABLEGRAM_PORT']}"
        server = Process(["serve"], environment, tmp_path / "restored.log", f"{url}/readyz")
        server.start()
        try:
            second = Product(url, product.key, environment, tmp_path, server, None, product.sandbox_url)
            wait_until(lambda: [one["status"] for one in every_message(second)] == ["delivered"], "its delivery", 60)
            assert product.sandbox_call("GET", "/counters")["duplicates"] == 0
        finally:
            server.stop()
