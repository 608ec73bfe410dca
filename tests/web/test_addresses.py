"""Whom a request comes from, through proxies that are trusted and past those that are not."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Any

import pytest

from tablegram.sandbox.access import refusal
from tablegram.web.addresses import Addresses
from tests.panel.visiting import Person, house

PROXY = ipaddress.ip_network("10.0.0.0/8")
TRUSTING = Addresses((PROXY,))


def scope(peer: str, *forwarded: str) -> dict[str, Any]:
    return {"client": (peer, 1), "headers": [(b"x-forwarded-for", value.encode()) for value in forwarded]}


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("10.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["1.1.1.1, 192.0.2.7"], "192.0.2.7"),
        # What a caller writes themselves comes first; the proxy adds a line of its own.
        ("10.0.0.1", ["1.1.1.1", "192.0.2.7"], "192.0.2.7"),
        ("10.0.0.1", ["1.1.1.1", "192.0.2.7, 10.0.0.9"], "192.0.2.7"),
        ("192.0.2.9", ["1.1.1.1"], "192.0.2.9"),
        ("10.0.0.1", [], "10.0.0.1"),
    ],
)
def test_the_last_untrusted_hop_is_the_caller_however_many_lines_it_takes(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert TRUSTING.of(scope(peer, *forwarded)) == address


def test_a_second_line_does_not_let_a_stranger_into_the_sandbox() -> None:
    asked = scope("127.0.0.1", "192.0.2.7", "127.0.0.1")
    asked["headers"].append((b"host", b"localhost"))
    assert "forwarded" in str(refusal(asked, open_to_all=False))  # type: ignore[arg-type]


async def test_the_panel_counts_by_the_same_address(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr("tablegram.panel.access.came_from", seen.append)
    async with house(database_url, tmp_path, trusted_proxies=(ipaddress.ip_network("127.0.0.0/8"),)) as one:
        person = Person(one.running, "")
        ask = person.running.api

        async def twice(asked: Any, receive: Any, send: Any) -> None:
            lines = [(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"192.0.2.7")]
            await ask({**asked, "headers": [*asked["headers"], *lines]}, receive, send)

        person.running.api = twice  # type: ignore[assignment]
        assert (await person.get("/panel/sign-in")).status == 200
        person.running.api = ask
    assert seen == ["192.0.2.7"]
