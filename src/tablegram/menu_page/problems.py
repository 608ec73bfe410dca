"""Every answer that is not a success: for the page's own script as data, for a person as a page in words."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from tablegram.errors import Problem
from tablegram.menu_page.exchange import Answer

log = logging.getLogger("tablegram.menu_page")

_encode = msgspec.json.Encoder().encode


def as_problem(error: Exception, path: str, request_id: str) -> Problem:
    """What a guest is told about any error. Whatever was not raised on purpose is logged and told in few words."""
    if isinstance(error, Problem):
        return error
    # What follows the kind of address is a guest's own: the code of his cart, the key to his order.
    kind = "/".join(path.split("/")[:5])
    log.error("a guest's request failed (%s, %s)", kind[:100], request_id, exc_info=error)
    return Problem(f"We could not do that. Try again; if it happens again, tell the staff the number {request_id}.")


def as_data(problem: Problem, path: str, request_id: str) -> Answer:
    """The shape that the whole API has for problems (RFC 9457)."""
    document: dict[str, Any] = {
        "type": f"/api/v1/docs#problem-{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": path,
        "code": problem.code,
        "request_id": request_id,
    }
    if problem.status == 422:
        document["errors"] = [{"field": one.field, "code": one.code, "detail": one.detail} for one in problem.errors]
    for name, value in problem.extra.items():
        document.setdefault(name, value)
    return Answer(_encode(document), "application/problem+json", status=problem.status, headers=headers_of(problem))


def headers_of(problem: Problem) -> dict[str, str]:
    fields = dict(problem.headers)
    if problem.retry_after_s is not None:
        fields["Retry-After"] = str(max(1, problem.retry_after_s))
    return fields
