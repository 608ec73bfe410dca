"""The outermost layer of the API: every request passes here, and every answer leaves here.

In this order: who calls and how often they may, does the address exist, may this key do this, is there a body
and is it one we take. Only then is anything read or done. Written as plain ASGI with prepared bytes, because its
cost is paid by every send.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.accounts.audit import came_from
from tablegram.accounts.keys.keys import Caller
from tablegram.api.deps import ApiDeps
from tablegram.api.exchange import SCOPE_KEY, Exchange
from tablegram.api.problems import as_problem
from tablegram.api.reading import check_body_is_file, check_body_is_json, check_query, whole_file
from tablegram.api.records.figures import Figures
from tablegram.api.records.request_ids import RequestIds
from tablegram.api.records.request_log import RequestLog, without_keys
from tablegram.api.routing import Route, RouteTable, path_of
from tablegram.errors import Problem, ScopeMissing, TooMany, Unauthorized
from tablegram.values.watching import spans, trail
from tablegram.web.addresses import Addresses, limit_key, peer_of
from tablegram.web.asgi import App, Receive, Send
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.limits import Decision
from tablegram.web.problems import MEDIA_TYPE, headers, render
from tablegram.web.version import API_VERSION

_FIXED = ((b"x-api-version", API_VERSION.encode()), (b"x-content-type-options", b"nosniff"))
_NO_STORE = (b"cache-control", b"no-store")
_JSON = (b"content-type", b"application/json")
_PROBLEM = (b"content-type", MEDIA_TYPE.encode())
_REPLAYED = (b"idempotent-replayed", b"true")

# A key that calls far too often must not fill the request log with its refusals.
LOG_REFUSALS_EVERY_S = 1.0
_LOG_DETAIL_CHARS = 500
_MAX_REMEMBERED = 10_000


class Gate:
    def __init__(
        self,
        deps: ApiDeps,
        at_once: RouteTable,
        routes: Callable[[], Awaitable[RouteTable]],
        app: App,
        request_log: RequestLog,
        figures: Figures,
    ) -> None:
        """`at_once`: what is answered without the framework. All addresses, `routes`, are asked for when it is none of those."""
        self._deps = deps
        self._at_once = at_once
        self._routes = routes
        self._app = app
        self._log = request_log
        self._figures = figures
        self._max_bytes = deps.settings.max_body_bytes
        self._bodies = BodyReader.of(deps.settings)
        self._new_request_id = RequestIds().next
        self._cached = deps.account.key_ring.cached
        self._take = deps.account.limiter.take
        self._addresses = Addresses(deps.settings.trusted_proxies)
        self._policies: dict[tuple[float, int], tuple[bytes, bytes]] = {}
        self._refusal_logged: dict[str, float] = {}
        self._shut_out: dict[str, float] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        exchange = Exchange(scope["method"], path_of(scope["path"], scope["raw_path"]), scope["headers"])
        exchange.started_s = time.perf_counter()
        if not exchange.request_id:
            exchange.request_id = self._new_request_id()
        exchange.span = spans.begin("request", exchange.traceparent, method=exchange.method)
        exchange.trace = spans.carried(exchange.id, exchange.span)
        trail.follow(exchange.trace)
        exchange.remote = self._addresses.remote(peer_of(scope), exchange.forwarded)
        try:
            route = await self._admit(exchange)
            if route.takes_body:
                check_body_is_json(exchange)
                exchange.body = await self._bodies.whole(receive, self._max_bytes, exchange.content_length)
            elif route.file_bytes:
                check_body_is_file(exchange)
                exchange.file = whole_file(self._bodies.pieces(receive, route.file_bytes, exchange.content_length))
            if route.fast is None:
                if scope["query_string"]:
                    check_query(scope["query_string"])
                await self._hand_over(exchange, scope, receive, send)
                return
            answer = await route.fast(exchange)
        except ClientGone:
            return
        except Exception as error:
            await self._refuse(exchange, as_problem(error, exchange.id), send)
            return
        extra = [_JSON, _NO_STORE, _REPLAYED] if answer.replayed else [_JSON, _NO_STORE]
        await self._answer(exchange, answer.status, answer.body, extra, send)

    async def _admit(self, exchange: Exchange) -> Route:
        """Who calls, how often, what, and whether they may."""
        caller, denied = await self._recognise(exchange)
        if caller is not None:
            exchange.caller = caller
            decision = self._take(caller.key_id, caller.rate, caller.burst, time.monotonic())
            self._tell_rate(exchange, decision, caller.rate, caller.burst)
            if not decision.allowed:
                raise _too_many(decision, "key", caller.rate)
        route = self._at_once.has(exchange.path, exchange.method)
        if route is None:
            route = (await self._routes()).find(exchange.path, exchange.method)
        exchange.route = route
        if caller is None:
            if not route.public:
                raise denied or Unauthorized("Send your API key in the header: Authorization: Bearer tg_live_…")
            return route
        if route.scope:
            caller.require(route.scope)
        if caller.mode == "test" and not (route.test_keys or route.public):
            raise ScopeMissing(
                "A test key works within the sandbox, and this call is about what is live. Use a live key.",
                code="test_key",
            )
        return route

    async def _recognise(self, exchange: Exchange) -> tuple[Caller | None, Unauthorized | None]:
        """The caller, or why not. Who shows no valid key is counted by address."""
        token = _token(exchange.authorization)
        if token:
            caller = self._cached(token)
            if caller is not None:
                return caller, None
        address = limit_key(exchange.remote)
        if self._shut_out.get(address, 0.0) > time.monotonic():
            # Guessing keys must not cost a look-up in the store for each guess.
            self._count_anonymous(exchange, address)
        denied: Unauthorized | None = None
        try:
            return await self._deps.account.key_ring.authenticate(token), None
        except Unauthorized as problem:
            denied = problem
        self._count_anonymous(exchange, address)
        return None, denied

    def _count_anonymous(self, exchange: Exchange, address: str) -> None:
        settings = self._deps.settings
        rate, burst = settings.anonymous_rate_limit, settings.anonymous_rate_burst
        now_s = time.monotonic()
        decision = self._take(address, rate, burst, now_s)
        self._tell_rate(exchange, decision, rate, burst)
        if not decision.allowed:
            _remember(self._shut_out, address, now_s + 1.0 / rate)
            raise _too_many(decision, "address", rate)

    def _tell_rate(self, exchange: Exchange, decision: Decision, rate: float, burst: int) -> None:
        policy = self._policies.get((rate, burst))
        if policy is None:
            window_s = max(1, round(burst / rate))
            policy = self._policies[(rate, burst)] = (b"ratelimit-policy", b'"default";q=%d;w=%d' % (burst, window_s))
        exchange.rate_fields = (policy, (b"ratelimit", b'"default";r=%d;t=%d' % (decision.remaining, decision.reset_s)))

    async def _hand_over(self, exchange: Exchange, scope: Any, receive: Receive, send: Send) -> None:
        """Let the framework answer, and put our header fields on what it says."""
        came_from(exchange.remote)
        sent = False
        status = 500
        caller: Caller | None = getattr(exchange, "caller", None)
        # What is no JSON is a file or a stream, and not kept.
        answer: list[bytes] | None = None

        async def send_on(message: Any) -> None:
            nonlocal sent, status, answer
            if answer is not None and message["type"] == "http.response.body":
                answer.append(message.get("body", b""))
            if message["type"] == "http.response.start":
                if caller is not None and caller.keeps_bodies and _is_json(message["headers"]):
                    answer = []
                sent, status = True, message["status"]
                names = {name for name, _ in message["headers"]}
                # What an answer says itself is not said twice.
                fixed = [one for one in _FIXED if one[0] not in names]
                fields = [*message["headers"], *fixed, *exchange.rate_fields, (b"x-request-id", exchange.request_id)]
                if b"cache-control" not in names:
                    fields.append(_NO_STORE)
                message = {**message, "headers": fields}
            await send(message)

        body_given = False

        async def receive_read() -> Any:
            """The body that was read already; then whatever still comes, which tells a stream that nobody listens."""
            nonlocal body_given
            if body_given:
                return await receive()
            body_given = True
            return {"type": "http.request", "body": exchange.body, "more_body": False}

        try:
            await self._app({**scope, "path": exchange.path, SCOPE_KEY: exchange}, receive_read, send_on)
        except Exception as error:
            if sent:
                raise
            await self._refuse(exchange, as_problem(error, exchange.id), send)
            return
        self._note(exchange, status, b"".join(answer or ()))

    async def _refuse(self, exchange: Exchange, problem: Problem, send: Send) -> None:
        exchange.problem_code, exchange.problem_detail = problem.code, problem.detail
        body = render(problem, exchange.path, exchange.id)
        await self._answer(exchange, problem.status, body, [_PROBLEM, _NO_STORE, *headers(problem)], send)

    async def _answer(
        self, exchange: Exchange, status: int, body: bytes, extra: list[tuple[bytes, bytes]], send: Send
    ) -> None:
        fields = [
            *extra,
            (b"content-length", b"%d" % len(body)),
            (b"x-request-id", exchange.request_id),
            *_FIXED,
            *exchange.rate_fields,
        ]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": body})
        self._note(exchange, status, body)

    def _note(self, exchange: Exchange, status: int, answer: bytes) -> None:
        """Count the request and put it into the log."""
        took_s = time.perf_counter() - exchange.started_s
        self._figures.count(status, exchange.path, took_s)
        if exchange.span is not None:
            _end(exchange, status)
        trail.step("request answered", method=exchange.method, status=status, ms=round(took_s * 1_000, 1))
        caller: Caller | None = getattr(exchange, "caller", None)
        if status == 429 and not self._first_refusal(caller.key_id if caller else limit_key(exchange.remote)):
            return
        detail = exchange.problem_detail
        keeps = caller is not None and caller.keeps_bodies
        self._log.add(
            {
                "account_id": caller.account_id if caller else 0,
                "request_id": exchange.id,
                "key_id": caller.key_id if caller else "",
                "method": exchange.method,
                "path": without_keys(exchange.path)[:_LOG_DETAIL_CHARS],
                "status": status,
                "code": exchange.problem_code,
                "detail": without_keys(detail)[:_LOG_DETAIL_CHARS] if detail else None,
                "duration_us": int(took_s * 1_000_000),
                "remote": exchange.remote,
                "created_at": self._deps.clock.now_ms(),
            },
            *((exchange.body, answer) if keeps else ()),
        )

    def _first_refusal(self, who: str) -> bool:
        now_s = time.monotonic()
        if self._refusal_logged.get(who, 0.0) > now_s:
            return False
        _remember(self._refusal_logged, who, now_s + LOG_REFUSALS_EVERY_S)
        return True


def _end(exchange: Exchange, status: int) -> None:
    """End the request's span: by the address as documents write it, in which no id stands."""
    route: Route | None = getattr(exchange, "route", None)
    spans.end(
        exchange.span,
        failed="error" if status >= 500 else "",
        status=status,
        route="" if route is None else route.template,
        request_id=exchange.id,
    )


def _remember(until: dict[str, float], who: str, until_s: float) -> None:
    if len(until) >= _MAX_REMEMBERED:
        until.clear()
    until[who] = until_s


def _is_json(fields: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and b"json" in value for name, value in fields)


def _token(authorization: bytes) -> str | None:
    if authorization[:7].lower() != b"bearer ":
        return None
    return authorization[7:].strip().decode("latin-1")


def _too_many(decision: Decision, who: str, rate: float) -> TooMany:
    whom = "This key" if who == "key" else "Your address, without a valid key,"
    return TooMany(
        f"{whom} may make {rate:g} requests per second. Wait {decision.retry_after_s} s and try again.",
        retry_after_s=decision.retry_after_s,
    )
