"""The inbox of people: conversations, ready answers, and the replies that go by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.crm.auto_replies import Replies
from tablegram.flows.gateway.auto_replies import AutoReplies
from tablegram.flows.gateway.line_replies import LineReplies
from tablegram.flows.inbox.canned import CannedReplies
from tablegram.flows.inbox.conversations import Conversations
from tablegram.panel.deps import Badge
from tablegram.wiring.areas.account import AccountServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.media import MediaServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxServices:
    conversations: Conversations
    canned: CannedReplies
    line_replies: LineReplies
    auto_replies: AutoReplies


def build(
    ground: Ground, engine: Engine, account: AccountServices, works: LineWorks, media: MediaServices
) -> Contribution:
    db, clock = ground.db, ground.clock
    replies = Replies(db)
    inbox = InboxServices(
        conversations=Conversations(db, clock, media.library),
        canned=CannedReplies(db, engine.idempotency, clock, account.audit),
        line_replies=LineReplies(db, works.instances, replies, engine.idempotency, clock, account.audit),
        auto_replies=AutoReplies(replies, clock, works.queue),
    )
    return Contribution(services=[inbox], badges={"inbox": Badge("messages:read", inbox.conversations.unread)})


PART = Part(name="inbox", build=build)
