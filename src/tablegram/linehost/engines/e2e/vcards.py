"""People as cards (RFC 6350, as phones write them), from and to the shape that contacts have in messages."""

from __future__ import annotations

import re

from tablegram.linehost.engines.port import Facts

_LINE = re.compile(r"^(?:item\d+\.)?([A-Za-z-]+)((?:;[^:]*)?):(.*)$")
_WAID = re.compile(r"waid=(\d+)")
MAX_PHONES = 20


def write_card(contact: Facts) -> tuple[str, str]:
    """The name to show, and the card."""
    name = contact.get("name") or {}
    shown = str(name.get("formatted_name") or name.get("first_name") or "?")
    parts = ";".join(_escaped(str(name.get(part, ""))) for part in ("last_name", "first_name", "middle_name"))
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"N:{parts};;", f"FN:{_escaped(shown)}"]
    for phone in contact.get("phones") or ():
        number = re.sub(r"[\r\n]", " ", str(phone.get("phone", "")))
        waid = re.sub(r"\D", "", str(phone.get("wa_id") or number))
        lines.append(f"TEL;type=CELL;waid={waid}:{number}" if waid else f"TEL;type=CELL:{number}")
    lines += [f"EMAIL:{_escaped(str(email.get('email', '')))}" for email in contact.get("emails") or ()]
    company = (contact.get("org") or {}).get("company")
    if company:
        lines.append(f"ORG:{_escaped(str(company))}")
    return shown, "\r\n".join([*lines, "END:VCARD"])


def read_card(shown: str, card: str) -> Facts:
    """What a card says of a name and of numbers; the rest is for phones."""
    phones: list[Facts] = []
    name = shown
    for line in card.replace("\r\n ", "").replace("\n ", "").splitlines():
        found = _LINE.match(line.strip())
        if found is None:
            continue
        field, parameters, value = found[1].upper(), found[2], found[3].strip()
        if field == "FN" and value and not shown:
            name = value.replace("\\,", ",").replace("\\;", ";").replace("\\n", " ").replace("\\\\", "\\")
        elif field == "TEL" and len(phones) < MAX_PHONES:
            waid = _WAID.search(parameters)
            phones.append({"phone": value, **({"wa_id": waid[1]} if waid else {})})
    return {"name": {"formatted_name": name}, "phones": phones}


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")
    return text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", " ")
