"""The framework's request, knowing our exchange, and the shape in which handlers answer."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.params import QueryParameter

from tablegram.accounts.keys.keys import Caller
from tablegram.api import behind
from tablegram.api.behind import Behind
from tablegram.api.bodies import parse_body
from tablegram.api.deps import ApiDeps
from tablegram.api.exchange import SCOPE_KEY, Exchange
from tablegram.api.problems import as_problem, name_of
from tablegram.engine.idempotency import Call, Result
from tablegram.errors import Invalid
from tablegram.web.asgi import Scope
from tablegram.web.problems import MEDIA_TYPE, headers, render

T = TypeVar("T")
# Who reads every list alike asks short ones for pages too; those are answered whole, as their one page.
PAGING = ("limit", "cursor")


class ApiRequest(Request[Any, Any, State]):
    @property
    def exchange(self) -> Exchange:
        scope: Scope = self.scope
        exchange: Exchange = scope[SCOPE_KEY]
        return exchange

    @property
    def behind(self) -> Behind:
        scope: Scope = self.scope
        found: Behind = scope[behind.SCOPE_KEY]
        return found

    @property
    def deps(self) -> ApiDeps:
        return self.behind.deps

    @property
    def caller(self) -> Caller:
        return self.exchange.caller

    def call(self) -> Call:
        return self.exchange.call()

    async def json(self) -> Any:
        """The body, checked by our own rules against the handler's type for it."""
        shape = self.route_handler.parsed_fn_signature.parameters["data"].annotation
        return parse_body(self.exchange.body, shape)


def taken_as(kind: type[T], data: msgspec.Struct) -> T:
    """A checked body as a flow takes it; fields that are absent stay as that type has them."""
    return msgspec.convert(msgspec.to_builtins(data), kind)


def answered(told: Result[T]) -> Response[T]:
    """What a flow answered, in the bytes that an idempotency key stores.

    The type goes through, here and in `json`: no handler draws another struct than it sends.
    """
    answer = told.encoded()
    fields = {"Idempotent-Replayed": "true"} if answer.replayed else {}
    body: Response[Any] = Response(
        answer.body, status_code=answer.status, media_type="application/json", headers=fields
    )
    return body


def json(content: T, status_code: int | None = None) -> Response[T]:
    """A plain answer, encoded by the framework."""
    return Response(content, status_code=status_code, media_type="application/json")


def refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Every error inside the framework, in the one shape."""
    scope: Scope = request.scope
    exchange: Exchange = scope[SCOPE_KEY]
    handler = request.scope.get("route_handler")
    signature = handler.parsed_fn_signature.parameters if isinstance(handler, HTTPRouteHandler) else None
    problem = as_problem(error, exchange.id, signature)
    exchange.problem_code, exchange.problem_detail = problem.code, problem.detail
    return Response(
        render(problem, exchange.path, exchange.id),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={name.decode(): value.decode() for name, value in headers(problem)},
    )


async def check_parameters(request: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """No parameter that the address does not know: a list would be answered as if nobody had asked for less.

    Who comes without a key may have been sent here with anything behind the address.
    """
    if not request.scope["query_string"] or handler.opt.get("public"):
        return
    signature = handler.parsed_fn_signature.parameters.values()
    known = {name_of(one) for one in signature if isinstance(one.kwarg_definition, QueryParameter)}
    for name in request.query_params:
        if name not in known and name not in PAGING:
            takes = f"The parameters are: {', '.join(sorted(known))}." if known else "This address takes none."
            raise Invalid.field(name[:100], "unknown_field", f"There is no parameter {name[:100]}. {takes}")


def file(body: bytes, media_type: str, filename: str) -> Response[bytes]:
    """A file to save."""
    fields = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(body, media_type=media_type, headers=fields)
