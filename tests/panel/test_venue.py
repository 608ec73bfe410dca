"""Venues in the panel: set up with a few answers, changed, their hours, and the switch that stops orders."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from tests.panel.set_up import FIRST, set_up
from tests.panel.visiting import House, Page, house


async def venue_of(one: House, venue_id: str) -> dict[str, Any]:
    found: dict[str, Any] = (await one.running.ask("GET", f"/restaurant/venues/{venue_id}")).json()
    return found


def settings_of(page: Page) -> dict[str, Any]:
    """The settings form as a browser would send it again."""
    form = page.text.partition('class="settings')[2].partition("</form>")[0]
    fields: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name is None or 'type="file"' in tag or name[1] == "csrf":
            continue
        if ("checkbox" in tag or "radio" in tag) and " checked" not in tag:
            continue
        fields.setdefault(name[1], []).append(html.unescape(value[1]) if value else "")
    for name, text in re.findall(r'<textarea name="([^"]+)"[^>]*>\n?([^<]*)</textarea>', form):
        fields[name] = html.unescape(text)
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return fields


async def test_a_venue_is_set_up_with_a_few_answers_and_says_what_it_still_needs(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        assert "Set up your restaurant" in (await owner.get("/panel/venue")).words
        # Before there is one, the menu and the tables lead there.
        assert (await owner.get("/panel/menu")).location == "/panel/venue"
        assert (await owner.get("/panel/tables")).location == "/panel/venue"
        refused = await owner.post("/panel/venue", {**FIRST, "name": "", "time_zone": "Mars/Base"})
        assert refused.status == 422
        assert "Write a name" in refused.words
        assert "Choose a time zone" in refused.words
        venue = await set_up(owner)
        shown = await owner.get(f"/panel/venue?venue={venue}")
        assert "Çınaraltı" in shown.words
        assert "Before the first guest" in shown.words
        assert "Type it in, or bring it from a spreadsheet." in shown.words
        kept = await venue_of(one, venue)
        assert (kept["languages"], kept["currency"], len(kept["hours"])) == (["tr"], "TRY", 7)
        kitchen = await one.person("kitchen")
        seen = await kitchen.get("/panel/venue")
        assert "Save settings" not in seen.words
        assert "Too much to do" not in seen.words
        assert (await kitchen.post(f"/panel/venue/{venue}/pause", {"minutes": "30"})).status == 403
        assert (await owner.get("/panel/venue?venue=nobody")).status == 404


async def test_settings_are_changed_and_what_is_wrong_is_said_beside_its_field(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/venue/{venue}"
        fields = settings_of(await owner.get("/panel/venue"))
        wrong = await owner.post(path, {**fields, "service_charge": "many", "address": "Kale altı"})
        assert wrong.status == 422
        assert 'id="service_charge-error"' in wrong.text
        # What was typed is still there.
        assert "Kale altı" in wrong.text
        wrong = await owner.post(path, {**fields, "pay_within_min": "4"})
        assert 'id="pay_within_min-error"' in wrong.text
        wrong = await owner.post(path, {**fields, "stations": "Izgara, ızgara", "languages": ["turkish"]})
        assert 'id="stations-error"' in wrong.text
        assert 'id="languages-error"' in wrong.text
        changes = {
            "service_charge": "12,5",
            "language": "tr",
            "languages": ["en", "tr"],
            "order_types": ["dine_in", "delivery"],
            "acceptance": "itself",
            "refuses_unsigned": "1",
            "preparation_min": "35",
            "pays_online": ["delivery"],
            # What may not be paid online need not be.
            "prepaid": ["delivery", "dine_in"],
            "pay_within_min": "45",
            # Ours by their words in any language, others in any letters.
            "stations": "Mutfak, BAR, ızgara,  Sıcak   mutfak",
            "address": "Kale altı <b>3</b>",
        }
        saved = await owner.post(path, {**fields, **changes})
        assert saved.status == 303, saved.words
        kept = await venue_of(one, venue)
        assert kept["service_charge"] == 12.5
        assert kept["languages"] == ["tr", "en"]
        assert kept["order_types"] == ["dine_in", "delivery"]
        assert kept["accepts_by_itself"] is True
        assert kept["refuses_unsigned"] is True
        assert kept["preparation_min"] == 35
        assert (kept["pays_online"], kept["prepaid"], kept["pay_within_min"]) == (["delivery"], ["delivery"], 45)
        assert kept["stations"] == ["kitchen", "bar", "ızgara", "Sıcak mutfak"]
        # Languages are chosen by their names.
        again = await owner.get("/panel/venue")
        assert re.search(r'value="en" checked><span class="label">English<', again.text)
        assert re.search(r'value="de"><span class="label">Deutsch<', again.text)
        assert re.search(r'<select name="locale".*<option value="tr" selected>Türkçe<', again.text)
        assert 'value="Kitchen, Bar, ızgara, Sıcak mutfak"' in again.text
        assert "<b>3</b>" not in again.text
        # Sending the form as it is shown changes nothing.
        assert (await owner.post(path, settings_of(again))).status == 303
        same = await venue_of(one, venue)
        moved = ("updated_at", "menu_version")
        assert {**kept, **dict.fromkeys(moved)} == {**same, **dict.fromkeys(moved)}


async def test_orders_are_stopped_and_taken_again_with_one_tap(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)

        async def standing() -> dict[str, Any]:
            found: dict[str, Any] = (await one.running.ask("GET", f"/restaurant/venues/{venue}/standing")).json()
            return found

        assert "Open" in (await owner.get("/panel/venue?part=standing")).words
        await owner.post(f"/panel/venue/{venue}/pause", {"minutes": "30"})
        shown = (await owner.get("/panel/venue?part=standing")).words
        assert "Orders are paused" in shown
        assert "Open again:" in shown
        assert (await standing())["reason"] == "paused"
        assert (await standing())["opens_at"] is not None
        await owner.post(f"/panel/venue/{venue}/resume")
        assert (await standing())["takes_orders"] is True
        await owner.post(f"/panel/venue/{venue}/pause", {"minutes": "told"})
        assert "until you resume" in (await owner.get("/panel/venue?part=standing")).words
        assert (await standing())["opens_at"] is None
        await owner.post(f"/panel/venue/{venue}/resume")
        assert (await venue_of(one, venue))["pauses"] == []


async def test_hours_have_several_spans_past_midnight_and_days_that_differ(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/venue/{venue}/hours"
        assert (await owner.get("/panel/venue/hours")).text.count('value="00:00"') == 14
        week = {
            "friday_opens": ["11:00", "18:00"],
            "friday_closes": ["15:00", "02:00"],
            "date": ["2027-01-01", "2027-03-20", "2027-03-20", ""],
            "date_opens": ["", "10:00", "18:00", ""],
            "date_closes": ["", "14:00", "23:00", ""],
            "last_order_min": "30",
        }
        assert (await owner.post(path, week)).status == 303
        kept = await venue_of(one, venue)
        assert [(span["opens"], span["closes"]) for span in kept["hours"]] == [("11:00", "15:00"), ("18:00", "02:00")]
        assert [(day["date"], len(day["spans"])) for day in kept["exceptions"]] == [
            ("2027-01-01", 0),
            ("2027-03-20", 2),
        ]
        assert kept["last_order_min"] == 30
        wrong = await owner.post(path, {**week, "monday_opens": "11:00", "monday_closes": ""})
        assert wrong.status == 422
        assert "Monday: write both times" in wrong.words
        # All that was typed is there, the wrong line included.
        assert wrong.text.count('name="friday_opens" value="18:00"') == 1
        assert 'name="monday_opens" value="11:00"' in wrong.text
        wrong = await owner.post(path, {**week, "date": ["", "", "", ""]})
        assert "times without a date" in wrong.words
        assert (await venue_of(one, venue))["hours"] == kept["hours"]
        # A pause that is known beforehand.
        planned = {"starts": "2027-05-01T12:00", "ends": "2027-05-01T18:00", "reason": "Düğün"}
        backwards = await owner.post(f"/panel/venue/{venue}/pauses", {**planned, "ends": "2027-05-01T10:00"})
        assert "A pause must end after it begins." in backwards.words
        assert (await owner.post(f"/panel/venue/{venue}/pauses", planned)).status == 303
        (pause,) = (await venue_of(one, venue))["pauses"]
        assert pause["starts_at"] == "2027-05-01T09:00:00.000Z"
        assert "Düğün" in (await owner.get("/panel/venue/hours")).words
        await owner.post(f"/panel/venue/{venue}/pauses/end", {"starts_at": pause["starts_at"]})
        assert (await venue_of(one, venue))["pauses"] == []


async def test_several_venues_have_a_switcher_and_a_default_and_one_is_closed_by_name(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person(language="tr")
        first = await set_up(owner)
        assert 'class="switcher"' not in (await owner.get("/panel/venue")).text
        second = await set_up(owner, name="Sahil")
        shown = await owner.get("/panel/venue")
        assert 'class="switcher"' in shown.text
        assert f'value="{first}" selected' in shown.text
        assert "Sahil" in (await owner.get(f"/panel/menu?venue={second}")).words
        await owner.post(f"/panel/venue/{second}/default")
        assert f'value="{second}" selected' in (await owner.get("/panel/tables")).text
        refused = await owner.post(f"/panel/venue/{second}/delete", {"confirm": "Sahil"})
        assert "Bu varsayılan mekân" in refused.words
        refused = await owner.post(f"/panel/venue/{first}/delete", {"confirm": "cinaralti"})
        assert refused.status == 422
        gone = await owner.post(f"/panel/venue/{first}/delete", {"confirm": "Çınaraltı"})
        assert gone.location == "/panel/venue"
        assert 'class="switcher"' not in (await owner.get("/panel/venue")).text
