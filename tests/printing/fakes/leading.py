"""The test's end of a fake printer."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


class Fake:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the fake printer died while asked to {do}"
        answer: dict[str, Any] = json.loads(line)
        assert "raised" not in answer, answer["raised"]
        return answer

    def papers(self) -> list[bytes]:
        """Everything it has printed since it was made."""
        return [base64.b64decode(one) for one in self.ask("papers")["papers"]]


@contextmanager
def fake(name: str, *arguments: str) -> Iterator[Fake]:
    process = subprocess.Popen(
        [sys.executable, "-I", str(FOLDER / f"{name}.py"), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Fake(process)
    finally:
        process.stdin.close()  # type: ignore[union-attr]
        process.wait(10)
        process.stdout.close()  # type: ignore[union-attr]
