"""Home: how the account and its restaurant are doing today, and what to do next.

GET /panel/
"""

from __future__ import annotations

from litestar import get

from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import with_times
from tablegram.panel.i18n import format_money
from tablegram.panel.navigation import COSTS
from tablegram.panel.pages.account.usage_charts import cost_chart, traffic_chart
from tablegram.panel.pages.restaurant import day as restaurant_day
from tablegram.panel.render import PageResponse, page, redirect

# Where each step of a new account is done.
_STEPS = {
    "line": "/panel/lines",
    "send": "/panel/samples",
    "receive": "/panel/inbox",
    "key": "/panel/keys",
    "webhook": "/panel/webhooks",
    "team": "/panel/team",
}


@get("/")
async def home(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    if visitor.account is None:
        return redirect(request, "/panel/operator")
    if not visitor.can("messages:read"):
        # The kitchen's day is on the board.
        if visitor.can("orders:manage"):
            return redirect(request, "/panel/board")
        return page(request, visitor, "frame/home/bare.html")
    seen = await deps.gateway.overviews.look(visitor.caller, visitor.zone)
    quota = await deps.account.quota_state(visitor.caller)
    # Whoever manages the instances answers for what they cost, as on the page of usage.
    sees_costs = visitor.can(COSTS)
    return page(
        request,
        visitor,
        "frame/home/home.html",
        sees_costs=sees_costs,
        seen=seen,
        quota=quota,
        restaurant=await restaurant_day.look(visitor, deps),
        steps=[(step, _STEPS[step.name]) for step in seen.steps if visitor.can(step.scope)],
        failing_endpoints=[with_times(endpoint) for endpoint in seen.failing_endpoints],
        traffic=traffic_chart(visitor, seen.report),
        costs=cost_chart(visitor, seen.report),
        spent=format_money(visitor.language, seen.report.total().cost_micros),
    )


HANDLERS = [home]
