"""What the edges ask of files."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.files.attachments import Attachments
from tablegram.flows.files.media import MediaLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class FileServices:
    # Customers' files.
    library: MediaLibrary
    # Files that are uploaded to be sent.
    attachments: Attachments
