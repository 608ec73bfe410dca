"""Where the time went: what a process computed counts, also when nobody waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from tests.product import wait_until
from tests.timing import computed_s

# One that computes for ever, and the one that has started it.
BUSY = "sh -c 'while :; do :; done' & echo $!; wait"
ENOUGH_S = 0.3


def test_what_was_computed_stays_when_whoever_computed_it_is_lost() -> None:
    before_s = computed_s()
    with subprocess.Popen(["sh", "-c", BUSY], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        busy = int(parent.stdout.readline())
        try:
            wait_until(lambda: computed_s() - before_s > ENOUGH_S, "something to be computed")
        finally:
            # Nobody of ours waits for one whose parent has ended.
            parent.kill()
            parent.wait()
            os.kill(busy, signal.SIGKILL)
    wait_until(lambda: not _lives(busy), "it to end")
    assert computed_s() - before_s > ENOUGH_S


def _lives(pid: int) -> bool:
    try:
        # What has ended and waits to be buried computes no more, but is still seen.
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
