"""Whoever ends a run ends all of it: no process of a test outlives the process that started it, however that ended.

A process that is told to stop (SIGTERM) clears up as after Ctrl-C. One that is killed cannot; then those it started
notice: workers and forked products by the kernel's word, a database server by a guard whose input has ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

_SET_DEATH_SIGNAL = 1
# In the environment of a run that is to end with whoever started it.
FOLLOWS = "SUITE_FOLLOWS_ITS_PARENT"


def stop_as_with_ctrl_c() -> None:
    """SIGTERM clears up: fixtures end what they began, and workers are told."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(number: int, frame: Any) -> None:
    # Once is enough; a second one must not break the clearing up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def follow_parent(with_signal: int, parent: int) -> None:
    """Be sent this signal when the process that started this one ends. Linux alone can; others keep their orphans."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, with_signal, 0, 0, 0)
    if os.getppid() != parent:
        # It ended before it could be followed.
        os.kill(os.getpid(), with_signal)


class Guard:
    """Ends a server that is nobody's child, and removes its folder, when this process has ended in any way."""

    def __init__(self, pid: int, folder: Path) -> None:
        script = 'read -r _ || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }'
        self._process = subprocess.Popen(
            ["sh", "-c", script, "guard", str(pid), str(folder)], stdin=subprocess.PIPE, start_new_session=True
        )

    def dismiss(self) -> None:
        """The server has been ended by whoever started it."""
        self._process.communicate(b"\n")
