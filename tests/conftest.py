"""What every test can count on: a database of the chosen kind, and `async def` tests that just run.

    pytest                     the suite on SQLite
    pytest --db postgresql     the same suite on PostgreSQL

Fixtures: `database_url` (a database of its own with the present schema), `fresh_database_url` (one without
a table), `make_database_url` (as many as a test wants), `databases` (for fixtures that outlive a test).
"""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.crew import Crew
from tests.databases import KINDS, SHARED, Databases, forget_settings, open_databases
from tests.hashing import hash_cheaply
from tests.long import many
from tests.loops import runner_for
from tests.orphans import FOLLOWS, follow_parent, stop_as_with_ctrl_c
from tests.scratch import Scratch, use_memory
from tests.shaking import shake_as_asked
from tests.statements import prepare_statements, record_statements
from tests.templates import keep_translations
from tests.timing import Stopwatch
from tests.watchdog import GRACE_S, Watchdog

TESTS = Path(__file__).parent
# Where several browsers share two processors, a page is drawn and judged in minutes, and so are the many steps of a state
# machine taken. Only what never ends takes longer.
PATIENT_S = 300
# With so many, each worker would prepare most of the product's statements.
MANY_TESTS = 1_000


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--db", choices=KINDS, default=KINDS[0], help="the database that the suite runs on")
    parser.addoption(
        "--again",
        action="store_true",
        help="the suite has run on another database: only what this one may answer differently",
    )
    parser.addoption("--fast", action="store_true", help="a minute's worth: no pages, no processes, nothing slow")
    parser.addoption("--crew", type=int, default=0, help="so many workers, forked off one that collects; -n 0 for none")
    parser.addoption("--seats", type=int, help="a pipe from which a byte makes room for one more worker")
    parser.addoption("--grace", type=float, default=GRACE_S, help="seconds to clear up for a test that took too long")
    parser.addoption("--timing-to", type=Path, help="write where the time went to this file instead of showing it")


def pytest_configure(config: pytest.Config) -> None:
    forget_settings()
    scratch = use_memory()
    if scratch is not None:
        config.pluginmanager.register(Scratch(scratch), "scratch")
    stop_as_with_ctrl_c()
    record_statements()
    keep_translations()
    hash_cheaply()
    shake_as_asked()
    # Runs within this one follow nobody but their own.
    if os.environ.pop(FOLLOWS, None) or hasattr(config, "workerinput"):
        follow_parent(signal.SIGTERM, os.getppid())
    config.pluginmanager.register(Watchdog(config.getoption("--grace")), "watchdog")
    config.pluginmanager.register(Stopwatch(config.getoption("--timing-to")), "stopwatch")
    if config.getoption("--crew") and config.getoption("numprocesses", None) is None:
        config.pluginmanager.register(Crew(config.getoption("--crew"), config.getoption("--seats")), "crew")
    # The same examples in every run, and as much time for each as it takes: a run that fails fails again.
    # `--hypothesis-profile explore` looks for new ones.
    patient = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
    hypothesis.settings.register_profile("explore", patient)
    hypothesis.settings.register_profile("steady", patient, derandomize=True, max_examples=many(50, 100))
    # Where every example has a database of its own, a server takes much longer than a file to make one.
    hypothesis.settings.register_profile("server", patient, derandomize=True, max_examples=many(20, 40))
    hypothesis.settings.register_profile("fast", patient, derandomize=True, max_examples=10)
    profile = "steady" if config.getoption("--db") == KINDS[0] else "server"
    hypothesis.settings.load_profile("fast" if config.getoption("--fast") else profile)


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.getoption('--db')}"


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """What is collected stays: the collector of rubbish need not look at it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        if session.config.pluginmanager.has_plugin("crew") and len(session.items) > MANY_TESTS:
            prepare_statements(session.config.getoption("--db"))
        gc.collect()
        gc.freeze()
        # As in the product's own server.
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(TESTS / "browser"):
            item.add_marker(pytest.mark.browser)
    # A worker that begins with the longest file ends with the others.
    longest: dict[Path, float] = {}
    for item in items:
        longest[item.path] = max(longest.get(item.path, 0.0), _allowed_s(item))
    items.sort(key=lambda item: -longest[item.path])
    for item in items:
        takes_long = item.get_closest_marker("browser") or item.path.stem.endswith("_over_time")
        if takes_long and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(PATIENT_S))
        if item.path.stem.endswith("_over_time"):
            item.add_marker(pytest.mark.over_time)
    # `make pages`, `make self-test` and `make faults` run these.
    others = ("tooling", "deaths") if os.environ.get("EVERY_LOOK") else ("tooling", "deaths", "looks")
    _keep(config, items, lambda item: not any(map(item.get_closest_marker, others)) or _is_named(item.path, config))
    if config.getoption("--db") not in SHARED:
        _keep(config, items, lambda item: item.get_closest_marker("shared") is None)
    if config.getoption("--again"):
        _keep(config, items, _depends_on_database)
    if config.getoption("--fast"):
        _keep(config, items, _is_fast)


def _keep(config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is left out as a whole is not even loaded: every worker would load it."""
    if config.getoption("--fast") and collection_path.parent == TESTS and collection_path.name in NEVER_FAST:
        return True
    if collection_path.name.startswith(OF_ANOTHER_COMMAND) and not _is_named(collection_path, config):
        return True
    return True if config.getoption("--again") and _is_of_no_database(collection_path, config) else None


