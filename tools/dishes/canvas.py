"""A sheet that is drawn on three times as large as it is kept, so that edges come out smooth."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from PIL import Image, ImageColor, ImageDraw

WIDTH, HEIGHT = 640, 480
FINE = 3
CENTRE = (WIDTH / 2, HEIGHT / 2)

Point = tuple[float, float]


def mix(colour: str, other: str, part: float) -> str:
    """A colour with so much of another in it."""
    pairs = zip(ImageColor.getrgb(colour)[:3], ImageColor.getrgb(other)[:3], strict=True)
    return "#" + "".join(f"{round(one + (two - one) * part):02x}" for one, two in pairs)


def darker(colour: str, part: float = 0.22) -> str:
    # Towards a warm brown, not towards black: shadows on a table are never grey.
    return mix(colour, "#3a1d0c", part)


def lighter(colour: str, part: float = 0.28) -> str:
    return mix(colour, "#fff6e6", part)


class Canvas:
    """Shapes in a coordinate system of 640 by 480. `chance` is seeded by the dish, so that a picture never changes."""

    def __init__(self, ground: str, seed: str) -> None:
        self.chance = random.Random(seed)
        self.ground = ground
        self.shade = darker(ground, 0.16)
        # What stands by itself is brought nearer, around its foot.
        self._zoom, self._foot = 1.0, (0.0, 0.0)
        self._image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        return self._image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)

    def bring_near(self, zoom: float, foot: Point) -> None:
        self._zoom, self._foot = zoom, foot

    def fill(self, points: Sequence[Point], colour: str) -> None:
        self._draw.polygon([self._placed(point) for point in points], fill=colour)

    def _placed(self, point: Point) -> Point:
        (x, y), (to_x, to_y) = point, self._foot
        return (to_x + (x - to_x) * self._zoom) * FINE, (to_y + (y - to_y) * self._zoom) * FINE

    def oval(self, at: Point, rx: float, ry: float, colour: str, turn: float = 0) -> None:
        self.fill(oval(at, rx, ry, turn), colour)

    def disc(self, at: Point, radius: float, colour: str) -> None:
        self.oval(at, radius, radius, colour)

    def bar(self, at: Point, length: float, width: float, colour: str, turn: float = 0) -> None:
        """A bar with round ends."""
        self.fill(bar(at, length, width, turn), colour)

    def line(self, points: Sequence[Point], width: float, colour: str) -> None:
        """A line with round ends and corners."""
        scaled = [self._placed(point) for point in points]
        self._draw.line(scaled, fill=colour, width=round(width * FINE * self._zoom), joint="curve")
        half = width * FINE * self._zoom / 2
        for x, y in (scaled[0], scaled[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def ring(self, at: Point, radius: float, width: float, colour: str, begin: float = 0, end: float = 360) -> None:
        steps = max(12, int(abs(end - begin) / 6))
        angles = [math.radians(begin + (end - begin) * step / steps) for step in range(steps + 1)]
        self.line([(at[0] + radius * math.cos(a), at[1] + radius * math.sin(a)) for a in angles], width, colour)

    def body(self, points: Sequence[Point], colour: str, depth: float = 5) -> None:
        """A shape with some thickness: its shadow lies below it, and its upper left catches light."""
        self.fill([(x + depth * 0.5, y + depth) for x, y in points], darker(colour, 0.42))
        self.fill(points, colour)
        middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        lit = [
            (middle[0] + (x - middle[0]) * 0.72 - depth * 0.4, middle[1] + (y - middle[1]) * 0.62 - depth * 0.5)
            for x, y in points
        ]
        self.fill(lit, lighter(colour, 0.16))


def oval(at: Point, rx: float, ry: float, turn: float = 0, wobble: float = 0, chance: random.Random | None = None) -> list[Point]:  # fmt: skip
    """The outline of an oval; `wobble` makes it look made by hand."""
    tilt, found = math.radians(turn), []
    bumps = [chance.uniform(-wobble, wobble) for _ in range(7)] if chance is not None and wobble else [0.0] * 7
    for step in range(72):
        angle = math.tau * step / 72
        place = 7 * step / 72
        low, part = int(place) % 7, place % 1
        smooth = (1 - math.cos(part * math.pi)) / 2
        swell = 1 + bumps[low] * (1 - smooth) + bumps[(low + 1) % 7] * smooth
        x, y = rx * swell * math.cos(angle), ry * swell * math.sin(angle)
        found.append(_turned(at, x, y, tilt))
    return found


def bar(at: Point, length: float, width: float, turn: float = 0) -> list[Point]:
    tilt, half, reach = math.radians(turn), width / 2, max(length / 2 - width / 2, 0)
    right = [(reach + half * math.cos(a), half * math.sin(a)) for a in _half_circle(-90)]
    left = [(-reach + half * math.cos(a), half * math.sin(a)) for a in _half_circle(90)]
    return [_turned(at, x, y, tilt) for x, y in (*right, *left)]


def boat(at: Point, length: float, width: float, turn: float = 0, sharp: float = 1.5) -> list[Point]:
    """Wide in the middle and pointed at both ends."""
    tilt = math.radians(turn)
    xs = [-1 + 2 * step / 40 for step in range(41)]
    upper = [(length / 2 * x, -width / 2 * (1 - abs(x) ** sharp)) for x in xs]
    lower = [(length / 2 * x, width / 2 * (1 - abs(x) ** sharp)) for x in reversed(xs)]
    return [_turned(at, x, y, tilt) for x, y in (*upper, *lower)]


def around(at: Point, radius: float, count: int, begin: float = 0, flat: float = 1) -> list[tuple[float, float, float]]:
    """Places on a circle, each with its angle in degrees."""
    angles = [begin + 360 * number / count for number in range(count)]
    return [
        (at[0] + radius * math.cos(math.radians(one)), at[1] + radius * flat * math.sin(math.radians(one)), one)
        for one in angles
    ]


def scattered(chance: random.Random, at: Point, rx: float, ry: float, count: int) -> list[Point]:
    """Places inside an oval that keep a distance from each other: the best of some tries for each."""
    found: list[Point] = []
    for _ in range(count):
        tries = []
        for _ in range(8):
            angle, reach = chance.uniform(0, math.tau), math.sqrt(chance.random())
            tries.append((at[0] + rx * reach * math.cos(angle), at[1] + ry * reach * math.sin(angle)))
        found.append(max(tries, key=lambda one: min((math.dist(one, other) for other in found), default=0)))
    return found


def _turned(at: Point, x: float, y: float, tilt: float) -> Point:
    return at[0] + x * math.cos(tilt) - y * math.sin(tilt), at[1] + x * math.sin(tilt) + y * math.cos(tilt)


def _half_circle(begin: float) -> list[float]:
    return [math.radians(begin + 180 * step / 12) for step in range(13)]
