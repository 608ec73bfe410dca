"""How often pages may be asked for: by session, and by address for who shows none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tests.panel.visiting import House, Page, Person, house

LIMITS = {"page_rate_limit": 0.01, "page_rate_burst": 8, "session_rate_limit": 0.01, "session_rate_burst": 30}


async def until_refused(person: Person, path: str, most: int = 200, **headers: str) -> tuple[int, Page]:
    for number in range(most):
        answer = await person.get(path, **headers)
        if answer.status == 429:
            return number, answer
    raise AssertionError(f"{most} requests and no end")


def from_address(here: House, address: str, token: str = "") -> Person:
    """Somebody behind another address."""
    person = Person(here.running, token)
    usual = here.running.api

    class Elsewhere:
        api: Any

        def __getattr__(self, name: str) -> Any:
            return getattr(here.running, name)

    elsewhere = Elsewhere()

    async def ask(scope: Any, receive: Any, send: Any) -> None:
        await usual({**scope, "client": (address, 1)}, receive, send)

    elsewhere.api = ask
    person.running = elsewhere  # type: ignore[assignment]
    return person


async def test_strangers_use_up_their_own_address_and_not_what_is_the_staffs(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, **LIMITS) as here:
        staff = from_address(here, "192.0.2.7", (await here.person()).token)
        assert (await staff.get("/panel/")).status == 200
        guest = from_address(here, "192.0.2.7")
        count, refused = await until_refused(guest, "/panel/sign-in")
        assert count <= LIMITS["page_rate_burst"]
        seconds = int(refused.headers["retry-after"])
        assert f"Wait {seconds} s and try again." in refused.words
        assert "no-store" in refused.headers["cache-control"]
        assert "default-src 'none'" in refused.headers["content-security-policy"]
        turkish = await guest.get("/panel/sign-in", **{"accept-language": "tr"})
        assert "saniye bekleyip yeniden deneyin" in turkish.words
        data = await guest.get("/panel/sign-in", accept="application/json")
        assert (data.status, msgspec.json.decode(data.text)["code"]) == (429, "rate_limited")

        # Cookies that somebody made up are a stranger's; a session that was seen is counted by itself.
        assert (await from_address(here, "192.0.2.7", "x" * 43).get("/panel/")).status == 429
        assert (await staff.get("/panel/")).status == 200
        assert (await from_address(here, "192.0.2.8").get("/panel/sign-in")).status == 200
        # A page that was kept still looks as it should.
        assert (await guest.get("/panel/static/frame.css")).status != 429


async def test_a_session_that_asks_too_often_waits_and_no_other_does(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, **LIMITS) as here:
        first, second = await here.person(), await here.person("staff")
        for person in (first, second):
            assert (await person.get("/panel/")).status == 200
        count, refused = await until_refused(first, "/panel/")
        assert count <= LIMITS["session_rate_burst"]
        assert "Too many requests at once" in refused.words
        assert (await second.get("/panel/")).status == 200


async def test_the_sandbox_counts_strangers_like_the_panel(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, sandbox=True, **LIMITS) as here:
        stranger = from_address(here, "192.0.2.9")
        count, refused = await until_refused(stranger, "/sandbox/phones")
        assert count <= LIMITS["page_rate_burst"]
        assert msgspec.json.decode(refused.text)["code"] == "rate_limited"
        assert "retry-after" in refused.headers
        # The machine itself, where programs send thousands, is not counted.
        local = Person(here.running, "")
        for _ in range(60):
            assert (await local.get("/sandbox/phones", host="localhost")).status == 200
