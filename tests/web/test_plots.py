"""Plots drawn here: lines and sparks, well-formed, escaped, and told in words."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.web.plots.faces import faces
from casino.web.plots.lines import (
    FIGURE,
    LETTER,
    Axis,
    Level,
    Line,
    Plot,
    Point,
    plot,
    power,
    round_ticks,
)
from casino.web.plots.shapes import WIDTH
from casino.web.plots.sparks import HEIGHT, spark
from casino.web.plots.sparks import WIDTH as SPARK_WIDTH

SVG = "svg"
reals = st.floats(min_value=-1e9, max_value=1e9, allow_nan=False)


def drawn(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 - our own


def spots(root: ET.Element) -> list[tuple[float, float]]:
    lines = [each.attrib["points"] for each in root.iter("polyline")]
    pairs = [pair.split(",") for line in lines for pair in line.split()]
    return [(float(x), float(y)) for x, y in pairs]


@given(st.lists(st.tuples(reals, reals), max_size=30), st.booleans())
def test_a_line_lies_within_its_picture(points: list[tuple[float, float]], powers: bool) -> None:  # noqa: FBT001 - given
    line = Line("Evidence", tuple(Point(x, y) for x, y in points))

    root = drawn(plot(Plot("Evidence over throws.", (line,), y=Axis(powers=powers))))

    height = float(root.attrib["viewBox"].split()[3])
    assert len(spots(root)) == len(points)
    assert all(0 <= x <= WIDTH and 0 <= y <= height for x, y in spots(root))


@given(reals, reals, st.booleans())
def test_ticks_are_few_and_reach_around_the_values(one: float, other: float, powers: bool) -> None:  # noqa: FBT001 - given
    least, most = sorted((one, other))

    ticks = [value for value, _ in round_ticks(least, most, powers=powers)]

    assert 2 <= len(ticks) <= 8
    step = ticks[1] - ticks[0]
    assert ticks[0] <= least + step * powers + 1e-6 * max(1, abs(least), abs(most))
    assert ticks[-1] >= most - 1e-6 * max(1, abs(least), abs(most))


def test_points_link_to_where_they_come_from_and_are_said() -> None:
    line = Line("Evidence", (Point(1, 0.2, "1 to 1 <after> 12", "/events/12/"), Point(2, 3)))
    alarm = Point(2, 3, "An alarm", "/dice/alarms/7/")

    root = drawn(plot(Plot("Evidence & throws.", (line,), marks=(alarm,))))

    assert [each.attrib["href"] for each in root.iter("a")] == ["/events/12/", "/dice/alarms/7/"]
    assert [each.text for each in root.iter("title")] == ["1 to 1 <after> 12", "An alarm"]
    assert root.attrib["aria-label"] == "Evidence & throws."


def test_an_image_has_nothing_to_follow_in_it() -> None:
    bare = drawn(plot(Plot("Flat.", (Line("A", (Point(0, 0), Point(1, 0))),))))
    linked = drawn(plot(Plot("Linked.", (Line("A", (Point(0, 0, "zero", "/a/"),)),))))

    assert bare.attrib["role"] == "img"
    assert linked.attrib["role"] == "group"


def test_levels_and_several_lines_have_words() -> None:
    lines = (Line("Seen", (Point(0, 1),)), Line("Expected", (Point(0, 2),)))

    root = drawn(plot(Plot("Two.", lines, levels=(Level(3, "1000 to 1"),))))

    said = [each.text for each in root.iter("text")]
    assert {"Seen", "Expected", "1000 to 1"} <= set(said)


@given(st.lists(st.text(alphabet="abc ", min_size=1, max_size=30), min_size=2, max_size=4))
def test_names_of_lines_lie_beside_each_other_or_below(titles: list[str]) -> None:
    lines = tuple(Line(title, (Point(0, 1),)) for title in titles)

    root = drawn(plot(Plot("Several.", lines)))

    field = min(float(each.attrib["y1"]) for each in root.iter("line"))
    named = [each for each in root.iter("text") if each.text in titles]
    rows: dict[float, float] = {}
    for each in named:
        x, y = float(each.attrib["x"]), float(each.attrib["y"])
        assert x >= rows.get(y, 0.0)
        rows[y] = x + LETTER * len(str(each.text))
        assert rows[y] <= WIDTH
        assert y < field


@given(st.floats(min_value=0.5, max_value=1e7), st.booleans())
def test_figures_below_a_plot_lie_within_it_and_apart(most: float, powers: bool) -> None:  # noqa: FBT001 - given
    line = Line("Throws", (Point(0, 0), Point(most, 1)))

    root = drawn(plot(Plot("Throws.", (line,), x=Axis(powers=powers))))

    base = max(float(each.attrib["y1"]) for each in root.iter("line"))
    ends = []
    for each in root.iter("text"):
        if float(each.attrib["y"]) != base + 20 or not each.text:
            continue
        x, wide = float(each.attrib["x"]), FIGURE * len(each.text)
        ends.append((x - wide / 2, x + wide / 2))
    assert ends
    assert all(left >= 0 and right <= WIDTH + 0.1 for left, right in ends)
    assert all(right <= left for (_, right), (left, _) in pairwise(ends))


@pytest.mark.parametrize("sides", [4, 6, 20, 100])
def test_figures_of_faces_stand_where_they_have_room(sides: int) -> None:
    root = drawn(faces([1234] * sides, "Faces.", axis="face"))

    said = sorted((float(each.attrib["x"]), str(each.text or "")) for each in root.iter("text"))
    figures = [x for x, text in said if text == "1,234"]
    assert bool(figures) == (sides < 10)
    assert all(after - before >= 5 * FIGURE for before, after in pairwise(figures))


@pytest.mark.parametrize(
    ("exponent", "said"), [(0, "1"), (2, "100"), (3, "1000"), (6, "10⁶"), (-2, "10⁻²")]
)
def test_powers_of_ten_are_written_as_people_write_them(exponent: float, said: str) -> None:
    assert power(exponent) == said


@given(st.lists(st.none() | reals, max_size=40), st.booleans())
def test_a_spark_lies_within_its_picture(values: list[float | None], zero: bool) -> None:  # noqa: FBT001 - given
    svg = spark(values, "How it went.", from_zero=zero)

    seen = [value for value in values if value is not None]
    if not seen:
        assert not svg
        return
    root = drawn(svg)
    assert root.attrib["aria-label"] == "How it went."
    assert len(spots(root)) == len(seen)
    assert all(0 <= x <= SPARK_WIDTH and 0 <= y <= HEIGHT for x, y in spots(root))


def test_a_gap_in_a_spark_is_a_gap() -> None:
    root = drawn(spark([1, 2, None, 3, 2], "With a gap."))

    assert len(list(root.iter("polyline"))) == 2
