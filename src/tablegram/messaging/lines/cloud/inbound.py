"""One message of a Cloud API callback in our own terms."""

from __future__ import annotations

import msgspec

from tablegram.messaging.incoming import InboundMedia, InboundMessage, InboundType, MessageChange
from tablegram.messaging.lines.cloud.loose import at_ms, text
from tablegram.messaging.lines.cloud.loose import phone as digits
from tablegram.values import Json, dicts, mapping

_MEDIA: dict[str, InboundType] = {
    "image": "image",
    "document": "document",
    "video": "video",
    "sticker": "sticker",
    "audio": "audio",
    # Older versions of the network call a voice message by a name of its own.
    "voice": "audio",
}


def read_message(
    message: Json, contacts: list[Json], number_id: str, *, echo: bool = False
) -> InboundMessage | MessageChange | None:
    """The message, or what became of an earlier one; nothing when it has no id to know it by."""
    network_id = text(message.get("id"))
    if not network_id:
        return None
    network_type = text(message.get("type"))
    kind, body, words = _read_content(network_type, message)
    phone, user_id = read_sender(message.get("from"), message.get("from_user_id"))
    contact = _find_contact(contacts, phone, user_id)
    profile, system = mapping(contact.get("profile")), mapping(message.get("system"))
    is_system = network_type == "system"
    told = InboundMessage(
        network_id=network_id,
        at_ms=at_ms(message.get("timestamp")),
        type=kind,
        network_type=network_type,
        phone_number_id=number_id,
        sender_phone=phone or digits(contact.get("wa_id")),
        sender_user_id=user_id or text(contact.get("user_id")) or text(system.get("previous_user_id")),
        sender_name=text(profile.get("name")),
        username=text(profile.get("username")) or text(contact.get("username")),
        parent_user_id=text(message.get("from_parent_user_id")) or text(contact.get("parent_user_id")),
        new_phone=_read_new_phone(system) if is_system else "",
        new_user_id=text(system.get("user_id")) if is_system else "",
        new_parent_user_id=text(system.get("parent_user_id")) if is_system else "",
        group_id=text(message.get("group_id")),
        text=words,
        media=_read_media(message.get(network_type)) if network_type in _MEDIA else None,
        body=body,
        reply_to=text(mapping(message.get("context")).get("id")),
        recipient=text(message.get("to")) or text(message.get("to_user_id")),
        echo=echo,
        raw=message,
    )
    return _read_changed(told, mapping(message.get(network_type))) if network_type in ("edit", "revoke") else told


def read_sender(phone: object, user_id: object) -> tuple[str, str]:
    """The number and the network's own id. Who hides their number may stand with their id where the number was."""
    written = text(phone)
    if written.isdecimal() or not written:
        return written, text(user_id)
    return digits(phone), text(user_id) or ("" if digits(phone) else written)


def _read_changed(told: InboundMessage, part: Json) -> InboundMessage | MessageChange:
    """An edit or a revocation, about the message that it names; else it stays what we do not understand."""
    original = text(part.get("original_message_id"))
    if not original:
        return told
    if told.network_type == "revoke":
        gone = msgspec.structs.replace(told, network_id=original, type="unsupported", text="", body=None)
        return MessageChange(kind="deleted", message=gone, phone_number_id=told.phone_number_id)
    fresh = mapping(part.get("message"))
    network_type = text(fresh.get("type"))
    kind, body, words = _read_content(network_type, fresh)
    edited = msgspec.structs.replace(
        told, network_id=original, type=kind, network_type=network_type, text=words, body=body,
        media=_read_media(fresh.get(network_type)) if network_type in _MEDIA else None,
        reply_to=text(mapping(fresh.get("context")).get("id")), raw={**told.raw, **fresh, "id": original},
    )  # fmt: skip
    return MessageChange(kind="edited", message=edited, phone_number_id=told.phone_number_id)


def _find_contact(contacts: list[Json], phone: str, user_id: str) -> Json:
    """The sender's card: by number, by user id, or the only one there is, which may write their number otherwise."""
    for contact in contacts:
        if (phone and text(contact.get("wa_id")) == phone) or (user_id and text(contact.get("user_id")) == user_id):
            return contact
    return contacts[0] if len(contacts) == 1 else {}


def _read_content(network_type: str, message: Json) -> tuple[InboundType, object, str]:
    """The type in our words, its natural object, and its text if it has one."""
    part = message.get(network_type)
    fields = mapping(part)
    if network_type in _MEDIA:
        return (_MEDIA[network_type], None, text(fields.get("caption"))) if fields else ("unsupported", None, "")
    match network_type:
        case "text":
            return "text", None, text(fields.get("body"))
        case "location":
            return "location", fields, text(fields.get("name"))
        case "contacts":
            return "contacts", dicts(part), ""
        case "reaction":
            return "reaction", fields, text(fields.get("emoji"))
        case "order":
            return "order", fields, text(fields.get("text"))
        case "button":
            reply = {"id": text(fields.get("payload")), "title": text(fields.get("text"))}
            return "button", reply, reply["title"]
        case "interactive":
            return _read_interactive(fields)
        case "system":
            return "unsupported", fields, text(fields.get("body"))
        case _:
            return "unsupported", part, ""


def _read_interactive(fields: Json) -> tuple[InboundType, object, str]:
    match fields.get("type"):
        case "button_reply":
            reply = mapping(fields.get("button_reply"))
            return "button", reply, text(reply.get("title"))
        case "list_reply":
            reply = mapping(fields.get("list_reply"))
            return "list", reply, text(reply.get("title"))
        case "nfm_reply":
            reply = mapping(fields.get("nfm_reply"))
            return "unsupported", reply, text(reply.get("body"))
        case _:
            return "unsupported", fields, ""


def _read_new_phone(fields: Json) -> str:
    """Where a customer has moved to, if that is what the network says; older versions have other words for it."""
    if text(fields.get("type")) not in ("user_changed_number", "customer_changed_number"):
        return ""
    return digits(fields.get("wa_id")) or digits(fields.get("new_wa_id"))


def _read_media(part: object) -> InboundMedia | None:
    fields = mapping(part)
    if not fields:
        return None
    return InboundMedia(
        media_id=text(fields.get("id")),
        mime_type=text(fields.get("mime_type")),
        filename=text(fields.get("filename")),
        sha256=text(fields.get("sha256")),
        caption=text(fields.get("caption")),
        voice=fields.get("voice") is True,
        animated=fields.get("animated") is True,
    )
