"""Linked devices over HTTP.

POST   /sandbox/devices                             a device wants to be linked: {"name": …}
GET    /sandbox/devices/{id}                        ?known=&after=&wait_s= its state, its code, what is for it
POST   /sandbox/devices/{id}/took                   {"numbers": […]}
POST   /sandbox/devices/{id}/code                   {"phone": …} a code to type on that phone
POST   /sandbox/devices/{id}/typing                 {"to": …, "state": …} shows on that phone that somebody writes
POST   /sandbox/devices/{id}/check                  {"phone": …} whether that number is on the network
GET    /sandbox/devices/{id}/history                ?since_ms= what was for it since then, told or not
DELETE /sandbox/devices/{id}                        the device logs out
GET    /sandbox/phones/{number}/devices             what the phone is linked with, and what it could scan
POST   /sandbox/phones/{number}/devices             {"code": …} the phone scans or types
DELETE /sandbox/phones/{number}/devices/{id}        the phone ends it
POST   /sandbox/phones/{number}/says                {"to": …, "text": …} its owner writes on the phone itself
POST   /sandbox/phones/{number}/group               {"to": …, "group": …, "text": …} it writes to a group of that owner
PUT    /sandbox/phones/{number}/restriction         {"reason": …, "until_ms": …} the network restricts the number
DELETE /sandbox/phones/{number}/restriction         and lets it free again
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from litestar import Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import UNSET
from msgspec.structs import replace

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.sandbox.devices.answers import (
    Begun,
    Checked,
    CodeToType,
    DeviceList,
    DeviceView,
    History,
    Nearby,
    Nothing,
    Seen,
)
from tablegram.sandbox.devices.devices import Device
from tablegram.sandbox.devices.restrictions import Restriction
from tablegram.sandbox.network import Network
from tablegram.sandbox.phones.shown import MessageView
from tablegram.sandbox.requests import line_for, must_have_number, phone_in, read_body, whole_number
from tablegram.values import Json

LONGEST_WAIT_S = 30


class Name(msgspec.Struct, forbid_unknown_fields=True):
    name: str = "Linked device"


class Taken(msgspec.Struct, forbid_unknown_fields=True):
    numbers: list[int]


class ForPhone(msgspec.Struct, forbid_unknown_fields=True):
    phone: str


class Scanned(msgspec.Struct, forbid_unknown_fields=True):
    code: str


class Said(msgspec.Struct, forbid_unknown_fields=True):
    to: str
    text: str


class Typing(msgspec.Struct, forbid_unknown_fields=True):
    to: str
    state: Literal["typing", "recording", "paused"] = "typing"


class InGroup(msgspec.Struct, forbid_unknown_fields=True):
    to: str
    group: str
    text: str


@post("/devices", status_code=201)
async def begin(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> Begun:
    device, secret = network.devices.begin((await read_body(request, Name)).name[:100])
    return Begun(device.id, secret)


@get("/devices/{device_id:str}")
async def look(request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]) -> Seen:
    device = _own(request, network, device_id)
    known = request.query_params.get("known", "")
    after = whole_number(request, "after", 0, 0, 1 << 53)
    await network.devices.wait(device.id, known, whole_number(request, "wait_s", 0, 0, LONGEST_WAIT_S), after)
    device = network.devices.device(device.id)
    seen = Seen(network.devices.state(device), restriction=network.devices.restriction(device.phone) or UNSET)
    if device.state == "pairing":
        code, until_ms = network.devices.code(device)
        return replace(seen, code=code, until_ms=until_ms)
    if device.state == "linked":
        number = must_have_number(network, device.number_id)
        waiting = network.devices.waiting(device.id, after)
        return replace(seen, phone=device.phone, number_id=number.id, token=number.access_token, events=waiting)
    return seen


@post("/devices/{device_id:str}/took", status_code=200)
async def took(request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]) -> Nothing:
    device = _own(request, network, device_id)
    network.devices.took(device.id, (await read_body(request, Taken)).numbers)
    return Nothing()


@post("/devices/{device_id:str}/code", status_code=200)
async def code_to_type(
    request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]
) -> CodeToType:
    device = _own(request, network, device_id)
    code, until_ms = network.devices.code_to_type(device, phone_in((await read_body(request, ForPhone)).phone))
    return CodeToType(code, until_ms)


@post("/devices/{device_id:str}/typing", status_code=200)
async def typing(
    request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]
) -> Nothing:
    device = _own(request, network, device_id)
    typing = await read_body(request, Typing)
    phone = phone_in(typing.to)
    if typing.state != "paused":
        network.live.publish("typing", {"phone": phone, "number_id": device.number_id}, phone)
    return Nothing()


@post("/devices/{device_id:str}/check", status_code=200)
async def check(
    request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]
) -> Checked:
    device = _own(request, network, device_id)
    phone = phone_in((await read_body(request, ForPhone)).phone)
    # A number that nothing can be delivered to has no account.
    faults = [one for one in network.faults.active() if one.kind == "undeliverable"]
    if any(one.phone in (None, phone) and one.number_id in (None, device.number_id) for one in faults):
        return Checked(exists=False, user_id="")
    return Checked(exists=True, user_id=network.chats.ensure_phone(phone, network.clock.now_ms())[0].user_id)


@get("/devices/{device_id:str}/history")
async def history(
    request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]
) -> History:
    device = _own(request, network, device_id)
    since_ms = whole_number(request, "since_ms", 0, 0, 1 << 53)
    return History(network.outbox.since(device.number_id, since_ms))


@delete("/devices/{device_id:str}", status_code=200)
async def log_out(
    request: Request[Any, Any, Any], network: NamedDependency[Network], device_id: FromPath[str]
) -> Nothing:
    network.devices.unlink(_own(request, network, device_id))
    return Nothing()


@get("/phones/{number:str}/devices")
async def list_devices(network: NamedDependency[Network], number: FromPath[str]) -> DeviceList:
    phone = phone_in(number)
    return DeviceList(
        data=[_view(device) for device in network.devices.of_phone(phone)],
        nearby=[
            Nearby(device.id, device.name, device.phone, device.state, code)
            for device, code in network.devices.showing()
        ],
    )


@post("/phones/{number:str}/devices", status_code=201)
async def scan(request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]) -> DeviceView:
    phone = phone_in(number)
    code = (await read_body(request, Scanned)).code
    network.chats.ensure_phone(phone, network.clock.now_ms())
    return _view(network.devices.link(phone, code))


@delete("/phones/{number:str}/devices/{device_id:str}", status_code=200)
async def unlink(network: NamedDependency[Network], number: FromPath[str], device_id: FromPath[str]) -> Nothing:
    device = network.devices.device(device_id)
    if device.phone != phone_in(number):
        raise NotFound("This phone has no such device.", code="device_unknown")
    network.devices.unlink(device)
    return Nothing()


@post("/phones/{number:str}/says", status_code=201)
async def say(request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]) -> MessageView:
    said = await read_body(request, Said)
    linked = network.devices.of_phone(phone_in(number))
    if not linked:
        raise Conflict("This phone has no linked device yet.", code="no_device")
    if not said.text.strip() or len(said.text) > 4_096:
        raise Invalid.field("text", "text_invalid", "Write a text of at most 4,096 characters.")
    return network.view(network.say(linked, phone_in(said.to), said.text))


@post("/phones/{number:str}/group", status_code=201)
async def write_in_group(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> MessageView:
    said = await read_body(request, InGroup)
    wire: Json = {"type": "text", "text": {"body": said.text}, "group_id": said.group}
    line = line_for(network, said.to)
    return network.view(network.write(phone_in(number), line, "text", {"text": said.text}, wire))


@put("/phones/{number:str}/restriction")
async def restrict(
    request: Request[Any, Any, Any], network: NamedDependency[Network], number: FromPath[str]
) -> Restriction:
    restriction = await read_body(request, Restriction)
    if restriction.until_ms <= network.clock.now_ms():
        raise Invalid.field("until_ms", "until_ms_invalid", "Give a time to come, in milliseconds.")
    network.devices.restrict(phone_in(number), restriction)
    return restriction


@delete("/phones/{number:str}/restriction", status_code=200)
async def unrestrict(network: NamedDependency[Network], number: FromPath[str]) -> Nothing:
    network.devices.restrict(phone_in(number), None)
    return Nothing()


def _own(request: Request[Any, Any, Any], network: Network, device_id: str) -> Device:
    return network.devices.device(device_id, request.headers.get("authorization", "").removeprefix("Bearer "))


def _view(device: Device) -> DeviceView:
    return DeviceView(device.id, device.name, device.phone, device.state)


HANDLERS = [
    begin, look, took, code_to_type, typing, check, history, log_out,
    list_devices, scan, unlink, say, write_in_group, restrict, unrestrict,
]  # fmt: skip
