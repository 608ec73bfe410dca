"""What a payment provider can do, whoever is behind it. One contract test runs over all of them.

A provider never decides anything: it makes links, says what a signal means once its signature is proven, and answers
how a payment stands. Whether the money counts is decided by who keeps the links.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, runtime_checkable

import msgspec

Mode = Literal["test", "live"]


class LinkItem(msgspec.Struct, frozen=True, kw_only=True):
    """A line that the pay page shows. Amounts are minor units of the link's currency and sum up to its amount."""

    name: str
    amount: int


class Customer(msgspec.Struct, frozen=True, kw_only=True):
    """Who pays, as far as it is known. A provider that insists on more gets plain stand-ins."""

    name: str = ""
    phone: str = ""
    email: str = ""


class LinkWish(msgspec.Struct, frozen=True, kw_only=True):
    """A link that is to be made. `link_id` is ours: it is the idempotency key and comes back in signals."""

    link_id: str
    amount: int
    currency: str
    description: str
    items: tuple[LinkItem, ...] = ()
    customer: Customer = Customer()
    language: str = "en"
    # Where the payer lands afterwards. Landing there proves nothing.
    success_url: str
    cancel_url: str
    # Where the provider's own callback goes, for those that are told per link.
    hook_url: str
    expires_at: int


class MadeLink(msgspec.Struct, frozen=True, kw_only=True):
    """The provider has it. `reference` is its name for it; `expires_at` as it has set it, in ms."""

    reference: str
    url: str
    expires_at: int


SignalKind = Literal["paid", "failed", "expired", "refunded"]


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider told of one link, its signature proven. The same `id` is the same signal, however often it comes.

    `must_ask`: the provider says no amount in its signal, or its signature covers none: ask how it stands before anything.
    """

    id: str
    kind: SignalKind
    reference: str = ""
    link_id: str = ""
    amount: int | None = None
    currency: str = ""
    must_ask: bool = False
    # Of a refund: what all refunds of the payment sum up to, where the provider says so.
    refunded: int | None = None


LinkStanding = Literal["open", "paid", "failed", "expired", "cancelled"]


class LinkReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a payment stands, asked of the provider. `paid` carries what was paid."""

    state: LinkStanding
    amount: int | None = None
    currency: str = ""
    # The provider's name for the payment itself, which refunds need.
    payment_reference: str = ""
    refunded: int = 0


class RefundWish(msgspec.Struct, frozen=True, kw_only=True):
    """`refund_id` is ours: the same one is paid back once."""

    refund_id: str
    reference: str
    payment_reference: str
    amount: int
    currency: str


class Refunded(msgspec.Struct, frozen=True, kw_only=True):
    """The provider took the refund; `pending` where the money follows later."""

    reference: str
    pending: bool = False


class Unverified(Exception):
    """A signal that nobody can have signed who may. Nothing of it is kept."""


class ProviderDown(Exception):
    """No answer, or none that means anything: it may or may not have happened. The same call later is safe."""


class ProviderRefused(Exception):
    """The provider said no for good. `code` is ours and stable, `detail` is for people, without secrets."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Provider(Protocol):
    """One account's access to one provider, with its keys, in one mode."""

    name: str
    mode: Mode

    async def make(self, wish: LinkWish) -> MadeLink: ...

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        """What a callback says, proven by its signature; nothing for kinds of no interest. Raises `Unverified`."""
        ...

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        """How it stands. What has no reference was never made as far as anybody knows: it is open, and can be taken back."""
        ...

    async def cancel(self, reference: str) -> LinkReport:
        """Take the link back. Who has paid meanwhile has paid: the standing says so."""
        ...

    async def refund(self, wish: RefundWish) -> Refunded: ...

    async def check(self) -> None:
        """Prove that the keys open the door, and are of the mode that they are said to be."""
        ...


@runtime_checkable
class Plays(Protocol):
    """A provider of play money, which pays what it is asked for."""

    async def play(self, url: str) -> None:
        """Pay at a pay page of its own, as a person would."""
        ...


class Opener(Protocol):
    """Makes a provider of an account's access to it: its name, the mode and the keys."""

    def __call__(self, name: str, mode: Mode, keys: Mapping[str, str]) -> Provider:
        """Raises `ProviderRefused` for a provider that there is none of here, and for keys that cannot be its."""
        ...
