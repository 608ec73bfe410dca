"""The Graph API's paths: messages, media, and look-ups of numbers, media and templates.

POST /sandbox/graph/{version}/{phone_number_id}/messages
POST /sandbox/graph/{version}/{phone_number_id}/media
GET  /sandbox/graph/{version}/{phone_number_id | media_id | waba_id}
GET, POST, DELETE /sandbox/graph/{version}/{waba_id}/message_templates
POST /sandbox/graph/{version}/{template_id}
POST /sandbox/graph/{version}/{app_id}/uploads, then to the address that it answers with
GET  /sandbox/graph/{version}/{waba_id}/phone_numbers
GET  /sandbox/lookaside/{media_id}     the bytes, with the bearer token
"""

from __future__ import annotations

import asyncio
import base64
import hmac
from typing import Any

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.sandbox import faults as kinds
from tablegram.sandbox.access import drop_answer
from tablegram.sandbox.faults import Fault
from tablegram.sandbox.graph import templates
from tablegram.sandbox.graph.answers import Acceptance, MediaObject, NumberObject, NumberPage
from tablegram.sandbox.graph.errors import ErrorBody, GraphError, missing, status_error, wrong
from tablegram.sandbox.graph.sending import read_send
from tablegram.sandbox.graph.template_desk import CreatedTemplate
from tablegram.sandbox.network import Network, Sending
from tablegram.sandbox.store import Media, Number
from tablegram.values import Json

_MAX_MEDIA_BYTES = 100 * 1_048_576
_REFUSAL_CODES = {"rate_limit": 130429, "pair_rate": 131056, "window_closed": 131047, "undeliverable": 131026}


def graph_error(request: Request[Any, Any, Any], error: GraphError) -> Response[ErrorBody]:
    return Response(error.body(), status_code=error.http_status)


@post("/graph/{version:str}/{number_id:str}/messages", status_code=200)
async def send(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], number_id: FromPath[str]
) -> Response[Any]:
    number = _number(request, network, number_id)
    raw = await request.body()
    body = _json(raw)
    if body.get("status") == "read":
        return Response(_read(network, number, body))
    sending = read_send(
        body, number, network.store, network.chats, raw.decode("utf-8", "replace"),
        lambda: network.templates.of(number.waba_id),
    )  # fmt: skip
    if late := network.faults.take(kinds.WAITS, number.id, sending.phone):
        await asyncio.sleep(late.ms / 1_000)
    if refusal := network.faults.take(kinds.REFUSALS, number.id, sending.phone):
        return _refuse(request, refusal)
    if code := network.restricts(number, sending.phone):
        raise GraphError(code)
    failing = network.faults.take({"failed_status": ""}, number.id, sending.phone)
    message = network.accept(number, sending, status_error(failing.code, failing.detail) if failing else None)
    if network.faults.take({"lost_answer": ""}, number.id, sending.phone):
        drop_answer(request.scope)
    return Response(_acceptance(network, sending, message.id, held=message.status == "held", asked=body))


def _acceptance(network: Network, sending: Sending, wamid: str, *, held: bool, asked: Json) -> Acceptance:
    phone = network.chats.phone(sending.phone)
    contact = {"input": str(asked.get("to") or asked.get("recipient")), "wa_id": sending.phone}
    if phone:
        contact["user_id"] = phone.user_id
    return {
        "messaging_product": "whatsapp",
        "contacts": [contact],
        "messages": [{"id": wamid, "message_status": "held_for_quality_assessment" if held else "accepted"}],
    }


def _read(network: Network, number: Number, body: Json) -> dict[str, bool]:
    message_id = body.get("message_id")
    if not message_id:
        raise missing("message_id")
    if not network.mark_read(number, str(message_id), "typing_indicator" in body):
        raise wrong("message_id", "is not a message that a customer sent to this number")
    return {"success": True}


