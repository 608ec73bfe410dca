"""A provider made of what an account has connected."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.payments.kinds import KINDS, problems_of
from tablegram.payments.ports import Mode, Provider, ProviderRefused
from tablegram.payments.providers.calls import BUDGET_S, ProviderCaller
from tablegram.payments.providers.generic import Generic
from tablegram.payments.providers.iyzico import LIVE_URL, TEST_URL, Iyzico
from tablegram.payments.providers.sandbox import Sandbox
from tablegram.payments.providers.stripe import Stripe
from tablegram.settings import Settings
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.wire import Wires


class Providers:
    """Makes them, and keeps the connections that they share. Nothing is opened before the first call."""

    def __init__(self, settings: Settings, client: GuardedClient, budget_s: float = BUDGET_S) -> None:
        self._settings = settings
        self._client = client
        self._budget_s = budget_s
        self._wires = Wires()
        self._session: Session | None = None

    def of(self, name: str, mode: Mode, keys: Mapping[str, str]) -> Provider:
        """Raises `ProviderRefused` for a provider that there is none of here, and for keys that cannot be its."""
        if name not in KINDS:
            raise ProviderRefused("provider_unknown", f"There is no provider {name[:40]!r}.")
        if wrong := problems_of(name, mode, keys):
            raise ProviderRefused(wrong[0].code, wrong[0].words)
        settings = self._settings
        if name == "stripe":
            return Stripe(keys, mode, self._stripe_session, settings.stripe_url, self._budget_s)
        if name == "iyzico":
            base = settings.iyzico_url or (LIVE_URL if mode == "live" else TEST_URL)
            return Iyzico(keys, mode, ProviderCaller(self._wires, base, self._budget_s))
        if name == "generic":
            return Generic(keys, mode, self._client, self._budget_s)
        if not settings.sandbox and not settings.sandbox_url:
            raise ProviderRefused(
                "sandbox_off", "The sandbox is off. Start with TABLEGRAM_SANDBOX=1 to use its provider."
            )
        if settings.sandbox_url:
            page, hook = settings.sandbox_url, settings.base_url
        else:
            # On the same machine, whatever others call it.
            page, hook = f"{settings.base_url}/sandbox", settings.local_url
        return Sandbox(keys, ProviderCaller(self._wires, settings.effective_sandbox_url, self._budget_s), page, hook)

    async def close(self) -> None:
        self._wires.close()
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _stripe_session(self) -> Session:
        if self._session is None:
            self._session = Session()
        return self._session
