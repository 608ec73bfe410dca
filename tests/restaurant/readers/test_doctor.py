"""What the doctor says about the language model's server; it asks for the list of models, which costs nothing."""

from __future__ import annotations

import asyncio

from tablegram.settings import Settings
from tablegram.wiring.reader_check import check_reader
from tests.cases import cases
from tests.restaurant.readers.scripted import drop, raw, scripted


async def look(url: str) -> tuple[str, str]:
    settings = Settings(reader_url=url, reader_model="small", reader_key="sk-secret-key")
    (found,) = await asyncio.to_thread(check_reader, settings)
    assert "sk-secret-key" not in found.words
    return found.level, found.words


async def test_the_doctor_tells_a_good_server_from_others() -> None:
    assert check_reader(Settings()) == []
    answers = {
        "well": (raw(b'{"data": [{"id": "small"}]}'), "ok", "takes the key"),
        "without a list": (raw(b"{}", 404), "ok", "answers"),
        "not json": (raw(b"<html>"), "ok", "answers"),
        "another model": (raw(b'{"data": [{"id": "large"}]}'), "warn", "no model named small"),
        "wrong key": (raw(b"{}", 401), "warn", "refuses the key"),
        "moved": (raw(b"", 301), "warn", "HTTP 301"),
        "broken": (raw(b"", 503), "warn", "HTTP 503"),
        "silent": (drop, "warn", "does not answer"),
    }
    with cases() as found:
        async with scripted() as server:
            for name, (script, level, words) in answers.items():
                with found.case(name):
                    server.says = script
                    assert (await look(server.url))[0] == level
                    assert words in (await look(server.url))[1]
            gone = server.url
        with found.case("gone"):
            assert (await look(gone))[0] == "warn"
    assert server.heads[0].startswith("GET /v1/models ")
