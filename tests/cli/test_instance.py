"""tablegram instance …"""

from __future__ import annotations

import pytest

from tests.cli.program import Program

CLOUD = (
    "--kind", "cloud", "--name", "Till", "--phone-number-id", "1065", "--access-token", "canary-token",
    "--app-secret", "canary-secret", "--verify-token", "canary-word",
)  # fmt: skip


@pytest.fixture
def meze(program: Program) -> Program:
    program("account", "create", "Meze")
    return program


def test_a_sandbox_line_needs_nothing_and_the_first_is_the_default(meze: Program) -> None:
    made = meze.json("instance", "create", "--account", "Meze", "--kind", "sandbox")
    assert (made["kind"], made["state"], made["is_default"]) == ("sandbox", "created", True)
    words = meze("instance", "create", "--account", "Meze", "--kind", "sandbox", "--name", "Second")
    assert "Second" in words
    assert "default" not in words


def test_a_cloud_line_is_told_its_callback_address_and_keeps_its_secrets(
    meze: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEGRAM_PUBLIC_URL", "https://gateway.example")
    made = meze.json("instance", "create", "--account", "Meze", *CLOUD, "--pace", "12.5")
    assert made["callback_url"].startswith("https://gateway.example/hooks/cloud/")
    assert (made["name"], made["phone_number_id"], made["pace_per_s"]) == ("Till", "1065", 12.5)
    words = meze("instance", "create", "--account", "Meze", *CLOUD)
    assert "https://gateway.example/hooks/cloud/" in words
    for output in (repr(made), words, meze("instance", "list"), meze("instance", "list", "--json")):
        assert "canary" not in output


@pytest.mark.parametrize("left_out", ["--phone-number-id", "--access-token", "--app-secret", "--verify-token"])
def test_a_cloud_line_without_a_credential_is_refused_and_told_which(meze: Program, left_out: str) -> None:
    at = CLOUD.index(left_out)
    arguments = ("instance", "create", "--account", "Meze", *CLOUD[:at], *CLOUD[at + 2 :])
    told = meze.json(*arguments, code=1)["error"]
    assert told["code"] == "missing"
    assert left_out in told["detail"]
    assert meze.json("instance", "list") == []


def test_a_linked_line_is_made_and_waits_for_its_phone(meze: Program) -> None:
    made = meze.json("instance", "create", "--account", "Meze", "--kind", "linked")
    assert (made["kind"], made["state"], made["phone"]) == ("linked", "created", None)


def test_a_line_is_paired_from_the_terminal_where_a_server_shows_codes(meze: Program) -> None:
    line = str(meze.json("instance", "create", "--account", "Meze", "--kind", "linked")["id"])
    sandbox = str(meze.json("instance", "create", "--account", "Meze", "--kind", "sandbox")["id"])
    assert meze.refusal("instance", "pair", line, "--wait", "1") == "pairing_soon"
    assert meze.refusal("instance", "pair", sandbox) == "kind_unavailable"
    assert meze.refusal("instance", "pair", "999") == "instance_unknown"
    assert meze.refusal("instance", "pair", line, "--phone", "12") == "phone_invalid"


def test_an_unknown_kind_or_account_is_refused(meze: Program) -> None:
    assert meze.json("instance", "create", "--account", "Meze", "--kind", "pigeon", code=2)["error"]["code"] == "usage"
    assert meze.refusal("instance", "create", "--account", "Kebap", "--kind", "sandbox") == "account_not_found"
    assert meze.json("instance", "create", "--account", "Meze", "--kind", "sandbox", "--pace", "-1", code=2)


def test_lines_are_listed_for_all_or_for_one_account(meze: Program) -> None:
    assert "tablegram instance create" in meze("instance", "list")
    meze("account", "create", "Kebap")
    for name in ("Meze", "Kebap", "Kebap"):
        meze("instance", "create", "--account", name, "--kind", "sandbox")
    assert len(meze.json("instance", "list")) == 3
    assert [line["is_default"] for line in meze.json("instance", "list", "--account", "Kebap")] == [True, False]
    heading, *rows = meze("instance", "list", "--account", "Meze").splitlines()
    assert heading.split() == ["ID", "ACCOUNT", "KIND", "NAME", "STATE", "DEFAULT", "REASON"]
    assert len(rows) == 1
    assert meze.refusal("instance", "list", "--account", "Nobody") == "account_not_found"
