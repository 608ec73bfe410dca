"""The operator's commands, each run as the program runs it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from tablegram.__main__ import main
from tablegram.accounts.keys.key_format import looks_valid
from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.people.entrance import Origin
from tablegram.cli import tablegram
from tablegram.cli.catalogue import PLACES, load
from tablegram.cli.session import in_session
from tablegram.errors import Unauthorized
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.values.clock import Clock
from tablegram.values.secrets import load_secret_key
from tests.databases import KINDS


class Program:
    """Runs a command and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.error = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._capsys.readouterr()
        returned = main(arguments)
        output, self.error = self._capsys.readouterr()
        assert returned == code, output + self.error
        return output

    def json(self, *arguments: str, code: int = 0) -> Any:
        output = self(*arguments, "--json", code=code)
        assert self.error == ""
        assert output.count("\n") == 1
        return json.loads(output)


def use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str) -> None:
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", database_url)
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def program(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, database_url: str
) -> Program:
    use(monkeypatch, tmp_path, database_url)
    return Program(capsys)


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], click.Command]]:
    found = []
    for name, noted in group.commands.items():
        here, command = (*path, name), noted if path else load(name)
        found += leaves(command, here) if isinstance(command, click.Group) else [(here, command)]
    return found


def test_every_command_explains_itself_and_takes_json(program: Program) -> None:
    for path, command in leaves(tablegram):
        assert any("--json" in option.opts for option in command.params), path
        assert command.help, path
        assert "--json" in program(*path, "--help")


def test_the_list_of_commands_says_of_each_what_its_own_help_says() -> None:
    noted = {name: place.summary for name, place in PLACES.items()}
    own = {name: " ".join((load(name).help or "").split()) for name in PLACES}
    assert noted == {name: words[: words.find(". ") + 1] or words for name, words in own.items()}
    assert {name: load(name).name for name in PLACES} == {name: name for name in PLACES}


# What only a server needs, and what only a store needs.
SERVER = frozenset(("litestar", "jinja2", "uvloop", "tablegram.wiring", "tablegram.panel", "tablegram.sandbox"))
STORE = frozenset(("sqlalchemy", "alembic", "tablegram.storage"))


def loaded_by(environment: dict[str, str], *lines: str) -> set[str]:
    """The modules that a process has loaded after these commands."""
    script = "import sys; from tablegram.__main__ import main\n"
    script += "for line in sys.argv[1:]: main(line.split())\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", script, *lines]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_a_command_loads_what_it_needs_and_no_more(tmp_path: Path, database_url: str) -> None:
    environment = {"TABLEGRAM_DATABASE_URL": database_url, "TABLEGRAM_DATA_DIR": str(tmp_path / "data")}
    for_words = loaded_by(environment, "--version", "--help", "nonsense --json")
    assert "tablegram.cli.catalogue" in for_words
    assert for_words & (SERVER | STORE) == set()
    for_rows = loaded_by(environment, "account list --json", "key list --account Meze", "requests list --account Meze")
    assert "tablegram.storage.database" in for_rows
    assert for_rows & SERVER == set()


def test_an_account_is_made_suspended_resumed_and_listed(program: Program) -> None:
    assert "Account Meze is made" in program("account", "create", "Meze")
    assert program.json("account", "suspend", "Meze")["state"] == "suspended"
    assert "suspended" in program("account", "list")
    assert program.json("account", "resume", "Meze")["state"] == "active"
    (account,) = program.json("account", "list")
    assert (account["name"], account["state"], account["plan"], account["balance_usd"]) == (
        "Meze",
        "active",
        "standard",
        0,
    )


def test_the_key_stands_alone_on_the_last_line(program: Program) -> None:
    program("account", "create", "Meze")
    for option, prefix in (((), "tg_live_"), (("--test",), "tg_test_")):
        last = program("key", "create", "--account", "Meze", *option).splitlines()[-1]
        assert last.startswith(prefix)
        assert looks_valid(last)


