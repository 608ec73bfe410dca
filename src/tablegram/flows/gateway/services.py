"""What the edges ask of lines and messages."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.account.overview import Overviews
from tablegram.flows.gateway.callbacks.reading import NetworkNews
from tablegram.flows.gateway.line_replies import LineReplies
from tablegram.flows.gateway.lines import Lines
from tablegram.flows.gateway.lookups import Lookups
from tablegram.flows.gateway.sending import Sending
from tablegram.flows.gateway.templates.templates import Templates
from tablegram.values.http.outbound import GuardedClient


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayServices:
    sending: Sending
    lookups: Lookups
    templates: Templates
    lines: Lines
    line_replies: LineReplies
    # What the network said that is nobody's message.
    news: NetworkNews
    # How the account is doing.
    overviews: Overviews
    # Looks at media_url before a message is accepted.
    fetcher: GuardedClient
