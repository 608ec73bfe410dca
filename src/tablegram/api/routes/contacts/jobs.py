"""The same done with many contacts: in the background, piece by piece."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.contacts.jobs import StartContactJob
from tablegram.crm.bulk import Chosen
from tablegram.errors import Invalid
from tablegram.flows.contacts.answers import ContactJob, ContactJobPage

_READ = {"scope": "contacts:read"}
_MANAGE = {"scope": "contacts:manage"}
_TAGS = ["Contacts"]

JobId = Annotated[str, PathParameter(description="The job.")]


@post(
    "/contacts/jobs",
    status_code=202,
    opt=_MANAGE,
    tags=_TAGS,
    summary="Do something with many contacts",
    operation_id="startContactJob",
)
async def start_job(request: ApiRequest, data: JSONBody[StartContactJob]) -> Response[ContactJob]:
    """Tags, untags or erases many contacts in the background. A restart goes on where it stood.

    Five jobs of an account run at once. To erase many, count them first (`GET /contacts`) and send the figure along.
    """
    if data.act == "erase" and data.expects is None:
        raise Invalid.field("expects", "expects_missing", "Say how many contacts you mean to erase.")
    bulk = request.deps.contacts.bulk
    return answered(
        await bulk.begin(request.caller, data.act, data.tag or "", _chosen(data), request.call(), data.expects)
    )


@get("/contacts/jobs", opt=_READ, tags=_TAGS, summary="List jobs", operation_id="listContactJobs")
async def list_jobs(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[ContactJobPage]:
    """What was done with many contacts, newest first."""
    return json(await request.deps.contacts.bulk.page(request.caller, limit, cursor))


@get("/contacts/jobs/{job_id:str}", opt=_READ, tags=_TAGS, summary="Look up a job", operation_id="getContactJob")
async def get_job(request: ApiRequest, job_id: JobId) -> Response[ContactJob]:
    """How far it is."""
    return json(await request.deps.contacts.bulk.get(request.caller, segment(job_id)))


def _chosen(data: StartContactJob) -> Chosen:
    if (data.contact_ids is None) == (data.matching is None):
        raise Invalid.field("contact_ids", "nobody_chosen", "Name contact_ids or matching, one of the two.")
    if data.matching is None:
        return Chosen(ids=sorted(set(data.contact_ids or ())))
    since_ms = moment_ms(data.matching.active_since, "matching.active_since")
    return Chosen(q=data.matching.q or "", tag=data.matching.tag or "", since_ms=since_ms)


HANDLERS = [start_job, list_jobs, get_job]
