"""Statuses of what we sent: states move forward, costs are corrected, and every real change is an event."""

from __future__ import annotations

from tablegram.accounts.money import quota
from tablegram.accounts.money.rate_card import RateCard
from tablegram.flows.contacts.echoes import Echoes, Key
from tablegram.flows.gateway.announcing import Announcer
from tablegram.messaging.erased import erased_id, is_erased
from tablegram.messaging.incoming import StatusUpdate
from tablegram.messaging.ports import Fault
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import messages as store
from tablegram.messaging.store import reports
from tablegram.storage.database import Params, Statement, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import GATEWAY_PREFIX, gateway_id
from tablegram.values.phone import calling_code
from tablegram.values.secrets import SecretBox
from tablegram.values.watching import spans, trail

Told = tuple[int, int, StatusUpdate]

_STEPS = {
    "sent": reports.REPORTED_SENT,
    "delivered": reports.REPORTED_DELIVERED,
    "read": reports.REPORTED_READ,
    "failed": reports.REPORTED_FAILED,
}


class Statuses:
    def __init__(self, box: SecretBox, card: RateCard, clock: Clock, announcer: Announcer, *, prepaid: bool) -> None:
        self._box = box
        self._echoes = Echoes(box)
        self._card = card
        self._clock = clock
        self._announcer = announcer
        self._prepaid = prepaid

    async def apply(self, tx: Tx, told: list[Told]) -> tuple[list[Statement], set[Key]]:
        """Work statuses in; returns the events to plan, and what was about messages of somebody erased.

        Steps of one message keep the order in which they came.
        """
        statements: list[Statement] = []
        waiting = [
            (one, row) for one, row in zip(told, await self._messages_of(tx, told), strict=True) if row is not None
        ]
        echoes = {_name(one) for one, row in waiting if is_erased(row)}
        while waiting:
            turn: list[tuple[Told, MessageRow]] = []
            later: list[tuple[Told, MessageRow]] = []
            seen: set[str] = set()
            for one, row in waiting:
                (later if row["id"] in seen else turn).append((one, row))
                seen.add(row["id"])
            statements += await self._turn(tx, turn)
            waiting = later
        return statements, echoes

    async def _messages_of(self, tx: Tx, told: list[Told]) -> list[MessageRow | None]:
        """Each status's message: by the value that we gave along, else by the network's id."""
        by_key = await tx.gather(
            store.GET,
            [{"b_account": account_id, "b_id": _key(status)} for account_id, _, status in told if _key(status)],
        )
        known = {(row["account_id"], row["instance_id"], row["id"]): row for row in by_key}
        rest = [one for one in told if (one[0], one[1], _key(one[2])) not in known]
        by_network = await tx.gather(
            store.GET_BY_LINE_AND_NETWORK_ID,
            [{"b_account": a, "b_instance": line, "b_network_id": status.network_id} for a, line, status in rest],
        )
        named = {(row["account_id"], row["instance_id"], row["network_id"] or ""): row for row in by_network}
        named |= await self._echoes.find(tx, {_name(one) for one in rest} - named.keys())
        return [known.get((one[0], one[1], _key(one[2]))) or named.get(_name(one)) for one in told]

    async def _turn(self, tx: Tx, turn: list[tuple[Told, MessageRow]]) -> list[Statement]:
        """At most one status for each message."""
        statements: list[Statement] = []
        for step, query in _STEPS.items():
            some = [(told[2], row) for told, row in turn if told[2].status == step]
            if not some:
                continue
            steps = [self._step(status, row) for status, row in some]
            # A late "sent" of what has failed is kept, and nobody hears that it was sent after all.
            changed = {row["id"] for row in await tx.gather(query, steps) if row["state"] == step}
            for status, row in some:
                if row["id"] in changed:
                    statements += await self._changed(tx, status, row)
            await self._final_costs(tx, some)
        return statements

    def _step(self, status: StatusUpdate, row: MessageRow) -> Params:
        """The values of a step. Of an erased person neither the network's id nor its words come back."""
        erased = is_erased(row)
        return {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "at": status.at_ms,
            "new_network_id": erased_id(self._box, status.network_id) if erased else status.network_id,
            "code": status.reason,
            "detail": "" if erased else status.detail,
            "network_code": status.error_code,
        }

    async def _changed(self, tx: Tx, status: StatusUpdate, row: MessageRow) -> list[Statement]:
        error: Fault | None = None
        if status.status == "failed":
            error = {"code": status.reason, "detail": status.detail, "network_code": status.error_code}
            if self._prepaid:
                await quota.refund(tx, row["account_id"], row["id"], self._clock.now_ms())
        if is_erased(row):
            return []
        network_id = row["network_id"] or status.network_id
        spans.end(spans.begin("report", row["trace"], message_id=gateway_id(row["id"]), state=status.status))
        trail.step(f"message reported {status.status}", row["trace"] or "", row["id"])
        return self._announcer.changed(
            row["account_id"],
            row["instance_id"],
            row["id"],
            network_id,
            row["phone"],
            "",
            status.status,
            status.at_ms,
            error,
            row["trace"],
        )

    async def _final_costs(self, tx: Tx, some: list[tuple[StatusUpdate, MessageRow]]) -> None:
        """What the network finally charges, the first time that it says so."""
        costs = {
            row["id"]: (row["account_id"], self._price(status, row))
            for status, row in some
            if status.pricing is not None and row["cost_final_micros"] is None
        }
        wanted = [{"b_account": account_id, "b_id": key, "cost": cost} for key, (account_id, cost) in costs.items()]
        for told in await tx.gather(reports.FINAL_COST, wanted):
            if self._prepaid:
                account_id, cost = costs[told["id"]]
                await quota.correct(tx, account_id, told["id"], cost, self._clock.now_ms())

    def _price(self, status: StatusUpdate, message: MessageRow) -> int:
        pricing = status.pricing or {}
        if not pricing.get("billable", True):
            return 0
        number = status.recipient if is_erased(message) else message["phone"]
        category = str(pricing.get("category") or message["category"])
        return self._card.price_micros("cloud", calling_code(number), category, message["created_at"])


def _key(status: StatusUpdate) -> str:
    return status.correlation.removeprefix(GATEWAY_PREFIX) if status.correlation.startswith(GATEWAY_PREFIX) else ""


def _name(told: Told) -> Key:
    account_id, line_id, status = told
    return account_id, line_id, status.network_id
