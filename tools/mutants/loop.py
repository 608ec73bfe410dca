"""A pytest plugin: instead of running what was collected once, run what reaches each change, in a fork that has it.

Tests and product are loaded and collected once. A first fork runs everything as it is and writes down which test enters
which function and how long it takes. After that every change gets a fork of its own, in which the function has the changed
code, and the tests that enter it run, the quick ones first, until one fails.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import importlib
import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.databases import TEMPLATES
from tools.mutants.areas import SOURCE
from tools.mutants.changes import Change, outermost
from tools.mutants.tries import Tries, begun, forked

# So long the tests of one change may take by what they took as it was.
BUDGET_S = 25.0
NOTE = "__entered__"
Place = tuple[str, str]


class Loop:
    """Told for each change what became of it, by `tell(change, outcome, test)`."""

    def __init__(
        self, wanted: list[Change], jobs: int, budget_s: float, tell: Callable[[Change, str, str], None]
    ) -> None:
        self._wanted = wanted
        self._jobs = jobs
        self._budget_s = budget_s
        self._tell = tell
        # Whether a test passes alone and as it is: one that does not has noticed nothing.
        self._sound: dict[str, bool] = {}
        self._items: list[pytest.Item] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("the tests cannot be collected")
        self._items = session.items
        files = {change.file for change in self._wanted}
        for file in files:
            importlib.import_module(module_of(file))
        gc.unfreeze()
        functions = _functions(files)
        gc.freeze()
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            os.environ[TEMPLATES] = folder
            session.config.pluginmanager.unregister(name="terminalreporter")
            reached, took = _first_run(session, functions, files, Path(folder) / "reached.json")
            tries = Tries(self._jobs, took, self._hear)
            for change in self._wanted:
                tests = _within(reached.get((change.file, change.function), []), took, self._budget_s)
                if tests:
                    tries.begin(change, partial(_with_change, session, functions, change, tests), Path(folder))
                else:
                    self._tell(change, "not reached", "")
            tries.finish()
        return True

    def _hear(self, change: Change, said: str, answer: Path) -> None:
        outcome, _, test = (said, "", "") if said == "never ended" else said.partition(" ")
        if outcome == "noticed" and not self._is_sound(test, answer):
            outcome = "unsound"
        self._tell(change, outcome, test)

    def _is_sound(self, test: str, answer: Path) -> bool:
        if test not in self._sound:
            number = next(number for number, item in enumerate(self._items) if item.nodeid == test)
            answer.unlink()
            os.waitpid(forked(lambda: _run_until_noticed(self._items[0].session, [number], answer)), 0)
            self._sound[test] = answer.exists() and answer.read_text() == "survived"
        return self._sound[test]


def module_of(file: str) -> str:
    path = Path(file).with_suffix("")
    parts = ("tablegram", *path.parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _functions(files: Iterable[str]) -> dict[Place, list[FunctionType]]:
    """Every function of these files that exists, by file and name. What one remembers is forgotten: it may say another thing."""
    names = {str(SOURCE / file): file for file in files}
    found: dict[Place, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if type(one) is FunctionType and one.__code__.co_filename in names:
            found[names[one.__code__.co_filename], one.__code__.co_qualname].append(one)
    ours = {id(one) for ones in found.values() for one in ones}
    for one in gc.get_objects():
        if type(one) is _lru_cache_wrapper and id(one.__wrapped__) in ours:
            one.cache_clear()
    return found


def _first_run(
    session: pytest.Session, functions: dict[Place, list[FunctionType]], files: Iterable[str], answer: Path
) -> tuple[dict[Place, list[int]], dict[int, float]]:
    """Which tests enter which function, and how long each takes. Whoever fails as it is, or is slow, has no say."""
    pid = forked(lambda: _write_down(session, functions, set(files), answer))
    os.waitpid(pid, 0)
    said = json.loads(answer.read_text())
    reached = defaultdict(list)
    for file, function, tests in said["reached"]:
        reached[file, function] = tests
    if said["failed"]:
        print(f"  {len(said['failed'])} tests fail as it is and have no say: {said['failed'][:5]}")
    return reached, {int(number): took for number, took in said["took"].items()}


def _write_down(
    session: pytest.Session, functions: dict[Place, list[FunctionType]], files: set[str], answer: Path
) -> None:
    entered: set[Place] = set()
    failed: list[str] = []
    # A step at the head of each function: to look at every call of every library would take several times as long.
    builtins.__dict__[NOTE] = lambda file, name: entered.add((file, name))
    for file in files:
        code = _noting(file)
        for (of, name), ours in functions.items():
            for function in ours if of == file and "<" not in name else ():
                with contextlib.suppress(StopIteration):
                    function.__code__ = code_in(code, name)
    session.config.pluginmanager.register(_Failures(failed), "failures")
    reached: dict[Place, list[int]] = defaultdict(list)
    took: dict[int, float] = {}
    for number, item in enumerate(session.items):
        entered.clear()
        before, began = len(failed), time.process_time()
        following = session.items[number + 1] if number + 1 < len(session.items) else None
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        took[number] = time.process_time() - began
        for place in entered if len(failed) == before else ():
            reached[place].append(number)
    session._setupstate.teardown_exact(None)
    told = [[file, function, tests] for (file, function), tests in reached.items()]
    answer.write_text(json.dumps({"reached": told, "took": took, "failed": failed}))


def _noting(file: str) -> CodeType:
    """The file's code, with each function saying that it is entered."""
    path = SOURCE / file
    tree = ast.parse(path.read_bytes())
    for name, function in outermost(tree):
        first = function.body[0]
        said = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        step = ast.parse(f"{NOTE}({file!r}, {name!r})").body[0]
        function.body.insert(1 if said else 0, ast.fix_missing_locations(ast.copy_location(step, first)))
    return compile(tree, str(path), "exec", dont_inherit=True)


