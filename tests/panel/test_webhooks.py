"""Webhook endpoints in the panel: guarded, signed, tried out, replayed, and only for whom they are meant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.engine.waiting import until
from tests.events.receiver import ERROR, receiver
from tests.panel.visiting import Page, Person, house

SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{20,}")


async def add(person: Person, url: str, **more: object) -> tuple[str, Page]:
    """A new endpoint; returns the address of its page and what was shown."""
    page = await person.post("/panel/webhooks", {"url": url, "reach": "all", **more})
    found = re.search(r"/panel/webhooks/(\w{20,})", page.text)
    assert found is not None, page.words
    return f"/panel/webhooks/{found[1]}", page


async def test_the_secret_is_shown_once(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, house(database_url, tmp_path) as one:
        owner = await one.person()
        path, made = await add(owner, server.url)
        first = SECRET.search(made.text)
        assert first is not None
        assert SECRET.search((await owner.get(path)).text) is None
        rotated = await owner.post(f"{path}/rotate")
        second = SECRET.search(rotated.text)
        assert second is not None
        assert second[0] != first[0]
        assert "24 hours" in rotated.words
        page = await owner.get(path)
        assert SECRET.search(page.text) is None
        assert "The old secret signs until" in page.words


async def test_a_forbidden_target_is_told_beside_the_field(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        for url in (
            "http://10.0.0.1/hook",
            "https://169.254.169.254/",
            "ftp://example.com",
            "",
            "https://10.0.0.1:99/",
        ):
            page = await owner.post("/panel/webhooks", {"url": url, "reach": "all", "description": "typed"})
            assert page.status == 422, url
            assert 'id="url-error"' in page.text
            assert 'value="typed"' in page.text
        none = await owner.post("/panel/webhooks", {"url": "https://example.com/h", "reach": "some"})
        assert (none.status, 'id="events-error"' in none.text) == (422, True)
        assert "No endpoints yet" in (await owner.get("/panel/webhooks")).words


async def test_a_failed_delivery_is_seen_with_its_attempt_and_delivered_by_a_replay(
    database_url: str, tmp_path: Path
) -> None:
    async with receiver(usual=ERROR) as server, house(database_url, tmp_path) as one:
        owner = await one.person()
        path, _ = await add(owner, server.url)
        await owner.post(f"{path}/test")

        async def log() -> str:
            return (await owner.get(f"{path}?part=deliveries")).text

        async def failed() -> bool:
            return "trying again" in await log()

        await until(failed, "the failure to be in the log")
        assert "failing" in (await owner.get("/panel/webhooks")).words
        found = re.search(r"/panel/deliveries/[\w.]+", await log())
        assert found is not None
        detail = (await owner.get(found[0])).words
        assert "HTTP 500" in detail
        assert "something broke" in detail
        assert " ms" in detail
        assert '"event": "webhook.test"' in detail

        server.usual = b"HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n"
        assert (await owner.post(f"{found[0]}/replay")).location == found[0]

        async def delivered() -> bool:
            return "HTTP 204" in (await owner.get(f"{found[0]}?part=attempts")).text

        await until(delivered, "the replay to be delivered")
        # Every try is counted, on phones too, where the time stands beside it.
        tries = len(re.findall("attempt-head", (await owner.get(found[0])).text))
        assert tries >= 2
        assert f"{tries} attempts" in (await owner.get(f"{path}?part=deliveries")).words
        told = (await one.running.ask("GET", f"{found[0].removeprefix('/panel')}")).json()
        assert told["attempt_count"] == tries == len(told["attempts"])
        assert "None in this state" in (await owner.get(f"{path}?state=dead")).words


async def test_a_stretch_of_time_is_delivered_again(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, house(database_url, tmp_path) as one:
        owner = await one.person()
        path, _ = await add(owner, server.url)
        await one.running.tell("çay")
        await until(lambda: len(server.seen) == 1)
        now = datetime.now(UTC)
        begin = (now - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
        assert (await owner.post(f"{path}/replay", {"since": begin})).location == path
        await until(lambda: len(server.seen) == 2, "the event to come again")
        for since, to in (("", ""), ("nonsense", ""), ("2020-01-01T00:00", ""), (begin, "2020-01-01T00:00")):
            page = await owner.post(f"{path}/replay", {"since": since, "until": to})
            assert page.status == 422, (since, to)


async def test_a_paused_endpoint_gets_nothing_until_it_is_switched_on(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, house(database_url, tmp_path) as one:
        owner = await one.person()
        path, _ = await add(owner, server.url)
        await owner.post(f"{path}/state", {"state": "disabled"})
        page = (await owner.get(path)).words
        assert "Nothing is sent to this endpoint" in page
        assert "Somebody of your team paused it." in page
        assert (await owner.post(f"{path}/test")).location == path
        await owner.post(f"{path}/state", {"state": "active"})
        await owner.post(f"{path}/test")
        await until(lambda: len(server.seen) == 1, "the test to arrive")


async def test_an_endpoint_is_changed_and_deleted_by_name(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, house(database_url, tmp_path) as one:
        owner = await one.person()
        path, _ = await add(owner, server.url)
        host = server.url.split("/")[2]
        wanted = {"url": server.url + "/new", "reach": "some", "events": ["messages.update"], "description": "Orders"}
        assert (await owner.post(path, wanted)).location == path
        assert "/hook/new" in (await owner.get(path)).text
        assert (await owner.post(path, {**wanted, "url": "http://10.0.0.1/"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": "x"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": host})).location == "/panel/webhooks"
        assert (await owner.get(path)).status == 404


async def test_who_may_not_manage_webhooks_is_refused_everywhere(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, house(database_url, tmp_path) as one:
        owner, stranger = await one.person(), await one.person(account=2)
        path, _ = await add(owner, server.url)
        await owner.post(f"{path}/test")
        found = re.search(r"/panel/deliveries/[\w.]+", (await owner.get(path)).text)
        assert found is not None
        acts = ("", "/state", "/test", "/rotate", "/delete", "/replay")
        for role in ("staff", "kitchen"):
            person = await one.person(role)
            assert [(await person.get(page)).status for page in ("/panel/webhooks", path, found[0])] == [403] * 3
            assert {(await person.post(path + act)).status for act in acts} == {403}, role
            assert (await person.post(f"{found[0]}/replay")).status == 403
        assert [(await stranger.get(page)).status for page in (path, found[0])] == [404, 404]
        form = {"url": server.url, "reach": "all", "since": "2999-01-01T00:00"}
        assert {(await stranger.post(path + act, form)).status for act in acts} == {404}
        assert {(await owner.post(path + act, csrf="")).status for act in acts} == {403}
        assert (await owner.get(path)).status == 200
