"""What food is served in, seen from above: each draws itself on the table."""

from __future__ import annotations

from tools.dishes.canvas import CENTRE, Canvas, bar, darker, lighter, oval

SHADE = 12


def plate(canvas: Canvas, colour: str) -> None:
    _shadow(canvas, 208, 208)
    canvas.disc(CENTRE, 208, darker(colour, 0.1))
    canvas.disc((CENTRE[0], CENTRE[1] - 2), 205, colour)
    canvas.disc(CENTRE, 156, darker(colour, 0.09))
    canvas.disc((CENTRE[0], CENTRE[1] + 3), 153, lighter(colour, 0.4))


def platter(canvas: Canvas, colour: str) -> None:
    """A long plate, for fish and skewers."""
    _shadow(canvas, 272, 168)
    canvas.oval(CENTRE, 272, 168, darker(colour, 0.1))
    canvas.oval((CENTRE[0], CENTRE[1] - 2), 269, 165, colour)
    canvas.oval(CENTRE, 226, 128, darker(colour, 0.09))
    canvas.oval((CENTRE[0], CENTRE[1] + 3), 223, 125, lighter(colour, 0.4))


def bowl(canvas: Canvas, colour: str) -> None:
    _shadow(canvas, 186, 186)
    canvas.disc(CENTRE, 186, darker(colour, 0.16))
    canvas.disc((CENTRE[0], CENTRE[1] - 2), 183, colour)
    canvas.disc(CENTRE, 158, darker(colour, 0.3))


def dish(canvas: Canvas, colour: str) -> None:
    """A small dish for mezes, on a saucer of its own colour."""
    _shadow(canvas, 176, 176)
    canvas.disc(CENTRE, 176, darker(colour, 0.12))
    canvas.disc((CENTRE[0], CENTRE[1] - 2), 173, colour)
    canvas.ring(CENTRE, 164, 3, lighter(colour, 0.4))
    canvas.disc(CENTRE, 146, darker(colour, 0.2))


def pan(canvas: Canvas, colour: str) -> None:
    """A copper pan with two handles."""
    _shadow(canvas, 190, 190)
    for x in (CENTRE[0] - 206, CENTRE[0] + 206):
        canvas.oval((x, CENTRE[1]), 34, 26, darker(colour, 0.25))
        canvas.oval((x, CENTRE[1]), 18, 12, darker(colour, 0.7))
    canvas.disc(CENTRE, 190, darker(colour, 0.2))
    canvas.disc((CENTRE[0], CENTRE[1] - 2), 187, colour)
    canvas.ring(CENTRE, 178, 4, lighter(colour, 0.35))
    canvas.disc(CENTRE, 166, darker(colour, 0.4))


def clay(canvas: Canvas, colour: str) -> None:
    """A clay pot, thick-walled."""
    _shadow(canvas, 188, 188)
    canvas.fill(oval(CENTRE, 188, 188), darker(colour, 0.2))
    canvas.disc((CENTRE[0], CENTRE[1] - 2), 184, colour)
    canvas.disc(CENTRE, 150, darker(colour, 0.45))


def board(canvas: Canvas, colour: str) -> None:
    """A wooden board with a grip."""
    canvas.fill(_slab(CENTRE[0] + 5, CENTRE[1] + SHADE, 540, 330), canvas.shade)
    canvas.fill(_slab(CENTRE[0], CENTRE[1], 540, 330), darker(colour, 0.2))
    canvas.fill(_slab(CENTRE[0], CENTRE[1] - 5, 540, 322), colour)
    for y in (-108, -52, 6, 64, 116):
        canvas.line([(84, CENTRE[1] + y), (556, CENTRE[1] + y)], 3, darker(colour, 0.08))
    canvas.disc((CENTRE[0] + 246, CENTRE[1] - 128), 9, darker(colour, 0.4))


def nothing(canvas: Canvas, colour: str) -> None:
    """What stands on the table by itself."""


VESSELS = {
    "plate": plate,
    "platter": platter,
    "bowl": bowl,
    "dish": dish,
    "pan": pan,
    "clay": clay,
    "board": board,
    "none": nothing,
}


def _shadow(canvas: Canvas, rx: float, ry: float) -> None:
    canvas.oval((CENTRE[0] + 6, CENTRE[1] + SHADE), rx + 2, ry + 2, canvas.shade)


def _slab(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    corner = 34
    left = bar((x - width / 2 + corner, y), height, corner * 2, 90)
    right = bar((x + width / 2 - corner, y), height, corner * 2, 90)
    # The outline of two upright bars and what lies between them.
    return _hull([*left, *right])


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    def cross(o: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    ordered, outline = sorted(set(points)), []
    for way in (ordered, ordered[::-1]):
        part: list[tuple[float, float]] = []
        for point in way:
            while len(part) > 1 and cross(part[-2], part[-1], point) <= 0:
                part.pop()
            part.append(point)
        outline += part[:-1]
    return outline
