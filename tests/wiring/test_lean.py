"""A server that nobody uses yet holds what it needs to listen, and no more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from tests.databases import OF_ANOTHER

pytestmark = pytest.mark.once

IDLE = """
import asyncio, sys
from tablegram import settings
from tablegram.cli.serving import serve_command
from tablegram.cli.session import require_schema
from tablegram.wiring import Product

async def idle():
    product = Product(settings.load())
    await product.start()
    await product.stop()

require_schema(settings.load())
asyncio.run(idle())
print(*sys.modules)
"""

# Each is loaded by whoever uses it: a migration, a letter, a file in a bucket, a ticket as a picture, a code on paper, a page,
# a call that is no send (desks with it), a text of a guest, a file of the network, the page of figures, the demo, a password.
UNUSED = {
    "litestar", "jinja2", "yaml", "aiohttp", "prometheus_client", "tablegram.api.framework", "tablegram.panel.framework",
    "tablegram.api.routes.gateway", "tablegram.api.documents.openapi", "tablegram.demo.filling", "tablegram.restaurant.demo",
    "alembic", "mako", "pygments", "sqlalchemy.orm", "sqlalchemy.ext.asyncio", "smtplib", "obstore", "stripe",
    "PIL", "babel", "fpdf", "html.entities", "fontTools", "openpyxl", "anyascii", "pymupdf_fonts", "segno", "mcp", "neonize", "tryx",
    "tablegram.restaurant.reading", "tablegram.restaurant.readers.model", "tablegram.flows.restaurant.texts.order_texts",
    "tablegram.flows.restaurant.desks.services", "tablegram.flows.restaurant.desks.menu_desk",
    "tablegram.flows.restaurant.till.till_desk", "tablegram.flows.campaigns.services", "tablegram.flows.campaigns.reporting",
    "tablegram.flows.loyalty.desks.gift_desk", "tablegram.flows.automations.services",
    "tablegram.flows.stores.services", "argon2",
    "tablegram.panel.pages.frame", "tablegram.panel.pages.restaurant", "tablegram.storage.migrate", "tablegram.sandbox.app",
}  # fmt: skip


def test_an_idle_server_has_loaded_nothing_that_nobody_uses(tmp_path: Path, database_url: str) -> None:
    own = {"TABLEGRAM_DATABASE_URL": database_url, "TABLEGRAM_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-c", IDLE]
    done = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "tablegram.wiring.product" in modules
    assert modules & (UNUSED | OF_ANOTHER[make_url(database_url).get_backend_name()]) == set()
