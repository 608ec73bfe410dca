"""Several processes of one installation: a port that they share, and roles that share the work."""

from __future__ import annotations

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.pair import second
from tests.product import Product, fetch, prepare, run_cli, running_product, wait_until

SETTINGS = {
    "TABLEGRAM_SECRET_KEY": "the same secret key for all servers of one test",
    "TABLEGRAM_LEASE_S": "2",
    "TABLEGRAM_UNKNOWN_WAIT_S": "3",
}


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def workers_in(page: bytes | str) -> set[str]:
    return set(re.findall(r'tablegram_sends_accepted_total\{worker="(\d+)"\}', str(page)))


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


@pytest.mark.shared
@pytest.mark.slow
def test_processes_that_share_a_port_are_watched_and_end_together(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings={**SETTINGS, "TABLEGRAM_WORKERS": "2"}) as product:
        # Said once for all of them, when the last one listens.
        wait_until(lambda: "Tablegram listens" in product.server.said(), "all to listen")
        before = children(product.server.pid)
        assert len(before) == 2
        sent = 0
        for victim in sorted(before):
            os.kill(victim, signal.SIGKILL)
            wait_until(lambda: not runs(victim), "its end")  # noqa: B023
            # While one is dead the others answer, and nobody who calls is refused.
            for _ in range(10):
                status, answer = product.send("905551112233", f"number {sent}")
                assert status == 200, answer
                sent += 1
            wait_until(lambda: len(children(product.server.pid)) == 2, "another in its place")
        after = children(product.server.pid)
        assert not before & after
        wait_until(lambda: len(product.on_phone("905551112233")) == sent, "every message on the phone")
        # Whichever of them is asked for figures answers for both.
        wait_until(lambda: workers_in(fetch(f"{product.url}/metrics")[1]) == {"0", "1"}, "the figures of both")
        # Each once; what was on its way in the one that died comes later.
        texts = [one["text"] for one in product.on_phone("905551112233")]
        assert sorted(texts) == sorted(f"number {n}" for n in range(sent))
        assert product.server.stop() in (0, -signal.SIGTERM)
        assert product.server.said().count("Tablegram listens") == 1
        assert not any(runs(pid) for pid in after)


@pytest.mark.shared
@pytest.mark.slow
def test_processes_serve_where_what_they_say_cannot_be_written(database_url: str, tmp_path: Path) -> None:
    product = prepare(database_url, tmp_path, sandbox_alone=True, settings={**SETTINGS, "TABLEGRAM_WORKERS": "2"})
    assert product.sandbox is not None
    product.server.prints_to = Path("/dev/full")
    product.sandbox.start()
    product.server.start()
    try:
        said = "what the server says of itself cannot be written"
        wait_until(lambda: said in product.server.said(), "all to listen")
        assert len(children(product.server.pid)) == 2
        wait_until(lambda: product.send("905551112233", "hello")[0] == 200, "a message to go")
        assert product.server.stop() in (0, -signal.SIGTERM)
    finally:
        product.sandbox.stop()


@contextmanager
def another(one: Product, role: str) -> Iterator[Product]:
    with tempfile.TemporaryDirectory(prefix="tablegram-role-") as folder:
        made = second(one, Path(folder))
        made.server.environment["TABLEGRAM_ROLE"] = role
        made.server.start()
        try:
            yield made
        finally:
            if made.server.is_running():
                made.server.stop()


@pytest.mark.shared
@pytest.mark.slow
def test_a_process_does_what_its_role_says_and_passes_the_rest_on(database_url: str) -> None:
    with (
        running_product(database_url, sandbox_alone=True, settings=SETTINGS) as everything,
        another(everything, "api") as door,
        another(everything, "lines") as lines,
    ):
        # The one that does everything leaves, and hands over what it held.
        assert everything.server.stop() in (0, -signal.SIGTERM)
        for number in range(5):
            status, answer = door.send("905551112233", f"number {number}")
            # The door never speaks to a network itself.
            assert (status, answer["status_code"]) == (200, "queued"), answer
        wait_until(lambda: len(door.on_phone("905551112233")) == 5, "the lines to send")
        assert door.metric("sends_accepted_total") == 0
        assert lines.metric("sends_accepted_total") == 5
        assert [one["text"] for one in door.on_phone("905551112233")] == [f"number {n}" for n in range(5)]
        # Who answers no requests still says how it is.
        assert fetch(f"{lines.url}/readyz")[0] == 200
        assert fetch(f"{lines.url}/api/v1/instances")[0] == 404
        assert fetch(f"{door.url}/panel/")[0] in (200, 303)


@pytest.mark.once
def test_what_one_process_must_do_is_refused_for_several(tmp_path: Path) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")},
        "TABLEGRAM_DATA_DIR": str(tmp_path),
    }
    for arguments in (["--workers", "2"], ["--role", "worker"]):
        done = run_cli("serve", *arguments, environment=environment)
        assert done.returncode != 0
        said = done.stdout + done.stderr
        assert f"{' '.join(arguments)} needs" in said
        assert "is served by one process" in said
    served = {**environment, "TABLEGRAM_DATABASE_URL": "postgresql://nobody@127.0.0.1/none", "TABLEGRAM_SANDBOX": "1"}
    done = run_cli("serve", "--workers", "2", environment=served)
    assert done.returncode != 0
    assert "TABLEGRAM_SANDBOX_URL" in done.stdout + done.stderr
