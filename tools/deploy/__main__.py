from __future__ import annotations

import sys

from tools.deploy import alerts, bus, containers, dashboard, manifests, proxies, units


def main() -> None:
    failed = 0
    parts = (containers, bus, manifests, units, alerts, dashboard, proxies)
    for check in (check for part in parts for check in part.CHECKS):
        found = check()
        failed += len(found)
        print(f"{'failed' if found else 'ok':8}{(check.__doc__ or '').strip()}")
        for trouble in found:
            print(f"        {trouble}")
    if failed:
        sys.exit(1)


main()