def _is_named(path: Path, config: pytest.Config) -> bool:
    """Whether the command line asks for this file itself, or for a folder of it that is not all of the suite."""
    named = {Path(one.partition("::")[0]).absolute() for one in config.args} - {TESTS}
    return any(map(path.is_relative_to, named))


def _is_of_no_database(path: Path, config: pytest.Config) -> bool:
    """Whether this file of an edge has no test that is `both`. What is named on the command line is looked at all the same."""
    if path.suffix != ".py" or not path.is_relative_to(TESTS) or path.relative_to(TESTS).parts[0] in BELOW_THE_EDGES:
        return False
    return not _is_named(path, config) and "mark.both" not in path.read_text()


# `make fuzz` and `make clients` name them.
OF_ANOTHER_COMMAND = ("test_fuzz_", "clients")
# Where products, networks and browsers are started.
NEVER_FAST = frozenset(("attacks", "browser", "cli", "contract", "docs", "faults", "sandbox", "security", "workshop"))
# The core, which is worth its databases.
FAST_DATABASES = frozenset(("accounts", "engine", "hooks", "messaging", "storage"))


def _is_fast(item: pytest.Item) -> bool:
    if item.get_closest_marker("slow"):
        return False
    return "databases" not in getattr(item, "fixturenames", ()) or item.path.parts[len(TESTS.parts)] in FAST_DATABASES


def _allowed_s(item: pytest.Item) -> float:
    """Long tests say how long they may take; those in a browser take longer than most."""
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0]) if mark is not None else 60.0 if item.get_closest_marker("browser") else 0.0


# Where statements are written, and where locks, processes and transactions meet. Edges hand on what these do; a test of
# an edge that shows something of the database itself is marked `both`.
BELOW_THE_EDGES = frozenset(
    (
        "accounts",
        "automations",
        "campaigns",
        "crm",
        "delivery",
        "engine",
        "events",
        "faults",
        "flows",
        "loyalty",
        "hooks",
        "media",
        "messaging",
        "payments",
        "printing",
        "restaurant",
        "storage",
        "stores",
    )
)


def _depends_on_database(item: pytest.Item) -> bool:
    """Whether another database may show something else. `make test` checks that no statement is left out by this."""
    if "databases" not in getattr(item, "fixturenames", ()):
        return False
    if item.get_closest_marker("both") is not None:
        return True
    folder = item.path.relative_to(TESTS).parts[0] if item.path.is_relative_to(TESTS) else ""
    # `make faults` brings these to a server, where state machines walk for longer.
    others = ("once", "later", "over_time")
    return folder in BELOW_THE_EDGES and not any(map(item.get_closest_marker, others))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an `async def` test in an event loop of its own."""
    property_test = getattr(pyfuncitem.obj, "hypothesis", None)
    if property_test is not None and inspect.iscoroutinefunction(property_test.inner_test):
        # Hypothesis calls the inner function once an example, and wants it to be a plain one.
        property_test.inner_test = _blocking(property_test.inner_test, pyfuncitem)
        return None
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    shared = pyfuncitem.funcargs.get("loop_of_file")
    if isinstance(shared, asyncio.Runner):
        shared.run(pyfuncitem.obj(**arguments))
    else:
        _blocking(pyfuncitem.obj, pyfuncitem)(**arguments)
    return True


def _blocking(function: Callable[..., Coroutine[Any, Any, None]], item: pytest.Item) -> Callable[..., None]:
    @functools.wraps(function)
    def run(*arguments: Any, **named: Any) -> None:
        with runner_for(item.path, item.config.getoption("--db")) as runner:
            runner.run(function(*arguments, **named))

    return run


@pytest.fixture(scope="module")
def loop_of_file(request: pytest.FixtureRequest) -> Iterator[asyncio.Runner]:
    """One event loop for the tests of a file that share what lives in one: whoever asks for this, if only through another
    fixture, runs in it. Between two tests it stands still."""
    with runner_for(request.path, request.config.getoption("--db")) as runner:
        yield runner


@pytest.fixture(scope="session")
def databases(request: pytest.FixtureRequest) -> Iterator[Databases]:
    """Everything that hands out databases, of the kind chosen on the command line."""
    opened = open_databases(request.config.getoption("--db"))
    yield opened
    opened.close()


@pytest.fixture
def make_database_url(databases: Databases) -> Iterator[Callable[..., str]]:
    """Call it for a new database: `make_database_url()` has the schema, `make_database_url(migrated=False)` nothing."""
    made: list[str] = []

    def make(*, migrated: bool = True) -> str:
        made.append(databases.migrated() if migrated else databases.empty())
        return made[-1]

    yield make
    for url in made:
        databases.drop(url)


@pytest.fixture
def database_url(make_database_url: Callable[..., str]) -> str:
    """Address of a database of this test's own, with the present schema."""
    return make_database_url()


@pytest.fixture
def fresh_database_url(make_database_url: Callable[..., str]) -> str:
    """Address of a database of this test's own, without a single table."""
    return make_database_url(migrated=False)
