"""The inbox of people: conversations, and answers that are ready."""

from __future__ import annotations

from tablegram.api.routes import routes_of
from tablegram.crm import notes
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.resting import Resting
from tablegram.flows.account.services import AccountServices
from tablegram.flows.files.services import FileServices
from tablegram.flows.inbox.canned import CannedReplies
from tablegram.flows.inbox.conversations import Conversations
from tablegram.flows.inbox.notes import Notes
from tablegram.flows.inbox.services import InboxServices
from tablegram.panel.app import handlers_below
from tablegram.panel.deps import Badge
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, files: FileServices
) -> Contribution:
    inbox = InboxServices(
        conversations=Conversations(ground.db, ground.clock, files.library),
        canned=CannedReplies(ground.db, engine.idempotency, ground.clock, account.audit),
        notes=Notes(ground.db, engine.idempotency, ground.clock, account.audit),
    )
    resting = Resting(
        ground.db,
        ground.clock,
        engine.leases,
        lambda account_id, contact_id: events.live.notice(account_id, "conversations", [contact_id]),
    )
    return Contribution(
        services=[inbox, resting],
        holdings=[Holding("conversation_notes", notes.held, scope="messages:read")],
        tasks={"snoozed conversations": drain(Role.WORKER, resting.drain)},
        figures=[resting.drain.figures],
        badges={"inbox": Badge("messages:read", inbox.conversations.unread)},
    )


PART = Part(name="inbox", build=build, routes=lambda: routes_of("inbox"), pages=lambda: handlers_below("inbox"))
