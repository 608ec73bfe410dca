"""The agent as one file: small, of the standard library alone, and plain about what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tablegram.hooks.printers.program import agent_program

# As it runs on a restaurant's machine: with nothing installed beside it.
LOOK = """
import json, sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
import tablegram.printagent.program
import tablegram.printagent.taking
loaded = set(sys.modules) - before
most = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"loaded": sorted(loaded), "kb": int(most)}))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "print-agent.pyz"
    path.write_bytes(agent_program())
    return path


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment}
    return subprocess.run(
        [sys.executable, "-I", "-S", *arguments], capture_output=True, text=True, env=plain, check=False
    )


def test_it_loads_the_standard_library_alone_and_stays_small(program: Path) -> None:
    done = run("-c", LOOK, str(program))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    strangers = [
        name for name in found["loaded"] if name.partition(".")[0] not in {*sys.stdlib_module_names, "tablegram"}
    ]
    assert strangers == []
    assert {name for name in found["loaded"] if name.startswith("tablegram.")} == {
        name for name in found["loaded"] if name.startswith("tablegram.printagent")
    }
    # What makes a start slow is what is loaded; a clock would tell of the machine.
    assert len(found["loaded"]) < 160
    assert found["kb"] < 40_000
    assert len(program.read_bytes()) < 100_000


def test_it_says_what_is_missing(program: Path, tmp_path: Path) -> None:
    for arguments, words in (
        ([], "--server and --key are needed"),
        (["--server", "https://x", "--key", "a b"], "letters and digits"),
        (["--server", "https://x", "--key", "abc=lpt1:"], "names no printer"),
        (["--listen", "8300", "--secret", "x", "--print", "a=b"], "HOST:PORT"),
        (["--listen", "127.0.0.1:0"], "--listen needs --secret"),
        (["--print", "kitchen", "--server", "https://x", "--key", "abc"], "STATION=DEVICE"),
        (["--code-page", "none:1", "--server", "https://x", "--key", "abc"], "code page"),
        (["--keys-file", str(tmp_path / "none"), "--server", "https://x"], "No such file"),
    ):
        done = run(str(program), *arguments)
        assert (done.returncode, words in done.stderr) == (2, True), (arguments, done.stderr)
    done = run(str(program), "--server", "ftp://x", "--key", "abc", "--state", str(tmp_path / "state"))
    assert (done.returncode, "no server's address" in done.stderr) == (1, True)
    assert "abc" not in done.stderr
    assert "usage: print-agent.pyz" in run(str(program), "--help").stdout
