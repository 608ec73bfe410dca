"""Every answer that is not a success: for the page's own script as data, for a person as a page in words."""

from __future__ import annotations

import logging

from tablegram.errors import Problem
from tablegram.menu_page.exchange import Answer
from tablegram.web import problems

log = logging.getLogger("tablegram.menu_page")


def as_problem(error: Exception, path: str, request_id: str) -> Problem:
    """What a guest is told about any error. Whatever was not raised on purpose is logged and told in few words."""
    if isinstance(error, Problem):
        return error
    # What follows the kind of address is a guest's own: the code of his cart, the key to his order.
    kind = "/".join(path.split("/")[:5])
    words = f"We could not do that. Try again; if it happens again, tell the staff the number {request_id}."
    return problems.failed(error, log, f"a guest's request ({kind[:100]}, {request_id})", words)


def as_data(problem: Problem, path: str, request_id: str) -> Answer:
    """The shape that the whole API has for problems."""
    body = problems.render(problem, path, request_id)
    return Answer(body, problems.MEDIA_TYPE, status=problem.status, headers=headers_of(problem))


def headers_of(problem: Problem) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in problems.headers(problem)}
