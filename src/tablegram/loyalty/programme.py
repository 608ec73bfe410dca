"""The programme of an account: off until somebody switches it on."""

from __future__ import annotations

import re

import msgspec

from tablegram.errors import FieldError, Invalid
from tablegram.loyalty.model import Programme, Rate, WarnTemplate
from tablegram.loyalty.store import points as store
from tablegram.storage.database import Tx
from tablegram.values.money import CURRENCY_WANTED, MAX_AMOUNT, is_currency

MAX_MONTHS = 120
MAX_WARN_DAYS = 90
MAX_CURRENCIES = 10

_encode = msgspec.json.Encoder().encode
_rates = msgspec.json.Decoder(dict[str, Rate]).decode
# Once there was a single one.
_templates = msgspec.json.Decoder(list[WarnTemplate] | WarnTemplate).decode
# As the network names its templates and their languages.
_NAME = re.compile(r"[a-z0-9_]{1,512}", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2,4})?", re.ASCII)
MAX_VARIABLES = 10
MAX_TEMPLATES = 20


async def find(tx: Tx, account_id: int) -> Programme:
    row = await tx.first(store.PROGRAMME, {"b_account": account_id})
    if row is None:
        return Programme(account_id=account_id)
    kept = [] if row["warn_template"] is None else _templates(row["warn_template"])
    templates = [kept] if isinstance(kept, WarnTemplate) else kept
    return Programme(
        account_id=row["account_id"],
        is_on=bool(row["is_on"]),
        rates=_rates(row["rates"]),
        expires_months=row["expires_months"],
        warn_days=row["warn_days"],
        warn_templates=templates,
        updated_at=row["updated_at"],
    )


async def keep(tx: Tx, programme: Programme) -> None:
    _check(programme)
    row = msgspec.structs.asdict(programme)
    chosen = row.pop("warn_templates")
    templates = _encode(chosen).decode() if chosen else None
    texts = {"rates": _encode(programme.rates).decode(), "warn_template": templates}
    await tx.run(store.SET_PROGRAMME, {**row, "is_on": int(programme.is_on), **texts})


def _check(programme: Programme) -> None:
    errors: list[FieldError] = []
    if len(programme.rates) > MAX_CURRENCIES:
        errors.append(FieldError("rates", "too_many", f"A programme has at most {MAX_CURRENCIES} currencies."))
    for currency, rate in programme.rates.items():
        if not is_currency(currency):
            errors.append(FieldError("rates", "currency_invalid", CURRENCY_WANTED))
        if not 0 < rate.per <= MAX_AMOUNT:
            errors.append(FieldError("rates", "out_of_range", "Say how much brings a point: more than nothing."))
        if not 0 <= rate.worth <= rate.per:
            detail = "A point is worth nothing or more, and no more than what brings it."
            errors.append(FieldError("rates", "out_of_range", detail))
    if programme.is_on and not programme.rates:
        errors.append(
            FieldError("rates", "rates_missing", "Say for one currency what brings a point, then switch it on.")
        )
    if not 0 <= programme.expires_months <= MAX_MONTHS:
        errors.append(
            FieldError("expires_months", "out_of_range", f"Points hold 0 to {MAX_MONTHS} months; 0 is for ever.")
        )
    if not 0 <= programme.warn_days <= MAX_WARN_DAYS:
        errors.append(FieldError("warn_days", "out_of_range", f"Guests are told 0 to {MAX_WARN_DAYS} days ahead."))
    if len(programme.warn_templates) > MAX_TEMPLATES:
        errors.append(FieldError("warn_templates", "too_many", f"Choose at most {MAX_TEMPLATES} templates."))
    seen: set[str] = set()
    for place, template in enumerate(programme.warn_templates):
        errors += _wrong_in(template, f"warn_templates[{place}]")
        if template.language in seen:
            detail = f"There are two templates in {template.language[:16]}. Keep one for each language."
            errors.append(FieldError(f"warn_templates[{place}].language", "language_twice", detail))
        seen.add(template.language)
    if errors:
        raise Invalid.fields(errors)


def _wrong_in(template: WarnTemplate, where: str) -> list[FieldError]:
    errors: list[FieldError] = []
    if not _NAME.fullmatch(template.name):
        detail = "Give the template's name as the network has it: a to z, 0 to 9 and _."
        errors.append(FieldError(f"{where}.name", "template_name_invalid", detail))
    if not _LANGUAGE.fullmatch(template.language):
        detail = "Give the template's language as the network has it, such as tr or en_US."
        errors.append(FieldError(f"{where}.language", "template_language_invalid", detail))
    if len(template.variables) > MAX_VARIABLES:
        detail = f"A template has at most {MAX_VARIABLES} variables here."
        errors.append(FieldError(f"{where}.variables", "too_many", detail))
    return errors
