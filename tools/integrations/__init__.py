"""Do the packages below `integrations/` build, please the tools of those they are made for, and work with a server?

    make integrations

The programs come from `package.json`, at the versions of its lock, into a folder beside the virtual environment; PHP is
Debian's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.product import Product, running_product, wait_until

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ROOT / "integrations"
STRICT = ("--fail-on-warning", "--fail-on-risky")
# Endpoints on this machine are called only where that is allowed.
NEARBY = {"TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
PHONES = {"n8n": "905551112255", "zapier": "905551112266"}


def run(*command: str, where: Path, **environment: str) -> str:
    told = {**os.environ, **environment}
    return subprocess.run(command, cwd=where, env=told, check=True, capture_output=True, text=True).stdout


def n8n(programs: Path, product: Product) -> None:
    """Types, the linter that n8n has for nodes, the package as it is published, and every operation against the server."""
    work = laid_out("n8n", programs)
    run(str(programs / "node_modules/.bin/tsc"), where=work)
    run(str(programs / "node_modules/.bin/eslint"), ".", where=work)
    shutil.copy(work / "nodes/Tablegram/tablegram.svg", work / "dist/nodes/Tablegram/")
    packed = run("npm", "pack", "--silent", "--dry-run", "--json", where=work)
    assert "dist/nodes/Tablegram/TablegramTrigger.node.js" in packed
    assert "tablegram.svg" in packed
    drive("n8n", work, "test/drive.cjs", product)


def zapier(programs: Path, product: Product) -> None:
    """Zapier's own schema, and the app run by Zapier's own tester against the server."""
    drive("zapier", laid_out("zapier", programs), "test/drive.js", product)


def woocommerce(programs: Path, product: Product) -> None:
    """PHP reads every file, and the plugin's own tests pass, one of them against the server."""
    plugin = PACKAGES / "woocommerce"
    for file in sorted(plugin.rglob("*.php")):
        run("php", "-l", str(file), where=plugin)
    _, source = product.call("POST", "/stores/sources", {"platform": "woocommerce", "name": "Shop", "country": "TR"})
    met = {"TABLEGRAM_HOOK": source["hook_url"], "TABLEGRAM_SECRET": source["secret"]}
    told = run("phpunit", "--no-configuration", *STRICT, "tests", where=plugin, **met)
    assert "OK (" in told, told

    def arrived() -> bool:
        _, log = product.call("GET", f"/stores/deliveries?source_id={source['id']}")
        return sorted(one["topic"] for one in log["data"]) == [
            "checkout.completed",
            "checkout.created",
            "order.created",
        ]

    wait_until(arrived, "all of it in the log", 30)


def laid_out(name: str, programs: Path) -> Path:
    """A copy beside the programs, where Node finds them."""
    work = programs / "work" / name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(PACKAGES / name, work)
    return work


def drive(name: str, work: Path, script: str, product: Product) -> None:
    said = run("node", script, str(work), product.url, product.key, PHONES[name], where=work)
    assert "driven" in said
    # Asked twice to send the same, it was sent once; the other one is the template.
    assert len(product.on_phone(PHONES[name])) == 2


def main() -> None:
    programs = Path(sys.argv[1]).resolve()
    steps: dict[str, Callable[[Path, Product], None]] = {"n8n": n8n, "Zapier": zapier, "WooCommerce": woocommerce}
    failed = []
    with (
        tempfile.TemporaryDirectory(prefix="tablegram-integrations-") as folder,
        running_product(f"sqlite:///{folder}/driven.db", settings=NEARBY) as product,
    ):
        for name, step in steps.items():
            try:
                step(programs, product)
            except (subprocess.CalledProcessError, AssertionError) as error:
                failed.append(name)
                print(getattr(error, "stdout", "") or "", getattr(error, "stderr", "") or "", error)
            print(f"{name}: {'FAILED' if name in failed else 'passed'}", flush=True)
    print(f"{len(steps) - len(failed)} passed, {len(failed)} failed", flush=True)
    sys.exit(1 if failed else 0)
