"""How long runs are kept once they have ended: their steps and what was answered go with them."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, select

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import automation_ratings, automation_runs, automation_visits

# As campaigns: two summers can be compared. No limit counts what is older, and no occasion comes back so late.
KEPT_DAYS = 730

_BEFORE: BindParameter[int] = bindparam("before")
r, v, q = automation_runs.c, automation_visits.c, automation_ratings.c
_OVER = and_(r.ended_at < _BEFORE, r.due_at.is_(None))
# What somebody of the house is still to call for stays, and its run with it.
_OPEN = select(q.run_id).where(q.is_open == 1)
_DONE = and_(_OVER, r.id.not_in(_OPEN))
_ENDED = select(r.id).where(_DONE)

PURGES = (
    Purge("", days(KEPT_DAYS), old_rows(automation_ratings, q.run_id.in_(_ENDED), q.run_id)),
    Purge("", days(KEPT_DAYS), old_rows(automation_visits, v.run_id.in_(_ENDED), v.run_id)),
    Purge("automation_runs", days(KEPT_DAYS), old_rows(automation_runs, _DONE, r.id)),
)
