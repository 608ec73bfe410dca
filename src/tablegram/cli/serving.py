"""tablegram serve, demo, sandbox: the commands that stay."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import uvloop

from tablegram import settings as configuration
from tablegram.accounts.accounts import Account
from tablegram.cli.alone import note_address, only_server
from tablegram.cli.crew import Crew, check_crew
from tablegram.cli.doctor.files import lost_in_log
from tablegram.cli.lan import AUTO, code, for_phones, menu_link, phone_link
from tablegram.cli.output import Command, tell, tell_if_heard
from tablegram.cli.session import Session, in_session, load_settings, make_data_dir, require_schema, with_store
from tablegram.demo.stage import Stage
from tablegram.errors import Conflict, Unauthorized, Unavailable
from tablegram.messaging.instances import Config, Instances, Secrets
from tablegram.restaurant import tables, venues
from tablegram.server import logs, tracing
from tablegram.server.crowd import raise_open_files
from tablegram.server.run import BACKLOG, build_server, settle_memory
from tablegram.settings import Settings
from tablegram.storage.database import Tx
from tablegram.values.secrets import load_secret_key
from tablegram.web.bodies import BodyReader
from tablegram.wiring import Product
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.parts import PARTS

DEMO_ACCOUNT = "demo"
DEMO_OWNER = "owner@example.com"
DEMO_PHONE = "905551112233"
DEMO_TABLE = "12"
# How long the words of welcome wait for the demo's line; the server works in any case.
WELCOME_WAIT_S = 3.0


@click.command("serve", cls=Command)
@click.option(
    "--role", type=click.Choice(configuration.ROLES), help="What this process does. Default: TABLEGRAM_ROLE, else all."
)
@click.option(
    "--workers",
    type=click.IntRange(1, configuration.MAX_WORKERS),
    help="Processes that share the port on this machine. Default: TABLEGRAM_WORKERS, else 1.",
)
def serve_command(role: str | None, workers: int | None) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
    settings = configuration.load()
    settings = replace(settings, role=role or settings.role, workers=workers or settings.workers)
    check_crew(settings)
    require_schema(settings)
    serve(
        settings,
        lambda: tell({"url": settings.base_url, "pid": os.getpid()}, f"Tablegram listens at {settings.base_url}"),
    )


@click.command("sandbox", cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8900, show_default=True, help="Port to listen on.")
@click.option(
    "--file", "path", type=click.Path(path_type=Path), help="The sandbox's file. Default: DATA_DIR/sandbox.db"
)
def sandbox_command(host: str, port: int, path: Path | None) -> None:
    """Run the sandbox network alone. Point a server at it with TABLEGRAM_SANDBOX_URL."""
    from tablegram.sandbox.app import create as create_sandbox

    settings = configuration.load()
    make_data_dir(settings)
    _check_port(host, port)
    url = f"http://{host}:{port}/sandbox"
    tell({"url": url, "pid": os.getpid()}, f"The sandbox network listens at {url}", f"Its phones: {url}/")
    file = path or settings.data_dir / "sandbox.db"
    network = create_sandbox(file, bodies=BodyReader.of(settings), box=load_secret_key(settings))
    # With the limits that every listener has.
    raise_open_files()
    build_server(network, replace(settings, host=host, port=port, leave_s=0)).run()


@click.command("demo", cls=Command)
@click.option("--serve", "and_serve", is_flag=True, help="Migrate first and start the server afterwards.")
@click.option(
    "--filled/--bare",
    default=None,
    help="With or without two weeks of conversations and orders to look at. Default: filled with --serve, else bare.",
)
@click.option(
    "--lan",
    is_flag=False,
    flag_value=AUTO,
    help="With --serve: also listen in the local network, and print codes for a real phone. An address may be named.",
)
def demo_command(and_serve: bool, filled: bool | None, lan: str | None) -> None:
    """Load demo data: an account, a sandbox line, a restaurant with its menu, and a key to try them with."""
    settings, also = configuration.load() if and_serve else load_settings(), ""
    if lan and and_serve:
        settings, also = for_phones(settings, lan)
    make_data_dir(settings)
    if and_serve:
        # What migrates is loaded only by who migrates.
        from tablegram.storage.migrate import migrate

        with_store(settings.effective_database_url, migrate)
    with_past = and_serve if filled is None else filled
    demo = in_session(lambda session: prepare_demo(session, filled=with_past), settings)
    if and_serve:
        serve(settings, lambda: _welcome(settings, demo, by_phone=bool(also)), also=also)
    else:
        _welcome(settings, demo)


@dataclass(frozen=True, slots=True)
class Demo:
    key: str
    # Who signs in as the owner.
    owner: str
    # Lets them choose a name and a password; empty once they have.
    owner_link: str
    # What the code on a table opens.
    menu: str


async def prepare_demo(session: Session, *, filled: bool = False) -> Demo:
    """Make what is missing of the demo. Safe to repeat: nothing is made twice."""
    account = await session.accounts.find(DEMO_ACCOUNT) or await session.accounts.create(DEMO_ACCOUNT)
    instances = Instances(session.db, session.box, session.clock, session.settings.base_url)

    async def add_line(tx: Tx) -> None:
        await instances.create(tx, account.id, "sandbox", "Demo line", Config(), Secrets(), None)

    if not await instances.of_account(account.id):
        await session.db.write(add_line)
    key = await _demo_key(session, account)
    line = (await instances.of_account(account.id))[0]
    key_id = (await session.keys.authenticate(key)).key_id
    stage = Stage(session.settings, session.clock, session.db, session.box, account.id, line.id, key_id, filled=filled)
    for step in [step for part in PARTS for step in part.demo]:
        await step(stage)
    return Demo(key, *await _owner(session, account), await _menu_link(session, account))


async def _menu_link(session: Session, account: Account) -> str:
    api = f"{session.settings.base_url}/api/v1"

    async def look(tx: Tx) -> str:
        venue = await venues.default(tx, account.id)
        table = await tables.find_by_label(tx, account.id, venue.id, DEMO_TABLE)
        return f"{api}/menu" if table is None else tables.menu_link(api, session.box, venue, table)

    return await session.db.snapshot(look)


async def _owner(session: Session, account: Account) -> tuple[str, str]:
    """The owner's address and first way in: no password is made for them, they choose one."""
    team = await session.team.list_members(account.id)
    owner = next((member for member in team if member.role == "owner"), None)
    if owner is None:
        owner = await session.team.add(account.id, DEMO_OWNER, "owner")
    person = await session.people.register.find(owner.email)
    if person is not None and person.has_password:
        return owner.email, ""
    links = session.people.links
    return owner.email, await links.make("owner", owner.email, by="command", account_id=account.id, role="owner")


