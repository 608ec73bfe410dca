"""The account's switch for the language model: on the page of a venue and over the API, with what went wrong last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablegram.restaurant.readers import spending
from tests.panel.set_up import set_up
from tests.panel.visiting import House, house

READER = "/restaurant/reader"


async def ask(one: House, method: str = "GET", body: Any = None, account: int = 1) -> Any:
    return await one.running.ask(method, READER, body, account=account)


async def test_it_is_off_until_somebody_switches_it_on_and_says_what_went_wrong(
    database_url: str, tmp_path: Path
) -> None:
    model = {"reader_url": "http://127.0.0.1:9/v1", "reader_model": "small", "reader_key": "sk-secret-key"}
    async with house(database_url, tmp_path, **model) as one:
        owner, waiter, turk = await one.person(), await one.person("staff"), await one.person("manager", language="tr")
        venue = await set_up(owner)
        page = f"/panel/venue?venue={venue}"
        assert (await ask(one)).json() == {
            "is_there": True, "is_on": False, "calls_today": 0, "calls_a_day": 500, "tokens_today": 0,
            "tokens_a_day": 2_000_000, "answered_at": None, "trouble": None,
        }  # fmt: skip
        shown = await owner.get(page)
        assert "Language model" in shown.words
        assert "What is sent out" in shown.words
        assert "Switch on" in shown.words
        assert (await waiter.post(f"/panel/venue/{venue}/reader", {"is_on": "1"})).status == 403
        switched = await owner.post(f"/panel/venue/{venue}/reader", {"is_on": "1"})
        assert (switched.status, switched.location) == (303, page)
        assert (await ask(one)).json()["is_on"] is True
        # Another account has a switch of its own.
        assert (await ask(one, account=2)).json()["is_on"] is False
        shown = await owner.get(page)
        assert "Switch off" in shown.words
        assert "Today: 0 of 500 texts, 0 of 2,000,000 tokens." in shown.words
        api, now = one.running.api, one.running.api.clock.now_ms()
        for code in ("unreachable", "slow", "key_refused", "refused", "too_large", "not_json", "unfit", "resting",
                     "over_cap"):  # fmt: skip
            await api.db.write(lambda tx, code=code: spending.note(tx, 1, code, now))  # type: ignore[misc]
            trouble = (await ask(one)).json()["trouble"]
            assert trouble["code"] == code
            assert trouble["detail"]
            assert "Guests were answered by the rules." in (await owner.get(page)).words
            turkish = (await turk.get(page)).words
            assert "Misafirleri kurallar yanıtladı." in turkish
            assert "reader.trouble" not in turkish
        off = await ask(one, "PATCH", {"is_on": False})
        assert (off.status, off.json()["is_on"]) == (200, False)
        # Who switched it is in the log, by name; the key is nowhere.
        log = await owner.get("/panel/audit")
        assert "Language model switched on" in log.words
        assert "Language model switched off" in log.words
        everything = [shown.text, log.text, (await ask(one)).body.decode(), (await owner.get(page)).text]
        assert not any("sk-secret-key" in text for text in everything)
        wrong = await ask(one, "PATCH", {"is_on": "yes", "price": 0})
        assert wrong.status == 422


async def test_where_the_installation_has_none_there_is_nothing_to_switch(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        venue = await set_up(owner)
        assert "Language model" not in (await owner.get(f"/panel/venue?venue={venue}")).words
        assert (await ask(one)).json()["is_there"] is False
        refused = await ask(one, "PATCH", {"is_on": True})
        assert (refused.status, refused.json()["code"]) == (409, "reader_missing")
        assert "TABLEGRAM_READER_URL" in refused.json()["detail"]
        assert (await ask(one, "PATCH", {"is_on": False})).status == 200
