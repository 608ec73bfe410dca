"""Which call leads to which: from an answer to the calls that take what it names."""

from __future__ import annotations

from typing import Any


def _reply_link(operation_id: str, description: str) -> dict[str, Any]:
    link = _link(operation_id, "reply_id", "id", description)
    link["parameters"]["instance_id"] = "$response.body#/instance_id"
    return link


def _link(operation_id: str, parameter: str, pointer: str, description: str) -> dict[str, Any]:
    return {
        "operationId": operation_id,
        "parameters": {parameter: f"$response.body#/{pointer}"},
        "description": description,
    }


_SENDS = ("sendText", "sendMedia", "sendTemplate", "sendLocation", "sendContacts", "sendButtons", "sendList", "react")
_MESSAGE_LINKS = {
    "getMessage": _link("getMessage", "message_id", "message_id", "Look the message up."),
    "cancelMessage": _link("cancelMessage", "message_id", "message_id", "Cancel it while it is queued."),
}
LINKS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(_SENDS, _MESSAGE_LINKS),
    "createInstance": {
        "getInstance": _link("getInstance", "instance_id", "id", "Look the line up."),
        "updateInstance": _link("updateInstance", "instance_id", "id", "Change it."),
        "makeDefault": _link("makeDefault", "instance_id", "id", "Make it the default."),
        "restartInstance": _link("restartInstance", "instance_id", "id", "Restart it."),
        "getQr": _link("getQr", "instance_id", "id", "Pair it, if it is a linked device."),
        "createPairCode": _link("createPairCode", "instance_id", "id", "Pair it with a code to type."),
        "logoutInstance": _link("logoutInstance", "instance_id", "id", "End its pairing."),
        "deleteInstance": _link("deleteInstance", "instance_id", "id", "Delete it."),
    },
    "createWebhook": {
        "getWebhook": _link("getWebhook", "webhook_id", "id", "Look the endpoint up."),
        "updateWebhook": _link("updateWebhook", "webhook_id", "id", "Change it."),
        "testWebhook": _link("testWebhook", "webhook_id", "id", "Send it a test event."),
        "rotateWebhookSecret": _link("rotateWebhookSecret", "webhook_id", "id", "Change its secret."),
        "listDeliveries": _link("listDeliveries", "webhook_id", "id", "See what was delivered."),
        "deleteWebhook": _link("deleteWebhook", "webhook_id", "id", "Delete it."),
    },
    "testWebhook": {"getDelivery": _link("getDelivery", "delivery_id", "id", "See what became of the test.")},
    "createContact": {
        "getContact": _link("getContact", "contact_id", "id", "Look the contact up."),
        "updateContact": _link("updateContact", "contact_id", "id", "Change it."),
        "eraseContact": _link("eraseContact", "contact_id", "id", "Erase it."),
        "listAddresses": _link("listAddresses", "contact_id", "id", "See where they live."),
        "listContactMessages": _link("listContactMessages", "contact_id", "id", "Read the conversation."),
        "listContactConsents": _link("listContactConsents", "contact_id", "id", "See what they agreed to."),
    },
    "startContactJob": {"getContactJob": _link("getContactJob", "job_id", "id", "See how far it is.")},
    "createAutoReply": {
        "getAutoReply": _reply_link("getAutoReply", "Look the reply up."),
        "updateAutoReply": _reply_link("updateAutoReply", "Change it."),
        "deleteAutoReply": _reply_link("deleteAutoReply", "Delete it."),
    },
    "inviteMember": {
        "getMember": _link("getMember", "member_id", "id", "Look the member up."),
        "changeMember": _link("changeMember", "member_id", "id", "Give another role."),
        "inviteMemberAgain": _link("inviteMemberAgain", "member_id", "id", "Make a new link."),
        "removeMember": _link("removeMember", "member_id", "id", "Take the invitation back."),
    },
    "createVenue": {
        "getVenue": _link("getVenue", "venue_id", "id", "Look the venue up."),
        "updateVenue": _link("updateVenue", "venue_id", "id", "Change it."),
        "getVenueStanding": _link("getVenueStanding", "venue_id", "id", "Is it open?"),
        "getMenu": _link("getMenu", "venue_id", "id", "Read its menu."),
        "listZones": _link("listZones", "venue_id", "id", "See where it delivers to."),
        "listTables": _link("listTables", "venue_id", "id", "See its tables."),
        "deleteVenue": _link("deleteVenue", "venue_id", "id", "Close it for good."),
    },
    "takeOrder": {
        "getOrder": _link("getOrder", "order_id", "order_id", "Look the order up."),
        "changeOrder": _link("changeOrder", "order_id", "order_id", "Change it."),
    },
    "createPrinter": {
        "getPrinter": _link("getPrinter", "printer_id", "id", "See how it is."),
        "updatePrinter": _link("updatePrinter", "printer_id", "id", "Change it."),
        "getPrinterKey": _link("getPrinterKey", "printer_id", "id", "Show its key again."),
        "testPrinter": _link("testPrinter", "printer_id", "id", "Print a test page."),
        "deletePrinter": _link("deletePrinter", "printer_id", "id", "Take it away."),
    },
    "testPrinter": {
        "getTicket": _link("getTicket", "ticket_id", "id", "See what became of the page."),
        "reprintTicket": _link("reprintTicket", "ticket_id", "id", "Print it again."),
    },
    "uploadMedia": {"getMedia": _link("getMedia", "media_id", "id", "Download it again.")},
    "createAccount": {
        "getAccount": _link("getAccount", "account_id", "id", "Look the account up."),
        "changeAccount": _link("changeAccount", "account_id", "id", "Change its plan."),
        "topUpAccount": _link("topUpAccount", "account_id", "id", "Add to its balance."),
        "inviteOwner": _link("inviteOwner", "account_id", "id", "Make a new link for its owner."),
        "suspendAccount": _link("suspendAccount", "account_id", "id", "Suspend it."),
        "resumeAccount": _link("resumeAccount", "account_id", "id", "Let it work again."),
    },
    "createPlan": {"changePlan": _link("changePlan", "plan_name", "name", "Change its figures.")},
    "createKey": {"revokeKey": _link("revokeKey", "key_id", "id", "Revoke the key.")},
}
