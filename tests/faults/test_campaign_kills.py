"""`kill -9` three times while a campaign runs, somebody says stop, and quiet hours begin: each contact has one message."""

from __future__ import annotations

import signal

import pytest

from tests.faults import campaign
from tests.product import running_product

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(240)]
GUESTS, STRANGERS = 24, 6
# Half of them in the first seconds, the rest when those are over.
A_MINUTE = GUESTS * 6
SETTINGS = {"TABLEGRAM_UNKNOWN_WAIT_S": "10", "TABLEGRAM_LOG_LEVEL": "warning"}


def test_three_deaths_an_opt_out_and_a_night_leave_each_contact_with_one_message(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings=SETTINGS) as product:
        server = product.server
        campaign.fill(product, GUESTS + STRANGERS, GUESTS)
        # The first death: the network has some of the messages, and nobody wrote down that it has the last one.
        server.kill()
        server.environment["TABLEGRAM_CRASH_AT"] = "drain.answered:2"
        server.start()
        one = campaign.begin(product, pace_per_min=A_MINUTE)
        assert server.wait_for_death() == -signal.SIGKILL
        # Night falls. What lies with the line is taken back; two who wait do not want to be written to any more.
        campaign.set_quiet(product, one, campaign.hours(-60, 600))
        server.environment["TABLEGRAM_CRASH_AT"] = ""
        server.start()
        campaign.wait_for(product, one, "held")
        late = campaign.waiting(product, one, GUESTS)
        assert 2 < len(late) < GUESTS
        stopped = late[:2]
        campaign.say_stop(product, stopped)
        # The second death in the night; the third when day breaks, with messages that are not committed.
        server.kill()
        campaign.set_quiet(product, one, campaign.NO_HOURS)
        server.environment["TABLEGRAM_CRASH_AT"] = "campaigns.queued"
        server.launch()
        assert server.wait_for_death() == -signal.SIGKILL
        server.environment["TABLEGRAM_CRASH_AT"] = ""
        server.start()
        campaign.wait_for(product, one, "finished")
        assert campaign.judge(product, GUESTS, stopped) == []
        progress = campaign.look(product, one)["progress"]
        assert (progress["total"], progress["sent"], progress["skipped"]) == (GUESTS, GUESTS - 2, 2)
