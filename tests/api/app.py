"""The API on its own: the real edge, with something simple behind it that remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Any
from urllib.parse import unquote

import msgspec

from tablegram.accounts.keys.key_records import KeyRecord, NewKey
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money.quota import QuotaState
from tablegram.accounts.scopes import OPERATE
from tablegram.api.app import Api, create_api
from tablegram.api.deps import ApiDeps
from tablegram.engine.idempotency import Result
from tablegram.errors import Conflict, Invalid, NotFound, Unauthorized
from tablegram.flows.account.services import AccountServices
from tablegram.flows.automations.services import AutomationServices
from tablegram.flows.campaigns.segments.services import SegmentServices
from tablegram.flows.campaigns.services import CampaignServices
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.flows.delivery.services import DeliveryServices
from tablegram.flows.files.media import OpenedMedia
from tablegram.flows.files.services import FileServices
from tablegram.flows.gateway.answers.sends import BatchAnswer, BatchEntry, SendAnswer
from tablegram.flows.gateway.lines import LineDraft
from tablegram.flows.gateway.sending import Answer, Call, Draft, MakeDraft
from tablegram.flows.gateway.services import GatewayServices
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.integrations.granting import Granting
from tablegram.flows.integrations.services import IntegrationServices
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.flows.payments.services import PaymentServices
from tablegram.flows.printing.services import PrintingServices
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.flows.services import Services
from tablegram.flows.stores.notices.services import NoticeServices
from tablegram.flows.stores.services import StoreServices
from tablegram.messaging.media import MediaFacts
from tablegram.messaging.records.line_changes import LineChange
from tablegram.settings import Settings
from tablegram.values.clock import Clock
from tablegram.web.limits import Limiter
from tests.api.stub_contacts import (
    StubConsents,
    StubContacts,
    StubErasure,
    StubJobs,
    StubKeeping,
    StubLineReplies,
    StubRights,
    StubUnsent,
)
from tests.api.stub_inbox import StubCanned, StubConversations, StubImports, StubNotes
from tests.api.stub_operating import StubOperating
from tests.api.stub_overviews import StubOverviews
from tests.api.stub_restaurant import StubDesk
from tests.api.stub_team import StubAudit, StubMembers
from tests.api.stub_templates import StubTemplates
from tests.api.stub_webhooks import StubFeed, StubWebhooks
from tests.opened_product import HANDLERS

KEY = "tg_live_whole"
NARROW_KEY = "tg_live_narrow"
# For what the narrow key may do.
OTHER_NARROW_KEY = "tg_live_narrow_too"
NOW_MS = 1_790_000_000_000

_MESSAGE = {
    "message_id": "wamid.known",
    "gateway_id": "gw.known",
    "instance_id": 1,
    "direction": "out",
    "phone": "905551112233",
    "type": "text",
    "text": "hi",
    "media": None,
    "status": "sent",
    "status_history": [],
    "error": None,
    "cost_usd": 0.01,
    "created_at": "2026-01-01T00:00:00.000Z",
}
_LINE = {
    "id": 1,
    "kind": "sandbox",
    "name": "one",
    "state": "connected",
    "reason": "",
    "is_default": True,
    "pace_per_s": None,
    "created_at": "2026-01-01T00:00:00.000Z",
}


class FixedClock(Clock):
    def now_ms(self) -> int:
        return NOW_MS


def caller(scopes: frozenset[str], key_id: str, rate: float, burst: int) -> Caller:
    return Caller(
        account_id=7,
        account_name="Demo",
        key_id=key_id,
        key_name="test",
        mode="live",
        scopes=scopes,
        rate=rate,
        burst=burst,
        plan="free",
        prepaid=False,
        expires_at=None,
    )


DENIALS = {"tg_live_revoked": "key_revoked", "tg_live_expired": "key_expired", "tg_live_suspended": "account_suspended"}


class Keys:
    """Recognises three keys and knows a reason against each of the others."""

    def __init__(self, rate: float, burst: int) -> None:
        self.box = None
        self.callers = {
            KEY: caller(frozenset({"*", OPERATE}), "key-1", rate, burst),
            NARROW_KEY: caller(frozenset({"campaigns:manage"}), "key-2", rate, burst),
            OTHER_NARROW_KEY: caller(frozenset({"keys:manage"}), "key-3", rate, burst),
        }
        self.lookups = 0

    def cached(self, token: str) -> Caller | None:
        return self.callers.get(token)

    async def authenticate(self, token: str | None) -> Caller:
        if not token:
            raise Unauthorized("Send a key.", code="key_missing")
        self.lookups += 1
        raise Unauthorized("No.", code=DENIALS.get(token, "key_unknown"))

    async def list_keys(
        self, account_id: int, *, after: str = "", limit: int = 200, mode: str | None = None
    ) -> list[KeyRecord]:
        return [self._record()]

    async def create_in(self, tx: Any, account_id: int, **fields: Any) -> NewKey:
        return NewKey("tg_live_fresh", self._record())

    async def revoke(self, account_id: int, key_id: str) -> KeyRecord:
        if key_id != "key-1":
            raise NotFound("This account has no such key.", code="key_not_found")
        return self._record()

    def _record(self) -> KeyRecord:
        return KeyRecord(7, "key-1", "live", "test", "abcd", ("*",), NOW_MS, None, None, None)


class Sends:
    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.calls: list[Call] = []
        self.error: Exception | None = None
        self.replayed = False

    async def send(self, caller: Caller, made: Draft | MakeDraft, call: Call) -> Result[SendAnswer]:
        if self.error is not None:
            raise self.error
        draft = made if isinstance(made, Draft) else await made()
        if draft.instance_id == 404:
            raise Invalid.field("instance_id", "instance_unknown", "There is no such line in this account.")
        self.drafts.append(draft)
        self.calls.append(call)
        sent = SendAnswer(status="success", message_id="wamid.known", status_code="sent", cost_usd=0.01)
        return Result(sent, replayed=self.replayed)

    async def send_batch(
        self, caller: Caller, make: Callable[[], Awaitable[list[Draft]]], call: Call
    ) -> Result[BatchAnswer]:
        drafts = await make()
        self.drafts.extend(drafts)
        entries = [
            BatchEntry(index=index, status="success", message_id="gw.known", status_code="queued", cost_usd=0.01)
            for index in range(len(drafts))
        ]
        return Result(BatchAnswer(data=entries))


class Look:
    async def message(self, caller: Caller, message_id: str) -> dict[str, Any]:
        if message_id not in ("wamid.known", "gw.known", "wamid.with/slash"):
            raise NotFound("There is no such message in this account.", code="message_unknown")
        return {**_MESSAGE, "message_id": message_id}

    async def messages(self, caller: Caller, **filters: Any) -> dict[str, Any]:
        if filters["cursor"] not in (None, "Zw"):
            raise Invalid.field("cursor", "cursor_invalid", "Use the next_cursor of the previous page, unchanged.")
        return {"data": [_MESSAGE], "next_cursor": None}

    async def network_id_of(self, caller: Caller, message_id: str, field: str = "message_id") -> str:
        if message_id != "wamid.known":
            raise Invalid.field(field, "message_unknown", "There is no such message in this account.")
        return message_id

    async def cancel(self, caller: Caller, message_id: str, call: Call) -> Answer:
        if await self.message(caller, message_id) and message_id == "wamid.known":
            raise Conflict("The message is sent and can no longer be cancelled.")
        return Answer(200, msgspec.json.encode({**_MESSAGE, "status": "cancelled"}))

    async def mark_read(self, caller: Caller, message_id: str, call: Call) -> Answer:
        await self.message(caller, message_id)
        return Answer(200, msgspec.json.encode({"status": "success", "message_id": message_id}))


class Always:
    """Remembers no key: every call is the first one."""

    async def once(self, account_id: int, call: Call, work: Any, seal: Any = None) -> Answer:
        answer: Answer = await work(None)
        return answer

    async def once_for(self, kind: type[Any], account_id: int, call: Call, work: Any, seal: Any = None) -> Result[Any]:
        result: Result[Any] = await work(None)
        return result


async def _all_lines() -> None:
    return None


class StubLines:
    def __init__(self) -> None:
        self.idempotency = Always()
        self.taken: list[LineDraft | LineChange] = []

    async def create(self, caller: Caller, draft: LineDraft, call: Call) -> Answer:
        self.taken.append(draft)
        return Answer(201, msgspec.json.encode({**_LINE, "kind": draft.kind}))

    def within_reach(self, caller: Caller) -> Any:
        return _all_lines

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> dict[str, Any]:
        return {"data": [_LINE], "next_cursor": None}

    async def get(self, caller: Caller, instance_id: int) -> dict[str, Any]:
        if instance_id != 1:
            raise NotFound("There is no such instance in this account.", code="instance_unknown")
        return _LINE

    async def update(self, caller: Caller, instance_id: int, change: LineChange) -> dict[str, Any]:
        self.taken.append(change)
        return await self.get(caller, instance_id)

    async def delete(self, caller: Caller, instance_id: int) -> None:
        await self.get(caller, instance_id)

    async def make_default(self, caller: Caller, instance_id: int, call: Call) -> Answer:
        return Answer(200, msgspec.json.encode(await self.get(caller, instance_id)))

    async def restart_once(self, caller: Caller, instance_id: int, call: Call) -> Answer:
        return Answer(200, msgspec.json.encode(await self.get(caller, instance_id)))

    async def log_out_once(self, caller: Caller, instance_id: int, call: Call) -> Answer:
        await self.get(caller, instance_id)
        raise Conflict("Only a linked device is paired or logged out.", code="kind_unavailable")

    async def pair_once(self, caller: Caller, instance_id: int, phone: str, call: Call) -> Answer:
        await self.pair(caller, instance_id, phone)
        raise AssertionError

    async def pair(self, caller: Caller, instance_id: int, phone: str = "") -> None:
        await self.get(caller, instance_id)
        raise Conflict("Only a linked device is paired or logged out.", code="kind_unavailable")


class StubLibrary:
    """One file, `med_known`; every other is unknown."""

    async def open_for(self, caller: Caller, media_id: str, unless_sha256: str = "", within: Any = None) -> OpenedMedia:
        if media_id != "med_known":
            raise NotFound("There is no such file in this account.", code="media_unknown")

        async def stream() -> AsyncIterator[bytes]:
            yield b"%PDF-"

        return OpenedMedia(stream(), "application/pdf", 5, "0" * 64, "menu.pdf")


class StubAttachments:
    """Reads what is uploaded to its end; its own files are at one address."""

    def __init__(self) -> None:
        self.uploads: list[tuple[str, str, bytes]] = []

    def own_id(self, url: str) -> str | None:
        base, _, media_id = url.rpartition("/")
        return media_id if base == "http://gateway.example/api/v1/media" else None

    async def inspect(self, caller: Caller, media_id: str, wanted: Any, lines: Any) -> MediaFacts:
        if media_id != "med_known":
            raise Invalid.field("media_url", "media_unknown", "The file at media_url is not one of this account.")
        return MediaFacts("document", "application/pdf", 5, "menu.pdf", False, media_id, "kept:7/ab/med_known")

    async def upload(
        self, caller: Caller, chunks: AsyncIterator[bytes], filename: str, claim: str, call: Call
    ) -> Answer:
        content = b"".join([chunk async for chunk in chunks])
        self.uploads.append((filename, claim, content))
        view: dict[str, Any] = {
            "id": "med_known",
            "url": "http://gateway.example/api/v1/media/med_known",
            "filename": filename,
        }
        view |= {"mime_type": claim, "size": len(content), "sha256": "0" * 64}
        return Answer(201, msgspec.json.encode(view))


class Rows:
    """Takes the place of the store; the request log's own tests use a real one."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    async def put(self, *statements: Any) -> None:
        self.rows.extend(params for _, params in statements)

    async def all(self, query: Any, params: Any = None) -> list[Any]:
        return []

    async def first(self, query: Any, params: Any = None) -> Any:
        return None


