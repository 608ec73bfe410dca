"""What the network tells of persons beside what they write: wishes, names, and who is in the phone's address book."""

from __future__ import annotations

from tablegram.messaging.incoming import AddressCard, IdentityChange, Preference
from tablegram.messaging.lines.cloud.inbound import read_sender
from tablegram.messaging.lines.cloud.loose import at_ms, phone, text
from tablegram.values import Json, mapping

# What a customer may say about advertising. There are other preferences, which we do not know yet.
_WANTS = {"stop": False, "resume": True}


def read_preference(item: Json, contacts: list[Json], number_id: str) -> Preference | None:
    number, user_id = read_sender(item.get("wa_id"), item.get("user_id"))
    wants = _WANTS.get(text(item.get("value")).lower())
    if wants is None or not (number or user_id) or text(item.get("category")) not in ("", "marketing_messages"):
        return None
    return Preference(
        phone_number_id=number_id,
        phone=number,
        user_id=user_id,
        parent_user_id=text(item.get("parent_user_id")),
        name=_name_of(contacts, number, user_id),
        wants=wants,
        detail=text(item.get("detail")),
        at_ms=at_ms(item.get("timestamp")),
    )


def read_identity(item: Json, contacts: list[Json], number_id: str) -> IdentityChange | None:
    """Every name that the change tells of is the same person's, the earlier one first."""
    number, _ = read_sender(item.get("wa_id"), "")
    user_ids, parents = _versions(item.get("user_id")), _versions(item.get("parent_user_id"))
    if len(user_ids) + len(parents) + bool(number) < 2:
        return None
    return IdentityChange(
        phone_number_id=number_id,
        phone=number,
        user_ids=user_ids,
        parent_user_ids=parents,
        name=_name_of(contacts, number, user_ids[-1] if user_ids else ""),
        at_ms=at_ms(item.get("timestamp")),
    )


def read_card(item: Json, number_id: str) -> AddressCard | None:
    """Somebody who was added to the address book. Who was taken out of it is still somebody who may have written."""
    card = mapping(item.get("contact"))
    number, user_id = phone(card.get("phone_number")), text(card.get("user_id"))
    if text(item.get("type")) != "contact" or not (number or user_id):
        return None
    name = text(card.get("full_name")) or text(card.get("first_name"))
    return AddressCard(
        phone_number_id=number_id,
        phone=number,
        user_id=user_id,
        username=text(card.get("username")),
        name="" if text(item.get("action")) == "remove" else name,
    )


def _versions(value: object) -> tuple[str, ...]:
    """An id with what it was before, or just an id."""
    fields = mapping(value)
    told = [fields.get("previous"), fields.get("current")] if fields else [value]
    return tuple(dict.fromkeys(text(one) for one in told if text(one)))


def _name_of(contacts: list[Json], number: str, user_id: str) -> str:
    for contact in contacts:
        if (number and text(contact.get("wa_id")) == number) or (user_id and text(contact.get("user_id")) == user_id):
            return text(mapping(contact.get("profile")).get("name"))
    return ""
