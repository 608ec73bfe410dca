"""Drinks, seen from the side: what is in a glass cannot be told from above."""

from __future__ import annotations

from tools.dishes.canvas import CENTRE, HEIGHT, WIDTH, Canvas, Point, darker, lighter, oval
from tools.dishes.foods import Food, slices, wedge

FOOT = 392.0


def table(canvas: Canvas) -> None:
    """The edge of the table behind whatever stands on it."""
    canvas.fill([(0, 330), (WIDTH, 330), (WIDTH, HEIGHT), (0, HEIGHT)], darker(canvas.ground, 0.08))
    canvas.bring_near(1.2, (CENTRE[0], FOOT + 62))


def _stand(canvas: Canvas, x: float, rx: float) -> None:
    canvas.oval((x + 8, FOOT + 4), rx, 16, darker(canvas.ground, 0.22))


def tea(canvas: Canvas, at: Point, colour: str = "#b5441c") -> None:
    """The narrow-waisted glass on its saucer."""
    x = at[0]
    _stand(canvas, x, 128)
    canvas.oval((x, FOOT - 6), 122, 22, "#fffaf0")
    canvas.oval((x, FOOT - 9), 84, 13, "#eadfce")
    outline = [(-62, 150), (-54, 200), (-38, 250), (-44, 310), (-54, 350), (-44, 378)]
    right = [(x - dx, y) for dx, y in reversed(outline)]
    canvas.fill([*[(x + dx, y) for dx, y in outline], *right], "#f4ece0")
    inner = [(-55, 176), (-48, 204), (-32, 252), (-38, 310), (-47, 348), (-40, 366)]
    canvas.fill([*[(x + dx, y) for dx, y in inner], *[(x - dx, y) for dx, y in reversed(inner)]], colour)
    canvas.oval((x, 176), 55, 10, lighter(colour, 0.2))
    canvas.line([(x - 40, 200), (x - 26, 252), (x - 30, 300)], 7, lighter(colour, 0.4))
    for dx in (150, 186):
        canvas.fill(
            [(x + dx, FOOT - 34), (x + dx + 32, FOOT - 34), (x + dx + 32, FOOT - 2), (x + dx, FOOT - 2)], "#fffaf0"
        )
        canvas.fill([(x + dx + 22, FOOT - 34), (x + dx + 32, FOOT - 34), (x + dx + 32, FOOT - 2), (x + dx + 22, FOOT - 2)], "#e8ddca")  # fmt: skip


def cup(
    canvas: Canvas, at: Point, colour: str, drink: str, width: float = 92, height: float = 120, band: str = "",
    top: str = "",
) -> None:  # fmt: skip
    """A cup on a saucer, with steam."""
    x, foot = at[0], FOOT - 14
    _stand(canvas, x, width * 1.7)
    canvas.oval((x, FOOT - 6), width * 1.6, 22, lighter(colour, 0.2))
    canvas.oval((x, FOOT - 10), width * 1.1, 13, darker(colour, 0.1))
    canvas.ring((x + width * 1.04, foot - height * 0.55), height * 0.26, 15, darker(colour, 0.08), -100, 110)
    lip = foot - height
    canvas.fill([(x - width, lip), (x + width, lip), (x + width * 0.82, foot - 22), (x + width * 0.5, foot), (x - width * 0.5, foot), (x - width * 0.82, foot - 22)], colour)  # fmt: skip
    if band:
        canvas.fill([(x - width * 0.95, lip + 34), (x + width * 0.95, lip + 34), (x + width * 0.91, lip + 52), (x - width * 0.91, lip + 52)], band)  # fmt: skip
    canvas.oval((x, lip), width, 19, lighter(colour, 0.3))
    canvas.oval((x, lip + 2), width * 0.88, 14, darker(drink, 0.2))
    canvas.oval((x, lip + 4), width * 0.84, 11, drink)
    if top:
        canvas.oval((x - 8, lip + 4), width * 0.44, 6, top)
    steam(canvas, (x, lip - 26))


def steam(canvas: Canvas, at: Point) -> None:
    colour = lighter(canvas.ground, 0.6)
    for dx in (-34, 0, 34):
        points = [(at[0] + dx + (9 if step % 2 else -9), at[1] - step * 22) for step in range(4)]
        canvas.line(points, 8, colour)


