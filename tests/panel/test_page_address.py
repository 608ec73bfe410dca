"""Pages after a form was refused, and addresses that people come back to: each leads on, none to nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablegram.errors import Invalid
from tablegram.panel.frame.forms import Form, require_word
from tests.panel.visiting import Person, house


async def test_a_page_whose_form_was_refused_leads_on_to_pages_that_exist(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        await here.running.api.people.register.set_operator("owner.1.en@example.com", True)
        here.running.api.people.sessions.forget((await here.running.api.people.register.operators())[0].id)
        line = (await here.running.ask("POST", "/instances", {"kind": "sandbox", "name": "Demo"})).json()["id"]
        for form, fields, page in (
            ("/panel/security/password", {"password": "x"}, "/panel/security"),
            (f"/panel/lines/{line}/delete", {"confirm": "no"}, f"/panel/lines/{line}"),
            ("/panel/operator/accounts", {"name": ""}, "/panel/operator"),
            ("/panel/operator/accounts/1/top-up", {"amount": "x"}, "/panel/operator/accounts/1"),
        ):
            answer = await owner.post(form, fields)
            assert answer.status == 422, (form, answer.words)
            # The choice of a language, and the search where there is one.
            assert set(re.findall(r'name="next" value="([^"]*)"', answer.text)) == {page}
            assert set(re.findall(r'role="search" method="get" action="([^"]*)"', answer.text)) <= {page}
            assert (await owner.get(page)).status == 200
            # Its live parts are asked for there too; a page that was opened has its own address.
            assert re.findall(r'data-here="([^"]*)"', answer.text) == [page]
            assert "data-here" not in (await owner.get(page)).text


async def test_without_scripts_the_dialog_of_a_refused_form_is_closed_by_the_page(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        line = (await here.running.ask("POST", "/instances", {"kind": "sandbox", "name": "Demo"})).json()["id"]
        answer = await owner.post(f"/panel/lines/{line}/delete", {"confirm": "no"})
        dialog = answer.text.partition('<dialog id="delete"')[2].partition("</dialog>")[0]
        assert dialog.split(">")[0].endswith(" data-open")
        assert re.findall(r'href="([^"]*)" data-close', dialog) == [f"/panel/lines/{line}"] * 2


async def test_who_was_signed_out_comes_back_to_the_whole_page(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        guest = Person(here.running, "")
        part = await guest.get("/panel/keys?part=rows&show=all")
        assert part.status == 401
        assert '"/panel/sign-in?next=/panel/keys%3Fshow%3Dall"' in part.text
        assert (await guest.get("/panel/live")).location == "/panel/sign-in"


async def test_what_no_database_can_be_asked_for_is_not_there(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        for path in (
            "/panel/lines/999999999999999999999",
            "/panel/contacts/a%00b",
            "/panel/contacts?q=a%00b",
            "/panel/audit?q=%00",
        ):
            assert (await owner.get(path)).status == 404, path
        made = await owner.post("/panel/contacts", {"phone": "905551112233", "name": "A\0da", "tags": "v\0ip"})
        assert made.status == 303
        assert "Ada" in (await owner.get(made.location)).words


async def test_a_stranger_sends_a_few_short_fields_and_no_more(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        guest = Person(here.running, "")
        for path in ("/panel/sign-in", "/panel/sign-in/second", "/panel/forgot", "/panel/link/x", "/panel/language"):
            answer = await guest.post(path, {"email": "x" * 150_000}, csrf="")
            assert answer.status == 413, (path, answer.status)


@pytest.mark.parametrize(
    ("word", "typed"),
    [("Blue  Door", "Blue Door"), ("\u200eAyşe\u200f", "Ayşe"), ("Ays\u0327e", "Ayşe"), ("Ali 👨‍👩‍👧", "Ali 👨‍👩‍👧")],
)
def test_a_name_is_confirmed_as_it_is_seen(word: str, typed: str) -> None:
    require_word(Form([("confirm", typed)]), word)
    for other in ("", "\u200e", typed.lower() + "x"):
        with pytest.raises(Invalid):
            require_word(Form([("confirm", other)]), word)
