"""The framework's side of the panel: pages become one application. Loaded for the first visitor."""

from __future__ import annotations

from functools import cache
from typing import Any

from litestar import Litestar, Request, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from tablegram.errors import Problem
from tablegram.panel import assets, errors
from tablegram.panel.access import SignInNeeded, admit, check_form
from tablegram.panel.behind import deps_of
from tablegram.panel.deps import PanelDeps
from tablegram.panel.visitor import Guest, Visitor
from tablegram.web.forms import MAX_TEXT_BYTES

# The pages of every area. The same ones share one framework.
Handlers = tuple[HTTPRouteHandler, ...]


@cache
def framework(handlers: Handlers) -> Litestar:
    """The pages with their handlers. Built once in a process, because that takes long; each request brings its own panel."""

    async def provide_deps(request: Request[Any, Any, Any]) -> PanelDeps:
        return deps_of(request)

    async def provide_visitor(request: Request[Any, Any, Any]) -> Visitor:
        visitor: Visitor = request.scope["state"]["visitor"]
        return visitor

    async def provide_guest(request: Request[Any, Any, Any]) -> Guest:
        guest: Guest = request.scope["state"]["guest"]
        return guest

    return Litestar(
        route_handlers=[Router("/panel", route_handlers=[*assets.HANDLERS, *handlers])],
        dependencies={
            "deps": Provide(provide_deps),
            "visitor": Provide(provide_visitor),
            "guest": Provide(provide_guest),
        },
        guards=[admit],
        before_request=check_form,
        exception_handlers={
            SignInNeeded: errors.sign_in_needed,
            Problem: errors.refused,
            HTTPException: errors.framework_says,
            Exception: errors.failed,
        },
        openapi_config=None,
        logging_config=None,
        request_max_body_size=MAX_TEXT_BYTES,
        signature_types=[PanelDeps, Visitor, Guest],
    )
