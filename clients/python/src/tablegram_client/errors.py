"""What can go wrong with a call."""

from __future__ import annotations

from typing import Any


class TablegramError(Exception):
    """The root of them all."""


class ApiError(TablegramError):
    """The server said no. `code` is stable; `detail` says what to do; `errors` names each field that is wrong."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code: str = problem.get("code", "")
        self.detail: str = problem.get("detail", "") or problem.get("title", "")
        self.errors: list[dict[str, Any]] = problem.get("errors", [])
        self.request_id: str = problem.get("request_id", "")
        self.problem = problem
        super().__init__(f"{status} {self.code}: {self.detail}")


class NoAnswer(TablegramError):
    """No try got an answer. What was asked for may or may not have happened."""


class WrongSignature(TablegramError):
    """A webhook that was not signed with the secret, or too long ago."""
