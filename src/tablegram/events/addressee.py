"""An endpoint as its courier knows it: where it is, what is signed with, whether it is on, and how it has answered."""

from __future__ import annotations

import time
from hmac import HMAC
from typing import TYPE_CHECKING

from tablegram.events import store
from tablegram.events.planning import Statement
from tablegram.events.posting import Result
from tablegram.events.rows import EndpointRow
from tablegram.events.schedule import DISABLE_AFTER_MS, WARN_AFTER
from tablegram.storage.database import Params
from tablegram.values.clock import FRESH_S
from tablegram.values.http.signing import prepare

if TYPE_CHECKING:
    from tablegram.events.delivery import Deliveries


class Addressee:
    def __init__(self, office: Deliveries, account_id: int, endpoint_id: str) -> None:
        self._office = office
        self.account_id = account_id
        self.endpoint_id = endpoint_id
        self.keys: list[HMAC] = []
        self._endpoint: EndpointRow | None = None
        self._fresh_until = 0.0
        # Counts the changes that were told, so that one which comes while the row is read is not overlooked.
        self._changes = 0
        self._changes_seen = 0
        # Its record is not clean, or (`_warned`) its owner has been told so.
        self._failing = False
        self._warned = False

    @property
    def url(self) -> str:
        return self._known["url"]

    @property
    def which(self) -> Params:
        return {"b_account": self.account_id, "b_id": self.endpoint_id}

    @property
    def _known(self) -> EndpointRow:
        assert self._endpoint is not None
        return self._endpoint

    def look_again(self) -> None:
        """Read the row anew before it is relied on."""
        self._fresh_until = 0.0

    def told_of_change(self) -> None:
        self.look_again()
        self._changes += 1

    @property
    def has_changed(self) -> bool:
        """Whether somebody changed it since `is_active` was last asked."""
        return self._changes_seen != self._changes

    async def is_active(self) -> bool:
        self._changes_seen = self._changes
        while time.monotonic() >= self._fresh_until:
            changes = self._changes
            self._endpoint = await self._office.db.first(store.ENDPOINT, self.which)
            if changes == self._changes:
                self._fresh_until = time.monotonic() + FRESH_S
            if self._endpoint is not None:
                self.keys = self._open_keys(self._endpoint)
                self._failing = self._endpoint["failing_since"] is not None
                self._warned = self._endpoint["warned_at"] is not None
        return self._endpoint is not None and self._endpoint["state"] == "active"

    def _open_keys(self, endpoint: EndpointRow) -> list[HMAC]:
        sealed = [endpoint["secret"]]
        if endpoint["previous_secret"] and (endpoint["previous_until"] or 0) > self._office.clock.now_ms():
            sealed.append(endpoint["previous_secret"])
        return [prepare(self._office.box.open(secret)) for secret in sealed]

    # Its record, as statements for the transaction that writes what happened.

    def well(self) -> list[Statement]:
        """It has taken something."""
        was_failing = self._failing
        self._failing = self._warned = False
        return [(store.WELL, self.which)] if was_failing else []

    async def failed(self, attempts: int, result: Result, now: int) -> list[Statement]:
        """It did not take something; and word to its owner when that goes on for long."""
        statements: list[Statement] = []
        if not self._failing:
            self._failing = True
            statements.append((store.FAILING, {**self.which, "now": now, "reason": result.error}))
            self.look_again()
        if attempts >= WARN_AFTER and not self._warned:
            self._warned = True
            statements.append((store.WARNED, {**self.which, "now": now}))
            statements += await self._word("active", result.error, now)
        return statements

    def is_hopeless(self, now: int) -> bool:
        endpoint = self._endpoint
        if endpoint is None or not self._failing or endpoint["failing_since"] is None:
            return False
        return now - endpoint["failing_since"] >= DISABLE_AFTER_MS

    async def switched_off(self, reason: str, now: int) -> list[Statement]:
        """It gets nothing from now on. Several may fail at once and mean the same; the owner is told once."""
        if self._endpoint is None or self._endpoint["state"] != "active":
            return []
        word = await self._word("disabled", reason, now)
        self._endpoint = {**self._endpoint, "state": "disabled"}
        return [(store.DISABLE, {**self.which, "reason": reason}), *word]

    async def _word(self, state: str, reason: str, now: int) -> list[Statement]:
        endpoint = self._known
        await self._office.planner.refresh(self.account_id)
        body = {
            "event": "webhook.failing",
            "data": {
                "webhook_id": self.endpoint_id,
                "url": endpoint["url"],
                "state": state,
                "reason": reason,
                "failing_since": (endpoint["failing_since"] or now) // 1_000,
                "timestamp": now // 1_000,
            },
        }
        # An endpoint is not told of its own end.
        besides = {self.endpoint_id} if state == "disabled" else set()
        return self._office.planner.plan(self.account_id, "webhook.failing", body, besides=besides)
