"""Files: where they are kept, who reads them, and those that are uploaded to be sent."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.drivers import open_vault
from tablegram.flows.files.attachments import Attachments
from tablegram.flows.files.erasing import FileReach
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.files.retention import FileRetention
from tablegram.media.ports import MediaStore
from tablegram.media.spool import Spool
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaServices:
    vault: MediaStore
    spool: Spool
    library: MediaLibrary
    attachments: Attachments


def build(ground: Ground, engine: Engine) -> Contribution:
    settings, db, clock = ground.settings, ground.db, ground.clock
    vault = open_vault(settings)
    spool = Spool(settings.data_dir / "media" / "incoming")
    url = f"{ground.api_url}/media"

    async def clear() -> None:
        spool.clear()

    media = MediaServices(
        vault=vault,
        spool=spool,
        library=MediaLibrary(db, vault, clock, url),
        attachments=Attachments(db, vault, spool, clock, engine.idempotency, url),
    )
    return Contribution(
        services=[media],
        starts=[clear],
        cleaners=[FileRetention(media.library, clock, settings)],
        reaches=[FileReach(db, media.library)],
    )


PART = Part(name="media", build=build)
