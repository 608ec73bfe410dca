"""The phone page as a browser gets it."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from tablegram.sandbox.faults import KINDS
from tablegram.sandbox.page.routes import choose_language, words
from tests.sandbox.stage import running


async def test_the_page_runs_only_its_own_scripts_and_styles(tmp_path: Path) -> None:
    async with running(tmp_path / "s.db") as url, aiohttp.ClientSession() as http, http.get(f"{url}/") as answer:
        page = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(src=|type=\"application/json\"))", page) is None
        assert re.findall(r'(?:src|href)="(https?:)?//', page) == []


async def test_every_file_the_page_names_is_served_and_cached(tmp_path: Path) -> None:
    async with running(tmp_path / "s.db") as url, aiohttp.ClientSession() as http:
        async with http.get(f"{url}/") as answer:
            names = re.findall(r'(?:src|href)="(/sandbox/static/[^"]+)"', await answer.text())
        base = url.removesuffix("/sandbox")
        seen = []
        while names:
            name = names.pop()
            seen.append(name)
            async with http.get(base + name) as answer:
                assert answer.status == 200
                text, tag = await answer.text(), answer.headers["ETag"]
                assert answer.headers["Cache-Control"] == (
                    "public, max-age=31536000, immutable" if "?v=" in name else "no-cache"
                )
            async with http.get(base + name, headers={"If-None-Match": tag}) as answer:
                assert answer.status == 304
            imported = [f"/sandbox/static/{found}" for found in re.findall(r'from "\./([\w.]+)"', text)]
            names += [found for found in imported if found not in seen and found not in names]
        assert len(seen) > 8


async def test_a_first_visit_finds_two_people(tmp_path: Path) -> None:
    async with running(tmp_path / "s.db") as url, aiohttp.ClientSession() as http:
        async with http.get(f"{url}/phones") as answer:
            assert (await answer.json())["data"] == []
        async with http.get(f"{url}/"), http.get(f"{url}/phones") as answer:
            assert {phone["name"] for phone in (await answer.json())["data"]} == {"Ayşe", "Tom"}


@pytest.mark.parametrize(
    ("asked", "accepted", "language"),
    [
        (None, "tr-TR,tr;q=0.9,en;q=0.8", "tr"),
        (None, "en-GB,tr;q=0.5", "en"),
        (None, "de,tr;q=0.4", "tr"),
        (None, "de", "en"),
        (None, "", "en"),
        (None, "tr;q=x,,;q=", "en"),
        ("tr", "en", "tr"),
        ("xx", "tr", "tr"),
    ],
)
def test_the_language_is_the_visitors(asked: str | None, accepted: str, language: str) -> None:
    assert choose_language(asked, accepted) == language


def test_every_kind_of_fault_has_its_words() -> None:
    assert {key for key in words("en") if key.startswith("kind.")} == {f"kind.{kind}" for kind in KINDS}


def test_every_word_that_the_scripts_say_exists() -> None:
    scripts = Path(__file__).parents[3] / "src" / "tablegram" / "sandbox" / "page" / "static"
    said = {key for script in scripts.glob("*.js") for key in re.findall(r'say\("(\w+)"', script.read_text())}
    assert said - set(words("en")) == set()
