"""Workers that are forked off the process that collects: every test runs once, and whatever becomes of it is told."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.crew import Crew, Worker
from tests.repository.files import ROOT

OPENED = """
import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent

@pytest.fixture(scope="session")
def of_the_worker():
    made = HERE / f"made by {os.getpid()}"
    made.touch(exist_ok=False)
    yield os.getpid()
    made.rename(HERE / f"cleared by {os.getpid()}")
"""
GOOD = """
import os, subprocess, sys
from pathlib import Path

import pytest

# As the default of an argument is.
KEPT = sys.stderr

@pytest.mark.parametrize("number", range(3))
def test_same_worker(of_the_worker, number, tmp_path):
    print("said", "by", os.getpid())
    subprocess.run(["echo", "said by somebody else"], check=True, stderr=KEPT)
    assert of_the_worker == os.getpid()
    (Path(__file__).parent / f"ran NAME {number}").touch(exist_ok=False)
    (tmp_path / "file").write_text(str(os.getpid()))
"""
BAD = """
import os

import pytest

def test_before(): pass
def test_dies(): os._exit(3)
def test_fails():
    print("heard of")
    assert 1 == 2, "this is why"
@pytest.fixture
def breaks_afterwards():
    yield
    raise RuntimeError
def test_breaks_while_clearing_up(breaks_afterwards): pass
@pytest.mark.skip(reason="for this test")
def test_skipped(): pass
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--crew", "2", "-c", "pyproject.toml", "-p", "tests.conftest",
         "-p", "no:cacheprovider", *arguments, str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.tooling
def test_each_test_runs_once_and_a_death_costs_one_of_them(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(OPENED)
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text(GOOD.replace("NAME", name))
    (tmp_path / "test_bad.py").write_text(BAD)
    report = tmp_path / "report.xml"
    done = run(tmp_path, f"--junitxml={report}")
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "2 failed, 14 passed, 1 skipped, 1 error" in done.stdout, said
    for told in ("crashed while running", "this is why", "heard of", "RuntimeError"):
        assert told in done.stdout, said
    # One that passed says nothing.
    assert "said by" not in done.stdout
    cases = [case.get("name") for case in ElementTree.parse(report).iter("testcase")]
    assert len({*cases}) == 8, cases
    assert len([*tmp_path.glob("ran *")]) == 12
    # What a worker has opened it closes; the one that died could not.
    assert len([*tmp_path.glob("cleared by *")]) in (1, 2), said
    assert len([*tmp_path.glob("made by *")]) in (0, 1), said


@pytest.mark.slow
@pytest.mark.tooling
def test_the_first_failure_ends_a_run_that_is_to_end_with_it(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_bad(): assert False\n")
    (tmp_path / "test_b.py").write_text("import time\ndef test_waits(): time.sleep(600)\n")
    done = run(tmp_path, "-x")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed in" in done.stdout


def test_who_has_a_browser_open_stays_with_the_files_that_need_one() -> None:
    class Item:
        def __init__(self, mark: str) -> None:
            self.get_closest_marker = {mark: mark}.get

    kinds = ["plain", "browser", "plain", "browser"]
    session: Any = SimpleNamespace(items=[Item(kind) for kind in kinds])
    crew, theirs = Crew(2, None), Pipe()[0]
    crew._files.extend([number] for number in range(len(kinds)))
    worker = Worker(0, theirs, browses=True)
    # When there is none left, any.
    assert [crew._next_file(session, worker) for _ in range(5)] == [[1], [3], [0], [2], []]
    assert not worker.browses
    theirs.close()
