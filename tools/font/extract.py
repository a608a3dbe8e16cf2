"""Writes data/plot-font.txt, the glyphs that plots are lettered with, from DejaVu Sans.

/usr/bin/python3 tools/font/extract.py /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf data/plot-font.txt

Needs Debian's fonts-dejavu-core and python3-fonttools. Only whoever wants other glyphs runs it: the result is kept.
"""

import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

RANGES = [
    (0x20, 0x7E), (0xA0, 0xFF), (0x391, 0x3A1), (0x3A3, 0x3A9), (0x3B1, 0x3C9),  # Latin, Greek
    (0x401, 0x401), (0x410, 0x44F), (0x451, 0x451),  # Russian
    (0x2013, 0x2014), (0x2018, 0x201A), (0x201C, 0x201E), (0x2022, 0x2022), (0x2026, 0x2026), (0x2032, 0x2033),
    (0x2070, 0x2070), (0x2074, 0x207B), (0x2080, 0x208B), (0x2116, 0x2116), (0x2190, 0x2193),
    (0x2202, 0x2202), (0x2207, 0x2207), (0x2211, 0x2212), (0x221A, 0x221A), (0x221E, 0x221E), (0x2248, 0x2248),
    (0x2260, 0x2260), (0x2264, 0x2265), (0xFFFD, 0xFFFD),
]


class PathPen(BasePen):
    """Outlines as text: M to begin a contour, L for a line, Q for a parabola; contours close by themselves."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.parts = []

    def point(self, where):
        return f"{round(where[0])} {round(where[1])}"

    def _moveTo(self, to):
        self.parts.append("M" + self.point(to))

    def _lineTo(self, to):
        self.parts.append("L" + self.point(to))

    def _qCurveToOne(self, control, to):
        self.parts.append(f"Q{self.point(control)} {self.point(to)}")

    def _closePath(self):
        pass


def main():
    font = TTFont(sys.argv[1])
    glyphs, names, widths = font.getGlyphSet(), font.getBestCmap(), font["hmtx"]
    units, upper, lower = font["head"].unitsPerEm, font["hhea"].ascent, font["hhea"].descent
    lines = [
        "# Glyphs of DejaVu Sans for plots, made by tools/font/extract.py; licence in data/NOTICE.",
        "# units to the em, ascent, descent; then a glyph a line: code point, advance, outline.",
        f"{units} {upper} {lower}",
    ]
    for first, last in RANGES:
        for code in range(first, last + 1):
            if code not in names:
                continue
            pen = PathPen(glyphs)
            glyphs[names[code]].draw(pen)
            lines.append(f"{code:04X} {widths[names[code]][0]} {''.join(pen.parts)}".rstrip())
    with open(sys.argv[2], "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
