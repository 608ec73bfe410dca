"""States lead forward only, and every pair of a state and an event is decided."""

from __future__ import annotations

from typing import get_args

import pytest

from tablegram.campaigns.states import ENDS, LEADS, STATES, Event, next_state
from tablegram.errors import Conflict


def test_every_pair_leads_somewhere_or_is_refused_in_words() -> None:
    for state in STATES:
        for event in get_args(Event):
            if (state, event) in LEADS:
                assert next_state(state, event) in STATES
                continue
            with pytest.raises(Conflict) as refused:
                next_state(state, event)
            assert refused.value.code == "campaign_state"
            assert state in refused.value.detail


def test_nothing_leads_out_of_an_end_or_back_to_a_draft() -> None:
    assert not [pair for pair in LEADS if pair[0] in ENDS]
    assert "draft" not in LEADS.values()
    assert all("scheduled" not in (to,) for (state, _), to in LEADS.items() if state != "draft")
    # Whatever has not ended can be cancelled.
    assert all(LEADS[state, "cancel"] == "cancelled" for state in STATES if state not in ENDS)
