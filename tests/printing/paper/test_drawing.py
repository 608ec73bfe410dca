"""Paper that is drawn: every script, in dots, by a child of the workshop."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from PIL import Image

from tablegram.errors import Invalid, TooMany
from tablegram.printing.paper.document import Cut, Document, Drawer, Feed, Picture, Qr, Rule, Text
from tablegram.printing.paper.dots.jobs import LOGO, Logo
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.media import EPOS, ESCPOS, HTML, PLAIN, PNG, STAR_LINE, STARPRNT
from tablegram.printing.paper.press import Press
from tablegram.printing.paper.rendering import render
from tablegram.printing.printers.profile import Profile
from tablegram.sandbox.paper.decoder import Done, Dots, decode
from tablegram.workshop.children import Children
from tests.cases import cases
from tests.printing.paper.samples import KINDS

_SCRIPTS = ("Lahmacun", "Größe ẞ", "شاورما دجاج", "宫保鸡丁", "🍕", "Кофе", "₺ 5", "a\u202eb")


@asynccontextmanager
async def workshop() -> AsyncIterator[Children]:
    children = Children(2)
    try:
        yield children
    finally:
        await children.stop()


def _dark(png: bytes) -> tuple[tuple[int, int], int, Image.Image]:
    with Image.open(io.BytesIO(png)) as opened:
        shown = opened.convert("L")
    return shown.size, sum(shown.histogram()[:128]), shown


async def test_the_dots_of_a_drawn_ticket_are_those_of_its_picture() -> None:
    async with workshop() as children:
        press = Press(children)
        content, marks = KINDS["reprint"]
        document = lay_out(content, marks=marks)
        profile = Profile(columns=32, dots=384, mode="raster", buzzer=True)
        size, dark, shown = _dark(await press.render(1, document, profile, PNG))
        assert size[0] == 384
        assert dark > 5_000
        seen = decode(await press.render(1, document, profile, ESCPOS))
        assert [one.act for one in seen if isinstance(one, Done)] == ["buzzer", "cut"]
        strips = [one for one in seen if isinstance(one, Dots)]
        whole = Image.frombytes("1", size, b"".join(one.rows for one in strips))
        assert sum(one.height for one in strips) == size[1]
        assert whole.convert("L").point(lambda value: 255 - value).tobytes() == shown.tobytes()
        # The others carry the same dots.
        rows = b"".join(one.rows for one in strips)
        starprnt = await press.render(1, document, profile, STARPRNT)
        line = await press.render(1, document, profile, STAR_LINE)
        assert rows[: 48 * 100] in starprnt
        assert b"b\x30\x00" + rows[:48] in line
        assert b"<image" in await press.render(1, document, profile, EPOS)


async def test_every_script_leaves_ink_on_the_paper() -> None:
    async with workshop() as children:
        press = Press(children)
        pictures = {}
        with cases() as found:
            for text in _SCRIPTS:
                with found.case(ascii(text)):
                    png = await press.render(1, Document((Text(f"1 × {text}", 2, 2),)), Profile(), PNG)
                    pictures[text] = png
                    # More than the count and the sign alone.
                    assert _dark(png)[1] > 700
        # Each is another picture: nobody was drawn as the same box of a missing letter.
        assert len(set(pictures.values())) == len(_SCRIPTS)


async def test_every_kind_and_medium_is_made_and_long_words_stay_on_the_paper() -> None:
    async with workshop() as children:
        press = Press(children)
        for name in ("order", "receipt", "test"):
            content, marks = KINDS[name]
            for dots in (384, 576):
                profile = Profile(columns=32 if dots == 384 else 48, dots=dots)
                size, dark, _ = _dark(await press.render(1, lay_out(content, marks=marks), profile, PNG))
                assert size[0] == dots
                assert dark > 3_000
        for media in (ESCPOS, STARPRNT, STAR_LINE, EPOS, PNG, PLAIN, HTML):
            assert await press.render(1, lay_out(*KINDS["order"][:1]), Profile(), media)
        blocks = (Text("ü" * 400, 3, 3, box=True), Rule(), Qr("https://a.example/" + "x" * 200), Picture(8, 1, b"\xff"), Drawer(),
                  Feed(1), Cut())  # fmt: skip
        assert _dark(await press.render(1, Document(blocks), Profile(dots=384), PNG))[0][0] == 384
        with pytest.raises(Invalid, match="too long"):
            await press.render(1, Document((Text("x y " * 20_000, 3, 3),)), Profile(), PNG)


async def test_a_logo_becomes_dots_and_what_is_no_picture_is_told() -> None:
    async with workshop() as children:
        out = io.BytesIO()
        Image.new("RGBA", (900, 900), (0, 0, 0, 255)).resize((900, 300)).save(out, "PNG")
        made = await children.do(1, LOGO, Logo(out.getvalue(), 384))
        assert made.width <= 384
        assert made.height <= 192
        assert len(made.dots) == (made.width + 7) // 8 * made.height
        with pytest.raises(Invalid):
            await children.do(1, LOGO, Logo(b"GIF89a nothing", 384))


class Busy:
    """A workshop that has no turn for anybody."""

    async def do(self, account_id: int, job: Any, given: Any) -> Any:
        raise TooMany("Later.", code="workshop_full", retry_after_s=1)


async def test_where_nobody_can_draw_a_ticket_is_printed_in_the_printers_own_letters() -> None:
    press, document = Press(Busy()), lay_out(KINDS["order"][0])
    raster = Profile(mode="raster")
    for media in (ESCPOS, STARPRNT, STAR_LINE, EPOS):
        assert await press.render(1, document, raster, media) == render(document, raster, media)
    with pytest.raises(TooMany):
        await press.render(1, document, raster, PNG)
