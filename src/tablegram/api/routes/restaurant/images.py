"""Photos of dishes and the venue's logo."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routes.restaurant.paths import MANAGE, READ, VENUE, VenueId
from tablegram.api.routing import segment
from tablegram.flows.restaurant.answers.venues import ImagePage, ImageView
from tablegram.flows.restaurant.desks.photos import gather
from tablegram.restaurant.pictures.model import MAX_BYTES

_TAGS = ["Menus"]
_ALL = f"{VENUE}/images"
_ONE = _ALL + "/{image_id:str}"

ImageId = Annotated[str, PathParameter(description="The image.")]


@get(_ALL, opt=READ, tags=_TAGS, summary="List images", operation_id="listImages")
async def list_images(
    request: ApiRequest, venue_id: VenueId, limit: Limit = 50, cursor: Cursor = None
) -> Response[ImagePage]:
    """The venue's images, newest first."""
    return json(await request.deps.restaurant.photos.page(request.caller, segment(venue_id), limit, cursor))


@post(
    _ALL,
    status_code=201,
    opt={**MANAGE, "file_bytes": MAX_BYTES},
    tags=_TAGS,
    summary="Upload an image",
    operation_id="uploadImage",
)
async def upload_image(request: ApiRequest, venue_id: VenueId) -> Response[ImageView]:
    """Keeps a photo or a logo: the body is the file itself, JPEG, PNG, WebP or GIF, 15 MB at most.

    It is made small (192, 320 and 960 pixels, WebP), and what the camera wrote beside the picture is left out. The same file
    again is the same image. Give its `image_id` to items, categories, or the venue as `logo_id`.
    """
    raw = await gather(request.exchange.file)
    return answered(await request.deps.restaurant.photos.upload(request.caller, segment(venue_id), raw, request.call()))


@delete(_ONE, status_code=204, opt=MANAGE, tags=_TAGS, summary="Delete an image", operation_id="deleteImage")
async def delete_image(request: ApiRequest, venue_id: VenueId, image_id: ImageId) -> None:
    """Throws away an image that nothing shows any more."""
    await request.deps.restaurant.photos.delete(request.caller, segment(venue_id), segment(image_id))


HANDLERS = [list_images, upload_image, delete_image]