def glass(
    canvas: Canvas, at: Point, colour: str, foam: str = "", width: float = 74, height: float = 232, level: float = 0.84,
    leaf: str = "", ice: bool = False, slice: str = "",
) -> None:  # fmt: skip
    x, foot = at[0], FOOT - 4
    lip = foot - height
    _stand(canvas, x, width * 1.1)
    narrow = width * 0.8
    canvas.fill(
        [(x - width, lip), (x + width, lip), (x + narrow, foot), (x - narrow, foot)], lighter(canvas.ground, 0.55)
    )
    at_level = foot - 14 - (height - 14) * level
    side = narrow + (width - narrow) * level
    canvas.fill([(x - side + 7, at_level), (x + side - 7, at_level), (x + narrow - 6, foot - 12), (x - narrow + 6, foot - 12)], colour)  # fmt: skip
    if ice:
        for dx, dy, turn in ((-26, 34, 12), (24, 50, 40), (-6, 84, 70)):
            canvas.oval((x + dx, at_level + dy), 21, 18, lighter(colour, 0.45), turn)
    if foam:
        canvas.fill([(x - side + 7, at_level), (x + side - 7, at_level), (x + side - 9, at_level + 34), (x - side + 9, at_level + 34)], foam)  # fmt: skip
        for dx, size in ((-44, 20), (-16, 25), (16, 23), (44, 19)):
            canvas.disc((x + dx * width / 74, at_level + 2), size * width / 74, foam)
    canvas.line([(x - side + 20, at_level + 44), (x - narrow + 18, foot - 40)], 8, lighter(colour, 0.4))
    if slice:
        slices(canvas, (x + width - 6, lip + 8), slice, count=1, rx=1, size=34)
    if leaf:
        for dx, dy, turn in ((-18, -10, -40), (8, -26, 30), (26, -4, 70)):
            canvas.fill(oval((x + dx, at_level + dy), 25, 12, turn), leaf)
            canvas.fill(oval((x + dx - 3, at_level + dy - 2), 16, 4, turn), lighter(leaf, 0.25))


def bottle(
    canvas: Canvas, at: Point, colour: str, label: str, mark: str, cap: str = "#c2570c", height: float = 300, width: float = 58,
) -> None:  # fmt: skip
    x, foot = at[0], FOOT - 2
    _stand(canvas, x, width * 1.25)
    top = foot - height
    neck, shoulder = width * 0.36, top + height * 0.4
    side = [
        (-neck, top + 14),
        (-neck, top + height * 0.2),
        (-width, shoulder),
        (-width, foot - 12),
        (-width + 12, foot),
    ]
    canvas.fill([*[(x + dx, y) for dx, y in side], *[(x - dx, y) for dx, y in reversed(side)]], colour)
    canvas.line([(x - width + 18, shoulder + 10), (x - width + 18, foot - 30)], 9, lighter(colour, 0.45))
    canvas.fill([(x - neck - 5, top), (x + neck + 5, top), (x + neck + 5, top + 22), (x - neck - 5, top + 22)], cap)
    y = shoulder + 22
    canvas.fill([(x - width, y), (x + width, y), (x + width, y + 84), (x - width, y + 84)], label)
    canvas.disc((x, y + 42), 24, mark)
    canvas.disc((x - 5, y + 37), 9, lighter(mark, 0.4))


def can(canvas: Canvas, at: Point, colour: str, band: str) -> None:
    x, foot, width, height = at[0], FOOT - 2, 66.0, 220.0
    top = foot - height
    _stand(canvas, x, width * 1.2)
    canvas.oval((x, foot - 8), width - 6, 14, "#b9b4aa")
    canvas.fill([(x - width, top + 16), (x + width, top + 16), (x + width, foot - 16), (x - width, foot - 16)], colour)
    canvas.fill(
        [(x - width, foot - 16), (x + width, foot - 16), (x + width - 8, foot - 4), (x - width + 8, foot - 4)],
        darker(colour),
    )
    canvas.fill(
        [(x - width, foot - 92), (x + width, foot - 150), (x + width, foot - 116), (x - width, foot - 58)], band
    )
    canvas.line([(x - width + 18, top + 34), (x - width + 18, foot - 34)], 9, lighter(colour, 0.4))
    canvas.fill([(x - width, top + 16), (x - width + 8, top), (x + width - 8, top), (x + width, top + 16)], "#cfcabf")
    canvas.oval((x, top + 1), width - 8, 11, "#e2ddd2")
    canvas.oval((x + 4, top + 1), 20, 5, "#a7a196")


def jar(canvas: Canvas, at: Point, colour: str = "#e2a32c") -> None:
    """A small pot of honey beside the cup."""
    x, foot = at[0], FOOT - 2
    _stand(canvas, x, 50)
    canvas.fill([(x - 42, foot - 72), (x + 42, foot - 72), (x + 36, foot), (x - 36, foot)], colour)
    canvas.fill([(x - 46, foot - 86), (x + 46, foot - 86), (x + 46, foot - 68), (x - 46, foot - 68)], "#fffaf0")
    canvas.line([(x - 26, foot - 58), (x - 23, foot - 14)], 7, lighter(colour, 0.4))


def lemon(canvas: Canvas, at: Point) -> None:
    wedge(canvas, (at[0], FOOT - 30), size=36, turn=0)


def sweet(canvas: Canvas, at: Point, colour: str = "#e59aa6") -> None:
    """Turkish delight on the saucer's edge."""
    x, y = at[0], FOOT - 18
    canvas.fill([(x - 24, y - 24), (x + 24, y - 24), (x + 24, y + 18), (x - 24, y + 18)], darker(colour, 0.12))
    canvas.fill([(x - 24, y - 24), (x + 24, y - 24), (x + 16, y - 36), (x - 16, y - 36)], lighter(colour, 0.5))


DRINKS: dict[str, Food] = {one.__name__: one for one in (tea, cup, glass, bottle, can, jar, lemon, sweet)}


def pour(canvas: Canvas, name: str, given: dict[str, object]) -> None:
    x = given.get("x", 0)
    rest = {key: value for key, value in given.items() if key != "x"}
    DRINKS[name](canvas, (CENTRE[0] + float(str(x)), CENTRE[1]), **rest)
