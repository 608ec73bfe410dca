"""The process dies inside a step of an automation and after it: each guest is asked once, and nobody is forgotten."""

from __future__ import annotations

import signal

import pytest

from tablegram.engine.crash_points import AUTOMATIONS
from tests.product import running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.deaths, pytest.mark.timeout(300)]
WITHIN_S = 120.0


def test_a_guest_is_asked_once_through_every_death(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True, settings={"TABLEGRAM_LOG_LEVEL": "warning"}) as product:
        steps = [{"do": "feedback", "text": "How was it?"}, {"do": "wait", "days": 1}]
        flow = {
            "name": "Hello",
            "trigger": {"on": "first_message"},
            "steps": steps,
            "quiet_from": "",
            "quiet_until": "",
        }
        status, made = product.call("POST", "/automations", flow)
        assert status == 201, made
        here = f"/automations/{made['id']}"
        assert product.call("POST", f"{here}/turn_on")[0] == 200

        def runs() -> list[tuple[str, list[str]]]:
            found = product.call("GET", f"{here}/runs")[1]["data"]
            return sorted((run["state"], [step["state"] for step in run["steps"]]) for run in found)

        def questions(phone: str) -> int:
            return sum("How was it?" in str(one) for one in product.on_phone(phone))

        phones = [f"9053300001{number:02}" for number in range(len(AUTOMATIONS))]
        number_id = product.on_phone("905551112233")[-1]["number_id"] if product.on_phone("905551112233") else None
        if number_id is None:
            assert product.call("POST", "/messages/send", {"phone": "905551112233", "message": "hi"})[0] == 200
            number_id = product.on_phone("905551112233")[-1]["number_id"]
        for number, (phone, point) in enumerate(zip(phones, AUTOMATIONS, strict=True), start=1):
            server = product.server
            server.kill()
            server.environment["TABLEGRAM_CRASH_AT"] = point
            server.start()
            product.sandbox_call(
                "POST", f"/phones/{phone}/messages", {"type": "text", "text": "Hello", "to": number_id}
            )
            assert server.wait_for_death() == -signal.SIGKILL
            server.environment.pop("TABLEGRAM_CRASH_AT")
            server.start()
            # A step that is done has left a message in the store; it is on its way for a while yet.
            wait_until(lambda to=phone: questions(to), f"the question after {point}", WITHIN_S)
            # Nothing is left to do that the next death could hit while the server starts.
            wait_until(
                lambda all_of=number: runs() == [("waiting", ["sent", "done"])] * all_of,
                f"every step after {point}",
                WITHIN_S,
            )
        assert [questions(phone) for phone in phones] == [1] * len(phones)
