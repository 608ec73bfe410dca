"""What the Graph API's paths answer with, in the network's own words."""

from __future__ import annotations

from typing import TypedDict


class AcceptedMessage(TypedDict):
    id: str
    message_status: str


class Acceptance(TypedDict):
    messaging_product: str
    contacts: list[dict[str, str]]
    messages: list[AcceptedMessage]


class NumberObject(TypedDict):
    id: str
    display_phone_number: str
    verified_name: str
    quality_rating: str
    code_verification_status: str
    name_status: str
    platform_type: str
    status: str
    throughput: dict[str, str]
    whatsapp_business_account: dict[str, str]
    webhook_configuration: dict[str, str]


class MediaObject(TypedDict):
    messaging_product: str
    url: str
    mime_type: str
    sha256: str
    file_size: int
    id: str


class Paging(TypedDict, total=False):
    cursors: dict[str, str]
    next: str


class NumberPage(TypedDict):
    data: list[NumberObject]
    paging: Paging
