"""Whatever payers and merchants do in whatever order: a payment ends once, and no more goes back than came."""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tablegram.sandbox.payments.desk import Desk, SandboxPayment, TooMuch, new_reference
from tablegram.sandbox.store import Store
from tablegram.values.clock import Clock

SECRET = "whsec_" + "c2FuZGJveC1zZWNyZXQtb2YtYS1tZXJjaGFudC0x"
ACTIONS = st.one_of(
    st.tuples(st.sampled_from(("pay", "late", "twice", "other", "refuse", "expire", "cancel", "pass", "again"))),
    st.tuples(st.just("refund"), st.integers(1, 4), st.integers(1, 1_500)),
)
ENDS = {"payment.succeeded": "paid", "payment.expired": "expired"}


class Hands(Clock):
    """A clock that is turned by hand."""

    now = 1_000

    def now_ms(self) -> int:
        return self.now


@given(st.lists(ACTIONS, max_size=25))
def test_every_order_of_events_keeps_the_sums(actions: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, clock = Store(Path(folder) / "s.db"), Hands()
        try:
            _play(store, Desk(store, clock), clock, actions)
        finally:
            store.close()


def _play(store: Store, desk: Desk, clock: Hands, actions: list[tuple[str, int, int]]) -> None:
    wish = SandboxPayment(
        reference=new_reference(), link_id="pay_1", amount=1_250, currency="TRY", description="", items=(), language="",
        success_url="http://a", cancel_url="http://a", hook_url="http://a", expires_ms=2_000,
    )  # fmt: skip
    made, seen = desk.make(SECRET, wish), ["open"]
    back: dict[str, int] = {}
    for name, *figures in actions:
        if name == "refund":
            refund_id, amount = f"rfd_{figures[0]}", figures[1]
            try:
                desk.refund(made, refund_id, amount)
                back.setdefault(refund_id, amount)
            except TooMuch:
                assert refund_id not in back
        elif name == "cancel":
            desk.cancel(made)
        elif name == "pass":
            clock.now += 400
            desk.expire_due()
        elif name == "again":
            assert desk.make(SECRET, wish).reference == made.reference
        else:
            desk.play(made, name)  # type: ignore[arg-type]
        now = desk.of(SECRET, made.reference)
        assert now is not None
        seen.append(now.state)
        assert now.refunded == sum(back.values()) <= now.paid
        assert (now.paid > 0) == (now.state == "paid")
    # One end, and it stays.
    assert len(list(itertools.groupby(seen))) <= 2
    rows = store.execute("SELECT signal_id, body FROM payment_signals ORDER BY seq").fetchall()
    told = {signal: json.loads(body) for signal, body in rows}
    ends = [body["type"] for body in told.values() if body["type"] in ENDS]
    assert ends == [kind for kind, state in ENDS.items() if state == seen[-1]]
    assert len([1 for body in told.values() if body["type"] == "payment.refunded"]) == len(back)
