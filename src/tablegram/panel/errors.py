"""Errors as pages in words: what happened, what was kept, what to do."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException

from tablegram.errors import Internal, NotFound, Problem, ScopeMissing, StorageFull, Unavailable
from tablegram.panel import cookies
from tablegram.panel.access import SignInNeeded, guest_of
from tablegram.panel.i18n import say
from tablegram.panel.render import page
from tablegram.panel.visitor import Guest, Visitor
from tablegram.storage.upkeep.room import is_full
from tablegram.web.problems import of_status

_log = logging.getLogger("tablegram.panel")


def sign_in_needed(request: Request[Any, Any, Any], error: SignInNeeded) -> Response[Any]:
    """A page sends to the sign-in; a script is told, so that it can send its page there."""
    if wants_data(request) or "part" in request.query_params:
        return Response({"code": "signed_out", "location": error.address}, status_code=401)
    return Response(
        "", status_code=303, media_type="text/html", headers={"Location": error.address, "Cache-Control": "no-store"}
    )


def refused(request: Request[Any, Any, Any], problem: Problem) -> Response[Any]:
    guest = guest_of(request)
    known = guest.t(f"frame.error_{problem.status}") if problem.status in _TITLED else guest.t("frame.error_other")
    if isinstance(problem, ScopeMissing) and _is_suspended(guest):
        # Nobody of a suspended account may do anything: another role would not help.
        known = guest.t("frame.suspended")
        problem = ScopeMissing(guest.t("frame.error_suspended"), code="account_suspended")
    if wants_data(request):
        errors = [{"field": one.field, "code": one.code, "detail": say(guest.language, one)} for one in problem.errors]
        body = {"code": problem.code, "detail": say(guest.language, problem), "errors": errors}
        return _in_time(Response(body, status_code=problem.status, headers={"Cache-Control": "no-store"}), problem)
    layout = "frame/layout.html" if isinstance(guest, Visitor) else "frame/bare.html"
    shown = page(
        request,
        guest,
        "frame/problem.html",
        status=problem.status,
        layout=layout,
        heading=known,
        words=say(guest.language, problem),
        code=problem.code,
        whole=True,
    )
    return _in_time(shown, problem)


def _in_time(response: Response[Any], problem: Problem) -> Response[Any]:
    """Tells a program too when to come again."""
    response.headers.update(problem.headers)
    if problem.retry_after_s is not None:
        response.headers["Retry-After"] = str(problem.retry_after_s)
    return response


def _is_suspended(guest: Guest) -> bool:
    return isinstance(guest, Visitor) and guest.account is not None and guest.account.state == "suspended"


def framework_says(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Unknown paths, wrong methods, bodies that are too large."""
    guest = guest_of(request)
    if error.status_code in (404, 405):
        return refused(request, NotFound(guest.t("frame.not_found_text")))
    return refused(request, of_status(error.status_code, error.detail))


def failed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A bug of ours, or the store is down. Nothing was changed: work is committed whole or not at all."""
    guest = guest_of(request)
    place = cookies.new_token()[:8]
    _log.error("The panel failed at %s (%s)", _told_path(request.scope["path"]), place, exc_info=error)
    if is_full(error):
        return refused(request, StorageFull(guest.t("problem.storage_full")))
    if isinstance(error, OSError | ConnectionError | TimeoutError):
        return refused(request, Unavailable(guest.t("frame.store_down_text"), retry_after_s=5))
    return refused(request, Internal(guest.t("frame.failed_text", place=place)))


def _told_path(path: str) -> str:
    """A link lets somebody in: what is behind /link/ belongs in no log."""
    start, found, _ = path.partition("/panel/link/")
    return f"{start}{found}…" if found else path


def wants_data(request: Request[Any, Any, Any]) -> bool:
    return "application/json" in request.headers.get("accept", "")


_TITLED = (403, 404, 408, 409, 413, 422, 429, 500, 503)
