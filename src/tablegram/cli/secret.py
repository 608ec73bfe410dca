"""tablegram secret …"""

from __future__ import annotations

import click

from tablegram.cli.output import Group, tell
from tablegram.cli.session import Session, in_session
from tablegram.delivery.couriers import access as couriers
from tablegram.messaging.instances import Instances
from tablegram.messaging.links import Links
from tablegram.payments import sealing as payments
from tablegram.printing.printers import sealing as printers
from tablegram.restaurant import tables
from tablegram.stores import sources as stores
from tablegram.values.figures.counting import counted


@click.group("secret", cls=Group)
def secret_group() -> None:
    """Look after the installation's secret key."""


@secret_group.command("reseal")
def reseal() -> None:
    """Seal every stored secret with the current key, so that you can remove the previous one."""

    async def work(session: Session) -> int:
        instances = Instances(session.db, session.box, session.clock, session.settings.base_url)
        people = session.people.second_factor
        links = Links(session.db, session.box, session.clock)
        sealed = [
            instances.reseal(),
            links.reseal(),
            people.reseal(),
            tables.reseal(session.db, session.box),
            printers.reseal(session.db, session.box),
            payments.reseal(session.db, session.box),
            stores.reseal(session.db, session.box),
            couriers.reseal(session.db, session.box),
        ]
        return sum([await one for one in sealed])

    count = in_session(work)
    tell(
        {"resealed": count},
        f"Sealed anew: {counted(count, 'secret')} of lines, second factors, tables, printers, payment providers, shops and couriers.",
        "API keys move over when they are used next; keep TABLEGRAM_SECRET_KEY_PREVIOUS until then.",
        "When it is taken away, people sign in again, and recovery codes made before have to be renewed; so do PINs.",
    )
