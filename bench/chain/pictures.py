"""The answers as pictures: SVG that is read on light and on dark pages, and without colours."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

WIDE: Final = 720
TALL: Final = 320
LEFT: Final = 76
RIGHT: Final = 24
TOP: Final = 72
FOOT: Final = 48
STYLE: Final = """
svg { background: #faf8f2; color: #1f1c16; --soft: #6b6558; --rule: #dcd8cd;
  --a: #1d5c4d; --b: #a4502a; --c: #3d5a80; --d: #7a5c00; }
@media (prefers-color-scheme: dark) {
  svg { background: #1b1a17; color: #ece7da; --soft: #a8a294; --rule: #3a3832;
    --a: #6cc3ac; --b: #e39a72; --c: #9db8dc; --d: #d9b95a; } }
text { font: 12px system-ui, sans-serif; fill: currentColor }
.soft { fill: var(--soft) } .name { font-size: 14px; font-weight: 600 }
.rule { stroke: var(--rule) } .base { stroke: var(--soft) }
.line { fill: none; stroke-width: 2 }
.l0 { stroke: var(--a) } .l1 { stroke: var(--b); stroke-dasharray: 7 4 }
.l2 { stroke: var(--c); stroke-dasharray: 2 3 } .l3 { stroke: var(--d); stroke-dasharray: 10 3 2 3 }
.f0 { fill: var(--a) } .f1 { fill: var(--b) } .f2 { fill: var(--c) } .f3 { fill: var(--d) }
"""


@dataclass(frozen=True)
class Plot:
    """
    Lines over one axis.

    :param lines: by name; at most four. :param levels: horizontal lines, by what they say.
    :param log: whether both axes count in powers of ten.
    """

    title: str
    x: str
    y: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    levels: Mapping[str, float]
    log: bool = False


def draw(plot: Plot, path: Path) -> None:
    """Write it as SVG."""
    path.write_text(svg(plot), encoding="utf-8")


def svg(plot: Plot) -> str:
    points = [point for line in plot.lines.values() for point in line]
    heights = [y for _x, y in points] + [*plot.levels.values()]
    across = _Axis([x for x, _y in points], LEFT, WIDE - RIGHT, log=plot.log)
    up = _Axis([*heights, *([] if plot.log else [0.0])], TALL - FOOT, TOP, log=plot.log)
    parts = [
        f'<text class="name" x="12" y="22">{escape(plot.title)}</text>',
        *_grid(up, across),
        f'<text class="soft" x="12" y="{TOP - 10}">{escape(plot.y)}</text>',
        _text(WIDE - RIGHT, TALL - 8, plot.x, "end"),
        *_levels(plot.levels, up),
        *_lines(plot.lines, across, up),
    ]
    return _whole(plot.title, TALL, parts)


def bars(title: str, unit: str, values: Sequence[tuple[str, float]]) -> str:
    """Horizontal bars on an axis of powers of ten, each with its figure: what is full first."""
    row, left = 34, 300
    most = max(value for _name, value in values)
    least = min(value for _name, value in values)
    axis = _Axis([least / 2, most], left, WIDE - 130, log=True)
    tall = 56 + row * len(values)
    parts = [f'<text class="name" x="12" y="22">{escape(title)}</text>']
    for place, (name, value) in enumerate(values):
        y, end, color = 40 + row * place, axis(value), "f0" if place else "f1"
        parts += [
            f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="{color}" x="{left}" y="{y}" width="{end - left:.1f}" height="20"/>',
            _text(end + 6, y + 15, f"{_figure(value)} {unit}", "start"),
        ]
    return _whole(title, tall, parts)


class _Axis:
    """From values to places."""

    def __init__(self, values: Sequence[float], first: float, last: float, *, log: bool) -> None:
        self.log, self.first, self.last = log, first, last
        self.low = self.high = 0.0
        low, high = min(values), max(values)
        if log:
            self.low, self.high = float(floor(log10(low))), log10(high)
            self.high = self.high if self.high > self.low else self.low + 1.0
        else:
            self.step = _step(high - low)
            self.low = floor(low / self.step) * self.step
            self.high = max(high, self.low + self.step)

    def __call__(self, value: float) -> float:
        at = log10(value) if self.log else value
        return self.first + (at - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self) -> Iterator[float]:
        if self.log:
            yield from (10.0**each for each in range(int(self.low), int(self.high) + 1))
            return
        value = self.low
        while value <= self.high + self.step / 100:
            yield value
            value += self.step


def _step(width: float) -> float:
    """1, 2 or 5 times a power of ten: some five of them in the width."""
    rough = max(width, 1e-9) / 5
    power: float = 10.0 ** floor(log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough)


def _grid(up: _Axis, across: _Axis) -> Iterator[str]:
    for value in up.ticks():
        y = up(value)
        yield f'<line class="rule" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield _text(LEFT - 8, y + 4, _figure(value), "end")
    base = TALL - FOOT
    yield f'<line class="base" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{base}" y2="{base}"/>'
    for value in across.ticks():
        yield _text(across(value), base + 18, _figure(value), "middle")


def _levels(levels: Mapping[str, float], up: _Axis) -> Iterator[str]:
    for name, value in levels.items():
        y = up(value)
        yield f'<line class="base" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield _text(WIDE - RIGHT, y - 5, name, "end")


def _lines(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    across: Callable[[float], float],
    up: Callable[[float], float],
) -> Iterator[str]:
    left = float(LEFT)
    for place, (name, points) in enumerate(lines.items()):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        yield f'<polyline class="line l{place}" points="{path}"/>'
        y = 38
        yield f'<line class="line l{place}" x1="{left}" x2="{left + 26}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{left + 32}" y="{y + 4}">{escape(name)}</text>'
        left += 52 + 7 * len(name)


def _text(x: float, y: float, told: str, anchor: str) -> str:
    return (
        f'<text class="soft" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(told)}</text>'
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"


def _whole(title: str, tall: float, parts: Sequence[str]) -> str:
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {tall:.0f}" role="img"'
        f' aria-label="{escape(title)}">\n<style>{STYLE}</style>\n{inside}\n</svg>\n'
    )
