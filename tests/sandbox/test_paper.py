"""Printers that are pictures: their page shows what a printer would make of the bytes."""

from __future__ import annotations

import io
import re
from pathlib import Path

import aiohttp
from PIL import Image

from tablegram.printing.paper.document import Cut, Document, Feed, Picture, Qr, Text
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.makers.escpos import escpos_text
from tablegram.printing.printers.profile import Profile
from tablegram.sandbox.app import create
from tablegram.sandbox.paper.rolls import MOST_PRINTERS, MOST_SHEETS, Rolls
from tablegram.values.files.png import png_of_dots
from tests.printing.paper.samples import ORDER
from tests.sandbox.stage import running


def test_dots_become_the_same_picture() -> None:
    rows = bytes([0b10110000, 0b01000000, 0b11111000, 0])
    with Image.open(io.BytesIO(png_of_dots(5, 4, rows))) as shown:
        assert shown.size == (5, 4)
        dark = [[shown.convert("L").getpixel((x, y)) == 0 for x in range(5)] for y in range(4)]
    assert dark == [[bool(row >> (7 - x) & 1) for x in range(5)] for row in rows]


def test_a_roll_keeps_its_last_sheets_and_shows_bytes_that_nobody_understands() -> None:
    rolls = Rolls()
    for number in range(MOST_SHEETS + 5):
        rolls.print("prn_1", "Mutfak", 48, b"\x1b@x%d\n" % number)
    (roll,) = rolls
    assert len(roll.sheets) == MOST_SHEETS
    assert roll.sheets[0].seen[0].text == f"x{MOST_SHEETS + 4}"  # type: ignore[union-attr]
    wrong = rolls.print("prn_1", "Mutfak", 48, b"\x1bZ")
    assert wrong.seen[0].reverse  # type: ignore[union-attr]
    assert rolls.dots(wrong.number, 0) is None
    for number in range(MOST_PRINTERS + 5):
        rolls.print(f"prn_{number}", "P", 48, b"")
    assert len(list(rolls)) <= MOST_PRINTERS


async def test_the_page_shows_each_sheet_and_allows_nothing_inline(tmp_path: Path) -> None:
    app = create(tmp_path / "s.db")
    async with running(tmp_path / "s.db", app=app) as url, aiohttp.ClientSession() as http:

        async def get(path: str) -> tuple[int, str, str]:
            async with http.get(f"{url}{path}") as answer:
                raw = await answer.read()
                return answer.status, raw.decode("latin-1" if "png" in path else "utf-8"), answer.content_type

        assert "Nothing has been printed yet" in (await get("/paper?lang=en"))[1]
        assert "Henüz bir şey basılmadı" in (await get("/paper?lang=tr"))[1]
        app.network.print_paper(
            "prn_1", "<i>Mutfak</i>", 32, escpos_text(lay_out(ORDER), Profile(columns=32, buzzer=True))
        )
        blocks = (Text("<script>x</script>"), Picture(8, 2, b"\x81\x18"), Qr("hi"), Feed(2), Cut())
        app.network.print_paper("prn_2", "Bar", 48, escpos_text(Document(blocks), Profile()))
        status, page, _ = await get("/paper?lang=en")
        assert status == 200
        assert re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)", page) is None
        for there in (
            "&lt;i&gt;Mutfak",
            "İskender",
            "sheet-32",
            "The buzzer sounded.",
            "&lt;script&gt;x",
            "cells-2-2 bold",
        ):
            assert there in page
        part = (await get("/paper?lang=en&part=rolls"))[1]
        assert "<html" not in part
        assert "İskender" in part
        (picture,) = re.findall(r'src="/sandbox(/paper/[0-9]+/[0-9]+\.png)"', page)
        status, _, kind = await get(picture)
        assert (status, kind) == (200, "image/png")
        for missing in ("/paper/1/0.png", "/paper/99/0.png", "/paper/2/x.png", "/paper/2/" + "9" * 30 + ".png"):
            assert (await get(missing))[0] == 404