async def _demo_key(session: Session, account: Account) -> str:
    """The key of an earlier start if it still works; it is kept in a file that only its owner can read."""
    path = session.settings.data_dir / "demo.key"
    if path.exists():
        known = path.read_text().strip()
        try:
            await session.keys.authenticate(known)
            return known
        except Unauthorized:
            pass
    made = await session.keys.create(account.id, name="demo")
    _keep(path, made.token)
    return made.token


def _keep(path: Path, token: str) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(token + "\n")


def _welcome(settings: Settings, demo: Demo, *, by_phone: bool = False) -> None:
    base, key = settings.base_url, demo.key
    panel = demo.owner_link or f"{base}/panel/"
    curl = (
        f"curl -s {base}/api/v1/messages/send -H 'Authorization: Bearer {key}' "
        "-H 'Content-Type: application/json' "
        f"""-d '{{"phone": "{DEMO_PHONE}", "message": "Hello from *Tablegram*"}}'"""
    )
    # On this machine the phones open at its own address; at the network's they want the code.
    phones = f"{f'http://127.0.0.1:{settings.port}' if by_phone else base}/sandbox/?phone={DEMO_PHONE}"
    tell(
        {
            "url": base,
            "api": f"{base}/api/v1",
            "docs": f"{base}/api/v1/docs",
            "manual": f"{base}/docs/",
            "panel": panel,
            "owner": demo.owner,
            "phones": phones,
            "menu": demo.menu,
            "key": key,
            "curl": curl,
            **(
                {"hold": phone_link(settings, DEMO_PHONE), "hold_menu": menu_link(settings, demo.menu)}
                if by_phone
                else {}
            ),
        },
        "",
        f"Tablegram is ready at {base}",
        "",
        f"  Panel           {panel}",
        *(["                  (works once: choose your name and password)"] if demo.owner_link else []),
        f"  Sign in as      {demo.owner}",
        f"  Docs            {base}/docs/",
        f"  API docs        {base}/api/v1/docs",
        f"  Sandbox phone   {phones}",
        f"  Table {DEMO_TABLE}        {demo.menu}",
        f"  Demo API key    {key}",
        "",
        "Send a first message; paste this into another terminal:",
        "",
        f"  {curl}",
        "",
        "Then look at the sandbox phone: the message is there, and you can answer it.",
        f"Or open table {DEMO_TABLE} as a guest would, choose something, and send the order.",
        "",
        *(_codes(settings, demo) if by_phone else []),
    )


