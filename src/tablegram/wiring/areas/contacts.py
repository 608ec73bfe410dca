"""Contacts: who they are, where they come from, how they are found, and how they are forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.crm.indexing import Indexer
from tablegram.crm.store.retention import PURGES
from tablegram.flows.contacts.contacts import Contacts
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.contacts.importing import Importer, Imports
from tablegram.wiring.areas.account import AccountServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.events import EventServices
from tablegram.wiring.areas.media import MediaServices
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactServices:
    contacts: Contacts
    erasure: Erasure
    imports: Imports
    importer: Importer
    indexer: Indexer


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventServices, media: MediaServices
) -> Contribution:
    db, clock, audit, idempotency = ground.db, ground.clock, account.audit, engine.idempotency
    importer = Importer(db, clock, engine.leases)
    importer.listen(lambda account_id, import_id: events.live.notice(account_id, "imports", [import_id]))
    contacts = ContactServices(
        contacts=Contacts(db, idempotency, clock, media.library, audit, events.announcer, ground.whole.holdings),
        erasure=Erasure(db, clock, audit, ground.whole.reaches),
        imports=Imports(db, idempotency, clock, audit, importer.bell.ring),
        importer=importer,
        indexer=Indexer(db, clock, engine.leases),
    )
    return Contribution(
        services=[contacts],
        tasks={"contacts index": contacts.indexer.index_forever, "contact imports": importer.import_forever},
    )


PART = Part(name="contacts", build=build, purges=PURGES)
