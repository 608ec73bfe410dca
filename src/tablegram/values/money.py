"""Money: whole minor units of a currency inside, decimal numbers on the wire, people's own writing on paper.

`Money(1250, "TRY")` is 12,50 ₺. Nothing is ever computed in fractions of the smallest unit: whoever divides says how
it is rounded, here always half away from zero.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

import msgspec

from tablegram.values.figures import writing

# What a price list may hold; larger figures are typing errors, and would not pass a double unharmed.
MAX_AMOUNT = 10**12

_TWO = (
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC "
    "CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD "
    "KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO "
    "NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL "
    "THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW"
)
_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
# How many decimals each currency of ISO 4217 has.
EXPONENTS: dict[str, int] = {
    **dict.fromkeys(_TWO.split(), 2),
    **dict.fromkeys(_NONE.split(), 0),
    **dict.fromkeys(_THREE.split(), 3),
}
# What whoever names another currency, or nothing to pay, is told.
CURRENCY_WANTED = "Name a currency by its code, such as TRY."
AMOUNT_WANTED = "Enter an amount above 0."
_SYMBOLS = {"TRY": "₺", "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "RUB": "₽", "INR": "₹", "UAH": "₴", "ILS": "₪"}
# Short enough that nothing of it is lost in reckoning.
_NUMBER = re.compile(r"[-+]?[0-9]{1,14}(\.[0-9]{0,8})?")
_FIGURE = re.compile(r"[-+]?[0-9][0-9.,'\u00a0\u202f ]*")


class Money(msgspec.Struct, frozen=True, order=False):
    """An amount in minor units. Amounts of different currencies never meet."""

    amount: int
    currency: str

    def __add__(self, other: Money) -> Money:
        return Money(self.amount + self._same(other), self.currency)

    def __sub__(self, other: Money) -> Money:
        return Money(self.amount - self._same(other), self.currency)

    def __mul__(self, count: int) -> Money:
        return Money(self.amount * count, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.amount, self.currency)

    def __lt__(self, other: Money) -> bool:
        return self.amount < self._same(other)

    def share(self, basis_points: int) -> Money:
        """So many hundredths of a percent of it: a service charge of 10% is 1000."""
        return Money(share(self.amount, basis_points), self.currency)

    @property
    def decimal(self) -> Decimal:
        return Decimal(self.amount).scaleb(-exponent(self.currency))

    @property
    def wire(self) -> float:
        """The JSON number: the shortest one that is read back as this amount."""
        return to_wire(self.amount, self.currency)

    def written(self, language: str = "en") -> str:
        """As people of a language write it: `₺1.234,50`, `₺1,234.50`, `1.234,50 €`."""
        return written(self.amount, self.currency, language)

    def _same(self, other: Money) -> int:
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} cannot be reckoned together")
        return other.amount


def is_currency(code: str) -> bool:
    return code in EXPONENTS


def exponent(currency: str) -> int:
    """How many decimals the currency has. Raises `ValueError` for what is no currency."""
    try:
        return EXPONENTS[currency]
    except KeyError:
        raise ValueError(f"{currency!r} is not a currency") from None


def to_wire(amount: int, currency: str) -> float:
    return float(Decimal(amount).scaleb(-exponent(currency)))


def from_wire(value: int | float | str | Decimal, currency: str) -> int:
    """Minor units of a decimal number. Raises `ValueError` for more decimals than the currency has, and for no number.

    A float stands for the shortest decimal that reads back as it, which is what its sender wrote.
    """
    if isinstance(value, bool) or (isinstance(value, str) and _NUMBER.fullmatch(value) is None):
        raise ValueError("not a number")
    figure = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not figure.is_finite() or abs(figure) > MAX_AMOUNT:
        raise ValueError("out of range")
    minor = figure.scaleb(exponent(currency))
    if minor != minor.to_integral_value():
        raise ValueError(f"{currency} has {exponent(currency)} decimals")
    if abs(minor) > MAX_AMOUNT:
        raise ValueError("out of range")
    return int(minor)


def from_writing(text: str, currency: str) -> int:
    """Minor units of a price as people type it: `12,5`, `1.250,00 ₺`, `$ 1,250.00`. Raises `ValueError` in doubt.

    The last point or comma parts the decimals when as many digits follow it as the currency may have. `1.250` is
    one thousand two hundred and fifty, never one and a quarter.
    """
    bare = text.strip()
    for sign in (_SYMBOLS.get(currency, currency), currency, "TL" if currency == "TRY" else currency):
        bare = re.sub(re.escape(sign), "", bare, flags=re.IGNORECASE).strip()
    if _FIGURE.fullmatch(bare) is None:
        raise ValueError("not a price")
    figure = re.sub(r"['\u00a0\u202f ]", "", bare)
    cut = max(figure.rfind("."), figure.rfind(","))
    if cut < 0:
        return from_wire(figure, currency)
    whole, decimals, mark = figure[:cut], figure[cut + 1 :], figure[cut]
    grouped = re.fullmatch(r"[-+]?[0-9]{1,3}([.,][0-9]{3})*", whole) is not None
    if len(decimals) == 3 and exponent(currency) < 3 and grouped and (mark in whole or not re.search("[.,]", whole)):
        whole, decimals = whole + decimals, ""
    elif mark in whole or (not grouped and re.search("[.,]", whole)) or len(decimals) > exponent(currency):
        raise ValueError("not a price")
    return from_wire(re.sub("[.,]", "", whole) + (f".{decimals}" if decimals else ""), currency)


def share(amount: int, basis_points: int) -> int:
    """So many hundredths of a percent of an amount, rounded half away from zero."""
    return int((Decimal(amount) * basis_points / 10_000).quantize(Decimal(1), ROUND_HALF_UP))


def written(amount: int, currency: str, language: str = "en") -> str:
    """As people of a language write it: `₺1.250,50`, `1.250,50 €`, `CHF 12.50`."""
    decimals = exponent(currency)
    value = Decimal(amount).scaleb(-decimals)
    return writing.money(language, value, _SYMBOLS.get(currency, currency), decimals)
