"""The site as one file. Each page in it is packed by itself, as browsers take it, so that nothing is packed when it is served."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

# Packed already.
_AS_IT_IS = {".png", ".webp", ".woff2"}
# Nobody asks for them: the product has a page of its own for what is nowhere, and the site has no address in the world.
_LEFT_OUT = {"404.html", "sitemap.xml", "sitemap.xml.gz", "objects.inv"}
# The same pages make the same file, whenever it is made.
_ONE_DAY = (2020, 1, 1, 0, 0, 0)


def pack_site(site: Path, target: Path) -> None:
    """Written beside its place and then put there, so that who serves it never sees half of it."""
    half = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(site.rglob("*")):
                if path.is_file() and path.name not in _LEFT_OUT:
                    _add(archive, path, path.relative_to(site).as_posix())
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    entry = zipfile.ZipInfo(name, _ONE_DAY)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_STORED if path.suffix in _AS_IT_IS else zipfile.ZIP_DEFLATED
    archive.writestr(entry, path.read_bytes())
