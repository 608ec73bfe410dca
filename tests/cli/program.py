"""The program, run in this process as the shell would run it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablegram.__main__ import main


class Program:
    """Runs a command, checks its exit code and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.error = ""

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._capsys.readouterr()
        returned = main(arguments)
        output, self.error = self._capsys.readouterr()
        assert returned == code, output + self.error
        return output

    def json(self, *arguments: str, code: int = 0) -> Any:
        """What it says to another program: one line, and nothing beside it."""
        output = self(*arguments, "--json", code=code)
        assert self.error == ""
        assert output.count("\n") == 1
        return json.loads(output)

    def refusal(self, *arguments: str) -> str:
        """The code of the error that the command ends with."""
        told = self.json(*arguments, code=1)["error"]
        assert told["detail"]
        return str(told["code"])
