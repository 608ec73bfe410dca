"""Whoever ends a run of the suite ends all of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.databases import KINDS
from tests.repository.files import ROOT

# A test that has everything a test can have, and then takes forever.
SUITE = """
import os, time
from pathlib import Path

import pytest

from tests.nursery import nursery

def test_it(databases, request):
    folder = Path(__file__).parent
    databases.empty()
    environment = {"TABLEGRAM_PORT": "1", "TABLEGRAM_DATA_DIR": str(folder)}
    child = nursery().start(["sandbox", "--port", "0"], {**os.environ, **environment}, folder / "log")
    server = databases.cluster.data / "postmaster.pid" if hasattr(databases, "cluster") else None
    pids = [os.getpid(), child.pid, *(server.read_text().split()[:1] if server is not None else [])]
    writing = folder / f"writing-{os.getpid()}"
    writing.write_text(" ".join(map(str, pids)))
    writing.rename(folder / ("pids-file" if server is None else "pids-server"))
    time.sleep(600)
"""


# A run of the suite within the suite: on a busy machine a minute passes before its test has begun.
@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.tooling
@pytest.mark.parametrize(
    ("number", "workers"),
    [
        pytest.param(signal.SIGTERM, "1", id="told-to-stop"),
        pytest.param(signal.SIGKILL, "1", id="killed"),
        pytest.param(signal.SIGKILL, "0", id="killed-without-workers"),
    ],
)
def test_nothing_outlives_a_run_that_was_ended(number: int, workers: str, tmp_path: Path) -> None:
    (tmp_path / "test_forever.py").write_text(SUITE)
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "--crew", workers, "-c", "pyproject.toml", "-p", "tests.conftest",
         "--db", KINDS[-1], "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        pids = _wait_for_pids(tmp_path, run)
        run.send_signal(number)
        run.wait(120)
        deadline = time.monotonic() + 120
        while left := [pid for pid in pids if _lives(pid)]:
            assert time.monotonic() < deadline, f"{left} of {pids} (worker, product, database server) outlived the run"
            time.sleep(0.1)
    finally:
        run.kill()
        run.communicate()


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.tooling
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["told-to-stop", "killed"])
def test_no_run_of_either_database_outlives_the_command_for_both(number: int, tmp_path: Path) -> None:
    (tmp_path / "test_forever.py").write_text(SUITE.replace("def test_it", "@pytest.mark.both\ndef test_it"))
    run = subprocess.Popen(
        [sys.executable, "-m", "tools.run_tests", "-q", "-c", "pyproject.toml", "-p", "tests.conftest",
         "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 240
        while len(list(tmp_path.glob("pids-*"))) < len(KINDS):
            assert run.poll() is None, "the runs did not come to their tests"
            assert time.monotonic() < deadline
            time.sleep(0.05)
        run.send_signal(number)
        run.wait(150)
        deadline = time.monotonic() + 120
        pids = [int(word) for file in tmp_path.glob("pids-*") for word in file.read_text().split()]
        while left := [pid for pid in {*pids, *_mentioning(str(tmp_path))} if _lives(pid)]:
            assert time.monotonic() < deadline, f"{left} outlived the run"
            time.sleep(0.1)
    finally:
        run.kill()
        run.wait()


def _mentioning(word: str) -> list[int]:
    """Processes that were started with this word."""
    found = []
    for told in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in told.read_bytes():
                found.append(int(told.parent.name))
        except (OSError, ProcessLookupError):
            continue
    return found


def _wait_for_pids(folder: Path, run: subprocess.Popen[bytes]) -> list[int]:
    deadline = time.monotonic() + 240
    pids = folder / "pids-server"
    while not pids.exists():
        if run.poll() is not None or time.monotonic() > deadline:
            run.kill()
            raise AssertionError(f"the run did not come to its test: {run.communicate()[0].decode()}")
        time.sleep(0.05)
    found = [int(word) for word in pids.read_text().split()]
    assert len(found) == 3
    return found


def _lives(pid: int) -> bool:
    """A process that has ended and whose end nobody has looked at does not count."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
