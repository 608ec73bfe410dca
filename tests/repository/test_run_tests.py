"""`make test` counts honestly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.files import ROOT
from tools.run_tests import DATABASES, Outcome, Run, count, coverage, failures, tables

SUITE = """
import pytest

def test_good(): pass
def test_bad(): assert False, "this is why\\nand more"
@pytest.mark.skip(reason="for this test")
def test_skipped(): pass
@pytest.fixture
def breaks_afterwards():
    yield
    raise RuntimeError
def test_breaks_while_clearing_up(breaks_afterwards): pass
"""


@pytest.mark.slow
def test_passed_failed_and_skipped_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    report = tmp_path / "report.xml"
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        check=False,
    )
    assert count(report) == (1, 2, 1)
    assert failures(report) == [
        "test_sample::test_bad: this is why",
        'test_sample::test_breaks_while_clearing_up: failed on teardown with "RuntimeError"',
    ]


def test_a_run_that_died_counts_nothing(tmp_path: Path) -> None:
    assert count(tmp_path / "never-written.xml") == (0, 0, 0)


@pytest.mark.parametrize(
    ("passed", "failed", "status", "good"),
    [(3, 0, 0, True), (3, 1, 1, False), (0, 0, 5, False), (0, 0, 0, False), (3, 0, 2, False)],
)
def test_only_a_run_that_ran_something_and_failed_nothing_is_good(
    passed: int, failed: int, status: int, good: bool
) -> None:
    assert Outcome("any", passed, failed, skipped=1, seconds=1.0, status=status).good is good


@pytest.mark.slow
@pytest.mark.tooling
def test_a_run_without_a_test_fails_and_says_so() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tools.run_tests",
            "-q",
            "-n0",
            "tests/repository/test_run_tests.py",
            "-k",
            "no_such_test",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert done.stdout.count("NO TEST RAN") == len(DATABASES)
    assert "total: 0 passed, 0 failed" in done.stdout


@pytest.mark.slow
@pytest.mark.tooling
def test_what_no_database_can_change_is_run_once() -> None:
    files = (
        "tests/values/test_folding.py",
        "tests/storage/test_query.py",
        "tests/panel/test_keys.py",
        "tests/contract",
        "tests/api/test_event_stream.py",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--again", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    left = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert left == {"tests/storage/test_query.py", "tests/api/test_event_stream.py"}


def test_nothing_left_for_the_second_database_is_no_failure() -> None:
    assert Outcome(DATABASES[1], 0, 0, 0, 1.0, 5).nothing_again
    assert not Outcome(DATABASES[0], 0, 0, 0, 1.0, 5).nothing_again
    assert not Outcome(DATABASES[1], 0, 0, 0, 1.0, 2).nothing_again


def test_what_ran_on_one_database_alone_is_told(tmp_path: Path) -> None:
    runs = [Run(database, tmp_path) for database in DATABASES]
    runs[0].statements.write_text("select 1\nselect 2\nselect 1\n")
    runs[1].statements.write_text("select 2\n")
    file = tmp_path / "made for it" / "statements.txt"
    first, second, where = coverage(runs, file)
    assert first.endswith(f"2 on {DATABASES[0]}, 1 on {DATABASES[1]}")
    assert second.startswith(f"1 never ran on {DATABASES[1]}")
    assert where.endswith(str(file))
    assert file.read_text().splitlines() == [f"{second}:", "  select 1"]


def test_where_the_time_went_is_told_by_folder_and_database(tmp_path: Path) -> None:
    runs = [Run(database, tmp_path) for database in DATABASES]
    runs[0].timing.write_text('{"api": {"tests": 2, "wall_s": 3.0, "cpu_s": 1.0}}')
    runs[1].timing.write_text('{"crm": {"tests": 1, "wall_s": 9.0, "cpu_s": 4.0}}')
    head, first, second, together = tables(runs)
    assert all(database in head for database in DATABASES)
    assert (first.split()[0], second.split()[0]) == ("crm", "api")
    assert together.replace("(", " ").replace(")", " ").split()[1:] == ["3.0", "1.0", "2", "9.0", "4.0", "1"]
