"""The units of systemd."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tools.deploy.files import DEPLOY, complaints, program, unknown_settings

UNITS = sorted((DEPLOY / "systemd").glob("tablegram*"))
INSTALLED = "/srv/tablegram/.venv/bin/tablegram"
# Of 100: how much a service could still do. One that says nothing has 96.
MOST_EXPOSED = "20"


def verified() -> list[str]:
    """the units, by systemd-analyze verify"""
    with tempfile.TemporaryDirectory(prefix="tablegram-units-") as name:
        folder = Path(name)
        # It looks whether the programs exist; the one of this environment stands for the installed one.
        here = str(Path(sys.executable).parent / "tablegram")
        for unit in UNITS:
            (folder / unit.name).write_text(unit.read_text(encoding="utf-8").replace(INSTALLED, here), encoding="utf-8")
        command = [program("systemd-analyze"), "verify", "--man=no", *(str(folder / unit.name) for unit in UNITS)]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
    # It ends with 0 whatever it has to say, and speaks of units of this machine as well.
    return [line for line in (said.stdout + said.stderr).splitlines() if "tablegram" in line]


def sealed() -> list[str]:
    """the services, by systemd-analyze security"""
    found = []
    for unit in UNITS:
        if unit.suffix == ".service":
            command = (
                program("systemd-analyze"),
                "security",
                "--no-pager",
                "--offline=true",
                f"--threshold={MOST_EXPOSED}",
            )
            found += [line for line in complaints(*command, str(unit)) if "exposure" in line.lower()]
            found += unknown_settings(unit)
    return found


CHECKS = (verified, sealed)
