"""Lines in the panel: made step by step, changed, taken away by name, and answering by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.engine.waiting import until
from tests.messaging.lines.stub_graph import respond, stub_graph
from tests.panel.line_fields import CLOUD
from tests.panel.visiting import Page, Person, house

# Nobody listens there: a cloud line of a test must not look for the real network.
NOWHERE = "http://127.0.0.1:9"


async def sandbox(person: Person) -> str:
    """A new sandbox line; returns the address of its page."""
    made = await person.post("/panel/lines", {"kind": "sandbox"})
    assert made.status == 303, made.words
    return made.location


async def test_a_sandbox_line_takes_one_click_and_is_the_default(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        owner = await one.person()
        assert "No lines yet" in (await owner.get("/panel/lines")).words
        first, second = await sandbox(owner), await sandbox(owner)
        assert "default" in (await owner.get(first)).words
        await owner.post(f"{second}/default")
        listed = (await owner.get("/panel/lines")).text
        assert listed.count("default-mark") == 1
        assert (await owner.post(f"{first}/restart")).location == first
        assert (await owner.post(f"{first}/logout")).location == first


async def test_a_cloud_line_shows_its_verify_token_once_and_its_steps_turn_done(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        owner = await one.person()
        made = await owner.post("/panel/lines", CLOUD)
        assert made.status == 200
        assert "w0rd" in made.text
        (line,) = (await one.running.ask("GET", "/instances")).json()["data"]
        path = f"/panel/lines/{line['id']}"
        assert line["callback_url"] in made.text

        async def done() -> list[str]:
            state = (await owner.get(f"{path}?part=state")).text
            return re.findall(r'<li data-key="(\w+)" data-done', state)

        assert await done() == ["saved"]
        hook = line["callback_url"].split("8000", 1)[1]
        answer = await owner.get(f"{hook}?hub.mode=subscribe&hub.challenge=77&hub.verify_token=w0rd")
        assert (answer.status, answer.text) == (200, "77")
        assert await done() == ["saved", "callback"]
        for page in (path, "/panel/lines", "/panel/samples"):
            text = (await owner.get(page)).text
            assert not any(secret in text for secret in ("w0rd", "t0ken", "s3cret"))


async def test_a_cloud_lines_page_shows_the_number_that_the_network_tells(database_url: str, tmp_path: Path) -> None:
    async with stub_graph() as network:
        number = {"id": "1065", "display_phone_number": "+90 555 111 00 01", "verified_name": "Safran"}
        network.otherwise = lambda request, raw: respond(200, number)
        async with house(database_url, tmp_path, cloud_base_url=network.url) as one:
            owner = await one.person()
            await owner.post("/panel/lines", CLOUD)

            async def line() -> dict[str, Any]:
                (found,) = (await one.running.ask("GET", "/instances")).json()["data"]
                return dict(found)

            async def is_known() -> bool:
                return bool((await line())["phone"] == "905551110001")

            await until(is_known, "the line to be asked")
            page = await owner.get(f"/panel/lines/{(await line())['id']}")
            assert "Phone number +905551110001" in page.words


async def test_every_wrong_field_of_a_cloud_line_is_named_at_once(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        owner = await one.person()
        wrong = {**CLOUD, "phone_number_id": "abc", "access_token": "", "app_secret": "with space", "name": "Desk"}
        page = await owner.post("/panel/lines", wrong)
        assert page.status == 422
        assert set(re.findall(r'id="(\w+)-error"', page.text)) == {"phone_number_id", "access_token", "app_secret"}
        assert 'value="Desk"' in page.text
        assert "No lines yet" in (await owner.get("/panel/lines")).words


async def test_a_linked_device_is_made_and_says_what_is_missing_to_run_it(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        assert "Create the line and show the code" in (await owner.get("/panel/lines/new/linked")).words
        made = await owner.post("/panel/lines", {"kind": "linked", "name": "Counter"})
        page = await owner.get(made.location)
        assert "Counter" in page.words
        assert (await owner.post(f"{made.location}/pair", {"phone": "12"})).status == 422


async def test_name_and_pace_are_changed_and_the_line_deleted_by_name(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        path = await sandbox(owner)
        assert (await owner.post(path, {"name": "Ön büro", "pace_per_s": "2,5"})).location == path
        (line,) = (await one.running.ask("GET", "/instances")).json()["data"]
        assert (line["name"], line["pace_per_s"]) == ("Ön büro", 2.5)
        for fields in ({"name": ""}, {"name": "x", "pace_per_s": "-1"}, {"name": "x", "pace_per_s": "fast"}):
            assert (await owner.post(path, fields)).status == 422, fields
        assert (await owner.post(f"{path}/delete", {"confirm": "ön büro"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": "Ön büro"})).location == "/panel/lines"
        assert (await owner.get(path)).status == 404


def reply_of(page: Page) -> str:
    found = re.search(r"/replies/(\w{20,})", page.text)
    assert found is not None, page.words
    return found[1]


async def test_automatic_replies_are_made_changed_switched_and_deleted(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        path = await sandbox(owner)
        closed = {
            "kind": "closed", "message": "Kapalıyız", "cooldown_s": "14400", "enabled": "1",
            "time_zone": "Europe/Istanbul", "monday_opens": ["09:00", "18:00"], "monday_closes": ["14:00", "02:00"],
            "exceptions": "2027-01-01\n2027-01-02 10:00-14:00, 16:00-18:00",
        }  # fmt: skip
        # Where the line is a venue's, its hours are followed, unless somebody wants others, which begin as those.
        assert 'value="09:00"' in (await owner.get(f"{path}/replies/new?kind=closed")).text
        hours = [{"day": "monday", "opens": "11:15", "closes": "23:45"}]
        venue = {"name": "Çınar", "currency": "TRY", "time_zone": "Asia/Tokyo", "hours": hours}
        made = await one.running.ask(
            "POST", "/restaurant/venues", {**venue, "instance_id": int(path.rpartition("/")[2])}
        )
        assert made.status == 201, made.body
        asked = await owner.get(f"{path}/replies/new?kind=closed")
        assert "Those of Çınar" in asked.words
        for known in ('value="11:15"', 'value="23:45"', '<option value="Asia/Tokyo" selected>'):
            assert known in asked.text, known
        chosen = re.compile(r'name="hours_from" value="(\w+)" checked')
        assert chosen.findall(asked.text) == ["venue"]
        assert (await owner.post(f"{path}/replies", closed)).status == 303
        api = f"/instances/{path.rsplit('/', 1)[1]}/auto-replies"

        async def kept() -> list[dict[str, Any]]:
            return list((await one.running.ask("GET", api)).json()["data"])

        (reply,) = await kept()
        assert [(span["opens"], span["closes"]) for span in reply["hours"]] == [("09:00", "14:00"), ("18:00", "02:00")]
        assert [len(day["spans"]) for day in reply["exceptions"]] == [0, 2]
        page = f"{path}/replies/{reply_of(await owner.get(path))}"
        form = (await owner.get(page)).text
        assert 'value="18:00"' in form
        assert "2027-01-02 10:00-14:00 16:00-18:00" in form
        await owner.post(f"{page}/switch", {"enabled": ""})
        assert [one["enabled"] for one in await kept()] == [False]
        assert (await owner.post(page, {**closed, "message": "Closed"})).status == 303
        assert [(one["message"], one["enabled"]) for one in await kept()] == [("Closed", True)]
        assert chosen.findall((await owner.get(page)).text) == ["own"]
        choices: list[tuple[str, Any]] = [("venue", None), ("own", reply["hours"])]
        for choice, hours in choices:
            assert (await owner.post(page, {**closed, "hours_from": choice})).status == 303
            assert chosen.findall((await owner.get(page)).text) == [choice]
            assert [(one["follows_venue"], one["hours"]) for one in await kept()] == [(choice == "venue", hours)]
        await owner.post(f"{page}/delete")
        assert await kept() == []


async def test_wrong_replies_are_told_beside_their_fields(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        path = await sandbox(owner)
        base = {"message": "x", "cooldown_s": "30", "time_zone": "Europe/Istanbul"}
        open_monday = {**base, "kind": "closed", "monday_opens": "09:00", "monday_closes": "10:00"}
        for fields, field in (
            ({**base, "kind": "greeting", "message": ""}, "message"),
            ({**base, "kind": "greeting", "after_days": "0"}, "after_days"),
            ({**base, "kind": "greeting", "cooldown_s": "1"}, "cooldown_s"),
            ({**base, "kind": "keyword", "keywords": " , "}, "keywords"),
            ({**base, "kind": "closed"}, "hours"),
            ({**base, "kind": "closed", "monday_opens": "09:00", "monday_closes": ""}, "hours"),
            ({**open_monday, "time_zone": "Mars/Base"}, "time_zone"),
            ({**open_monday, "exceptions": "tomorrow"}, "exceptions"),
            ({**open_monday, "exceptions": "2026-11-31"}, "exceptions"),
        ):
            page = await owner.post(f"{path}/replies", fields)
            assert (page.status, f'id="{field}-error"' in page.text) == (422, True), (field, page.status)
        assert (await owner.post(f"{path}/replies", {**base, "kind": "song"})).status == 404


async def test_a_test_message_shows_the_four_fields_and_then_its_state(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        assert "No line to send from" in (await owner.get("/panel/samples")).words
        await sandbox(owner)
        for fields, field in (({"phone": "12", "message": "x"}, "phone"), ({"phone": "905551112233"}, "message")):
            page = await owner.post("/panel/samples/send", fields)
            assert (page.status, f'id="{field}-error"' in page.text) == (422, True)
        sent = await owner.post("/panel/samples/send", {"phone": "+90 (555) 111-22-33", "message": "çay"})
        assert sent.status == 303
        words = (await owner.get(sent.location)).words
        assert all(f'"{name}":' in words for name in ("status", "message_id", "status_code", "cost_usd"))
        (message,) = (await one.running.ask("GET", "/messages")).json()["data"]
        assert (message["phone"], message["text"]) == ("905551112233", "çay")


async def test_who_may_not_manage_lines_is_refused_everywhere(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, stranger = await one.person(), await one.person(account=2)
        path = await sandbox(owner)
        acts = ("", "/default", "/restart", "/logout", "/delete", "/replies")
        for role in ("staff", "kitchen"):
            person = await one.person(role)
            assert [(await person.get(page)).status for page in ("/panel/lines", path, "/panel/lines/new")] == [403] * 3
            assert {(await person.post(path + act)).status for act in acts} == {403}, role
            assert (await person.post("/panel/lines", {"kind": "sandbox"})).status == 403
        kitchen = await one.person("kitchen", account=2)
        assert (await kitchen.get("/panel/samples")).status == 403
        assert (await kitchen.post("/panel/samples/send", {"phone": "905551112233", "message": "x"})).status == 403
        assert (await stranger.get(path)).status == 404
        form = {"name": "x", "kind": "greeting", "message": "x", "cooldown_s": "30"}
        assert {(await stranger.post(path + act, form)).status for act in acts} == {404}
        assert {(await owner.post(path + act, form, csrf="")).status for act in acts} == {403}
        # A line of another account is nobody's way out either.
        line_id = path.rsplit("/", 1)[1]
        foreign = {"phone": "905551112233", "message": "x", "instance_id": line_id}
        assert (await stranger.post("/panel/samples/send", foreign)).status == 422


async def test_what_changes_is_told_to_pages_that_listen(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path, cloud_base_url=NOWHERE) as one:
        owner = await one.person()
        await owner.post("/panel/lines", CLOUD)
        (line,) = (await one.running.ask("GET", "/instances")).json()["data"]
        told: list[tuple[int, str]] = []

        def notice(account_id: int, topic: str, ids: Iterable[str] = ()) -> None:
            told.append((account_id, topic))

        one.running.api.live.notice = notice  # type: ignore[method-assign]
        hook = line["callback_url"].split("8000", 1)[1]
        await owner.get(f"{hook}?hub.mode=subscribe&hub.challenge=77&hub.verify_token=w0rd")
        await until(lambda: told == [(1, "lines")], "the handshake to be told")
