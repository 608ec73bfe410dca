"""The menu in the panel: categories, dishes and options; what is sold out; many prices at once; files in and out."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from tests.panel.set_up import set_up
from tests.panel.visiting import House, Page, Person, house
from tests.workshop.hostile import many_styles

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday"]


async def menu_of(one: House, venue: str) -> dict[str, Any]:
    found: dict[str, Any] = (await one.running.ask("GET", f"/restaurant/venues/{venue}/menu")).json()
    return found


async def add_category(owner: Person, one: House, venue: str, name: str) -> str:
    made = await owner.post(f"/panel/menu/{venue}/categories/new", {"name": name})
    assert made.status == 303, made.words
    return next(str(each["id"]) for each in (await menu_of(one, venue))["categories"] if each["name"] == name)


async def add_item(owner: Person, one: House, venue: str, category: str, name: str, price: str, **more: Any) -> str:
    fields = {"name": name, "price": price, "category_id": category, "station": "kitchen", **more}
    made = await owner.post(f"/panel/menu/{venue}/items/new", fields)
    assert made.status == 303, made.words
    return next(str(each["id"]) for each in (await menu_of(one, venue))["items"] if each["name"] == name)


def photo() -> bytes:
    """A picture as a camera makes it."""
    made = io.BytesIO()
    Image.new("RGB", (640, 480), "#b3541e").save(made, "JPEG")
    return made.getvalue()


def seen(page: Page) -> str:
    found = re.search(r'name="seen" value="(\w*)"', page.text)
    assert found is not None
    return found[1]


async def test_a_dish_has_words_in_every_language_a_price_as_people_write_it_and_times(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        await one.running.ask("PATCH", f"/restaurant/venues/{venue}", {"languages": ["tr", "en"]})
        assert "The menu is empty" in (await owner.get("/panel/menu")).words
        lunch = await add_category(owner, one, venue, "Öğle")
        path = f"/panel/menu/{venue}/items/new"
        assert "Türkçe" in (await owner.get(f"{path}?category={lunch}")).words
        wrong = await owner.post(path, {"name": "", "price": "pahalı", "category_id": lunch, "description": "Sıcak"})
        assert wrong.status == 422
        assert 'id="price-error"' in wrong.text
        assert 'id="name-error"' in wrong.text
        assert "Sıcak" in wrong.text
        fields = {
            "name.en": "Lentil soup",
            "description": "Kırmızı mercimek",
            "description.en": "Red lentils",
            "kitchen_name": "MERC",
            "vat_percent": "8,5",
            "allergens": ["celery", "milk"],
            "tags": "vegan, sıcak",
            "order_types": ["dine_in"],
            "days_0": WEEKDAYS,
            "opens_0": "11:00",
            "closes_0": "15:00",
            "from_day": "2026-01-01",
        }
        item_id = await add_item(owner, one, venue, lunch, "Mercimek", "1.250,50", **fields)
        (item,) = (await menu_of(one, venue))["items"]
        assert (item["price"], item["vat_percent"]) == (1250.5, 8.5)
        assert item["translations"] == {"en": {"name": "Lentil soup", "description": "Red lentils"}}
        assert item["allergens"] == ["celery", "milk"]
        assert item["tags"] == ["vegan", "sıcak"]
        assert [span["day"] for span in item["availability"]["hours"]] == WEEKDAYS
        assert item["availability"]["order_types"] == ["dine_in"]
        shown = await owner.get(f"/panel/menu/{venue}/items/{item_id}")
        assert 'value="1250.50"' in shown.text
        assert len(re.findall(r'name="days_0" value="\w+" checked', shown.text)) == 5
        assert re.search(r'name="allergens" value="celery" checked', shown.text)
        assert (
            "Lentil soup" in (await owner.get("/panel/menu?q=lentil")).words
            or "Mercimek" in (await owner.get("/panel/menu?q=lentil")).words
        )
        assert "No dish fits" in (await owner.get("/panel/menu?q=pizza")).words
        assert (await owner.post(f"/panel/menu/{venue}/items/{item_id}/delete")).status == 303
        assert (await menu_of(one, venue))["items"] == []


async def test_two_people_at_one_dish_are_told_and_lose_nothing_that_they_typed(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, manager = await one.person(), await one.person("manager")
        venue = await set_up(owner)
        category = await add_category(owner, one, venue, "Grill")
        item = await add_item(owner, one, venue, category, "Adana", "320")
        path = f"/panel/menu/{venue}/items/{item}"
        mark = seen(await owner.get(path))
        fields = {"name": "Adana", "category_id": category, "station": "kitchen", "seen": mark}
        assert (await manager.post(path, {**fields, "price": "340"})).status == 303
        told = await owner.post(path, {**fields, "price": "360", "description": "Hand-minced"})
        assert told.status == 409
        assert "Somebody else changed this while you were typing" in told.words
        assert "Hand-minced" in told.text
        assert 'value="360"' in told.text
        assert (await menu_of(one, venue))["items"][0]["price"] == 340
        # Sent again from the page that told so, it is kept.
        assert (await owner.post(path, {**fields, "price": "360", "seen": seen(told)})).status == 303
        assert (await menu_of(one, venue))["items"][0]["price"] == 360
        # Selling out is no edit: whoever types meanwhile is not stopped.
        mark = seen(await owner.get(path))
        await manager.post(f"/panel/menu/{venue}/sell-out", {"ids": item, "until": "tomorrow"})
        assert (await owner.post(path, {**fields, "price": "365", "seen": mark})).status == 303


async def test_a_cook_marks_a_dish_as_sold_out_with_one_tap_and_changes_nothing_else(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, kitchen = await one.person(), await one.person("kitchen")
        venue = await set_up(owner)
        category = await add_category(owner, one, venue, "Grill")
        item = await add_item(owner, one, venue, category, "Adana", "320")
        path = f"/panel/menu/{venue}"
        listed = await kitchen.get("/panel/menu")
        assert "On sale: Adana" in html.unescape(listed.text)
        assert "Add dish" not in listed.words
        gone = await kitchen.post(f"{path}/sell-out", {"ids": item, "until": "tomorrow", "name": "Adana"})
        assert gone.status == 303
        (kept,) = (await menu_of(one, venue))["items"]
        assert kept["sold_out"] is True
        assert kept["sold_out_until"] is not None
        assert "sold out · until" in (await kitchen.get("/panel/menu?show=sold_out")).words
        await kitchen.post(f"{path}/sell-out", {"ids": item, "until": "told"})
        assert "until somebody says otherwise" in (await kitchen.get("/panel/menu")).words
        assert (await kitchen.post(f"{path}/sell-out", {"ids": item, "until": "time", "until_time": ""})).status == 303
        later = {"ids": item, "until": "time", "until_time": "2030-01-01T10:00"}
        await kitchen.post(f"{path}/sell-out", later)
        (kept,) = (await menu_of(one, venue))["items"]
        assert kept["sold_out_until"] == "2030-01-01T07:00:00.000Z"
        await kitchen.post(f"{path}/sell-out", {"ids": item, "until": ""})
        assert (await menu_of(one, venue))["items"][0]["sold_out"] is False
        assert (await kitchen.post(f"{path}/items/{item}", {"name": "Mine", "price": "1"})).status == 403
        assert (await kitchen.post(f"{path}/order", {"ids": item})).status == 403
        assert (await kitchen.get(f"{path}/prices")).status == 403
        assert (await kitchen.get(f"{path}/items/{item}")).status == 200


async def test_the_order_changes_by_arrows_and_by_dragging_also_between_categories(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/menu/{venue}/order"
        first, second = [await add_category(owner, one, venue, name) for name in ("Soups", "Grill")]
        items = [await add_item(owner, one, venue, second, name, "10") for name in ("A", "B", "C")]
        assert 'name="way"' in (await owner.get("/panel/menu?arrange=1")).text
        assert 'name="way"' not in (await owner.get("/panel/menu")).text

        async def names() -> list[str]:
            menu = await menu_of(one, venue)
            return [each["name"] for each in menu["categories"]] + [each["name"] for each in menu["items"]]

        await owner.post(path, {"category": second, "move": items[2], "way": "up"})
        assert await names() == ["Soups", "Grill", "A", "C", "B"]
        await owner.post(path, {"move": second, "way": "up"})
        assert (await names())[:2] == ["Grill", "Soups"]
        # The first one cannot go further up.
        await owner.post(path, {"move": second, "way": "up"})
        assert (await names())[:2] == ["Grill", "Soups"]
        await owner.post(path, {"category": second, "ids": ",".join(reversed(items))})
        assert (await names())[2:] == ["C", "B", "A"]
        await owner.post(path, {"item": items[0], "category": first, "before": ""})
        menu = await menu_of(one, venue)
        assert [each["category_id"] for each in menu["items"] if each["name"] == "A"] == [first]
        # A list that is no longer whole is refused, and nothing moves.
        before = await names()
        refused = await owner.post(path, {"category": second, "ids": items[1]})
        assert refused.status == 303
        assert await names() == before
        full = await owner.post(f"/panel/menu/{venue}/categories/{second}/delete")
        assert full.status == 409
        assert "still holds dishes" in full.words


async def test_a_switch_tells_what_is_on_sale_and_a_question_that_must_be_answered_wants_an_answer(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner, turk = await one.person(), await one.person(language="tr")
        venue = await set_up(owner)
        ayran = await add_item(owner, one, venue, await add_category(owner, one, venue, "İçecekler"), "Ayran", "40")
        state = 'role="switch" aria-checked="{}" name="until" value="{}" aria-label="On sale: Ayran"'
        assert state.format("true", "tomorrow") in (await owner.get("/panel/menu")).text
        await owner.post(f"/panel/menu/{venue}/sell-out", {"ids": ayran, "until": "tomorrow"})
        assert state.format("false", "") in (await owner.get("/panel/menu")).text
        # The count follows by itself.
        assert "Sold out (1)" in (await owner.get("/panel/menu?part=shown")).words
        assert "Satışta: Ayran" in (await turk.get("/panel/menu")).text
        path = f"/panel/menu/{venue}/options"
        group = {"name": "Boy", "required": "1", "least": "0", "most": "1", "option": ["n0"], "name_n0": "Küçük"}
        refused = await owner.post(f"{path}/new", group)
        assert refused.status == 422
        assert "Guests must choose, so at least 1." in refused.words
        # Two of one name are told apart by their answers, and by their codes where these are the same.
        for answer in ("Küçük", "Büyük", "Büyük"):
            made = await owner.post(f"{path}/new", {**group, "least": "", "name_n0": answer})
            assert made.status == 303, made.words
        groups = (await menu_of(one, venue))["option_groups"]
        assert [each["least"] for each in groups] == [0, 0, 0]
        page = await owner.get(f"{path}/new")
        names = re.findall(r"<option value=\"\w+\">([^<]+)</option>", page.text)
        assert len(set(names)) == 3
        assert "Boy (Küçük)" in names
        assert 'name="least" value="1"' in (await owner.get(f"{path}/{groups[0]['id']}")).text


async def test_options_are_questions_with_answers_prices_and_further_questions(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        path = f"/panel/menu/{venue}/options"
        sauce = {"name": "Sos", "most": "2", "option": ["n0"], "name_n0": "Acı", "most_n0": "2"}
        assert (await owner.post(f"{path}/new", sauce)).status == 303
        (group,) = (await menu_of(one, venue))["option_groups"]
        size = {
            "name": "Boy", "required": "1", "least": "1", "most": "1", "option": ["n1", "n0", "n2"],
            "name_n0": "Küçük", "default_n0": "1", "name_n1": "Büyük", "price_n1": "45,50", "opens_n1": group["id"],
            "name_n2": "",
        }  # fmt: skip
        wrong = await owner.post(f"{path}/new", {**size, "price_n1": "çok"})
        assert wrong.status == 422
        assert "Answer 1:" in wrong.words
        assert "Küçük" in wrong.text
        assert (await owner.post(f"{path}/new", size)).status == 303
        made = (await menu_of(one, venue))["option_groups"][1]
        # In the order of the lines, and without the empty one.
        assert [option["name"] for option in made["options"]] == ["Büyük", "Küçük"]
        assert made["options"][0]["price"] == 45.5
        assert made["options"][0]["opens"] == [group["id"]]
        assert made["options"][1]["default"] is True
        listed = (await owner.get(path)).words
        assert "exactly one" in listed
        assert "+₺45.50" in listed
        page = await owner.get(f"{path}/{made['id']}")
        again = {**size, "seen": seen(page), "id_n1": made["options"][0]["id"], "name_n1": "En büyük"}
        assert (await owner.post(f"{path}/{made['id']}", again)).status == 303
        renamed = (await menu_of(one, venue))["option_groups"][1]
        assert renamed["options"][0]["id"] == made["options"][0]["id"]
        assert renamed["options"][0]["name"] == "En büyük"
        category = await add_category(owner, one, venue, "Grill")
        item = await add_item(owner, one, venue, category, "Adana", "10", groups=[made["id"], group["id"]])
        assert (await menu_of(one, venue))["items"][0]["option_group_ids"] == [made["id"], group["id"]]
        await owner.post(f"/panel/menu/{venue}/sell-out", {"ids": made["options"][1]["id"], "until": "told"})
        assert "sold out" in (await owner.get(path)).words
        assert "1 dish uses" in (await owner.get(f"{path}/{made['id']}")).words
        await owner.post(f"{path}/{made['id']}/delete")
        menu = await menu_of(one, venue)
        assert next(each for each in menu["items"] if each["id"] == item)["option_group_ids"] == [group["id"]]


async def test_many_prices_change_only_after_somebody_saw_them(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        grill, drinks = [await add_category(owner, one, venue, name) for name in ("Grill", "Drinks")]
        await add_item(owner, one, venue, grill, "Adana", "320")
        await add_item(owner, one, venue, drinks, "Ayran", "40")
        path = f"/panel/menu/{venue}/prices"

        async def prices() -> list[float]:
            return [each["price"] for each in (await menu_of(one, venue))["items"]]

        assert "Say by how much" in (await owner.post(path, {"act": "preview"})).words
        wanted = {"percent": "12,5", "step": "5", "rounding": "up", "categories": [grill]}
        preview = await owner.post(path, {**wanted, "act": "preview"})
        assert "1 price would change" in preview.words
        assert "₺360.00" in preview.words
        assert await prices() == [320, 40]
        version = re.search(r'name="version" value="(\d+)"', preview.text)
        assert version is not None
        # Somebody else was quicker: nothing changes until the new figures were seen.
        await owner.post(path.replace("prices", "sell-out"), {"ids": (await menu_of(one, venue))["items"][1]["id"]})
        stale = await owner.post(path, {**wanted, "act": "apply", "version": version[1]})
        assert "The menu changed since you looked" in stale.words
        assert await prices() == [320, 40]
        version = re.search(r'name="version" value="(\d+)"', stale.text)
        assert version is not None
        done = await owner.post(path, {**wanted, "act": "apply", "version": version[1]})
        assert done.status == 303
        assert await prices() == [360, 40]


async def test_a_file_is_checked_row_by_row_and_changes_the_menu_only_when_told_to(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person(language="tr")
        venue = await set_up(owner)
        path = f"/panel/menu/{venue}/import"
        assert "Önce bir dosya seçin" in (await owner.post(path, {"act": "check"})).words
        bad = "kategori,ürün,fiyat,alerjenler\nIzgara,Adana,320,\nIzgara,Urfa,ucuz,taş\n".encode()
        checked = await owner.upload(path, {"mode": "merge", "act": "check"}, "file", "menü.csv", bad)
        assert "2 hata var, hiçbir şey değiştirilmedi" in checked.words
        assert "Bu 14 alerjenden biri değil." in checked.words
        assert len(re.findall(r'data-align="end">3<', checked.text)) == 2
        assert (await menu_of(one, venue))["items"] == []
        # A workbook that is made to be too much work.
        heavy = await owner.upload(path, {"mode": "merge", "act": "check"}, "file", "menü.xlsx", many_styles(30_000))
        assert heavy.status == 422
        assert "Bu dosyayı okumak çok zahmetli." in heavy.words
        good = "kategori,ürün,fiyat\nIzgara,Adana,320\nIzgara,Urfa,310\n".encode()
        checked = await owner.upload(path, {"mode": "merge", "act": "check"}, "file", "menü.csv", good)
        assert "menü.csv sorunsuz" in checked.words
        assert (await menu_of(one, venue))["items"] == []
        carried = re.search(r'name="carried" value="([^"]+)"', checked.text)
        assert carried is not None
        fields = {"mode": "merge", "act": "apply", "filename": "menü.csv", "carried": html.unescape(carried[1])}
        assert (await owner.post(path, fields)).status == 303
        assert [each["name"] for each in (await menu_of(one, venue))["items"]] == ["Adana", "Urfa"]
        # What the page carried comes back damaged: nothing happens, and it is said.
        assert (await owner.post(path, {**fields, "carried": "damaged"})).status == 422
        exported = await owner.get(f"/panel/menu/{venue}/export/menu.json")
        names = [item["name"] for item in msgspec.json.decode(exported.text)["categories"][0]["items"]]
        assert names == ["Adana", "Urfa"]
        assert "attachment" in exported.headers["content-disposition"]
        book = await owner.read(f"/panel/menu/{venue}/export/menu.xlsx")
        again = await owner.upload(path, {"mode": "replace", "act": "check"}, "file", "menu.xlsx", book)
        assert "menu.xlsx sorunsuz" in again.words
        assert (await owner.get(f"/panel/menu/{venue}/export/menu.exe")).status == 404


async def test_a_photo_is_kept_shown_and_taken_away(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        category = await add_category(owner, one, venue, "Grill")
        path = f"/panel/menu/{venue}/items/new"
        fields = {"name": "Adana", "price": "320", "category_id": category, "station": "kitchen"}
        refused = await owner.upload(path, fields, "photo", "a.jpg", b"no picture")
        assert refused.status == 422
        assert 'id="photo-error"' in refused.text
        assert 'value="Adana"' in refused.text
        made = await owner.upload(path, fields, "photo", "a.jpg", photo())
        assert made.status == 303, made.words
        (item,) = (await menu_of(one, venue))["items"]
        assert item["image_id"]
        shown = await owner.get(f"/panel/menu/{venue}/items/{item['id']}")
        assert f"/menu/images/{item['image_id']}-320.webp" in shown.text
        gone = {**fields, "photo_gone": "1", "seen": seen(shown)}
        assert (await owner.post(f"/panel/menu/{venue}/items/{item['id']}", gone)).status == 303
        assert (await menu_of(one, venue))["items"][0]["image_id"] is None


async def test_names_are_text_wherever_they_stand(database_url: str, tmp_path: Path) -> None:
    hostile = '"><script>alert(1)</script>'
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner, name=f"X{hostile}")
        category = await add_category(owner, one, venue, f"C{hostile}")
        item = await add_item(owner, one, venue, category, f"I{hostile}", "1", tags=hostile)
        group = {"name": f"G{hostile}", "option": ["n0"], "name_n0": f"O{hostile}"}
        await owner.post(f"/panel/menu/{venue}/options/new", group)
        (kept,) = (await menu_of(one, venue))["option_groups"]
        for path in (
            "/panel/venue", "/panel/menu", "/panel/menu?arrange=1", f"/panel/menu/{venue}/items/{item}",
            f"/panel/menu/{venue}/options", f"/panel/menu/{venue}/options/{kept['id']}",
            f"/panel/menu/{venue}/categories/{category}", f"/panel/menu/{venue}/prices", "/panel/tables",
        ):  # fmt: skip
            page = await owner.get(path)
            assert page.status == 200, path
            assert "<script>alert" not in page.text, path