class World:
    """An API and everything behind it, open to look at."""

    def __init__(
        self, *, fast: bool = True, rate: float = 1e6, burst: int = 10_000, fetcher: Any = None, **settings: Any
    ) -> None:
        settings.setdefault("anonymous_rate_limit", 1e6)
        settings.setdefault("anonymous_rate_burst", 10_000)
        self.keys = Keys(rate, burst)
        self.sends = Sends()
        self.lines = StubLines()
        self.attachments = StubAttachments()
        self.rows = Rows()
        desk: Any = StubDesk()
        audit: Any = StubAudit()
        keys: Any = self.keys
        services = Services()
        services.add([PrintingServices(printers=desk, tickets=desk, layouts=desk, receipts=desk)])
        services.add([DeliveryServices(zones=desk, addresses=desk)])
        services.add([LoyaltyServices(points=desk, coupons=desk, cards=desk, redeeming=desk, gifts=desk)])
        services.add([PaymentServices(links=desk, providers=desk, trials=desk)])
        services.add([NoticeServices(desk=desk)])
        services.add([AutomationServices(desk=desk, trials=desk, reporting=desk)])
        services.add([CampaignServices(desk=desk, trying=desk, reporting=desk, pictures=desk)])
        services.add([StoreServices(sources=desk, deliveries=desk)])
        services.add([SegmentServices(segments=desk, audience=desk, editor=desk)])
        services.add([CourierServices(couriers=desk, access=desk, deliveries=desk, pages=desk)])
        self.deps = ApiDeps(
            settings=Settings(**settings),
            clock=FixedClock(),
            db=self.rows,  # type: ignore[arg-type]
            account=AccountServices(
                people=desk,
                audit=audit,
                team=desk,
                members=StubMembers(),  # type: ignore[arg-type]
                key_ring=keys,
                limiter=Limiter(),
                quota_state=self._quota,
            ),
            integrations=IntegrationServices(
                webhooks=StubWebhooks(),  # type: ignore[arg-type]
                feed=StubFeed(),  # type: ignore[arg-type]
                granting=Granting(keys, Always(), audit),  # type: ignore[arg-type]
                calls=desk,
                bodies=desk,
            ),
            gateway=GatewayServices(
                sending=self.sends,  # type: ignore[arg-type]
                lookups=Look(),  # type: ignore[arg-type]
                templates=StubTemplates(),  # type: ignore[arg-type]
                lines=self.lines,  # type: ignore[arg-type]
                line_replies=StubLineReplies(),  # type: ignore[arg-type]
                news=desk,
                overviews=StubOverviews(),  # type: ignore[arg-type]
                fetcher=fetcher,
            ),
            files=FileServices(library=StubLibrary(), attachments=self.attachments),  # type: ignore[arg-type]
            inbox=InboxServices(conversations=StubConversations(), canned=StubCanned(), notes=StubNotes()),  # type: ignore[arg-type]
            contacts=ContactServices(
                pool=StubContacts(),  # type: ignore[arg-type]
                erasure=StubErasure(),  # type: ignore[arg-type]
                imports=StubImports(),  # type: ignore[arg-type]
                home=None,  # type: ignore[arg-type]
                bulk=StubJobs(),  # type: ignore[arg-type]
                listing=None,  # type: ignore[arg-type]
                consents=StubConsents(),  # type: ignore[arg-type]
                rights=StubRights(),  # type: ignore[arg-type]
                unsent=StubUnsent(),  # type: ignore[arg-type]
                keeping=StubKeeping(),  # type: ignore[arg-type]
            ),
            services=services,
            restaurant=RestaurantServices(
                guests=desk,
                guest_paying=desk,
                orders=desk,
                bills=desk,
                bill_links=desk,
                guest_bill=desk,
                guest_gifts=desk,
                counter_gifts=desk,
                guest_rewards=desk,
                kitchen=desk,
                displays=desk,
                regulars=desk,
                turns=desk,
                order_requests=desk,
                table_calls=desk,
                venue_desk=desk,
                table_desk=desk,
                menu_desk=desk,
                photos=desk,
                reader_desk=desk,
                sales=desk,
                takings=desk,
                till=desk,
                menu_watch=desk,
            ),
            operator=StubOperating(),  # type: ignore[arg-type]
        )
        self.api: Api = create_api(self.deps, lambda: HANDLERS, fast=fast)

    async def _quota(self, caller: Caller) -> QuotaState:
        return QuotaState("off", "free", 250, 0, 250, None, 0)


