"""The operator: what only the installation's own administrators do."""

from __future__ import annotations

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.operating.operating import Operating
from tablegram.api.routes import routes_of
from tablegram.flows.account.services import AccountServices
from tablegram.panel.app import handlers_below
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine, account: AccountServices) -> Contribution:
    operating = Operating(
        db=ground.db,
        clock=ground.clock,
        settings=ground.settings,
        accounts=Accounts(ground.db, ground.clock),
        team=account.team,
        keys=account.key_ring,
        people=account.people,
        idempotency=engine.idempotency,
        is_ready=engine.is_ready,
        figures=ground.whole.figures,
    )
    return Contribution(services=[operating])


PART = Part(
    name="operator", build=build, routes=lambda: routes_of("operator"), pages=lambda: handlers_below("operator")
)
