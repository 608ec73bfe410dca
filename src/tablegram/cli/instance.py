"""tablegram instance …"""

from __future__ import annotations

import click
import msgspec

from tablegram.cli.output import Group, table, tell
from tablegram.cli.pairing import pair
from tablegram.cli.parameters import account_option
from tablegram.cli.session import Session, in_session
from tablegram.errors import Invalid
from tablegram.messaging.instances import Config, Instance, Instances, Secrets
from tablegram.storage.database import Tx


@click.group("instance", cls=Group)
def instance_group() -> None:
    """Create and show lines, which send and receive messages."""


@instance_group.command("create")
@account_option
@click.option(
    "--kind", type=click.Choice(["sandbox", "cloud", "linked"]), required=True, help="What carries the messages."
)
@click.option("--name", default="", help="Your own name for the line.")
@click.option("--phone-number-id", default="", help="Cloud: the network's id of the number.")
@click.option("--access-token", default="", help="Cloud: token to send with.")
@click.option("--app-secret", default="", help="Cloud: secret that signs the network's callbacks.")
@click.option("--verify-token", default="", help="Cloud: word of the callback handshake, of your choice.")
@click.option("--waba-id", default="", help="Cloud: id of the business account, for templates.")
@click.option(
    "--pace", type=click.FloatRange(0, 10_000), help="Messages per second; 0 is no limit. Default: the kind's own."
)
def create(
    account_name: str,
    kind: str,
    name: str,
    phone_number_id: str,
    access_token: str,
    app_secret: str,
    verify_token: str,
    waba_id: str,
    pace: float | None,
) -> None:
    """Create a line. The first one of an account becomes its default."""
    secrets = Secrets(access_token=access_token, app_secret=app_secret, verify_token=verify_token)
    given = {
        "phone_number_id": phone_number_id,
        "access_token": access_token,
        "app_secret": app_secret,
        "verify_token": verify_token,
    }
    missing = [field for field, value in given.items() if not value]
    if kind == "cloud" and missing:
        raise Invalid.field(
            missing[0], "missing", "A cloud line needs: " + ", ".join("--" + m.replace("_", "-") for m in missing)
        )

    async def work(session: Session) -> tuple[Instance, Instances]:
        account = await session.accounts.get(account_name)
        instances = _instances(session)
        pace_milli = None if pace is None else int(pace * 1_000)

        async def add(tx: Tx) -> Instance:
            return await instances.create(
                tx, account.id, kind, name, Config(phone_number_id, waba_id), secrets, pace_milli
            )

        line = await session.db.write(add)
        await session.note("line.created", "line", line.id, {"name": line.name, "kind": line.kind}, account.id)
        return line, instances

    made, instances = in_session(work)
    lines = [f"Line {made.id} ({made.kind}, {made.name}) is made{' and is the default' if made.is_default else ''}."]
    if made.kind == "cloud":
        lines.append(f"Give the network this callback address: {instances.callback_url(made)}")
    tell(msgspec.to_builtins(instances.view(made)), *lines)


@instance_group.command("list")
@click.option("--account", "account_name", default="", help="Only the lines of this account.")
def list_instances(account_name: str) -> None:
    """Show lines, their state and the reason for it."""

    async def work(session: Session) -> tuple[list[Instance], Instances]:
        instances = _instances(session)
        if not account_name:
            return await instances.every(), instances
        return await instances.of_account((await session.accounts.get(account_name)).id), instances

    found, instances = in_session(work)
    rows = [
        (one.id, one.account_id, one.kind, one.name, one.state, "yes" if one.is_default else "", one.reason)
        for one in found
    ]
    empty = "There is no line yet. Make one: tablegram instance create --account NAME --kind sandbox"
    headings = ("ID", "ACCOUNT", "KIND", "NAME", "STATE", "DEFAULT", "REASON")
    tell(
        [{"account_id": one.account_id, **msgspec.to_builtins(instances.view(one))} for one in found],
        *table(headings, rows, empty),
    )


instance_group.add_command(pair)


def _instances(session: Session) -> Instances:
    return Instances(session.db, session.box, session.clock, session.settings.base_url)
