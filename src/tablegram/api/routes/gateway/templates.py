"""Templates of lines."""

from __future__ import annotations

from typing import Annotated, Any, cast

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.gateway.templates import CreateTemplate, SyncTemplates, TemplateHeader, UpdateTemplate
from tablegram.api.sends.drafts import instance_of
from tablegram.flows.gateway.answers.templates import TemplatePage, TemplateSync, TemplateView
from tablegram.messaging.templates.model import DraftFields, Header, TemplateButton, TemplateDraft

_READ = {"scope": "messages:read", "test_keys": True}
_MANAGE = {"scope": "instances:manage", "test_keys": True}
_TAGS = ["Templates"]
_ALL = "/templates"
_ONE = _ALL + "/{template_id:str}"

TemplateId = Annotated[str, PathParameter(description="The template.")]
Line = Annotated[
    int | None, QueryParameter(ge=1, le=9_007_199_254_740_991, description="The line; absent: the default line.")
]
Status = Annotated[
    str | None,
    QueryParameter(pattern="^[A-Z_]+$", max_length=60, description="Only in this state, such as APPROVED or REJECTED."),
]
Language = Annotated[
    str | None,
    QueryParameter(pattern="^[a-z]{2,3}(_[A-Z]{2,3})?$", max_length=7, description="Only in this language."),
]
Search = Annotated[str | None, QueryParameter(max_length=80, description="Only those whose name or text holds this.")]


@get(_ALL, opt=_READ, tags=_TAGS, summary="List templates", operation_id="listTemplates")
async def list_templates(
    request: ApiRequest,
    instance_id: Line = None,
    status: Status = None,
    language: Language = None,
    q: Search = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[TemplatePage]:
    """Message templates of a line as the network has them now, in the order of their names, with their state."""
    page = await request.deps.gateway.templates.page(
        request.caller, instance_id, limit, cursor, status=status, language=language, q=q
    )
    return json(page)


@post(_ALL, status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create a template", operation_id="createTemplate")
async def create_template(request: ApiRequest, data: JSONBody[CreateTemplate]) -> Response[TemplateView]:
    """Hands a template over to the network, which looks at it in its own time: PENDING, then APPROVED or REJECTED.

    What the network surely refuses is refused before it is asked; what else it does not like is told in its words.
    """
    fields = _fields(data)
    instance_id = instance_of(fields.pop("instance_id"))
    draft = TemplateDraft(**fields)
    return answered(await request.deps.gateway.templates.create(request.caller, instance_id, draft, request.call()))


@post(_ALL + "/sync", status_code=200, opt=_READ, tags=_TAGS, summary="Sync templates", operation_id="syncTemplates")
async def sync_templates(request: ApiRequest, data: JSONBody[SyncTemplates]) -> Response[TemplateSync]:
    """Asks the network for all templates of a line, and tells what has changed since it was last asked."""
    instance_id = instance_of(data.instance_id)
    return answered(await request.deps.gateway.templates.sync(request.caller, instance_id, request.call()))


@get(_ONE, opt=_READ, tags=_TAGS, summary="Look up a template", operation_id="getTemplate")
async def get_template(request: ApiRequest, template_id: TemplateId) -> Response[TemplateView]:
    """One template as it was last told of: by the network when it was asked, or by its news since."""
    return json(await request.deps.gateway.templates.get(request.caller, segment(template_id)))


@patch(_ONE, opt=_MANAGE, tags=_TAGS, summary="Edit a template", operation_id="updateTemplate")
async def update_template(
    request: ApiRequest, template_id: TemplateId, data: JSONBody[UpdateTemplate]
) -> Response[TemplateView]:
    """Changes what is given and hands it over to be looked at again.

    The network lets nobody edit what it is looking at, an approved one once in 24 hours and 10 times in 30 days, and
    never its category.
    """
    changes = cast(DraftFields, {name: one for name, one in _fields(data).items() if one is not msgspec.UNSET})
    return json(await request.deps.gateway.templates.update(request.caller, segment(template_id), changes))


@delete(_ONE, status_code=204, opt=_MANAGE, tags=_TAGS, summary="Delete a template", operation_id="deleteTemplate")
async def delete_template(request: ApiRequest, template_id: TemplateId) -> None:
    """Takes a template away, in its language. The network keeps its name from being used again for 30 days."""
    await request.deps.gateway.templates.delete(request.caller, segment(template_id))


def _fields(data: CreateTemplate | UpdateTemplate) -> dict[str, Any]:
    """As the domain takes them."""
    fields = {name: getattr(data, name) for name in data.__struct_fields__}
    if isinstance(fields["header"], TemplateHeader):
        fields["header"] = Header(**msgspec.structs.asdict(fields["header"]))
    if isinstance(fields["buttons"], list):
        fields["buttons"] = tuple(TemplateButton(**msgspec.structs.asdict(one)) for one in fields["buttons"])
    if isinstance(fields["examples"], list):
        fields["examples"] = tuple(fields["examples"])
    return fields


HANDLERS = [list_templates, create_template, sync_templates, get_template, update_template, delete_template]