def _refuse(request: Request[Any, Any, Any], fault: Fault) -> Response[Any]:
    if fault.kind == "dropped_request":
        drop_answer(request.scope)
        return Response(None, status_code=500)
    if fault.kind.startswith("http_"):
        words = f"<html><body><h1>{fault.kind[5:]}</h1></body></html>"
        return Response(words, status_code=int(fault.kind[5:]), media_type="text/html")
    code = _REFUSAL_CODES.get(fault.kind, fault.code)
    http_status = 429 if fault.kind == "rate_limit" else fault.http_status if fault.kind == "graph_error" else 400
    raise GraphError(code, fault.detail, http_status=http_status)


@post("/graph/{version:str}/{number_id:str}/media", status_code=200, request_max_body_size=_MAX_MEDIA_BYTES + 65_536)
async def upload(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], number_id: FromPath[str]
) -> dict[str, str]:
    number = _number(request, network, number_id)
    form = await request.form()
    file = form.get("file")
    if not isinstance(file, UploadFile):
        raise missing("file")
    if form.get("messaging_product") != "whatsapp":
        raise GraphError(100, "The parameter messaging_product is required and must be whatsapp.")
    mime_type = str(form.get("type") or file.content_type or "application/octet-stream")
    content = await file.read()
    if not content:
        raise wrong("file", "is empty")
    if len(content) > _MAX_MEDIA_BYTES:
        raise GraphError(131053, "The file is larger than 100 MB.")
    return {"id": network.keep_media(number.id, content, mime_type, file.filename or "file").id}


@get("/graph/{version:str}/{object_id:str}")
async def look_up(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], object_id: FromPath[str]
) -> NumberObject | MediaObject | dict[str, str]:
    if network.store.number(object_id):
        return _number_object(_number(request, network, object_id))
    number = _authorized(request, network)
    if object_id == "app":
        return {"id": _app_id(number)}
    if media := network.store.media(object_id):
        return _media_object(request, media)
    if object_id == number.waba_id:
        return {"id": number.waba_id, "name": number.shown_name}
    raise _unknown(object_id)


@get("/graph/{version:str}/{waba_id:str}/message_templates")
async def message_templates(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], waba_id: FromPath[str]
) -> templates.TemplatePage:
    number = _of_account(request, network, waba_id)
    try:
        limit = min(max(int(request.query_params.get("limit", 25)), 1), 100)
    except ValueError:
        raise wrong("limit", "must be a number") from None
    return templates.page(network.templates.of(number.waba_id), limit, request.query_params.get("after"))


@post("/graph/{version:str}/{waba_id:str}/message_templates", status_code=200)
async def create_template(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], waba_id: FromPath[str]
) -> CreatedTemplate:
    number = _of_account(request, network, waba_id)
    made = network.templates.create(number, _json(await request.body()))
    network.live.publish("templates", {"number_id": number.id, "id": made["id"]})
    return made


@delete("/graph/{version:str}/{waba_id:str}/message_templates", status_code=200)
async def delete_template(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], waba_id: FromPath[str]
) -> dict[str, bool]:
    number = _of_account(request, network, waba_id)
    asked = request.query_params
    network.templates.delete(number, asked.get("name", ""), asked.get("hsm_id", ""))
    network.live.publish("templates", {"number_id": number.id, "id": asked.get("hsm_id", "")})
    return {"success": True}


@post("/graph/{version:str}/{app_id:str}/uploads", status_code=200)
async def open_upload(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], app_id: FromPath[str]
) -> dict[str, str]:
    number = _authorized(request, network)
    mime_type = request.query_params.get("file_type", "")
    if app_id != _app_id(number) or not mime_type:
        raise wrong("file_type", "is required, and the app must be the token's own")
    return {"id": f"upload:{base64.urlsafe_b64encode(mime_type.encode()).decode()}?sig=sandbox"}


@post("/graph/{version:str}/{object_id:str}", status_code=200, request_max_body_size=_MAX_MEDIA_BYTES + 65_536)
async def change(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], object_id: FromPath[str]
) -> dict[str, bool] | dict[str, str]:
    """A template, or the bytes of a file that was announced."""
    number = _authorized(request, network)
    raw = await request.body()
    if not object_id.startswith("upload:"):
        network.templates.edit(number, object_id, _json(raw))
        network.live.publish("templates", {"number_id": number.id, "id": object_id})
        return {"success": True}
    if not raw:
        raise wrong("file", "is empty")
    try:
        mime_type = base64.urlsafe_b64decode(object_id.removeprefix("upload:")).decode()
    except ValueError:
        raise _unknown(object_id) from None
    return {"h": templates.HANDLE + network.keep_media(number.id, raw, mime_type, "sample").id}