def test_a_key_has_the_scopes_name_and_expiry_it_was_made_with(program: Program) -> None:
    program("account", "create", "Meze")
    made = program.json(
        "key", "create", "--account", "Meze", "--scope", "messages:send", "--scope", "messages:read",
        "--name", "till", "--expires-in", "30d",
    )  # fmt: skip
    assert looks_valid(made.pop("key"))
    assert made["scopes"] == ["messages:read", "messages:send"]
    assert (made["name"], made["state"]) == ("till", "active")
    assert made["expires_at"] > made["created_at"]
    assert program.json("key", "list", "--account", "Meze") == [made]
    assert made["last4"] in program("key", "list", "--account", "Meze")


@pytest.mark.parametrize("reference", ["id", "last4", "key"])
def test_a_key_is_revoked_by_any_of_its_names(program: Program, reference: str) -> None:
    program("account", "create", "Meze")
    made = program.json("key", "create", "--account", "Meze")
    assert program.json("key", "revoke", made[reference], "--account", "Meze")["state"] == "revoked"
    assert program.json("key", "list", "--account", "Meze")[0]["revoked_at"] is not None


def test_an_operators_key_is_made_here_only_and_does_nothing_else(program: Program) -> None:
    program("account", "create", "Meze")
    made = program.json("key", "create", "--account", "Meze", "--operator", "--name", "billing")
    assert (made["scopes"], made["mode"], made["name"]) == (["installation:operate"], "live", "billing")
    assert "every account, plan and balance" in program("key", "create", "--account", "Meze", "--operator")
    for option in (("--scope", "messages:send"), ("--test",)):
        program("key", "create", "--account", "Meze", "--operator", *option, code=2)
    refused = program.json("key", "create", "--account", "Meze", "--scope", "installation:operate", code=1)
    assert refused["error"]["code"] == "scope_unknown"


def test_a_list_never_shows_a_key(program: Program) -> None:
    program("account", "create", "Meze")
    token = program.json("key", "create", "--account", "Meze")["key"]
    for output in (program("key", "list", "--account", "Meze"), program("key", "list", "--account", "Meze", "--json")):
        assert token not in output
        assert token[8:40] not in output


def test_a_balance_is_topped_up_once_a_payment(program: Program) -> None:
    program("account", "create", "Meze")
    assert "$12.50" in program("account", "top-up", "Meze", "12.50", "--reference", "invoice 7")
    again = program.json("account", "top-up", "Meze", "12.50", "--reference", "invoice 7", code=1)
    assert again["error"]["code"] == "payment_known"
    assert program.json("account", "top-up", "Meze", "0.000001")["balance_usd"] == 12.500001


def test_an_account_gets_limits_of_its_own_and_loses_them_again(program: Program) -> None:
    program("account", "create", "Meze")
    assert program.json("account", "limit", "Meze", "--rate", "2.5")["rate_limit"] == 2.5
    both = program.json("account", "limit", "Meze", "--burst", "7")
    assert (both["rate_limit"], both["rate_burst"]) == (2.5, 7)
    none = program.json("account", "limit", "Meze", "--default")
    assert (none["rate_limit"], none["rate_burst"]) == (None, None)
    program("account", "limit", "Meze", code=2)


def test_a_plan_is_made_changed_and_assigned(program: Program) -> None:
    program("account", "create", "Meze")
    program("plan", "set", "gold", "--free-messages", "1000")
    assert program.json("plan", "set", "gold", "--free-hours", "24") == {
        "name": "gold", "free_messages": 1000, "free_hours": 24,
    }  # fmt: skip
    assert [plan["name"] for plan in program.json("plan", "list")] == ["gold", "standard"]
    assert program.json("plan", "assign", "gold", "--account", "Meze")["plan"] == "gold"
    assert program.json("account", "create", "Kebap", "--plan", "gold")["plan"] == "gold"


