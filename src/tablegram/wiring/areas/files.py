"""Files: where they are kept, who reads them, and those that are uploaded to be sent."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.drivers import open_vault
from tablegram.flows.files.attachments import Attachments
from tablegram.flows.files.erasing import FileReach
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.files.retention import FileRetention
from tablegram.flows.files.services import FileServices
from tablegram.media.ports import MediaStore
from tablegram.media.spool import Spool
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.vault_check import check_vault


@dataclass(frozen=True, slots=True)
class FileWorks:
    vault: MediaStore
    spool: Spool

    async def start(self) -> None:
        self.spool.clear()


def build(ground: Ground, engine: Engine) -> Contribution:
    settings, db, clock = ground.settings, ground.db, ground.clock
    works = FileWorks(open_vault(settings), Spool(settings.data_dir / "media" / "incoming"))
    url = f"{ground.api_url}/media"
    files = FileServices(
        library=MediaLibrary(db, works.vault, clock, url),
        attachments=Attachments(db, works.vault, works.spool, clock, engine.idempotency, url),
    )
    return Contribution(
        services=[works, files],
        starts=[works.start],
        cleaners=[FileRetention(files.library, clock, settings)],
        reaches=[FileReach(db, files.library)],
    )


PART = Part(name="files", build=build, settings_checks=[check_vault])