@get("/graph/{version:str}/{waba_id:str}/phone_numbers")
async def phone_numbers(
    request: Request[Any, Any, Any], network: NamedDependency[Network], version: FromPath[str], waba_id: FromPath[str]
) -> NumberPage:
    number = _of_account(request, network, waba_id)
    return {"data": [_number_object(number)], "paging": {"cursors": {"before": number.id, "after": number.id}}}


@get("/lookaside/{media_id:str}")
async def download(
    request: Request[Any, Any, Any], network: NamedDependency[Network], media_id: FromPath[str]
) -> Response[bytes]:
    _authorized(request, network)
    media = network.store.media(media_id)
    if media is None:
        raise GraphError(100, "This media is gone.", http_status=404)
    return Response(
        network.store.media_bytes(media_id), media_type=media.mime_type, headers={"X-Content-Type-Options": "nosniff"}
    )


def _json(raw: bytes) -> Json:
    try:
        body = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        raise GraphError(100, "The body is not JSON.") from None
    if not isinstance(body, dict):
        raise GraphError(100, "The body must be a JSON object.")
    return body


def _bearer(request: Request[Any, Any, Any]) -> bytes:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() not in ("bearer", "oauth") or not token.strip():
        raise GraphError(190, "An access token is required to request this resource.", http_status=401)
    return token.strip().encode()


def _number(request: Request[Any, Any, Any], network: Network, number_id: str) -> Number:
    token = _bearer(request)
    number = network.store.number(number_id)
    if number is None:
        raise _unknown(number_id)
    if not hmac.compare_digest(number.access_token.encode(), token):
        raise GraphError(190, "The access token could not be decrypted.", http_status=401)
    return number


def _authorized(request: Request[Any, Any, Any], network: Network) -> Number:
    """The line whose token this is."""
    token = _bearer(request)
    for number in network.store.numbers():
        if hmac.compare_digest(number.access_token.encode(), token):
            return number
    raise GraphError(190, "The access token could not be decrypted.", http_status=401)


def _of_account(request: Request[Any, Any, Any], network: Network, waba_id: str) -> Number:
    """The line whose token this is, in this business account."""
    number = _authorized(request, network)
    if number.waba_id != waba_id:
        raise _unknown(waba_id)
    return number


def _app_id(number: Number) -> str:
    return "2" + number.waba_id[1:]


def _unknown(object_id: str) -> GraphError:
    return GraphError(
        100,
        f"Object with ID '{object_id[:80]}' does not exist, cannot be loaded due to missing permissions,"
        " or does not support this operation.",
        subcode=33,
    )


def _number_object(number: Number) -> NumberObject:
    return {
        "id": number.id,
        "display_phone_number": number.display_phone_number,
        "verified_name": number.shown_name,
        "quality_rating": "GREEN",
        "code_verification_status": "VERIFIED",
        "name_status": "APPROVED",
        "platform_type": "CLOUD_API",
        "status": "CONNECTED",
        "throughput": {"level": "STANDARD"},
        "whatsapp_business_account": {"id": number.waba_id, "name": number.shown_name},
        "webhook_configuration": {"application": number.callback_url},
    }


def _media_object(request: Request[Any, Any, Any], media: Media) -> MediaObject:
    return {
        "messaging_product": "whatsapp",
        "url": f"{str(request.base_url).rstrip('/')}/sandbox/lookaside/{media.id}",
        "mime_type": media.mime_type,
        "sha256": media.sha256,
        "file_size": media.size,
        "id": media.id,
    }


HANDLERS = [
    send,
    upload,
    look_up,
    message_templates,
    create_template,
    delete_template,
    open_upload,
    change,
    phone_numbers,
    download,
]
