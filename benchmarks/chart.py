"""The results as an SVG of bars on a log scale, written by hand: nothing to install.

A panel a unit (playouts, simulations, moves), each with an axis of its own. The colours follow the
reader's light or dark setting; the card has its own background, so it is readable where that setting is
not passed on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from statistics import median

from benchmarks.measure import Measured, ratio

WIDTH = 760
MARGIN = 24
BAR_LEFT = 250
BAR_RIGHT = 520  # the rest is for the numbers
BAR_HEIGHT = 16
LINE = 22
TIMES_SIGN = "\N{MULTIPLICATION SIGN}"
PANEL_TITLES = {
    "playouts": "Random playouts per second",
    "simulations": "Tree simulations per second",
    "moves": "Moves per second from Python",
}

STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328; }
  .card { fill: #ffffff; stroke: #d1d9e0; }
  .panel { font-size: 15px; font-weight: 600; }
  .row { font-weight: 600; }
  .faint { fill: #59636e; font-size: 11.5px; }
  .ratio { font-weight: 600; fill: #0f6e56; }
  .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .ours { fill: #1d9e75; }
  .theirs { fill: #9aa4af; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .card { fill: #0d1117; stroke: #3d444d; }
    .faint { fill: #9198a1; }
    .ratio { fill: #5dcaa5; }
    .value { stroke: #0d1117; }
    .grid { stroke: #3d444d; }
    .theirs { fill: #656c76; }
  }
"""


@dataclass(frozen=True)
class Axis:
    """A log scale over whole decades."""

    low: int  # power of ten at BAR_LEFT
    high: int

    @classmethod
    def over(cls, rates: Sequence[float]) -> "Axis":
        # Half of the smallest: a bar of almost no length would say "nothing", not "least".
        return cls(floor(log10(min(rates) / 2)), ceil(log10(max(rates))))

    def x(self, rate: float) -> float:
        return BAR_LEFT + (BAR_RIGHT - BAR_LEFT) * (log10(rate) - self.low) / (self.high - self.low)


def svg(measured: Sequence[Measured], caption: Sequence[str]) -> str:
    """The chart, with the lines of the caption below it."""
    parts: list[str] = []
    y = MARGIN
    for unit, title in PANEL_TITLES.items():
        entries = [entry for entry in measured if entry.row.unit == unit]
        if entries:
            y = _panel(parts, entries, title, y)
    for line in caption:
        y += 16
        parts.append(_text(MARGIN, y, line, "faint"))
    height = y + MARGIN
    summary = escape(_summary(measured))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
            f'height="{height}" role="img" aria-labelledby="title desc">',
            '<title id="title">Speed of the tengen engine beside other libraries</title>',
            f'<desc id="desc">{summary}</desc>',
            f"<style>{STYLE}</style>",
            f'<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
            *parts,
            "</svg>\n",
        ]
    )


def _panel(parts: list[str], entries: Sequence[Measured], title: str, top: int) -> int:
    """Draws one panel and returns the y below it."""
    axis = Axis.over([median(series.units_per_second) for entry in entries for series in entry.series])
    y = top + 14
    parts.append(_text(MARGIN, y, title, "panel"))
    parts.append(_text(WIDTH - MARGIN, y, "tengen is", "faint", "end"))
    first = y + 18
    bottom = first + sum(len(entry.series) * LINE + 8 for entry in entries)
    for power in range(axis.low, axis.high + 1):
        x = axis.x(10**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{first}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 15, _short(10**power), "faint", "middle"))
    y = first + 4
    for entry in entries:
        y = _bars(parts, entry, axis, y)
    return bottom + 30


def _bars(parts: list[str], entry: Measured, axis: Axis, top: int) -> int:
    ours = entry.series[0]
    y = top
    for series in entry.series:
        baseline = y + 13
        rate = median(series.units_per_second)
        end = axis.x(rate)
        kind = "ours" if series is ours else "theirs"
        if series is ours:
            parts.append(_text(MARGIN, baseline, entry.row.title, "row"))
        parts.append(_text(BAR_LEFT - 8, baseline, series.name, "name", "end"))
        parts.append(
            f'<rect class="{kind}" x="{BAR_LEFT}" y="{y}" width="{end - BAR_LEFT:.1f}" '
            f'height="{BAR_HEIGHT}" rx="2"/>'
        )
        parts.append(_text(end + 6, baseline, _grouped(rate), "value"))
        if series is not ours:
            times = _times(ratio(ours.units_per_second, series.units_per_second).median)
            parts.append(_text(WIDTH - MARGIN, baseline, times, "ratio", "end"))
        if series is not ours and entry.row.unit == "playouts":
            per_move = _times(ratio(ours.moves_per_second, series.moves_per_second).median)
            parts.append(_text(WIDTH - MARGIN - 56, baseline, f"per move {per_move}", "faint", "end"))
        y += LINE
    return y + 8


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(number: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)


def _grouped(rate: float) -> str:
    """Three significant digits are all that a measured rate has."""
    digits = max(0, floor(log10(rate)) - 2)
    return f"{round(rate, -digits):,.0f}"


def _times(times: float) -> str:
    return f"{times:.{0 if times >= 100 else 1}f}{TIMES_SIGN}"


def _summary(measured: Sequence[Measured]) -> str:
    sentences = []
    for entry in measured:
        rates = ", ".join(f"{s.name} {_grouped(median(s.units_per_second))}" for s in entry.series)
        sentences.append(f"{entry.row.title}, {entry.row.unit} per second: {rates}.")
    return " ".join(sentences)
