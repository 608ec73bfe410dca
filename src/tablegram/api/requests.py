"""The framework's request, knowing our exchange, and the shape in which handlers answer."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request, Response
from litestar.datastructures import State

from tablegram.accounts.keys.keys import Caller
from tablegram.api import behind
from tablegram.api.behind import Behind
from tablegram.api.bodies import parse_body
from tablegram.api.deps import ApiDeps
from tablegram.api.exchange import SCOPE_KEY, Exchange
from tablegram.api.problems import as_problem
from tablegram.engine.idempotency import Answer, Call, Result
from tablegram.web.asgi import Scope
from tablegram.web.problems import MEDIA_TYPE, headers, render

T = TypeVar("T")


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


def answered(told: Answer | Result[Any]) -> Response[Any]:
    """What a flow answered, in the bytes that an idempotency key stores."""
    answer = told.encoded() if isinstance(told, Result) else told
    fields = {"Idempotent-Replayed": "true"} if answer.replayed else {}
    return Response(answer.body, status_code=answer.status, media_type="application/json", headers=fields)


def json(content: Any, status_code: int | None = None) -> Response[Any]:
    """A plain answer, encoded by the framework."""
    return Response(content, status_code=status_code, media_type="application/json")


def refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Every error inside the framework, in the one shape."""
    scope: Scope = request.scope
    exchange: Exchange = scope[SCOPE_KEY]
    problem = as_problem(error, exchange.id)
    exchange.problem_code, exchange.problem_detail = problem.code, problem.detail
    return Response(
        render(problem, exchange.path, exchange.id),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={name.decode(): value.decode() for name, value in headers(problem)},
    )


def file(body: bytes, media_type: str, filename: str) -> Response[bytes]:
    """A file to save."""
    fields = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return Response(body, media_type=media_type, headers=fields)
