"""When a campaign stops by itself: the network says so, too many messages fail, or too many ask to be left alone."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.campaigns.model import Plan, Stopped
from tablegram.campaigns.rows import DelayCount, SendCount

# Spam, the allowance of recipients, a locked or blocked business: the line itself is in danger.
LINE_LIMITED = frozenset({131048, 131064, 131031, 368})
# The network holds marketing back from this person. Several of them say something of the message.
MARKETING_LIMITED = 131049
ENOUGH_LIMITED = 5
# Unknown, paused, disabled, or against a policy: nobody will get it.
TEMPLATE_REFUSED = frozenset({132001, 132007, 132015, 132016, 132068})
# They have blocked advertising of this business at the network (131050): as good as a word to us.
BLOCKED = "opted_out"
# Fewer than this say nothing about the rest.
ENOUGH = 20
LIMITED = frozenset({*LINE_LIMITED, MARKETING_LIMITED, *TEMPLATE_REFUSED})

_WENT = ("sent", "delivered", "read")


def network_reason(code: int | None, error: str | None) -> str:
    """What the ledger keeps of a refusal: the network's own code where it says something of the campaign."""
    return f"{error or 'failed'}:{code}" if code in LIMITED else (error or "failed")


def refused_arm(counts: Iterable[SendCount], delays: Iterable[DelayCount]) -> int | None:
    """Which of the templates the network does not take, by what it said of messages; the first where it is several."""
    codes = [(row["arm"], row["code"]) for row in delays]
    codes += [(row["arm"], int(code)) for row in counts if (code := row["reason"].rpartition(":")[2]).isdecimal()]
    return min((arm for arm, code in codes if code in TEMPLATE_REFUSED), default=None)


def judge(plan: Plan, counts: Iterable[SendCount], delays: Iterable[DelayCount]) -> Stopped:
    """Why it must stop, from the ledger's counts and from what the network says of messages that wait; else nothing."""
    went = failed = opted_out = blocked = 0
    refusals: dict[int, int] = {}
    for delay in delays:
        refusals[delay["code"]] = refusals.get(delay["code"], 0) + delay["n"]
    for row in counts:
        if row["state"] in _WENT:
            went += row["n"]
            opted_out += row["opted_out"]
        elif row["state"] == "failed":
            failed += row["n"]
            blocked += row["n"] if row["reason"] == BLOCKED else 0
            code = row["reason"].rpartition(":")[2]
            if code.isdecimal():
                refusals[int(code)] = refusals.get(int(code), 0) + row["n"]
    if any(refusals.get(code) for code in LINE_LIMITED):
        return "line_limited"
    if any(refusals.get(code) for code in TEMPLATE_REFUSED):
        return "template_refused"
    if refusals.get(MARKETING_LIMITED, 0) >= ENOUGH_LIMITED:
        return "marketing_limited"
    tried = went + failed
    if tried >= ENOUGH and failed * 100 > plan.max_failed_percent * tried:
        return "failures"
    asked = went + blocked
    if asked >= ENOUGH and (opted_out + blocked) * 100 > plan.max_opt_out_percent * asked:
        return "opt_outs"
    return ""