class _Failures:
    """A pytest plugin: the names of tests that failed."""

    def __init__(self, failed: list[str]) -> None:
        self._failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.append(report.nodeid)


def _within(tests: list[int], took: dict[int, float], budget_s: float) -> list[int]:
    """The quick ones first, as many as there is time for."""
    chosen: list[int] = []
    left = budget_s
    for number in sorted(tests, key=lambda number: took[number]):
        left -= took[number]
        if left < 0 and chosen:
            break
        chosen.append(number)
    return chosen


def _with_change(
    session: pytest.Session,
    functions: dict[Place, list[FunctionType]],
    change: Change,
    tests: list[int],
    answer: Path,
) -> None:
    path = SOURCE / change.file
    code = code_in(compile(change.applied(path.read_bytes()), str(path), "exec", dont_inherit=True), change.function)
    ours = functions.get((change.file, change.function), [])
    for function in ours:
        function.__code__ = fitting(code, function)
    if not ours:
        answer.write_text("unloaded")
        return
    _run_until_noticed(session, tests, answer)


def _run_until_noticed(session: pytest.Session, tests: list[int], answer: Path) -> None:
    # What a changed meaning says is not interesting.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    failed: list[str] = []
    session.config.pluginmanager.register(_Failures(failed), "failures")
    for number, following in zip(tests, [*tests[1:], None], strict=True):
        begun(answer).write_text(str(number))
        later = None if following is None else session.items[following]
        session.config.hook.pytest_runtest_protocol(item=session.items[number], nextitem=later)
        if failed:
            # Written before anything else is put away, which a changed meaning may keep from ending.
            answer.write_text(f"noticed {failed[0]}")
            return
    answer.write_text("survived")
    with contextlib.suppress(BaseException):
        session._setupstate.teardown_exact(None)


def fitting(code: CodeType, function: FunctionType) -> CodeType:
    """A change may leave out what a function took from around it, as `super` does; its place for that stays."""
    around = function.__code__.co_freevars
    return code if code.co_freevars == around else code.replace(co_freevars=around)


def code_in(code: CodeType, name: str) -> CodeType:
    for part in name.split("."):
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part)
    return code