def test_members_come_change_and_go_but_the_last_owner_stays(program: Program) -> None:
    program("account", "create", "Meze")
    program("member", "add", "ada@example.com", "--account", "Meze", "--role", "owner", "--name", "Ada")
    program("member", "add", "bob@example.com", "--account", "Meze")
    assert [one["role"] for one in program.json("member", "list", "--account", "Meze")] == ["owner", "staff"]
    refusal = program.json("member", "remove", "ada@example.com", "--account", "Meze", code=1)
    assert refusal["error"]["code"] == "last_owner"
    program("member", "role", "bob@example.com", "owner", "--account", "Meze")
    program("member", "remove", "ada@example.com", "--account", "Meze")
    assert "bob@example.com" in program("member", "list", "--account", "Meze")


def test_an_empty_list_says_what_to_do_next(program: Program) -> None:
    assert "tablegram account create" in program("account", "list")
    assert program.json("account", "list") == []
    program("account", "create", "Meze")
    assert "tablegram key create" in program("key", "list", "--account", "Meze")
    assert "tablegram member add" in program("member", "list", "--account", "Meze")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("account", "create", "Meze"), "account_exists"),
        (("account", "create", " "), "name_empty"),
        (("account", "suspend", "Kebap"), "account_not_found"),
        (("account", "top-up", "Meze", "0"), "amount_invalid"),
        (("key", "create", "--account", "Kebap"), "account_not_found"),
        (("key", "create", "--account", "Meze", "--scope", "messages:fly"), "scope_unknown"),
        (("key", "revoke", "abcd", "--account", "Meze"), "key_not_found"),
        (("plan", "assign", "gold", "--account", "Meze"), "plan_not_found"),
        (("member", "add", "nobody", "--account", "Meze"), "email_invalid"),
    ],
)
def test_a_failure_is_told_in_words_and_in_json_with_exit_code_1(
    program: Program, arguments: tuple[str, ...], code: str
) -> None:
    program("account", "create", "Meze")
    told = program.json(*arguments, code=1)
    assert told["error"]["code"] == code
    assert program(*arguments, code=1) == ""
    assert program.error == f"Error: {told['error']['detail']}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("account", "create"),
        ("account", "create", "a", "b"),
        ("account", "top-up", "Meze", "much"),
        ("account", "top-up", "Meze", "NaN"),
        ("account", "top-up", "Meze", "0.0000001"),
        ("key", "create"),
        ("key", "create", "--account", "Meze", "--expires-in", "soon"),
        ("key", "create", "--account", "Meze", "--expires-in", "0d"),
        ("member", "add", "a@b.c", "--account", "Meze", "--role", "king"),
        ("migrate", "--nonsense"),
    ],
)
def test_a_wrong_call_is_told_with_exit_code_2(program: Program, arguments: tuple[str, ...]) -> None:
    assert program.json(*arguments, code=2)["error"]["code"] == "usage"
    assert program(*arguments, code=2) == ""
    assert program.error


def test_a_wrong_setting_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEGRAM_BILLING", "maybe")
    told = program.json("account", "list", code=1)
    assert told["error"]["code"] == "misconfigured"
    assert "TABLEGRAM_BILLING" in told["error"]["detail"]


def test_another_secret_key_is_refused_before_anything_is_changed(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program("account", "create", "Meze")
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "elsewhere"))
    assert program.json("key", "create", "--account", "Meze", code=1)["error"]["code"] == "misconfigured"


@pytest.mark.later
def test_a_first_command_on_an_empty_database_works_or_says_to_migrate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh_database_url: str
) -> None:
    use(monkeypatch, tmp_path, fresh_database_url)
    program = Program(capsys)
    if main(["account", "create", "Meze"]):
        assert "tablegram migrate" in capsys.readouterr().err
        program("migrate")
        program("account", "create", "Meze")
    assert [account["name"] for account in program.json("account", "list")] == ["Meze"]


@pytest.mark.later
def test_migrate_can_be_run_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fresh_database_url: str
) -> None:
    use(monkeypatch, tmp_path, fresh_database_url)
    program = Program(capsys)
    first = program.json("migrate")
    assert first["previous"] is None
    assert program.json("migrate") == {"revision": first["revision"], "previous": first["revision"]}
    assert "already had the present schema" in program("migrate")


