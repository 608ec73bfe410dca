"""What the network tells us: taken in at the hook, worked on afterwards."""

from __future__ import annotations

from tablegram.flows.gateway.erasing import CallbackReach
from tablegram.flows.gateway.inbound import Inbound
from tablegram.hooks.cloud import CloudHook
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.lines.linked import parsing
from tablegram.messaging.numbers import Numbers
from tablegram.wiring.areas.account import Till
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine, till: Till, events: EventWorks, works: LineWorks) -> Contribution:
    inbound = Inbound(
        ground.whole.parsers,
        ground.box,
        till.card,
        ground.clock,
        events.announcer,
        prepaid=ground.prepaid,
        wake_fetching=works.fetching.bell.ring,
        answerers=ground.whole.answerers,
        numbers=Numbers(works.instances),
        suspect=works.watch.suspect,
    )
    hook = CloudHook(works.instances, engine.inbox, callbacks.verify, callbacks.read_phone, ground.settings)
    hook.shut_out.share(engine.bus, "strangecallbacks")
    # A kind of source that a part before this one has a parser for is worked on here too.
    parsers = {"cloud": callbacks.parse, "linked": parsing.parse}
    return Contribution(
        parsers=parsers,
        handlers=dict.fromkeys([*ground.whole.parsers, *parsers], inbound),
        mounts={"/hooks/cloud": hook},
        reaches=[CallbackReach(ground.db)],
    )


PART = Part(name="callbacks", build=build)
