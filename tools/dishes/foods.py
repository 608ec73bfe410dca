"""Food as it lies in its vessel, seen from above. Every function takes the sheet, a place, and what makes it this dish."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tools.dishes.canvas import Canvas, Point, around, bar, boat, darker, lighter, oval, scattered

Food = Callable[..., None]


def pool(canvas: Canvas, at: Point, colour: str, rx: float = 150, ry: float = 0, swirl: str = "") -> None:
    """Soup or sauce that fills its vessel, with something poured into it."""
    canvas.fill(oval(at, rx, ry or rx), colour)
    canvas.fill(
        oval((at[0] - rx * 0.05, at[1] - (ry or rx) * 0.06), rx * 0.86, (ry or rx) * 0.84), lighter(colour, 0.1)
    )
    if swirl:
        turns = [
            (at[0] + t * rx * 0.62 * math.cos(t * 9.4), at[1] + t * (ry or rx) * 0.58 * math.sin(t * 9.4))
            for t in [0.12 + step / 90 for step in range(80)]
        ]
        canvas.line(turns, 7, swirl)


def paste(canvas: Canvas, at: Point, colour: str, rx: float = 136, oil: str = "") -> None:
    """A meze spread with the back of a spoon, with oil in the hollow."""
    canvas.body(oval(at, rx, rx * 0.96, 0, 0.03, canvas.chance), colour, 7)
    for radius in (0.8, 0.56):
        canvas.ring(at, rx * radius, 6, darker(colour, 0.1), 200, 470)
    if oil:
        canvas.oval(at, rx * 0.4, rx * 0.33, oil, -20)
        canvas.oval((at[0] - 12, at[1] - 12), rx * 0.14, rx * 0.08, lighter(oil, 0.6), -20)


def bits(
    canvas: Canvas, at: Point, colour: str, count: int = 24, rx: float = 110, ry: float = 0, size: float = 6
) -> None:
    """Herbs, chilli, sesame: small things strewn about."""
    for place in scattered(canvas.chance, at, rx, ry or rx, count):
        stretch = canvas.chance.uniform(0.5, 0.9)
        canvas.oval(place, size, size * stretch, colour, canvas.chance.uniform(0, 180))


def chunks(
    canvas: Canvas, at: Point, colour: str, count: int = 9, rx: float = 90, ry: float = 0, size: float = 26
) -> None:
    """Pieces of meat, fritters, potatoes."""
    for place in sorted(scattered(canvas.chance, at, rx, ry or rx, count), key=lambda one: one[1]):
        turn = canvas.chance.uniform(0, 180)
        canvas.body(oval(place, size, size * 0.8, turn, 0.08, canvas.chance), colour, size * 0.22)


def cubes(
    canvas: Canvas, at: Point, colour: str, count: int = 10, rx: float = 90, ry: float = 0, size: float = 30
) -> None:
    for place in sorted(scattered(canvas.chance, at, rx, ry or rx, count), key=lambda one: one[1]):
        turn = canvas.chance.uniform(0, 90)
        corners = [point[:2] for point in around(place, size * 0.7, 4, turn)]
        canvas.body(corners, colour, size * 0.22)


def leaves(
    canvas: Canvas, at: Point, colour: str, count: int = 8, rx: float = 100, ry: float = 0, size: float = 44
) -> None:
    for place in scattered(canvas.chance, at, rx, ry or rx, count):
        turn = canvas.chance.uniform(0, 360)
        canvas.body(boat(place, size, size * 0.46, turn, 2), colour, 3)
        reach = size * 0.32
        a = math.radians(turn)
        canvas.line(
            [(place[0] - reach * math.cos(a), place[1] - reach * math.sin(a)),
             (place[0] + reach * math.cos(a), place[1] + reach * math.sin(a))], 2, darker(colour, 0.25),
        )  # fmt: skip


def slices(
    canvas: Canvas, at: Point, colour: str, heart: str = "", count: int = 5, rx: float = 90, ry: float = 0,
    size: float = 26,
) -> None:  # fmt: skip
    """Tomato, cucumber, lemon, radish, onion: round slices with another colour inside."""
    for place in scattered(canvas.chance, at, rx, ry or rx, count):
        canvas.disc((place[0] + 2, place[1] + 4), size, darker(colour, 0.4))
        canvas.disc(place, size, colour)
        canvas.disc(place, size * 0.78, heart or lighter(colour, 0.3))
        for x, y, _ in around(place, size * 0.4, 5, canvas.chance.uniform(0, 72)):
            canvas.disc((x, y), size * 0.12, lighter(heart or colour, 0.55))


def wedge(canvas: Canvas, at: Point, colour: str = "#f2c230", size: float = 40, turn: float = 20) -> None:
    """A wedge of lemon."""
    half = [(x, y) for x, y, _ in (around(at, size, 40, turn)[:21])]
    canvas.body(half, colour, 5)
    inner = [(at[0] + (x - at[0]) * 0.78, at[1] + (y - at[1]) * 0.78) for x, y in half]
    canvas.fill(inner, "#f9e69a")
    for x, y, _ in around(at, size * 0.72, 40, turn)[4:20:5]:
        canvas.line([at, (x, y)], 3, "#f2d25c")


def egg(canvas: Canvas, at: Point, size: float = 52) -> None:
    canvas.body(oval(at, size, size * 0.88, 0, 0.12, canvas.chance), "#fffaf0", 4)
    canvas.body(oval((at[0] + 3, at[1] - 2), size * 0.42, size * 0.42), "#f4a51c", 3)


def kebab(
    canvas: Canvas, at: Point, colour: str, count: int = 1, length: float = 330, turn: float = -8, gap: float = 62
) -> None:
    """Minced meat pressed on a skewer: a long band with the marks of fingers."""
    for number in range(count):
        x, y = at[0], at[1] + (number - (count - 1) / 2) * gap
        canvas.body(bar((x, y), length, 44, turn), colour, 7)
        a = math.radians(turn)
        for step in range(-5, 6):
            place = (x + step * length / 12.5 * math.cos(a), y + step * length / 12.5 * math.sin(a))
            canvas.bar(place, 34, 7, darker(colour, 0.3), turn + 72)


def skewer(
    canvas: Canvas, at: Point, colours: list[str], count: int = 2, pieces: int = 5, turn: float = -10, gap: float = 72,
    size: float = 29,
) -> None:  # fmt: skip
    """Pieces on a metal skewer, in turn of the colours given."""
    a = math.radians(turn)
    for number in range(count):
        x, y = at[0], at[1] + (number - (count - 1) / 2) * gap
        reach = pieces * size * 0.98 + 44
        ends = [(x - reach * math.cos(a), y - reach * math.sin(a)), (x + reach * math.cos(a), y + reach * math.sin(a))]
        canvas.line(ends, 7, "#8d8880")
        for step in range(pieces):
            shift = (step - (pieces - 1) / 2) * size * 1.86
            place = (x + shift * math.cos(a), y + shift * math.sin(a))
            colour = colours[step % len(colours)]
            canvas.body(oval(place, size, size * 0.98, turn, 0.07, canvas.chance), colour, 6)
            canvas.bar(place, size * 1.1, 5, darker(colour, 0.28), turn + 60)


def rolls(
    canvas: Canvas, at: Point, colour: str, count: int = 5, length: float = 170, width: float = 34, turn: float = 64,
    gap: float = 46, heart: str = "",
) -> None:  # fmt: skip
    """Pastry rolls, stuffed leaves, wraps, side by side; with `heart` the cut end shows."""
    for number in range(count):
        x = at[0] + (number - (count - 1) / 2) * gap
        canvas.body(bar((x, at[1]), length, width, turn), colour, 6)
        a = math.radians(turn)
        for step in (-0.22, 0.04, 0.28):
            canvas.bar((x + step * length * math.cos(a), at[1] + step * length * math.sin(a)), width * 0.7, 4, darker(colour, 0.16), turn + 70)  # fmt: skip
        if heart:
            end = (x + (length / 2 - width * 0.42) * math.cos(a), at[1] + (length / 2 - width * 0.42) * math.sin(a))
            canvas.disc(end, width * 0.4, heart)


def cut_rolls(
    canvas: Canvas, at: Point, colour: str, heart: str, count: int = 6, rx: float = 118, size: float = 40
) -> None:
    """A wrap cut into pieces that stand on end."""
    for x, y, _ in around(at, rx, count, -90, 0.62):
        canvas.body(oval((x, y), size, size * 0.94), colour, 8)
        canvas.disc((x, y), size * 0.68, heart)
        canvas.ring((x, y), size * 0.36, 5, darker(heart, 0.3), 20, 320)


def mound(canvas: Canvas, at: Point, colour: str, rx: float = 62, ry: float = 52, grains: int = 26) -> None:
    """Rice or bulgur."""
    canvas.body(oval(at, rx, ry, 0, 0.05, canvas.chance), colour, 7)
    for place in scattered(canvas.chance, at, rx * 0.82, ry * 0.8, grains):
        canvas.bar(place, 11, 5, darker(colour, 0.16), canvas.chance.uniform(0, 180))


def pide(
    canvas: Canvas, at: Point, filling: str, crust: str = "#d98f3c", length: float = 500, width: float = 178,
    turn: float = -6,
) -> None:  # fmt: skip
    canvas.body(boat(at, length, width, turn, 2.4), crust, 10)
    canvas.fill(boat(at, length * 0.82, width * 0.62, turn, 2.2), darker(filling, 0.2))
    canvas.fill(boat((at[0], at[1] - 2), length * 0.8, width * 0.57, turn, 2.2), filling)


def flatbread(canvas: Canvas, at: Point, filling: str, crust: str = "#dca25a", radius: float = 150) -> None:
    canvas.body(oval(at, radius, radius * 0.95, 0, 0.04, canvas.chance), crust, 8)
    canvas.fill(oval(at, radius * 0.86, radius * 0.81, 0, 0.04, canvas.chance), darker(filling, 0.12))
    canvas.fill(oval((at[0], at[1] - 3), radius * 0.83, radius * 0.78, 0, 0.03, canvas.chance), filling)


def fish(canvas: Canvas, at: Point, colour: str, length: float = 330, turn: float = -8, belly: str = "") -> None:
    a = math.radians(turn)

    def place(x: float, y: float) -> Point:
        return at[0] + x * math.cos(a) - y * math.sin(a), at[1] + x * math.sin(a) + y * math.cos(a)

    half = length / 2
    tail = [place(half * 0.78, 0), place(half * 1.2, -length * 0.15), place(half * 1.08, 0), place(half * 1.2, length * 0.15)]  # fmt: skip
    canvas.body(tail, darker(colour, 0.12), 5)
    canvas.body(boat(at, length, length * 0.36, turn, 2.2), colour, 8)
    canvas.fill(boat(place(-4, length * 0.06), length * 0.74, length * 0.16, turn, 2), belly or lighter(colour, 0.4))
    for x in (-0.16, 0.08, 0.32):
        canvas.line([place(half * x - 10, -length * 0.1), place(half * x + 12, length * 0.09)], 6, darker(colour, 0.45))
    canvas.ring(place(-half * 0.52, 0), length * 0.1, 4, darker(colour, 0.3), turn - 60, turn + 60)
    eye = place(-half * 0.76, -length * 0.025)
    canvas.disc(eye, length * 0.026, "#fffaf0")
    canvas.disc(eye, length * 0.014, "#1b1d22")


def chops(canvas: Canvas, at: Point, colour: str, count: int = 4) -> None:
    for number in range(count):
        x = at[0] + (number - (count - 1) / 2) * 84
        canvas.body(bar((x + 16, at[1] - 62), 120, 17, -78), "#f3e6cf", 5)
        canvas.body(oval((x, at[1] + 24), 46, 56, 16, 0.05, canvas.chance), colour, 8)
        canvas.fill(oval((x - 2, at[1] + 28), 26, 34, 16), lighter(colour, 0.14))
        for y in (8, 26, 44):
            canvas.bar((x - 2, at[1] + y), 46, 6, darker(colour, 0.4), -24)


def wings(canvas: Canvas, at: Point, colour: str, count: int = 8) -> None:
    for x, y, angle in around(at, 92, count, 10, 0.78):
        canvas.body(bar((x, y), 92, 30, angle + 58), colour, 6)
        a = math.radians(angle + 58)
        canvas.body(oval((x + 26 * math.cos(a), y + 26 * math.sin(a)), 26, 22, angle), lighter(colour, 0.1), 5)


def rings(canvas: Canvas, at: Point, colour: str, count: int = 9, rx: float = 100, radius: float = 26) -> None:
    for place in scattered(canvas.chance, at, rx, rx * 0.8, count):
        canvas.ring((place[0] + 2, place[1] + 5), radius, 15, darker(colour, 0.4))
        canvas.ring(place, radius, 15, colour)
        canvas.ring(place, radius + 2, 4, lighter(colour, 0.4), 190, 300)


def prawns(canvas: Canvas, at: Point, colour: str = "#ee8a5a", count: int = 6, rx: float = 84) -> None:
    for place in scattered(canvas.chance, at, rx, rx * 0.85, count):
        begin = canvas.chance.uniform(0, 360)
        canvas.ring((place[0] + 2, place[1] + 5), 25, 20, darker(colour, 0.4), begin, begin + 230)
        canvas.ring(place, 25, 20, colour, begin, begin + 230)
        for step in (40, 90, 140, 190):
            a = math.radians(begin + step)
            canvas.line(
                [(place[0] + 17 * math.cos(a), place[1] + 17 * math.sin(a)),
                 (place[0] + 33 * math.cos(a), place[1] + 33 * math.sin(a))], 3, lighter(colour, 0.5),
            )  # fmt: skip
        a = math.radians(begin + 246)
        canvas.fill(boat((place[0] + 26 * math.cos(a), place[1] + 26 * math.sin(a)), 28, 18, begin + 330), "#d9512c")


def sticks(
    canvas: Canvas, at: Point, colour: str = "#f1c04a", count: int = 14, rx: float = 60, length: float = 84
) -> None:
    """Chips, or anything cut into sticks."""
    for place in scattered(canvas.chance, at, rx, rx * 0.7, count):
        canvas.body(bar(place, length, 15, canvas.chance.uniform(-60, 60)), colour, 4)


def strands(canvas: Canvas, at: Point, colour: str = "#f0cd7a", rx: float = 116) -> None:
    """Pasta, wound up."""
    canvas.body(oval(at, rx, rx * 0.9, 0, 0.05, canvas.chance), darker(colour, 0.1), 7)
    for number in range(26):
        radius, begin = rx * canvas.chance.uniform(0.2, 0.95), canvas.chance.uniform(0, 360)
        middle = (at[0] + canvas.chance.uniform(-12, 12), at[1] + canvas.chance.uniform(-12, 12))
        shade = colour if number % 2 else lighter(colour, 0.35)
        canvas.ring(middle, radius * 0.92, 8, shade, begin, begin + canvas.chance.uniform(60, 170))


def diamonds(canvas: Canvas, at: Point, colour: str, heart: str, places: list[list[float]], size: float = 72) -> None:
    """Baklava and its like: cut slantwise, with something green on top."""
    for x, y in places:
        middle = (at[0] + x, at[1] + y)
        corners = [(middle[0] - size, middle[1]), (middle[0], middle[1] - size * 0.66), (middle[0] + size, middle[1]), (middle[0], middle[1] + size * 0.66)]  # fmt: skip
        canvas.fill([(a + 3, b + 20) for a, b in corners], darker(colour, 0.45))
        canvas.fill([(a + 1, b + 10) for a, b in corners], darker(colour, 0.12))
        canvas.body(corners, colour, 4)
        for place in scattered(canvas.chance, middle, size * 0.28, size * 0.18, 9):
            canvas.oval(place, 6, 4.5, heart, canvas.chance.uniform(0, 180))


def blocks(canvas: Canvas, at: Point, colour: str, top: str, places: list[list[float]], size: float = 62) -> None:
    """Cake or pudding cut into squares."""
    for x, y in places:
        middle = (at[0] + x, at[1] + y)
        corners = [(middle[0] - size, middle[1] - size * 0.6), (middle[0] + size, middle[1] - size * 0.6), (middle[0] + size, middle[1] + size * 0.6), (middle[0] - size, middle[1] + size * 0.6)]  # fmt: skip
        canvas.fill([(a + 5, b + 26) for a, b in corners], canvas.shade)
        canvas.fill([(a, b + 20) for a, b in corners], darker(colour, 0.12))
        canvas.fill(corners, top)
        canvas.fill([(middle[0] + (a - middle[0]) * 0.84, middle[1] + (b - middle[1]) * 0.78) for a, b in corners], lighter(top, 0.16))  # fmt: skip


def simit(canvas: Canvas, at: Point, colour: str = "#b9702a", radius: float = 84) -> None:
    canvas.ring((at[0] + 4, at[1] + 9), radius, 46, darker(colour, 0.35))
    canvas.ring(at, radius, 46, colour)
    canvas.ring((at[0] - 2, at[1] - 3), radius, 22, lighter(colour, 0.14))
    for x, y, angle in around(at, radius, 46):
        shift = canvas.chance.uniform(-17, 17)
        a = math.radians(angle)
        canvas.oval(
            (x + shift * math.cos(a), y + shift * math.sin(a)), 6, 3.5, "#f6e3b8", canvas.chance.uniform(0, 180)
        )


def aubergine(canvas: Canvas, at: Point, filling: str, length: float = 230, turn: float = -18) -> None:
    """Slit and stuffed."""
    canvas.body(boat(at, length, length * 0.52, turn, 2.3), "#54306b", 9)
    a = math.radians(turn)
    end = (at[0] - length * 0.46 * math.cos(a), at[1] - length * 0.46 * math.sin(a))
    canvas.body(oval(end, 20, 15, turn), "#5d7a3a", 4)
    canvas.fill(boat(at, length * 0.72, length * 0.26, turn, 2.2), darker(filling, 0.25))
    canvas.fill(boat((at[0], at[1] - 2), length * 0.68, length * 0.22, turn, 2.2), filling)


def drizzle(
    canvas: Canvas, at: Point, colour: str, rx: float = 110, ry: float = 60, width: float = 9, turns: int = 7
) -> None:
    """Sauce poured to and fro."""
    points = [
        (
            at[0] - rx + 2 * rx * step / (turns * 12),
            at[1] + ry * math.sin(step * math.pi / 6) * math.sin(math.pi * (0.12 + 0.76 * step / (turns * 12))),
        )
        for step in range(turns * 12 + 1)
    ]
    canvas.line(points, width, colour)


def pot(canvas: Canvas, at: Point, colour: str, filling: str, radius: float = 52) -> None:
    """A little bowl beside the dish."""
    canvas.disc((at[0] + 3, at[1] + 8), radius, canvas.shade)
    canvas.disc(at, radius, darker(colour, 0.12))
    canvas.disc((at[0], at[1] - 2), radius - 2, colour)
    canvas.disc(at, radius * 0.78, darker(filling, 0.2))
    canvas.disc((at[0] - 1, at[1] - 2), radius * 0.74, filling)


def dumplings(canvas: Canvas, at: Point, colour: str = "#f3e2bd", count: int = 26, rx: float = 112) -> None:
    for place in sorted(scattered(canvas.chance, at, rx, rx * 0.92, count), key=lambda one: one[1]):
        turn = canvas.chance.uniform(0, 90)
        canvas.body([point[:2] for point in around(place, 22, 4, turn)], colour, 5)
        canvas.disc(place, 6, darker(colour, 0.2))


def beans(
    canvas: Canvas, at: Point, colour: str = "#f4e4c4", count: int = 34, rx: float = 112, size: float = 16
) -> None:
    for place in scattered(canvas.chance, at, rx, rx, count):
        canvas.body(bar(place, size * 1.7, size, canvas.chance.uniform(0, 180)), colour, 3)


def scoops(canvas: Canvas, at: Point, colours: list[str], radius: float = 66) -> None:
    for (x, y, _), colour in zip(around(at, 58, len(colours), -90, 0.9), colours, strict=True):
        canvas.body(oval((x, y), radius, radius * 0.96, 0, 0.04, canvas.chance), colour, 8)
        canvas.ring((x, y), radius * 0.62, 6, lighter(colour, 0.4), 190, 290)


def triangles(canvas: Canvas, at: Point, colour: str, count: int = 4, rx: float = 96, size: float = 52) -> None:
    """Bread or pastry cut into triangles, around the middle."""
    for x, y, angle in around(at, rx, count, 20, 0.85):
        canvas.body([point[:2] for point in around((x, y), size, 3, angle)], colour, 7)


def stripes(canvas: Canvas, at: Point, colour: str, count: int = 5, length: float = 190, gap: float = 30, turn: float = -30, width: float = 9) -> None:  # fmt: skip
    """The marks of a grill, or a lattice."""
    a = math.radians(turn + 90)
    for number in range(count):
        shift = (number - (count - 1) / 2) * gap
        short = length * math.sqrt(max(0.2, 1 - (shift / (gap * count / 2 + 1)) ** 2))
        canvas.bar((at[0] + shift * math.cos(a), at[1] + shift * math.sin(a)), short, width, colour, turn)


def slab(canvas: Canvas, at: Point, colour: str, rx: float = 120, ry: float = 62, turn: float = -10) -> None:
    """A fillet, a pastry, anything long and soft."""
    canvas.body(oval(at, rx, ry, turn, 0.06, canvas.chance), colour, 9)


FOODS: dict[str, Food] = {
    one.__name__: one
    for one in (
        pool, paste, bits, chunks, cubes, leaves, slices, wedge, egg, kebab, skewer, rolls, cut_rolls, mound, pide,
        flatbread, fish, chops, wings, rings, prawns, sticks, strands, diamonds, blocks, simit, aubergine, drizzle, pot,
        dumplings, beans, scoops, triangles, stripes, slab,
    )
}  # fmt: skip


def lay(canvas: Canvas, name: str, centre: Point, given: dict[str, Any]) -> None:
    """Lay one kind of food; `x` and `y` shift it from the middle of the sheet."""
    rest = {key: value for key, value in given.items() if key not in ("x", "y")}
    FOODS[name](canvas, (centre[0] + given.get("x", 0), centre[1] + given.get("y", 0)), **rest)
