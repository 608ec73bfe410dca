"""The program of one version, and a server of it, for the proofs that let versions meet."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.ports import free_port
from tests.product import fetch, wait_until

# Started from nothing on a machine that may be busy.
WITHIN_S = 300.0


@dataclass
class Version:
    """The program of one version, and its server."""

    name: str
    source: Path
    folder: Path
    settings: dict[str, str]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def may_return(self) -> bool:
        """Whether it starts on a newer schema that still serves it."""
        return (self.source / "tablegram" / "storage" / "steps.py").exists()

    @property
    def says_that_it_leaves(self) -> bool:
        """Whether it knows TABLEGRAM_LEAVE_S."""
        return (self.source / "tablegram" / "server" / "leaving.py").exists()

    def another(self, number: int, settings: Mapping[str, str]) -> Version:
        """A server of the same version at a port of its own; not started."""
        folder = self.folder.parent / f"another-{number}"
        folder.mkdir()
        own = {**self.settings, **settings}
        return replace(
            self, name=f"server {number} ({self.name})", folder=folder, settings=own, port=free_port(), process=None
        )

    def complaints(self) -> list[str]:
        signs = ("UndefinedColumn", "UndefinedTable", "NotNullViolation", "InvalidCachedStatement", "Traceback")
        lines = self.log.read_text(errors="replace").splitlines()
        return [f"{self.name} logged: {line}" for line in lines if any(sign in line for sign in signs)]

    def _environment(self) -> dict[str, str]:
        own = {"TABLEGRAM_PORT": str(self.port), "TABLEGRAM_DATA_DIR": str(self.folder), "PYTHONPATH": str(self.source)}
        return {**os.environ, **self.settings, **own}

    def run(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "tablegram", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self._environment(), capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{self.name}: tablegram {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def launch(self, *arguments: str) -> None:
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "tablegram", *arguments]
            self.process = subprocess.Popen(command, cwd=self.folder, env=self._environment(), stdout=log, stderr=log)

    def start(self) -> None:
        self.launch("serve")
        wait_until(self.is_ready, f"the server of {self.name}:\n{self.log}", WITHIN_S)

    def is_ready(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            sys.exit(f"The server of {self.name} ended:\n{self.log.read_text(errors='replace')}")
        try:
            return fetch(f"{self.url}/readyz")[0] == 200
        except OSError:
            return False

    def end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(90)