@cache
def shared_world(*, fast: bool = True) -> World:
    """One for the many tests that only see refusals: whatever is in `sends.drafts` here got through by mistake."""
    return World(fast=fast)


def served(world: World) -> Any:
    """The API as a server wants it: with a beginning and an end."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await world.api(scope, receive, send)
            return
        await receive()
        await world.api.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await world.api.stop()
        await send({"type": "lifespan.shutdown.complete"})

    return app


class Reply:
    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status = status
        self.headers = {name.decode(): value.decode() for name, value in headers}
        self.body = body

    def json(self) -> Any:
        return msgspec.json.decode(self.body)


async def ask(
    world: World,
    method: str,
    path: str,
    body: Any = None,
    *,
    key: str | None = KEY,
    headers: dict[str, str] | None = None,
    content_type: str | None = "application/json",
    client: str = "192.0.2.1",
    base: str = "/api/v1",
) -> Reply:
    """One request, straight into the API. `body` may be bytes, or anything that JSON can hold."""
    fields: list[tuple[bytes, bytes]] = [
        (name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()
    ]
    if key is not None:
        fields.append((b"authorization", b"Bearer " + key.encode()))
    raw = b""
    if body is not None:
        raw = body if isinstance(body, bytes) else msgspec.json.encode(body)
        fields.append((b"content-length", str(len(raw)).encode()))
        if content_type is not None:
            fields.append((b"content-type", content_type.encode()))
    target, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(base + target),
        "raw_path": (base + target).encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": fields,
        "client": (client, 1234),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    sent: list[Any] = []

    asked, answered = False, asyncio.Event()

    async def receive() -> Any:
        nonlocal asked
        if asked:
            # As a server does: the caller stays on the line until it has the whole answer.
            await answered.wait()
            return {"type": "http.disconnect"}
        asked = True
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            answered.set()

    await world.api(scope, receive, send)
    start = sent[0]
    return Reply(start["status"], list(start["headers"]), b"".join(message.get("body", b"") for message in sent[1:]))
