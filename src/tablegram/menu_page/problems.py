"""What a guest is told about whatever went wrong."""

from __future__ import annotations

import logging

from tablegram.errors import Problem
from tablegram.web import problems

log = logging.getLogger("tablegram.menu_page")


def as_problem(error: Exception, path: str, request_id: str) -> Problem:
    """What a guest is told about any error. Whatever was not raised on purpose is logged and told in few words."""
    if isinstance(error, Problem):
        return error
    # What follows the kind of address is a guest's own: the code of their cart, the key to their order.
    kind = "/".join(path.split("/")[:5])
    words = f"We could not do that. Try again; if it happens again, tell the staff the number {request_id}."
    return problems.failed(error, log, f"a guest's request ({kind[:100]}, {request_id})", words)
