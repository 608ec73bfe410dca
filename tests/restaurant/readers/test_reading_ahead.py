"""Guests' texts are read before the transaction that answers them, and what was read is checked against what is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import msgspec
import pytest

from tablegram.restaurant import reading
from tablegram.restaurant.demo import house as demo
from tablegram.restaurant.readers.reading_ahead import LONG_TEXT, Readings
from tablegram.restaurant.reading import Vocabulary
from tablegram.restaurant.reading.dialogue import joining
from tablegram.storage.database import Database, Tx
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import house, texts_of

pytestmark = pytest.mark.once

LONG = "çok acıktık da " * 17 + "iki lahmacun, masa 4"


@pytest.fixture
def read_where(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where each text was read: inside a write transaction, or outside of any."""
    where: list[str] = []
    writes: ContextVar[bool] = ContextVar("writes", default=False)
    write = Database.write

    async def noted(self: Database, function: Callable[[Tx], Awaitable[Any]], *more: Any, **named: Any) -> Any:
        async def inside(tx: Tx) -> Any:
            token = writes.set(True)
            try:
                return await function(tx)
            finally:
                writes.reset(token)

        return await write(self, inside, *more, **named)

    def watch(module: Any, name: str) -> None:
        real = getattr(module, name)

        def watched(*args: Any, **named: Any) -> Any:
            where.append("inside" if writes.get() else "outside")
            return real(*args, **named)

        monkeypatch.setattr(module, name, watched)

    monkeypatch.setattr(Database, "write", noted)
    watch(reading, "read")
    watch(joining, "join")
    return where


@pytest.mark.parametrize("text", ["two lahmacun please, table 4", LONG, "hello there", "x" * 3_000])
async def test_no_text_is_read_inside_a_write(database_url: str, read_where: list[str], text: str) -> None:
    async with house(database_url) as one:
        await one.write(text)
        assert read_where
        assert "inside" not in read_where
        assert texts_of(one).readings.made_late == 0


async def test_neither_is_an_answer(database_url: str, read_where: list[str]) -> None:
    async with house(database_url) as one:
        await one.write("2 pide, 1 ayran, masa 5")
        read_where.clear()
        await one.write("kıymalı olsun")
        # Read by itself, and joined with the text before it.
        assert len(read_where) >= 2
        assert "inside" not in read_where
        assert len(await one.placed()) == 1
        assert texts_of(one).readings.made_late == 0


@pytest.mark.later
async def test_what_was_read_by_a_menu_that_changed_meanwhile_is_read_again(database_url: str) -> None:
    async with house(database_url) as one:
        texts = texts_of(one)
        ahead = texts.prepare

        async def change_behind(messages: Any) -> None:
            await ahead(messages)
            await one.change_item("Künefe", is_hidden=True)

        texts.prepare = change_behind  # type: ignore[method-assign,assignment]
        await one.write("2 künefe, masa 4")
        assert texts.readings.made_late == 1
        assert await one.placed() == []


@pytest.mark.later
async def test_an_answer_that_comes_in_the_same_batch_as_its_text_is_joined(database_url: str) -> None:
    """The question is not there yet when both are read ahead."""
    async with house(database_url) as one:
        await one.write_at_once([("2 pide, 1 ayran, masa 5", PHONE, "wamid.1"), ("kıymalı olsun", PHONE, "wamid.2")])
        assert texts_of(one).readings.made_late == 1
        assert len(await one.placed()) == 1


async def test_what_cannot_be_read_ahead_fails_nobody(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(database_url) as one:

        async def fail(*_: object) -> None:
            raise LookupError("a bug")

        monkeypatch.setattr(texts_of(one).readings, "read_ahead", fail)
        await one.write("two lahmacun please, table 4")
        assert texts_of(one).readings.made_late == 1
        assert len(await one.placed()) == 1


async def test_a_text_with_the_code_of_a_cart_is_not_read(database_url: str, read_where: list[str]) -> None:
    async with house(database_url) as one:
        await one.write((await one.cart())["text"])
        assert len(await one.placed()) == 1
        assert read_where == []


@pytest.mark.parametrize(("ago_s", "is_heard"), [(3_600, True), (3_601, False)])
async def test_what_was_held_up_for_an_hour_is_not_cooked(database_url: str, ago_s: int, is_heard: bool) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please, table 4", ago_s=ago_s)
        assert len(await one.placed()) == is_heard
        # Nothing is said about it either: people see it in their inbox.
        assert len(await one.said()) == is_heard


async def test_readings_are_kept_for_a_while_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.restaurant.readers.reading_ahead.MAX_KEPT", 2)
    readings, menu = Readings(), Vocabulary(demo.demo_menu())
    for text in ("2 adana", "1 ayran", "3 lahmacun"):
        await readings.read_ahead(menu, text)
    assert readings.read(menu, "3 lahmacun").lines
    assert readings.made_late == 0
    assert readings.read(menu, "2 adana").lines
    assert readings.made_late == 1
    # The same words of another menu are another text.
    assert readings.read(Vocabulary(demo.demo_menu()), "2 adana").lines
    assert readings.made_late == 2


def test_a_long_text_is_longer_than_most_orders() -> None:
    assert len(LONG) > LONG_TEXT
    assert msgspec.json.encode(reading.read(LONG, Vocabulary(demo.demo_menu())))
