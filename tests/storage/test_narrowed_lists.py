"""Whatever a list is narrowed to is read from an index of it, however rare it is and however much else there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablegram.crm.store import conversations, terms
from tablegram.storage.database import Query
from tests.api.document import document
from tests.databases import Databases, migrate
from tests.storage.narrowed import BESIDE, BOUNDED, LISTS, narrowed_by
from tests.storage.narrowed_rows import ROWS
from tests.storage.plans import fill_all, plans_of

MANY = 3_000
YES_NO = (False, True)


@pytest.fixture(scope="module")
def filled_database_url(databases: Databases) -> Iterator[str]:
    """A database of its own: one that other tests used has its own idea of its tables."""
    url = databases.empty()
    migrate(url)
    yield url
    databases.drop(url)


async def test_what_a_list_is_narrowed_to_is_read_from_an_index_of_it(filled_database_url: str) -> None:
    await fill_all(filled_database_url, ROWS, MANY)
    asked = {f"{operation} by {name}": one for operation, filters in LISTS.items() for name, one in filters.items()}
    asked |= BESIDE
    plans = await plans_of(filled_database_url, [one.query for one in asked.values()])
    astray = [
        f"{name}: {plan}"
        for (name, one), plan in zip(asked.items(), plans, strict=True)
        if not any(index in plan for index in one.indexes)
    ]
    assert not astray, "\n".join(astray)


async def test_whether_somebody_waits_is_read_from_their_own_messages(filled_database_url: str) -> None:
    """And not from those of everybody, one after the other, for each conversation that is looked at."""
    for plan in await plans_of(
        filled_database_url, [conversations.waiting("", after=True), conversations.WAITING_SINCE]
    ):
        assert "ix_messages_phone" in plan
        assert "ix_messages_created" not in plan, plan


async def test_contacts_of_a_rare_word_are_read_by_their_ids(filled_database_url: str) -> None:
    """On any page, and beside a time: whoever walks the list in its order meets everybody else first."""
    rare: Any = ((1,), (0,), 4_000)
    asked: list[Query] = [terms.by_word(*rare, since=since, after=after) for since in YES_NO for after in YES_NO]
    asked += [terms.briefs(*rare, since=True), terms.how_many(*rare, since=True)]
    for plan in await plans_of(filled_database_url, asked):
        assert not {index for index in ("ix_contacts_seen", "ix_contacts_wrote") if index in plan}, plan


# A part of a text is looked for in all of them, and an order narrows nothing.
_NO_FILTERS = {"cursor", "limit", "q", "sort"}


@pytest.mark.once
def test_every_filter_of_a_list_is_in_the_table_of_plans() -> None:
    """Whoever adds one names its index there, or says why the list stays short."""
    unknown = {}
    for methods in document()["paths"].values():
        operation = methods.get("get", {})
        asked = {one["name"] for one in operation.get("parameters", ()) if one.get("in") == "query"}
        if "cursor" not in asked or operation["operationId"] in BOUNDED:
            continue
        if asked - _NO_FILTERS != narrowed_by(operation["operationId"]):
            unknown[operation["operationId"]] = (asked - _NO_FILTERS) ^ narrowed_by(operation["operationId"])
    assert not unknown, unknown
