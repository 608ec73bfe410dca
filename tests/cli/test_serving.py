"""tablegram demo, serve, sandbox: the commands that stay, and how they end."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablegram.accounts.keys.key_format import looks_valid
from tablegram.cli import session
from tablegram.storage import migrate
from tests.cli.program import Program
from tests.databases import Databases
from tests.ports import free_port
from tests.product import Process, Product, cli_json, fetch, prepare, run_cli, running_product, wait_until

# A process that tidied up may end by itself or by the signal that it was sent; a service manager takes both as well.
ENDED = (0, -signal.SIGTERM)


def test_the_demo_prints_a_key_and_a_command_to_paste(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABLEGRAM_PORT", "8123")
    words = program("demo")
    told = program.json("demo")
    assert looks_valid(told["key"])
    assert told["url"] == "http://127.0.0.1:8123"
    for part in (told["key"], told["curl"], told["docs"], told["phones"], told["owner"]):
        assert part in words
    program_name, *arguments = shlex.split(told["curl"])
    assert program_name == "curl"
    assert f"{told['api']}/messages/send" in arguments
    assert json.loads(arguments[arguments.index("-d") + 1])["phone"].isdecimal()
    assert stat.S_IMODE((tmp_path / "data" / "demo.key").stat().st_mode) == 0o600


@pytest.mark.both
def test_the_demo_can_be_run_again_and_makes_nothing_twice(program: Program) -> None:
    first, second = program.json("demo"), program.json("demo")
    # Until the owner has chosen a password, every start shows them a way in.
    assert first.pop("panel") != second.pop("panel")
    assert first == second
    (owner,) = program.json("member", "list", "--account", "demo")
    assert (owner["email"], owner["role"]) == (first["owner"], "owner")
    assert len(program.json("account", "list")) == 1
    (line,) = program.json("instance", "list")
    assert (line["kind"], line["is_default"]) == ("sandbox", True)
    assert len(program.json("key", "list", "--account", "demo")) == 1


@pytest.mark.both
def test_the_demo_makes_a_new_key_when_the_old_one_was_revoked(program: Program) -> None:
    first = program.json("demo")["key"]
    program("key", "revoke", first, "--account", "demo")
    second = program.json("demo")["key"]
    assert second != first
    assert program.json("demo")["key"] == second


@pytest.mark.both
def test_serve_wants_a_database_of_this_version(
    program: Program, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    monkeypatch.setattr(session, "newest", lambda: "9999")
    assert program.refusal("serve") == "migration_needed"


@pytest.mark.both
def test_a_newer_schema_is_worked_on_while_it_serves_this_version(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program("migrate")
    monkeypatch.setattr(migrate, "is_newer", lambda present: True)
    for place in (migrate, session):
        monkeypatch.setattr(place, "newest", lambda: "0000")
    assert program.refusal("account", "list") == program.refusal("serve") == "schema_newer"
    # The upgrade only added: the version before works on, and changes nothing. A backup has to know all of it.
    for place in (migrate, session):
        monkeypatch.setattr(place, "newest", lambda: "9998")
    assert program.json("account", "list") == []
    assert "serves this one" in program("migrate")
    assert program.refusal("backup", str(tmp_path / "part.backup")) == "schema_newer"


def test_a_taken_port_is_told_in_plain_words(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        monkeypatch.setenv("TABLEGRAM_PORT", port)
        for command in (("serve",), ("sandbox", "--port", port)):
            told = program.json(*command, code=1)["error"]
            assert told["code"] == "port_unavailable"
            assert f"127.0.0.1:{port}" in told["detail"]
            assert "TABLEGRAM_PORT" in told["detail"] or "--port" in told["detail"]


@pytest.fixture(scope="module")
def running(databases: Databases) -> Iterator[Product]:
    """One server for all the tests that only look at it."""
    url = databases.migrated()
    with running_product(url) as product:
        yield product
    databases.drop(url)


@pytest.mark.slow
def test_the_command_that_the_demo_prints_sends_a_message(running: Product) -> None:
    command = shlex.split(cli_json("demo", environment=running.environment)["curl"])
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert json.loads(done.stdout)["status_code"] == "sent"
    phone = json.loads(command[command.index("-d") + 1])["phone"]
    wait_until(lambda: len(running.on_phone(phone)) == 1, "the message on the sandbox phone")


@pytest.mark.slow
def test_serve_says_where_it_listens(running: Product) -> None:
    # It answers before it has said so.
    wait_until(lambda: f"Tablegram listens at {running.url}" in running.server.said(), "the words of the start")


@pytest.mark.slow
def test_a_server_serves_where_nothing_that_it_says_of_itself_can_be_written(database_url: str, tmp_path: Path) -> None:
    """As on a disk that fills up while it starts."""
    product = prepare(database_url, tmp_path, sandbox_alone=False, settings={})
    product.server.prints_to = Path("/dev/full")
    (tmp_path / "address").mkdir()
    product.server.start()
    try:
        for words in ("the address cannot be written", "what the server says of itself cannot be written"):
            wait_until(lambda: words in product.server.said(), words)  # noqa: B023
        assert product.send("905551112233", "hello")[0] == 200
    finally:
        assert product.server.stop() in ENDED


@pytest.mark.slow
def test_a_second_server_on_the_same_folder_is_refused(running: Product) -> None:
    environment = {**running.environment, "TABLEGRAM_PORT": str(free_port())}
    done = run_cli("serve", environment=environment)
    assert done.returncode == 1
    assert "Another server already runs" in done.stderr
    assert "TABLEGRAM_DATA_DIR" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_second_server_on_the_same_port_is_refused(running: Product, tmp_path: Path) -> None:
    environment = {**running.environment, "TABLEGRAM_DATA_DIR": str(tmp_path), "TABLEGRAM_SECRET_KEY": "x" * 40}
    done = run_cli("serve", "--json", environment=environment)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "port_unavailable"
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_doctor_sees_the_running_server(running: Product) -> None:
    found = {one["about"]: one for one in running.cli("doctor")}
    assert (found["engine"]["level"], found["engine"]["detail"]) == ("ok", "1 server running")


@pytest.mark.both
@pytest.mark.slow
def test_a_backup_is_made_while_the_server_runs(running: Product, tmp_path: Path) -> None:
    running.send("905551119999", "kept")
    made = running.cli("backup", str(tmp_path / "backup.gz"))
    assert made["rows"]["messages"] >= 1


@pytest.mark.both
@pytest.mark.slow
def test_sigterm_ends_the_server_and_frees_what_it_held(database_url: str) -> None:
    with running_product(database_url) as product:
        assert product.send("905551112233", "hello")[0] == 200
        assert product.server.stop() in ENDED
        assert "Traceback" not in product.server.said()
        found = {one["about"]: one for one in product.cli("doctor")}
        assert "no server is running" in found["engine"]["detail"]
        # The next one starts at once, on the same port and folder.
        product.server.start()
        assert product.send("905551112233", "again")[0] == 200


@pytest.mark.slow
def test_the_sandbox_runs_alone_with_the_limits_of_every_listener_and_ends_when_told(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/sandbox"
    environment = {
        "TABLEGRAM_DATA_DIR": str(tmp_path / "data"), "TABLEGRAM_CONNECTIONS_PER_ADDRESS": "3",
        "TABLEGRAM_MAX_HEADER_BYTES": "2048",
    }  # fmt: skip
    alone = Process(["sandbox", "--port", str(port)], environment, tmp_path / "log", f"{url}/counters")
    alone.start()
    try:
        assert fetch(f"{url}/phones/905551112233/messages")[0] == 200
        assert url in alone.said()
        # Whoever opens more connections than one address may have loses those that were silent longest.
        silent = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(4)]
        assert silent[0].recv(1) == b""
        with socket.create_connection(("127.0.0.1", port), timeout=30) as large:
            large.sendall(b"GET /sandbox/counters HTTP/1.1\r\nHost: x\r\nX-Large: " + b"x" * 4_096 + b"\r\n\r\n")
            assert large.recv(12) == b"HTTP/1.1 431"
        for one in silent:
            one.close()
    finally:
        assert alone.stop() in ENDED
