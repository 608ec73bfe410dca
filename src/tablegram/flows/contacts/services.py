"""What the edges ask of the pool of customers."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.contacts.bulk import BulkJobs
from tablegram.flows.contacts.consents.data_rights import DataRights
from tablegram.flows.contacts.consents.desk import ConsentDesk
from tablegram.flows.contacts.contacts import Contacts
from tablegram.flows.contacts.erasure import Erasure
from tablegram.flows.contacts.home_country import HomeCountry
from tablegram.flows.contacts.importing import Imports
from tablegram.flows.contacts.listing import ContactListing
from tablegram.flows.contacts.retention import Keeping
from tablegram.flows.contacts.unsent import UnsentDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactServices:
    pool: Contacts
    erasure: Erasure
    imports: Imports
    home: HomeCountry
    bulk: BulkJobs
    listing: ContactListing
    consents: ConsentDesk
    rights: DataRights
    unsent: UnsentDesk
    keeping: Keeping