def _codes(settings: Settings, demo: Demo) -> list[str]:
    """For a phone in the same network: each code lets it in, and leads to another page."""
    return [
        f"Scan with a phone in the same network: the menu at table {DEMO_TABLE}.",
        *code(menu_link(settings, demo.menu)),
        "And a phone to hold: what the line sends appears on it, and it answers.",
        *code(phone_link(settings, DEMO_PHONE)),
        "The codes hold until this server ends. Without them the sandbox opens on this machine only.",
        "",
    ]


def serve(settings: Settings, announce: Callable[[], None], *, also: str = "") -> None:
    """Run the server to its end. `also` is an address to listen at beside the settings' own."""
    logs.configure(settings)
    tracing.check(settings)
    hosts = list(dict.fromkeys([settings.host, also] if also else [settings.host]))
    for host in hosts:
        _check_port(host, settings.port)
    raise_open_files()
    with only_server(settings.data_dir):
        if lost := lost_in_log(settings):
            logging.getLogger("tablegram").error("%s", lost)
        if settings.workers > 1:
            _serve_together(settings, hosts, announce)
            return
        sockets = [_listening(host, settings.port) for host in hosts] if len(hosts) > 1 else None
        _serve_alone(settings, announce, sockets)


def _serve_alone(settings: Settings, announce: Callable[[], None], sockets: list[socket.socket] | None) -> None:
    product = Product(settings)
    tracing.configure(settings)
    uvloop.run(_serve(build_server(product, settings), product, announce, sockets))


def _serve_together(settings: Settings, hosts: list[str], announce: Callable[[], None]) -> None:
    sockets = [_listening(host, settings.port) for host in hosts]
    for one in sockets:
        # From now on callers wait until somebody listens.
        one.listen(BACKLOG)
    # What every process has in common is not looked through in each of them.
    settle_memory()
    crew = Crew(
        settings.workers, sockets, lambda shared, ready: _serve_alone(settings, ready, list(shared)), settings.leave_s
    )
    crew.run(announce)


async def _serve(
    server: Any, product: Product, announce: Callable[[], None], sockets: list[socket.socket] | None
) -> None:
    serving = asyncio.create_task(server.serve(sockets))
    # The server has no event for it.
    while not server.started and not serving.done():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    if server.started:
        await _wait_for_sandbox(product)
        settle_memory()
        note_address(product.settings.data_dir, product.settings.base_url)
        tell_if_heard(announce)
    await serving


async def _wait_for_sandbox(product: Product) -> None:
    """The server's own sandbox answers only once the server listens; the first message should find it ready."""
    if not product.settings.sandbox:
        return
    for _ in range(int(WELCOME_WAIT_S / 0.05)):
        # A store that goes away now is what every request copes with; it must not end the server.
        with suppress(Unavailable):
            lines = [line for line in await product.of(LineWorks).instances.every() if line.kind == "sandbox"]
            if all(line.state == "connected" for line in lines):
                return
        await asyncio.sleep(0.05)


def _listening(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    return made


def _check_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Conflict(
                f"Cannot listen on {host}:{port}: {error.strerror}. Choose another port: TABLEGRAM_PORT.",
                code="port_unavailable",
            ) from None
