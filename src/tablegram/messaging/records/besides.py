"""What a message came with beside its text, file and object; the same in its event and where it is looked up."""

from __future__ import annotations

from tablegram.values import Json, mapping, string


def beside(kind: str, raw: Json) -> Json:
    """Of the network's own object: only what it has, by the names under which the API and the events show it."""
    context = mapping(raw.get("context"))
    told: Json = {}
    if isinstance(reply_to := context.get("id"), str) and reply_to:
        told["reply_to"] = reply_to
    told |= {name: True for name in ("forwarded", "frequently_forwarded") if context.get(name) is True}
    if product := mapping(context.get("referred_product")):
        told["referred_product"] = product
    if referral := mapping(raw.get("referral")):
        told["referral"] = referral
    if isinstance(group_id := raw.get("group_id"), str) and group_id:
        told["group_id"] = group_id
    part = mapping(raw.get(str(raw.get("type"))))
    # A message of its own name in older versions.
    if kind == "audio" and (part.get("voice") is True or raw.get("type") == "voice"):
        told["voice"] = True
    if kind == "sticker" and part.get("animated") is True:
        told["animated"] = True
    if kind == "unsupported":
        told["unsupported"] = _unsupported(raw)
    return told


def _unsupported(raw: Json) -> Json:
    """What we do not understand, the customer's server may: the network's own object goes along."""
    network_type = string(raw.get("type"))
    told: Json = {"type": network_type}
    part = raw.get(network_type)
    if network_type == "interactive":
        # The answer to a form, such as a flow or an address.
        part = mapping(part).get("nfm_reply") or part
    if part:
        told["object"] = part
    if errors := raw.get("errors"):
        told["errors"] = errors
    return told
