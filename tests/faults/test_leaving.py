"""A server that was told to end, in a process of its own: who goes by /readyz alone never meets a closed port."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.faults.looking import wait_for_texts
from tests.faults.pair import SETTINGS, second
from tests.faults.test_balance import spread
from tests.faults.test_crew import children
from tests.product import Product, fetch, running_product, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

# Longer than any of these tests: it leaves until it is told again. And no lease runs out because the machine is busy.
FOR_LONG = {**SETTINGS, "TABLEGRAM_LEAVE_S": "300", "TABLEGRAM_LEASE_S": "15"}


def tell(product: Product) -> None:
    os.kill(product.server.pid, signal.SIGTERM)


def says_so(product: Product) -> bool:
    return fetch(f"{product.url}/readyz") == (503, "leaving\n")


def begin_to_leave(product: Product) -> None:
    tell(product)
    wait_until(lambda: says_so(product), "it to say that it leaves")
    # It lives all the same, and nobody is to start it again.
    assert fetch(f"{product.url}/healthz")[0] == 200


def sent(product: Product, phone: str, text: str, **settings: str) -> None:
    status, answer = product.send(phone, text, **settings)
    assert (status, answer["status_code"] in ("sent", "queued")) == (200, True), answer


@pytest.mark.once
def test_who_leaves_says_so_and_still_sends_until_it_is_told_again(database_url: str, phone: str) -> None:
    with running_product(database_url, settings={"TABLEGRAM_LEAVE_S": "300"}) as product:
        begin_to_leave(product)
        for number in range(3):
            status, answer = product.send(phone, f"{number}")
            # There is nobody to hand the line to: it stays here.
            assert (status, answer["status_code"]) == (200, "sent"), answer
        assert product.server.stop() in (0, -signal.SIGTERM)
        product.server.environment["TABLEGRAM_LEAVE_S"] = "0"
        product.server.start()
        assert wait_for_texts(product, phone, 3) == ["0", "1", "2"]


@pytest.mark.shared
def test_the_lines_of_who_leaves_go_to_another_while_it_still_answers(database_url: str, phone: str) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="tablegram-second-") as folder,
        running_product(database_url, sandbox_alone=True, settings=FOR_LONG) as one,
    ):
        sent(one, phone, "0")
        other = second(one, Path(folder))
        other.server.environment["TABLEGRAM_LEAVE_S"] = "0"
        other.server.start()
        try:
            begin_to_leave(one)
            wait_until(lambda: spread(database_url) == {other.server.pid: 1}, "the line to be the other's")
            for number in range(1, 5):
                sent((one, other)[number % 2], phone, f"{number}")
            assert wait_for_texts(one, phone, 5) == [f"{number}" for number in range(5)]
            # Nothing comes back to it.
            assert spread(database_url) == {other.server.pid: 1}
            assert fetch(f"{other.url}/readyz")[0] == 200
        finally:
            # Told a second time: it is gone long before its time is over.
            one.server.stop()
            other.server.stop()


@pytest.mark.shared
def test_those_who_share_a_port_leave_together_however_often_they_are_told(database_url: str, phone: str) -> None:
    settings: Mapping[str, str] = {**FOR_LONG, "TABLEGRAM_WORKERS": "2"}
    with running_product(database_url, sandbox_alone=True, settings=settings) as product:
        wait_until(lambda: "Tablegram listens" in product.server.said(), "all to listen")
        both = children(product.server.pid)
        # A service manager tells each of them, and who watches over them tells them too.
        for pid in (*both, product.server.pid):
            os.kill(pid, signal.SIGTERM)
        wait_until(lambda: all(says_so(product) for _ in range(8)), "both to say that they leave")
        for number in range(6):
            sent(product, phone, f"{number}")
        assert wait_for_texts(product, phone, 6) == [f"{number}" for number in range(6)]
        assert children(product.server.pid) == both
        # Now it is meant.
        assert product.server.stop() in (0, -signal.SIGTERM)
