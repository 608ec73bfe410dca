"""The suite's own ground: what `tests/conftest.py` promises to every test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
import uvloop
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.storage.migrate import newest, revision
from tests.conftest import pytest_pyfunc_call
from tests.databases import SHARED
from tests.loops import TESTS, runner_for

# What the fixtures promise of a database holds for each kind.
pytestmark = pytest.mark.both


async def test_async_tests_run_in_the_servers_kind_of_event_loop_or_in_one_that_always_closes(
    request: pytest.FixtureRequest,
) -> None:
    is_shared = request.config.getoption("--db") in SHARED
    assert isinstance(asyncio.get_running_loop(), uvloop.Loop) is not is_shared


def test_tests_of_sockets_run_in_the_servers_kind_of_event_loop(request: pytest.FixtureRequest) -> None:
    with runner_for(TESTS / "server" / "test_limits.py", request.config.getoption("--db")) as runner:
        assert isinstance(runner.get_loop(), uvloop.Loop)


def test_async_property_tests_are_awaited(request: pytest.FixtureRequest) -> None:
    seen: list[int] = []

    @settings(max_examples=5)
    @given(number=st.integers())
    async def promise(number: int) -> None:
        await asyncio.sleep(0)
        seen.append(number)

    item = pytest.Function.from_parent(request.node.parent, name="promise", callobj=promise)
    assert pytest_pyfunc_call(item) is None
    promise()
    assert seen


def test_a_database_has_the_present_schema(database_url: str) -> None:
    assert revision(database_url) == newest()


def test_a_fresh_database_has_no_table(fresh_database_url: str) -> None:
    assert revision(fresh_database_url) is None


async def test_every_database_is_another_one(make_database_url: Callable[..., str]) -> None:
    urls = [make_database_url(), make_database_url(), make_database_url(migrated=False)]
    assert len(set(urls)) == 3
