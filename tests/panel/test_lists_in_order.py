"""Orders and sales by plain links: in the order of a column, with what they come to."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.test_restaurant_day import open_venue
from tests.panel.visiting import house


async def test_orders_and_dishes_are_put_in_order_and_added_up(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        venue = await open_venue(one)
        owner, kitchen = await one.person("owner"), await one.person("kitchen")
        orders = f"/panel/orders?venue={venue.id}"
        plain = await owner.get(orders)
        assert 'aria-sort="descending"' in plain.text
        assert "order-sums" not in plain.text
        assert (await owner.get(f"{orders}&sort=-total")).status == 200
        running = await owner.get(f"{orders}&state=open&sort=total")
        assert re.search(r"10 orders · ₺[\d,.]+ without cancelled ones", running.words), running.words
        assert "order-sums" not in (await kitchen.get(f"{orders}&state=open")).text

        sales = f"/panel/sales?venue={venue.id}&days=7&by=item"
        figures = {}
        for sort in ("", "-count", "count", "name"):
            page = await owner.get(f"{sales}&sort={sort}")
            rows = re.findall(r'<tr><th scope="row"[^>]*>([^<]+)</th><td data-align="end">([\d,]+)</td>', page.text)
            figures[sort] = [(name, int(count.replace(",", ""))) for name, count in rows]
            (total,) = re.findall(
                r'class="sum-row"><th scope="row">Total</th><td data-align="end">([\d,]+)<', page.text
            )
            assert int(total.replace(",", "")) == sum(count for _, count in figures[sort])
        assert len(figures[""]) > 5
        counts = [count for _, count in figures["-count"]]
        assert counts == sorted(counts, reverse=True)
        assert [count for _, count in figures["count"]] == sorted(counts)
        assert sorted(figures["name"]) == sorted(figures[""])

        day = f"/panel/sales/day?venue={venue.id}"
        # On paper it says of which house it is, and when it was counted by the clock there.
        on_paper = (await owner.get(day)).words
        assert venue.name in on_paper
        assert re.search(r"Counted .*[0-9]{2}:[0-9]{2}, by the clock of the venue\.", on_paper)
        first = re.findall(r'href="([^"]*/panel/sales/day[^"]*)"', (await owner.get(day)).text)[0].replace("&amp;", "&")
        by_revenue = await owner.get(first)
        assert "Sold best, by revenue" in by_revenue.words
        by_count = await owner.get(f"{first}&best=count")
        assert "Sold best, by number sold" in by_count.words
        sold = [int(one) for one in re.findall(r'<td data-align="end">(\d+) ×</td>', by_count.text)]
        assert sold == sorted(sold, reverse=True)
