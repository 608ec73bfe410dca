"""Contacts: who they are, where they come from, how they are found, and how they are forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.api.routes import routes_of
from tablegram.crm.consent import ledger
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.said.indexing import Indexer
from tablegram.crm.store.retention import PURGES
from tablegram.data_page.app import DataPage
from tablegram.data_page.deps import DataPageDeps
from tablegram.flows.account.services import AccountServices
from tablegram.flows.contacts.bulk import BulkJobs, BulkWork
from tablegram.flows.contacts.consents.data_rights import DataRights
from tablegram.flows.contacts.consents.data_words import DataWords
from tablegram.flows.contacts.consents.desk import ConsentDesk
from tablegram.flows.contacts.consents.hearing import StopWords
from tablegram.flows.contacts.contacts import Contacts
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.contacts.home_country import HomeCountry
from tablegram.flows.contacts.importing import Importer, Imports
from tablegram.flows.contacts.listing import ContactListing
from tablegram.flows.contacts.retention import Forgetting, Keeping
from tablegram.flows.contacts.segment_rules import RULES
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.contacts.unsent import UnsentDesk
from tablegram.flows.files.services import FileServices
from tablegram.panel.app import finders_of, handlers_below
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain


@dataclass(frozen=True, slots=True)
class ContactWorks:
    importer: Importer
    indexer: Indexer
    bulk: BulkWork


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, files: FileServices, lines: LineWorks
) -> Contribution:
    db, clock, audit, idempotency, whole = ground.db, ground.clock, account.audit, engine.idempotency, ground.whole

    def told(account_id: int, contact_id: str) -> None:
        events.live.notice(account_id, "contacts", [contact_id])

    erasure = Erasure(db, clock, audit, whole.reaches, told)
    works = ContactWorks(
        Importer(db, clock, engine.leases),
        Indexer(db, clock, engine.leases),
        BulkWork(
            db,
            clock,
            engine.leases,
            erasure,
            lambda account_id, job_id: events.live.notice(account_id, "contacts", [job_id]),
        ),
    )
    works.importer.listen(lambda account_id, import_id: events.live.notice(account_id, "imports", [import_id]))
    home = HomeCountry(db, lines.instances)

    pool = Contacts(db, idempotency, clock, files.library, audit, events.announcer, whole.holdings, told)
    rights = DataRights(
        db,
        ground.box,
        clock,
        idempotency,
        audit,
        events.announcer,
        lines.queue,
        pool,
        erasure,
        ground.settings.base_url,
    )
    contacts = ContactServices(
        pool=pool,
        erasure=erasure,
        imports=Imports(db, idempotency, clock, audit, works.importer.bell.ring, engine.workshop, home),
        home=home,
        bulk=BulkJobs(db, idempotency, clock, audit, works.bulk.bell.ring),
        listing=ContactListing(db, clock),
        consents=ConsentDesk(db, idempotency, clock, audit, events.announcer),
        rights=rights,
        unsent=UnsentDesk(db, whole.silences),
        keeping=Keeping(db, clock, audit, ground.settings),
    )
    return Contribution(
        services=[works, contacts],
        answerers=[StopWords(clock, lines.queue, events.announcer), DataWords(clock, lines.queue, rights)],
        mounts={"/my-data": DataPage(DataPageDeps(settings=ground.settings, rights=rights))},
        holdings=[Holding("consents", ledger.shown, {"consent_proof": ledger.last_proof})],
        rules=RULES,
        cleaners=[Forgetting(db, clock, audit, erasure, files.library)],
        tasks={
            "contacts index": drain(Role.WORKER, works.indexer.drain),
            "contact imports": drain(Role.WORKER, works.importer.drain),
            "contact jobs": drain(Role.WORKER, works.bulk.drain),
        },
        figures=[works.indexer.drain.figures, works.importer.drain.figures, works.bulk.drain.figures],
    )


PART = Part(
    name="contacts",
    build=build,
    routes=lambda: routes_of("contacts"),
    pages=lambda: handlers_below("contacts"),
    finders=lambda: finders_of("contacts"),
    purges=PURGES,
)
