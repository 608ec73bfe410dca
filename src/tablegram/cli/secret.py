"""tablegram secret …"""

from __future__ import annotations

import click

from tablegram.cli.output import Group, tell
from tablegram.cli.session import Session, in_session
from tablegram.messaging.instances import Instances


@click.group("secret", cls=Group)
def secret_group() -> None:
    """Look after the installation's secret key."""


@secret_group.command("reseal")
def reseal() -> None:
    """Seal every stored secret with the present key, so that the previous one can be taken away."""

    async def work(session: Session) -> int:
        instances = Instances(session.db, session.box, session.clock, session.settings.base_url)
        return await instances.reseal()

    count = in_session(work)
    tell(
        {"resealed": count},
        f"{count} line secrets were sealed anew.",
        "API keys move over when they are used next; keep TABLEGRAM_SECRET_KEY_PREVIOUS until then.",
    )
