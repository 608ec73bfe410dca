"""Refusals as data, in the shape that the whole API has for them."""

from __future__ import annotations

from tablegram.errors import Problem
from tablegram.web import problems
from tablegram.web.plain.exchange import Answer


def as_data(problem: Problem, path: str, request_id: str) -> Answer:
    body = problems.render(problem, path, request_id)
    return Answer(body, problems.MEDIA_TYPE, status=problem.status, headers=headers_of(problem))


def headers_of(problem: Problem) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in problems.headers(problem)}