@pytest.mark.later
def test_a_database_that_cannot_be_reached_is_told_without_its_password(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Port 1 of loopback: nothing listens there.
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", f"{KINDS[-1]}://ada:hunter2@127.0.0.1:1/none")
    for command in (("account", "list"), ("migrate",)):
        told = program.json(*command, code=1)["error"]
        assert told["code"] == "storage_unavailable"
        assert "TABLEGRAM_DATABASE_URL" in told["detail"]
        assert "hunter2" not in told["detail"]


@pytest.mark.later
async def test_a_command_beside_a_running_server_acts_within_five_seconds(
    program: Program, database_url: str, tmp_path: Path
) -> None:
    await asyncio.to_thread(program, "account", "create", "Meze")
    token = (await asyncio.to_thread(program.json, "key", "create", "--account", "Meze"))["key"]
    settings = Settings(database_url=database_url, data_dir=tmp_path / "data")
    elapsed_s = 0.0
    server = open_database(settings)
    await server.open()
    try:
        ring = KeyRing(server, load_secret_key(settings), Clock(), settings, lambda: elapsed_s)

        async def answer() -> str:
            nonlocal elapsed_s
            elapsed_s += 5.0
            try:
                return (await ring.authenticate(token)).account_name
            except Unauthorized as refusal:
                return refusal.code

        assert await answer() == "Meze"
        await asyncio.to_thread(program, "account", "suspend", "Meze")
        assert await answer() == "account_suspended"
        await asyncio.to_thread(program, "account", "resume", "Meze")
        assert await answer() == "Meze"
        await asyncio.to_thread(program, "key", "revoke", token[-4:], "--account", "Meze")
        assert await answer() == "key_revoked"
    finally:
        await server.close()


def test_the_program_runs_from_the_shell(tmp_path: Path, database_url: str) -> None:
    environment = {**os.environ, "TABLEGRAM_DATABASE_URL": database_url, "TABLEGRAM_DATA_DIR": str(tmp_path / "data")}

    def shell(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tablegram", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert shell("account", "create", "Meze").returncode == 0
    made = shell("key", "create", "--account", "Meze")
    assert looks_valid(made.stdout.splitlines()[-1])
    failed = shell("account", "create", "Meze")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == "Error: There is already an account named Meze.\n"
    assert shell("nonsense").returncode == 2


def test_a_link_is_for_the_first_sign_in_and_later_for_a_new_password(program: Program) -> None:
    program("account", "create", "Meze")
    added = program.json("member", "add", "ada@example.com", "--account", "Meze", "--role", "owner")
    assert "/panel/link/" in added["link"]
    first = program.json("member", "link", "ada@example.com")
    assert (first["purpose"], first["link"] != added["link"]) == ("owner", True)
    assert program.json("member", "link", "nobody@example.com", code=1)["error"]["code"] == "member_not_found"
    token = first["link"].rpartition("/")[2]
    in_session(lambda session: session.people.entrance.accept(token, "Ada", "four words are enough", "", Origin("")))
    assert program.json("member", "link", "ada@example.com")["purpose"] == "reset"
    # Invited to one more account: by the link she accepts there, signed in, and no password is chosen anew.
    program("account", "create", "Kebap")
    program.json("member", "add", "ada@example.com", "--account", "Kebap", "--role", "owner")
    more = program.json("member", "link", "ada@example.com", "--account", "Kebap")
    token = more["link"].rpartition("/")[2]
    link = in_session(lambda session: session.people.links.look(token))
    assert (more["purpose"], link.purpose) == ("owner", "invite")
    assert program.json("member", "link", "ada@example.com", "--account", "Meze")["purpose"] == "reset"


def test_an_operator_is_made_shown_and_taken_back(program: Program) -> None:
    assert "tablegram operator add" in program("operator", "list")
    made = program.json("operator", "add", "root@example.com")
    assert (made["is_operator"], made["has_password"]) == (True, False)
    assert "/panel/link/" in made["link"]
    assert [one["email"] for one in program.json("operator", "list")] == ["root@example.com"]
    program("operator", "remove", "root@example.com")
    assert program.json("operator", "list") == []
    assert program.json("operator", "remove", "nobody@example.com", code=1)["error"]["code"] == "person_unknown"
