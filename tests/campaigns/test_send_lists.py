"""Whom a campaign's ledger shows when it is narrowed: by state, by reason, by both, page by page."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

from tablegram.campaigns.model import SendState
from tablegram.campaigns.store import sends as store
from tests.campaigns.office import Office, office

# Some occur in two states; a network's words stand behind a code, and one code begins as another does.
STANDING: list[tuple[SendState, str]] = [
    ("skipped", "no_consent"), ("failed", "limited:131049"), ("read", ""), ("waiting", "quiet_hours"), ("holdout", ""),
    ("failed", "limited"), ("skipped", "limited"), ("failed", "limited:131064"), ("failed", "limited_more"),
    ("waiting", ""), ("skipped", "capped"), ("failed", "limit"), ("sent", ""),
]  # fmt: skip
REASONS = ("no_consent", "limited", "limited:131049", "limited_more", "limit", "lim", "quiet_hours", "capped", "%", ":")


async def _fill(one: Office, campaign_id: str, which: slice) -> list[tuple[str, SendState, str]]:
    made, rows = [], []
    for number, (state, reason) in enumerate(STANDING[which] * 4):
        contact_id = f"c{number:06}"
        row: dict[str, Any] = {
            "account_id": 1, "campaign_id": campaign_id, "contact_id": contact_id, "arm": 0, "state": state,
            "reason": reason, "due_at": 1 if state == "waiting" else None, "message_key": None, "code": None, "at": 1,
            "replied_at": None, "opted_out_at": None, "updated_at": 1,
        }  # fmt: skip
        rows.append(row)
        made.append((contact_id, state, reason))
    await one.db.write(lambda tx: tx.many(store.ADD, rows))
    return made


async def _pages(one: Office, campaign_id: str, limit: int, state: SendState | None, reason: str | None) -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await one.desk.sends(
            one.caller, campaign_id, state=state, reason=reason, limit=limit, cursor=cursor
        )  # fmt: skip
        found += [row.contact_id for row in page.data]
        # Nobody is shown twice; and a list that begins again would never end.
        assert len(found) == len(set(found)), found
        cursor = page.next_cursor
        if cursor is None:
            return found


async def test_who_has_a_reason_is_listed_with_the_words_behind_it_page_by_page(database_url: str) -> None:
    async with office(database_url) as one:
        campaign_id, other_id = (await one.draft()).id, (await one.draft()).id
        made = await _fill(one, campaign_id, slice(None))
        await _fill(one, other_id, slice(0, 3))
        for state, reason in product((None, *get_args(SendState)), (None, *REASONS)):
            meant = [
                contact_id
                for contact_id, its_state, its_reason in made
                if state in (None, its_state)
                and (reason is None or its_reason == reason or its_reason.startswith(f"{reason}:"))
            ]
            for limit in (3, 60):
                assert await _pages(one, campaign_id, limit, state, reason) == meant, (state, reason, limit)
