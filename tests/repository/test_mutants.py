"""`make mutants` changes meanings: each change is one, and code with it can be loaded."""

from __future__ import annotations

import ast
import os
import time
from pathlib import Path
from textwrap import dedent
from types import FunctionType

import pytest

from tools.mutants.__main__ import chosen
from tools.mutants.areas import AREAS, ROOT, SOURCE
from tools.mutants.changes import Change, changes
from tools.mutants.loop import code_in, fitting
from tools.mutants.same import SAME
from tools.mutants.tries import Tries, begun

# The issue of the suite is what it notices, so there is enough of it.
AT_LEAST = 300
SAMPLE = dedent('''
    class Till:
        async def take(self, cash: int = 1) -> bool:
            """One of 3."""
            log.info("taken 5")
            crash_points.reach("till.taken")
            if cash < 2 and not self.open:
                raise ValueError("too little: 7")
            await self.put(cash + 1)
            return await self.rows(query.where(a.c.account == self.account, a.c.id == 4))
''')


def test_what_a_function_says_is_changed_and_nothing_else() -> None:
    found = [(one.function, one.kind, one.before, one.after) for one in changes("till.py", SAMPLE.encode())]
    assert found == [
        ("Till.take", "and and or", "and", "or"),
        ("Till.take", "comparison", "<", "<="),
        ("Till.take", "number", "2", "3"),
        ("Till.take", "not", "not ", ""),
        ("Till.take", "no error", 'raise ValueError("too little: 7")', "pass"),
        ("Till.take", "step left out", "await self.put(cash + 1)", "pass"),
        ("Till.take", "sum", "+", "-"),
        ("Till.take", "number", "1", "2"),
        ("Till.take", "condition of a query", "a.c.account == self.account, ", ""),
        ("Till.take", "condition of a query", ", a.c.id == 4", ""),
        ("Till.take", "comparison", "==", "!="),
        ("Till.take", "comparison", "==", "!="),
        ("Till.take", "number", "4", "5"),
    ]


def test_what_makes_the_values_of_a_module_is_left_as_it_is() -> None:
    source = dedent("""
        def _maker(name):
            return name == "a"

        def _also_used(name):
            return name == "b"

        VALUE = [_maker("a"), _also_used("b")]

        def use(name):
            return _also_used(name)
    """)
    assert {one.function for one in changes("till.py", source.encode())} == {"_also_used"}


def test_a_change_keeps_its_name_when_its_function_moves() -> None:
    before = {one.name for one in changes("till.py", SAMPLE.encode())}
    assert before == {one.name for one in changes("till.py", b"X = 1\n\n\n" + SAMPLE.encode())}
    assert len(before) == 13


class _Loud(list[int]):
    def append(self, number: int) -> None:
        super().append(number)


def test_a_change_may_leave_out_the_only_call_of_what_a_class_extends() -> None:
    changed = compile("class _Loud(list):\n    def append(self, number):\n        pass\n", __file__, "exec")
    append = FunctionType(_Loud.append.__code__, globals(), closure=_Loud.append.__closure__)
    append.__code__ = fitting(code_in(changed, "_Loud.append"), append)
    loud = _Loud()
    append(loud, 1)
    assert loud == []


def _stands_still(answer: Path) -> None:
    begun(answer).write_text("0")
    time.sleep(3_600)


def _stands_still_beside_others(answer: Path) -> None:
    if answer.suffix != ".alone":
        _stands_still(answer)
    answer.write_text("survived")


def _notices(answer: Path) -> None:
    answer.write_text("noticed")


def _dies(answer: Path) -> None:
    os._exit(3)


@pytest.mark.slow
def test_what_seems_never_to_end_is_tried_once_more_alone_and_with_more_time(tmp_path: Path) -> None:
    slow, quick, dead = [*changes("till.py", SAMPLE.encode())][:3]
    told: dict[Change, list[tuple[str, str]]] = {slow: [], quick: [], dead: []}
    tries = Tries(
        3, {0: 0.0}, lambda change, said, file: told[change].append((said, file.suffix)), least_s=2, alone=100
    )  # fmt: skip
    for change, work in ((slow, _stands_still_beside_others), (quick, _notices), (dead, _dies)):
        tries.begin(change, work, tmp_path)
    tries.finish()
    assert told.pop(slow) == [("survived", ".alone")]
    # On a busy machine these may have been tried once more as well.
    assert [[said for said, _ in told[change]] for change in (quick, dead)] == [["noticed"], ["died"]]


def test_what_does_not_end_alone_either_never_ends(tmp_path: Path) -> None:
    change = next(iter(changes("till.py", SAMPLE.encode())))
    told: list[str] = []
    tries = Tries(2, {0: 0.0}, lambda _, said, __: told.append(said), least_s=0.3, alone=2)
    tries.begin(change, _stands_still, tmp_path)
    tries.finish()
    assert told == ["never ended"]


@pytest.mark.slow
def test_every_area_has_changes_that_can_be_loaded_and_tests_that_exist() -> None:
    together = 0
    for area in AREAS:
        for source in area.sources:
            assert (SOURCE / source).exists(), f"{area.name} names a source that is not there: {source}"
        for test in area.tests:
            assert (ROOT / "tests" / test).exists(), f"{area.name} names tests that are not there: {test}"
        for change in chosen(area):
            together += 1
            ast.parse(change.applied((SOURCE / change.file).read_bytes()))
    assert together >= AT_LEAST


@pytest.mark.slow
def test_what_is_called_the_same_exists_and_says_why() -> None:
    names = {
        change.name
        for area in AREAS
        for path in area.files()
        for change in changes(str(path.relative_to(SOURCE)), path.read_bytes())
    }
    assert {*SAME} <= names, "a change in tools/mutants/same.py is no longer possible: take it out"
    assert all(len(why) > 20 for why in SAME.values())
