"""Managing lines."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, answered, file, json
from tablegram.api.routes.parameters import Cursor, InstancePath, Limit
from tablegram.api.schemas.gateway.manage import CreateInstance, PairCode, UpdateInstance
from tablegram.flows.gateway.lines import LineDraft
from tablegram.messaging.records.line_changes import LineChange
from tablegram.messaging.records.lines import InstancePage, InstanceView, LineStatePage, PairingView
from tablegram.values import qr
from tablegram.values.clock import iso

_MANAGE = {"scope": "instances:manage", "test_keys": True}
_TAGS = ["Lines"]

T = TypeVar("T")


@post("/instances", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create a line", operation_id="createInstance")
async def create_instance(request: ApiRequest, data: JSONBody[CreateInstance]) -> Response[InstanceView]:
    """Adds a line. It never waits for the network: `state` and `reason` follow. The first line becomes the default.

    A cloud line's answer holds `callback_url`, the address to give to the network.
    """
    answer = await request.deps.gateway.lines.create(request.caller, _taken_as(LineDraft, data), request.call())
    return answered(answer)


@get("/instances", opt=_MANAGE, tags=_TAGS, summary="List lines", operation_id="listInstances")
async def list_instances(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[InstancePage]:
    """The account's lines, oldest first."""
    return json(await request.deps.gateway.lines.page(request.caller, limit, cursor))


@get("/instances/{instance_id:int}", opt=_MANAGE, tags=_TAGS, summary="Look up a line", operation_id="getInstance")
async def get_instance(request: ApiRequest, instance_id: InstancePath) -> Response[InstanceView]:
    """One line with its state and the reason for it."""
    return json(await request.deps.gateway.lines.get(request.caller, instance_id))


@patch("/instances/{instance_id:int}", opt=_MANAGE, tags=_TAGS, summary="Change a line", operation_id="updateInstance")
async def update_instance(
    request: ApiRequest, instance_id: InstancePath, data: JSONBody[UpdateInstance]
) -> Response[InstanceView]:
    """Changes what is given and leaves the rest."""
    return json(await request.deps.gateway.lines.update(request.caller, instance_id, _taken_as(LineChange, data)))


@delete(
    "/instances/{instance_id:int}",
    status_code=204,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Delete a line",
    operation_id="deleteInstance",
)
async def delete_instance(request: ApiRequest, instance_id: InstancePath) -> None:
    """Takes a line away and forgets its secrets. Its messages stay."""
    await request.deps.gateway.lines.delete(request.caller, instance_id)


@post(
    "/instances/{instance_id:int}/default",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Make a line the default",
    operation_id="makeDefault",
)
async def make_default(request: ApiRequest, instance_id: InstancePath) -> Response[InstanceView]:
    """From now on calls without `instance_id` use this line."""
    return answered(await request.deps.gateway.lines.make_default(request.caller, instance_id, request.call()))


@post(
    "/instances/{instance_id:int}/restart",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Restart a line",
    operation_id="restartInstance",
)
async def restart_instance(request: ApiRequest, instance_id: InstancePath) -> Response[InstanceView]:
    """Forgets what held the line up and looks at it anew."""
    return answered(await request.deps.gateway.lines.restart_once(request.caller, instance_id, request.call()))


@post(
    "/instances/{instance_id:int}/logout",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Log a linked device out",
    operation_id="logoutInstance",
)
async def logout_instance(request: ApiRequest, instance_id: InstancePath) -> Response[InstanceView]:
    """Ends the pairing of a linked device, and forgets its session. Other kinds are refused as `kind_unavailable`."""
    lines, caller = request.deps.gateway.lines, request.caller
    return answered(await lines.log_out_once(caller, instance_id, request.call()))


@get(
    "/instances/{instance_id:int}/states",
    opt=_MANAGE,
    tags=_TAGS,
    summary="History of a line's state",
    operation_id="listInstanceStates",
)
async def list_instance_states(
    request: ApiRequest, instance_id: InstancePath, limit: Limit = 50, cursor: Cursor = None
) -> Response[LineStatePage]:
    """The states that a line was in, newest first: each from `at` until the next one began."""
    return json(await request.deps.gateway.lines.states(request.caller, instance_id, limit, cursor))


@get("/instances/{instance_id:int}/qr", opt=_MANAGE, tags=_TAGS, summary="Pairing code", operation_id="getQr")
async def get_qr(request: ApiRequest, instance_id: InstancePath) -> Response[PairingView]:
    """What a phone scans to become the line: open Linked devices there and tap Link a device.

    The code changes every few seconds until it is scanned: ask again when `expires_at` has come. Kinds of line that
    have no phone are refused as `kind_unavailable`.
    """
    told = await request.deps.gateway.lines.pair(request.caller, instance_id)
    return json(PairingView(code=told.code, expires_at=iso(told.expires_at_ms)))


@get(
    "/instances/{instance_id:int}/qr.png",
    opt=_MANAGE,
    tags=_TAGS,
    summary="Pairing code as PNG",
    operation_id="getQrPng",
)
async def get_qr_png(request: ApiRequest, instance_id: InstancePath) -> Response[bytes]:
    """The same as a picture."""
    told = await request.deps.gateway.lines.pair(request.caller, instance_id)
    return file(qr.png(told.code, 6), "image/png", "pairing.png")


@get(
    "/instances/{instance_id:int}/qr.svg",
    opt=_MANAGE,
    tags=_TAGS,
    summary="Pairing code as SVG",
    operation_id="getQrSvg",
)
async def get_qr_svg(request: ApiRequest, instance_id: InstancePath) -> Response[bytes]:
    """The same for every size."""
    told = await request.deps.gateway.lines.pair(request.caller, instance_id)
    return file(qr.svg(told.code), "image/svg+xml", "pairing.svg")


@post(
    "/instances/{instance_id:int}/pair-code",
    status_code=200,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Pairing code to type",
    operation_id="createPairCode",
)
async def create_pair_code(
    request: ApiRequest, instance_id: InstancePath, data: JSONBody[PairCode]
) -> Response[PairingView]:
    """A code to type on the phone instead of scanning: Linked devices, Link with phone number instead.

    Other kinds are refused as `kind_unavailable`.
    """
    lines, caller = request.deps.gateway.lines, request.caller
    return answered(await lines.pair_once(caller, instance_id, data.phone, request.call()))


def _taken_as(kind: type[T], data: msgspec.Struct) -> T:
    """What was given, as the flows take it: no nulls but for pace and cap, which null gives back to their kind."""
    given = msgspec.to_builtins(data)
    if "pace_per_s" in given:
        pace = given.pop("pace_per_s")
        given["pace_milli"] = None if pace is None else round(pace * 1_000)
    may_be_null = ("pace_milli", "daily_cap")
    return msgspec.convert({name: one for name, one in given.items() if one is not None or name in may_be_null}, kind)


HANDLERS = [
    create_instance,
    list_instances,
    get_instance,
    update_instance,
    delete_instance,
    make_default,
    restart_instance,
    logout_instance,
    list_instance_states,
    get_qr,
    get_qr_png,
    get_qr_svg,
    create_pair_code,
]
