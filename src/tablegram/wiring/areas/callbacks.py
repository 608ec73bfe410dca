"""What the network tells us: taken in at the hook, worked on afterwards."""

from __future__ import annotations

from tablegram.flows.gateway.auto_replies import AutoReplies
from tablegram.flows.gateway.erasing import CallbackReach
from tablegram.flows.gateway.inbound import Inbound
from tablegram.hooks.cloud import CloudHook
from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.numbers import Numbers
from tablegram.web.bodies import BodyReader
from tablegram.wiring.areas.account import Till
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(
    ground: Ground, engine: Engine, till: Till, events: EventWorks, works: LineWorks, replies: AutoReplies,
    restaurant: RestaurantWorks,
) -> Contribution:  # fmt: skip
    inbound = Inbound(
        callbacks.parse,
        ground.box,
        till.card,
        ground.clock,
        events.announcer,
        prepaid=ground.prepaid,
        wake_fetching=works.fetching.bell.ring,
        replies=replies,
        orders=restaurant.order_texts,
        numbers=Numbers(works.instances),
        suspect=works.keeper.suspect,
    )
    bodies = BodyReader.of(ground.settings)
    hook = CloudHook(works.instances, engine.inbox, callbacks.verify, callbacks.read_phone, bodies)
    return Contribution(handlers={"cloud": inbound}, mounts={"/hooks/cloud": hook}, reaches=[CallbackReach(ground.db)])


PART = Part(name="callbacks", build=build)
