"""Which driver serves which kind of line, which vault keeps files, who delivers letters, and who reads texts."""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tablegram.accounts.ports import Mail
from tablegram.media.ports import MediaMissing, MediaStore, MediaStoreDown
from tablegram.media.vaults.folder import FolderVault
from tablegram.messaging.instances import Instance
from tablegram.messaging.lines.cloud.driver import CloudLine
from tablegram.messaging.lines.linked.driver import LinkedLine, Way
from tablegram.messaging.lines.linked.room import Room
from tablegram.messaging.lines.linked.words import ONLY_SANDBOX, not_installed
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.lines.sandbox.driver import SandboxLine, SandboxNumber
from tablegram.messaging.links import Links
from tablegram.messaging.ports import Delayed, Line, NetworkRefused
from tablegram.settings import Settings
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.wire import Wires

if TYPE_CHECKING:
    from tablegram.restaurant.readers.model import ModelReader


def open_mail(settings: Settings) -> Mail | None:
    """Who delivers letters; nobody where no mail server is named, and links are shown instead."""
    if not settings.smtp_url:
        return None
    from tablegram.accounts.people.smtp import SmtpMail

    return SmtpMail(settings.smtp_url, settings.mail_from)


def open_reader(settings: Settings) -> ModelReader | None:
    """Who reads the texts that the rules do not; nobody where no language model is named."""
    if not settings.reader_url:
        return None
    from tablegram.restaurant.readers.model import ModelReader

    return ModelReader(settings.reader_url, settings.reader_model, settings.reader_key)


def open_vault(settings: Settings) -> MediaStore:
    """Where customers' files are kept."""
    if not settings.media_url:
        return FolderVault(settings.data_dir / "media")
    # Who keeps files in a folder need not load a cloud's client.
    from tablegram.media.vaults.s3 import open_bucket

    return open_bucket(settings)


class Drivers:
    def __init__(
        self, session: Session, fetcher: GuardedClient, settings: Settings, vault: MediaStore,
        links: Links,
    ) -> None:  # fmt: skip
        self._vault = vault
        self._session = session
        self._fetcher = fetcher
        self._settings = settings
        self._wires = Wires()
        self._links = links
        self._room = Room(settings.linked_max_lines)
        # Called with the account and the id of a linked line that has something to tell.
        self.news: Callable[[int, int], None] = lambda account_id, instance_id: None

    def close(self) -> None:
        self._wires.close()

    def build(self, instance: Instance) -> Line:
        settings = self._settings
        if instance.kind == "linked":
            return LinkedLine(
                instance.id,
                self._way(instance),
                self._links.of(instance.account_id, instance.id),
                self._links.care(instance.account_id, instance.id, settings.linked_daily_cap),
                OutgoingFiles(self._fetcher, self.open_kept),
                lambda: self.news(instance.account_id, instance.id),
            )
        if instance.kind == "sandbox":
            return SandboxLine(
                self._session,
                settings.effective_sandbox_url,
                instance.config.phone_number_id,
                instance.secrets.access_token,
                fetcher=self._fetcher,
                budget_s=settings.send_budget_s,
                wires=self._wires,
                open_kept=self.open_kept,
                number=self._introduction(instance),
            )
        return CloudLine(
            self._session,
            settings.cloud_base_url,
            settings.cloud_api_version,
            instance.config.phone_number_id,
            instance.secrets.access_token,
            fetcher=self._fetcher,
            budget_s=settings.send_budget_s,
            waba_id=instance.config.waba_id,
            media_hosts=settings.cloud_media_hosts,
            wires=self._wires,
            open_kept=self.open_kept,
        )

    def _way(self, instance: Instance) -> Way:
        """Which engine runs a linked line, and with what."""
        settings = self._settings
        has_sandbox = settings.sandbox or bool(settings.sandbox_url)
        engine = instance.config.engine or settings.linked_engine or ("sandbox" if has_sandbox else "neonize")
        command = tuple(shlex.split(settings.linked_host))
        if engine == "sandbox":
            missing, own = "" if has_sandbox else ONLY_SANDBOX, {"url": settings.effective_sandbox_url}
        else:
            missing = "" if command or find_spec(engine) else not_installed(engine)
            own = {"proxy": settings.linked_proxy}
        return Way(
            engine=engine,
            missing=missing,
            settings={"name": instance.name, "groups": "yes" if instance.config.groups else "no", **own},
            folder=settings.data_dir / "lines" / str(instance.id),
            max_mb=settings.linked_max_mb,
            room=self._room,
            command=command if engine != "sandbox" else (),
        )

    async def open_kept(self, key: str) -> AsyncIterator[bytes] | NetworkRefused | Delayed:
        """A file that was uploaded to be sent."""
        try:
            return await self._vault.open(key)
        except MediaMissing:
            return NetworkRefused("media_gone", "The file is no longer in the media store.")
        except MediaStoreDown:
            return Delayed("media_store_down", "The media store cannot be reached.", 10.0, "message")

    def _introduction(self, instance: Instance) -> SandboxNumber:
        return SandboxNumber(
            phone_number_id=instance.config.phone_number_id,
            access_token=instance.secrets.access_token,
            app_secret=instance.secrets.app_secret,
            verify_token=instance.secrets.verify_token,
            callback_url=f"{self._settings.local_url}/hooks/cloud/{instance.hook_key}",
            display_phone_number=instance.config.phone_number_id,
            name=instance.name,
        )
