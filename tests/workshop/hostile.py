"""Small files that are meant to cost much, made by code."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from PIL import Image

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def workbook(
    sheet: str, *, sheets: int = 1, styles: str = "", head: str = "", parts: dict[str, bytes] | None = None
) -> bytes:
    """A workbook whose sheets hold these rows; `head` stands before the first mark of each sheet."""
    numbers = range(1, sheets + 1)
    written = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{one}.xml" ContentType="{_TYPE}.worksheet+xml"/>'
            for one in numbers
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="r{one}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{one}.xml"/>'
            for one in numbers
        )
        + f'<Relationship Id="s" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        + "".join(f'<sheet name="S{one}" sheetId="{one}" r:id="r{one}"/>' for one in numbers)
        + "</sheets></workbook>",
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">{styles}</styleSheet>',
    }
    for one in numbers:
        written[f"xl/worksheets/sheet{one}.xml"] = (
            f'{head}<worksheet xmlns="{_MAIN}"><sheetData>{sheet}</sheetData></worksheet>'
        )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in (written | {name: raw.decode("latin-1") for name, raw in (parts or {}).items()}).items():
            archive.writestr(name, text.encode("latin-1"))
    return out.getvalue()


def cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


ROWS = (
    f"<row>{cell('category')}{cell('name')}{cell('price')}</row>"
    f"<row>{cell('Tea')}{cell('Black tea')}<c><v>20</v></c></row>"
)


def many_cells(count: int) -> bytes:
    return workbook(ROWS + "<row>" + "<c/>" * count + "</row>")


def many_styles(count: int) -> bytes:
    """Formats that all differ, each looked for among those before it."""
    formats = "".join(f'<numFmt numFmtId="{200 + one}" formatCode="0.{one}"/>' for one in range(count))
    uses = "".join(f'<xf numFmtId="{200 + one}"/>' for one in range(count))
    return workbook(ROWS, styles=f"<numFmts>{formats}</numFmts><cellXfs>{uses}</cellXfs>")


def far_rows(sheets: int = 20) -> bytes:
    """A last row that makes a reader fill thousands of empty ones before it, two hundred cells wide, in every sheet."""
    return workbook(ROWS + '<row r="5000"><c r="GR5000"><v>1</v></c></row>', sheets=sheets)


def deflated_nothing(size: int) -> bytes:
    return workbook(ROWS, parts={"xl/media/more.xml": b"<a>" + b" " * size})


def in_scans(size: tuple[int, int], scans: int) -> bytes:
    """A JPEG that draws the same pixels again and again."""
    out = io.BytesIO()
    Image.new("RGB", size, "orange").save(out, "JPEG", progressive=True, quality=30)
    raw = out.getvalue()
    first = raw.index(b"\xff\xda")
    second = raw.index(b"\xff\xda", first + 2)
    tables = raw.rfind(b"\xff\xc4", first, second)
    one = raw[first : tables if tables > 0 else second]
    return raw[:first] + one * (scans - 1) + raw[first:]


def claims_to_be(width: int, height: int) -> bytes:
    """A few bytes that say to be a huge picture."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0"))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def many_items(count: int) -> bytes:
    item = b'{"name":"Tea","price":1}'
    items = b",".join([item] * count)
    return b'{"format":"tablegram-menu/1","categories":[{"name":"All","items":[' + items + b"]}]}"


def nested(depth: int) -> bytes:
    return b'{"format":"tablegram-menu/1","categories":' + b"[" * depth + b"]" * depth + b"}"
