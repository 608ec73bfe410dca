"""Draw the pictures of the demo's menu anew: python -m tools.draw_dishes [--sheet FILE]

What each dish looks like is listed in `tools/dishes/dishes.json`; the shapes are in the files beside it. Nothing is
taken from anywhere else, so that the pictures may go wherever the product goes.
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

from PIL import Image

from tablegram.restaurant.demo.house import PICTURES, TINY_PICTURES, picture_file
from tablegram.restaurant.pictures.model import TINY
from tools.dishes.canvas import CENTRE, HEIGHT, WIDTH, Canvas
from tools.dishes.drinks import DRINKS, pour, table
from tools.dishes.foods import lay
from tools.dishes.vessels import VESSELS

ROOT = Path(__file__).parents[1]
LOOKS = Path(__file__).with_name("dishes") / "dishes.json"
# A phone on a slow line shows a screen of six in a moment.
MAX_BYTES = 6_144


def draw(look: dict[str, Any], grounds: dict[str, str]) -> Image.Image:
    canvas = Canvas(grounds[look["ground"]], look["code"])
    if any(name in DRINKS for name, _ in look["food"]):
        table(canvas)
    else:
        vessel, colour = look["vessel"]
        VESSELS[vessel](canvas, colour)
    for name, given in look["food"]:
        if name in DRINKS:
            pour(canvas, name, given)
        else:
            lay(canvas, name, CENTRE, given)
    return canvas.finished()


def packed(image: Image.Image) -> bytes:
    """As good as fits into the limit."""
    for quality in range(88, 10, -4):
        file = io.BytesIO()
        image.save(file, "WEBP", quality=quality, method=6)
        if len(file.getvalue()) <= MAX_BYTES:
            return file.getvalue()
    raise ValueError("the picture has too many small parts")


def pack_tiny() -> None:
    """All pictures once more as small as a list shows them, in one file that is the same for the same pictures."""
    with ZipFile(TINY_PICTURES, "w") as archive:
        for path in sorted(PICTURES.glob("*/*.webp")):
            image, file = Image.open(path).convert("RGB"), io.BytesIO()
            image.thumbnail((TINY, TINY), Image.Resampling.LANCZOS)
            image.save(file, "WEBP", quality=80, method=6)
            archive.writestr(ZipInfo(path.name), file.getvalue())


def sheet(images: list[Image.Image], columns: int = 8) -> Image.Image:
    """All of them beside each other, to be looked at."""
    width, height = WIDTH // 3, HEIGHT // 3
    rows = -(-len(images) // columns)
    whole = Image.new("RGB", (columns * width, rows * height), "#fbfaf7")
    for number, image in enumerate(images):
        whole.paste(image.resize((width, height)), (number % columns * width, number // columns * height))
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheet", type=Path, help="also write a contact sheet to this file")
    parser.add_argument("--only", default="", help="only the dishes whose code begins so, for a look at them")
    options = parser.parse_args()
    listed = json.loads(LOOKS.read_text())
    images, most = [], 0
    for look in listed["dishes"]:
        if not look["code"].startswith(options.only):
            continue
        image = draw(look, listed["grounds"])
        data = packed(image)
        file = picture_file(look["code"])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        images.append(image)
        most = max(most, len(data))
    pack_tiny()
    if options.sheet:
        sheet(images).save(options.sheet)
    print(f"{len(images)} pictures in {PICTURES.relative_to(ROOT)}, the largest of {most:,} bytes")


if __name__ == "__main__":
    main()
