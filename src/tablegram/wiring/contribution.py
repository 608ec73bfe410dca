"""What a part gives to the running product. Every field is empty unless the part says otherwise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field

from tablegram.campaigns.segments.rules import Rule
from tablegram.crm.own_data.erasing import Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.unsent import Silence
from tablegram.engine.inbox import Handler
from tablegram.engine.purging import Cleaner
from tablegram.flows.gateway.answering import Answerer
from tablegram.messaging.incoming import Parse
from tablegram.panel.deps import Badge
from tablegram.wiring.roles import Step, Task

Scope = MutableMapping[str, object]
Receive = Callable[[], Awaitable[MutableMapping[str, object]]]
Send = Callable[[MutableMapping[str, object]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

Figures = Callable[[], Awaitable[Mapping[str, float]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    # Groups of services, for the edges and for the parts that follow; each is found by its type.
    services: Sequence[object] = ()
    # Groups that only addresses of the API and pages ask for: made when the first of them is asked for, in a thread.
    desks: Sequence[Callable[[], object]] = ()
    # Who answers below a path. The longest path that fits is asked.
    mounts: Mapping[str, App] = field(default_factory=dict)
    # Who works on what comes in, by the kind of its source.
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    # Reads what networks tell, by the kind of the source.
    parsers: Mapping[str, Parse] = field(default_factory=dict)
    # Who answers what customers write; each knows its place in the order.
    answerers: Sequence[Answerer] = ()
    # How many things wait for a visitor of the panel, by the name of the place.
    badges: Mapping[str, Badge] = field(default_factory=dict)
    # Done before the first request, in the order of the parts; undone after the last one, in the opposite order.
    starts: Sequence[Step] = ()
    stops: Sequence[Step] = ()
    # The process is about to end, and still answers for a while: others are to take over what it holds.
    leaves: Sequence[Step] = ()
    # While all tasks still run, at the end: what is under way is brought to rest, within seconds.
    lands: Sequence[Step] = ()
    # Background tasks, by name, each with the role it belongs to: kept running until the product stops.
    tasks: Mapping[str, Task] = field(default_factory=dict)
    # Forget what is old enough and not in the database.
    cleaners: Sequence[Cleaner] = ()
    # What the erasure of a person must reach, and what the export of contacts holds of them.
    reaches: Sequence[Reach] = ()
    holdings: Sequence[Holding] = ()
    # Who notes why somebody was not written to.
    silences: Sequence[Silence] = ()
    # Lets go of everybody who listens live, so that the server can end.
    streams: Sequence[Callable[[], None]] = ()
    # What /metrics shows.
    figures: Sequence[Figures] = ()
    # What segments of contacts can ask about.
    rules: Sequence[Rule] = ()
