"""Pictures that look alike everywhere: an SVG gets the letters that it uses, so that no text overflows its box.

A picture in a notebook is an image of its own; it cannot take a font from the page, and the reader's may be wider than
the one that it was drawn with. The letters are DejaVu Sans, which comes with matplotlib and may be embedded.
"""

from __future__ import annotations

import base64
import io
import re
from functools import lru_cache
from html import unescape
from pathlib import Path

SANS, MONO = "CourseSans", "CourseMono"
FACES = {  # {(family, weight, style): (file, a sign that a picture uses it)}
    (SANS, "normal", "normal"): ("DejaVuSans", r"<text"),
    (SANS, "bold", "normal"): ("DejaVuSans-Bold", r"\b(?:bold|[67]00)\b"),
    (SANS, "normal", "italic"): ("DejaVuSans-Oblique", r"\bitalic\b"),
    (MONO, "normal", "normal"): ("DejaVuSansMono", r"font-family=.monospace"),
}
RULES = (
    f"text,tspan{{font-family:{SANS},'DejaVu Sans',sans-serif !important}}"
    f'[font-family="monospace"],[font-family="monospace"] tspan{{font-family:{MONO},monospace !important}}'
)


def with_letters(svg: str) -> str:
    """An SVG's text with the letters that it uses embedded; as it is where it has no text."""
    letters = "".join(sorted(set(unescape(re.sub(r"<[^>]*>", "", svg)))))
    if "<text" not in svg:
        return svg
    faces = "".join(_face(letters, *face) for face, (_, sign) in FACES.items() if re.search(sign, svg))
    return re.sub(r"(<svg\b[^>]*>)", lambda found: f"{found[1]}<style>{faces}{RULES}</style>", svg, count=1)


@lru_cache(maxsize=256)
def _face(letters: str, family: str, weight: str, style: str) -> str:
    """A font of these letters alone, as a rule of CSS; the same bytes on every machine."""
    import matplotlib
    from fontTools import subset, ttLib

    path = Path(matplotlib.get_data_path(), "fonts", "ttf", f"{FACES[family, weight, style][0]}.ttf")
    font = ttLib.TTFont(path, recalcTimestamp=False)
    options = subset.Options(hinting=False, layout_features=[], notdef_outline=False, name_IDs=[], glyph_names=False)
    options.drop_tables += ["FFTM"]  # when it was made, which nobody needs
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    data = io.BytesIO()
    font.save(data)
    source = base64.b64encode(data.getvalue()).decode()
    return (
        f"@font-face{{font-family:{family};font-weight:{weight};font-style:{style};"
        f"src:url(data:font/ttf;base64,{source})}}"
    )
