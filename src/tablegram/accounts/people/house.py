"""Everything about people who sign in, put together once for the server and for each command."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from tablegram.accounts.audit import Audit
from tablegram.accounts.people.devices import Devices
from tablegram.accounts.people.entrance import Entrance
from tablegram.accounts.people.letters import Post
from tablegram.accounts.people.links import Links
from tablegram.accounts.people.passwords import Passwords
from tablegram.accounts.people.register import Register
from tablegram.accounts.people.second_factor import SecondFactor
from tablegram.accounts.people.sessions import Sessions
from tablegram.accounts.people.throttle import Throttle
from tablegram.accounts.ports import Mail
from tablegram.engine.bus.port import Bus
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

Spawn = Callable[[str, Coroutine[Any, Any, None]], object]


@dataclass(frozen=True, slots=True)
class People:
    register: Register
    entrance: Entrance
    sessions: Sessions
    second_factor: SecondFactor
    links: Links
    post: Post
    audit: Audit


def gather_people(
    db: Database,
    box: SecretBox,
    clock: Clock,
    settings: Settings,
    *,
    mail: Mail | None,
    spawn: Spawn,
    passwords: Passwords | None = None,
    steady_s: Callable[[], float] = time.monotonic,
    bus: Bus | None = None,
) -> People:
    """`bus`: where guesses at one process are told to the others."""
    throttle = Throttle(steady_s)
    if bus is not None:
        throttle.share(bus)
    audit = Audit(db, clock)
    register = Register(db, clock)
    second_factor = SecondFactor(db, box, clock)
    sessions = Sessions(db, box, clock, settings, steady_s)
    links = Links(db, box, clock, settings.base_url)
    post = Post(mail, spawn)
    entrance = Entrance(
        db,
        clock,
        register,
        passwords or Passwords(),
        second_factor,
        sessions,
        links,
        throttle,
        Devices(box, clock),
        audit,
        post,
    )
    return People(register, entrance, sessions, second_factor, links, post, audit)
