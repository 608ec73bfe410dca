"""The doctor tells when nobody can pay, and when money waits for somebody."""

from __future__ import annotations

from tablegram.engine.health.checkup import Checkup
from tablegram.payments.checks import check_payments
from tablegram.settings import Settings
from tablegram.values.secrets import SecretBox
from tests.accounts.opened import SECRET
from tests.payments.till import open_till, paid


async def test_the_doctor_looks_at_keys_of_providers_and_at_what_did_not_fit(database_url: str) -> None:
    async with open_till(database_url) as till:

        async def look(secret: str = SECRET) -> list[tuple[str, str]]:
            checkup = Checkup(Settings(), till.clock, till.db, SecretBox(secret))
            return [(one.about, one.level) for one in await check_payments(checkup)]

        assert await look() == [("payments", "ok")]
        assert await look("another key of at least 32 characters") == [("payments", "bad")]
        link = await till.make()
        await till.hear(paid(link, amount=link.amount - 100))
        assert await look() == [("payments", "ok"), ("payments to decide", "warn")]
