"""A run ends with a failure that says where, when one of its tests can no longer be stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.files import ROOT

# The loop closes when its tasks and threads have ended, and the signal that would stop it is held back from the very beginning: how
# fast the machine is cannot matter.
SUITE = """
import asyncio, signal, threading

import pytest

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})

@pytest.mark.timeout(1)
async def test_never_ends():
    loop = asyncio.get_running_loop()
    loop.run_in_executor(None, wait_for_ever)
    loop.create_task(refuse_to_end(), name="stubborn")
    await asyncio.sleep(0)

async def refuse_to_end():
    while True:
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            pass

def wait_for_ever():
    threading.Event().wait()

def test_comes_after(): pass
"""


@pytest.mark.slow
@pytest.mark.tooling
def test_a_test_that_cannot_be_stopped_fails_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--crew", "1", "--grace", "4", "-c", "pyproject.toml", "-p", "tests.conftest",
         "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "1 failed, 1 passed" in done.stdout, said
    assert "crashed while running" in done.stdout
    assert "test_never_ends" in done.stdout
    # Where it stood.
    assert "in wait_for_ever" in done.stderr
    # And what its tasks waited for.
    assert "stubborn (1 times cancelled):" in done.stderr
    assert "in refuse_to_end" in done.stderr
