from __future__ import annotations

import sys

from tools.deploy import alerts, containers, manifests, proxies, units


def main() -> None:
    failed = 0
    for check in (*containers.CHECKS, *manifests.CHECKS, *units.CHECKS, *alerts.CHECKS, *proxies.CHECKS):
        found = check()
        failed += len(found)
        print(f"{'failed' if found else 'ok':8}{(check.__doc__ or '').strip()}")
        for trouble in found:
            print(f"        {trouble}")
    if failed:
        sys.exit(1)


main()
