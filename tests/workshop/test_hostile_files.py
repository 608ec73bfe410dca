"""Files that are small and would cost minutes or gigabytes: each is counted, or ended at a limit, and told in words."""

from __future__ import annotations

from typing import Any

from tablegram.crm.importing.checking import CHECK, Table
from tablegram.errors import Invalid
from tablegram.restaurant.menu.importing.jobs import READ, MenuFile
from tablegram.restaurant.menu.model import Menu
from tablegram.restaurant.pictures.model import DRAW, Picture
from tablegram.workshop.children import Children
from tablegram.workshop.ports import Job
from tests.workshop import hostile
from tests.workshop.hostile import ROWS, workbook

EMPTY = Menu("TRY", "Europe/Istanbul", ["tr"], ["kitchen"])
TABLE = b"category,name,price,option_groups\n"


async def answer(workshop: Children, job: Job[Any], given: Any) -> Any:
    """What was made, or the code of what is told."""
    try:
        return await workshop.do(1, job, given)
    except Invalid as told:
        return told.code


def menu(raw: bytes) -> MenuFile:
    return MenuFile(raw, EMPTY, "merge")


async def test_every_file_is_answered_and_the_next_one_is_read() -> None:
    workshop = Children(2)
    try:
        read = await answer(workshop, READ, menu(workbook(ROWS)))
        assert [(one.name, one.price) for one in read.menu.items] == [("Black tea", 2_000)]
        files: list[tuple[str, Job[Any], Any, str]] = [
            ("twelve million cells", READ, menu(hostile.many_cells(11_900_000)), "file_too_much_work"),
            ("styles", READ, menu(hostile.many_styles(30_000)), "file_too_much_work"),
            ("sixty megabytes", READ, menu(hostile.deflated_nothing(51 * 1_048_576)), "file_too_large"),
            ("declarations behind a comment", READ, menu(workbook(ROWS, head=_declared())), "file_unreadable"),
            ("two bytes a letter", READ, menu(workbook(ROWS, parts=_wide())), "file_unreadable"),
            ("cut off", READ, menu(workbook(ROWS)[:-40]), "file_unreadable"),
            ("200,000 items", READ, menu(hostile.many_items(200_000)), "too_many"),
            ("millions of objects", READ, menu(b'{"categories":[' + b"{}," * 300_000), "file_too_much_work"),
            ("nested", READ, menu(hostile.nested(100_000)), "file_unreadable"),
            ("a group in every letter", READ, menu(TABLE + b'A,Tea,1,"' + b"x," * 60_000 + b'"\n'), "errors"),
            ("millions of headings", READ, menu(b"," * 1_000_000), "file_unreadable"),
            ("thousands of scans", DRAW, hostile.in_scans((1_000, 1_000), 2_000), "image_too_much_work"),
            ("a few scans of very many pixels", DRAW, hostile.in_scans((2_500, 2_500), 91), "image_too_much_work"),
            ("a claim of pixels", DRAW, hostile.claims_to_be(60_000, 60_000), "image_too_large"),
            ("no picture", DRAW, b"\xff\xd8\xff" + b"\xff" * 200_000, "image_unreadable"),
            ("millions of wrong rows", CHECK, Table(b"phone\n" + b"1\n" * 1_000_000, "import x"), "too_many"),
            ("a heading of megabytes", CHECK, Table(b"phone" + b"," * 1_000_000, "import x"), "file_unreadable"),
        ]  # fmt: skip
        for name, job, given, expected in files:
            got = await answer(workshop, job, given)
            if expected == "errors":
                assert {one.code for one in got.errors} == {"group_unknown"}, name
                continue
            assert (name, got) == (name, expected)
        # What is merely odd is read.
        far = await answer(workshop, READ, menu(hostile.far_rows(5)))
        assert {f"S{one} row 5000" for one in range(1, 6)} <= {one.place for one in far.errors}
        drawn = await answer(workshop, DRAW, hostile.in_scans((640, 480), 12))
        assert isinstance(drawn, Picture)
        assert (drawn.width, drawn.height) == (640, 480)
    finally:
        await workshop.stop()


def _declared() -> str:
    return "<!--" + "x" * 5_000 + '--><!DOCTYPE a [<!ENTITY b "c">]>'


def _wide() -> dict[str, bytes]:
    return {"xl/sharedStrings.xml": "<sst/>".encode("utf-16")}
