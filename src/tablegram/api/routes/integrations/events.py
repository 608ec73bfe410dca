"""The account's events: page by page, live, and what they look like."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.parameters import Limit
from tablegram.api.schemas.integrations.webhooks import EventType
from tablegram.errors import Unauthorized
from tablegram.events.answers.feed import EventPage, SamplePage, SampleView
from tablegram.events.catalogue import WHEN
from tablegram.events.samples import SAMPLES
from tablegram.web.event_stream import EventStream

_SCOPE = "events:read"
_READ = {"scope": _SCOPE, "test_keys": True}
_TAGS = ["Events"]

_BEHIND = "Only what came behind this: the cursor of an event, its id, or next_cursor."
_PLACE = "^[A-Za-z0-9_-]+$"
After = Annotated[
    str | None,
    QueryParameter(pattern=_PLACE, max_length=100, description=f"{_BEHIND} Absent: from the first that is kept."),
]
ListenAfter = Annotated[
    str | None, QueryParameter(pattern=_PLACE, max_length=100, description=f"{_BEHIND} Absent: from now on.")
]
WaitS = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=86_400,
        description="End the answer once no event came for so many seconds; 0: after those that are there. Absent: it goes on.",
    ),
]
Kind = Annotated[EventType | None, QueryParameter(description="Only events of this kind.")]


@get("/events", opt=_READ, tags=_TAGS, summary="Pull events", operation_id="listEvents")
async def list_events(
    request: ApiRequest, after: After = None, type: Kind = None, limit: Limit = 50
) -> Response[EventPage]:
    """Everything that happened, oldest first, kept for 30 days, whether or not an endpoint took it.

    Keep the `cursor` of the last event that you have worked on, and ask for what is `after` it. A test key gets what
    happened on sandbox lines; its pages may be short or empty although `next_cursor` says that there is more.
    """
    lines = await request.deps.gateway.lines.within_reach(request.caller)()
    return json(await request.deps.integrations.feed.page(request.caller.account_id, after, limit, type, within=lines))


@get("/events/samples", opt=_READ, tags=_TAGS, summary="Sample events", operation_id="listEventSamples")
async def list_samples(request: ApiRequest, type: Kind = None) -> Response[SamplePage]:
    """What each event looks like, for tools that map fields before the first real one."""
    samples = [
        SampleView(id=f"sample-{kind}", event=kind, when=when, body=SAMPLES[kind])
        for kind, when in WHEN.items()
        if type in (None, kind)
    ]
    return json(SamplePage(data=samples, next_cursor=None))


@get(
    "/events/stream",
    opt=_READ,
    tags=_TAGS,
    summary="Listen to events",
    operation_id="streamEvents",
    media_type="text/event-stream",
)
async def stream_events(
    request: ApiRequest, after: ListenAfter = None, type: Kind = None, wait_s: WaitS = None
) -> Response[Any]:
    """Server-sent events, from now on or from `after`: `id` is the event's cursor, `event` its kind, `data` its body.

    After a broken connection send the last `id` as `Last-Event-ID`, as browsers do, and nothing is missed.
    A test key hears of sandbox lines only.
    """
    place = request.headers.get("Last-Event-ID") or after
    token = request.exchange.authorization[7:].strip().decode("latin-1")

    async def still_allowed() -> bool:
        try:
            return (await request.deps.account.key_ring.authenticate(token)).has(_SCOPE)
        except Unauthorized:
            return False

    lines = request.deps.gateway.lines.within_reach(request.caller)
    frames = await request.deps.integrations.feed.open(
        request.caller.account_id, place, type, still_allowed, wait_s, within=lines
    )
    return EventStream(frames)


HANDLERS = [list_events, list_samples, stream_events]
