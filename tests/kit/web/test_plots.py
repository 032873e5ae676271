"""Charts drawn here: within their pictures, escaped, told in words, each with its table."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.kit.web.plots import groups
from casino.kit.web.plots.charts import FIGURE, WIDTH, Axis, power, round_ticks, table_of
from casino.kit.web.plots.groups import faces
from casino.kit.web.plots.lines import (
    LETTER,
    SPARK_HEIGHT,
    SPARK_WIDTH,
    Level,
    Line,
    Plot,
    Point,
    plot,
    spark,
)
from casino.words.languages import locales

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

reals = st.floats(min_value=-1e9, max_value=1e9, allow_nan=False)


@pytest.fixture(autouse=True)
def _usual_again() -> Iterator[None]:
    yield
    locales.use(locales.USUAL)


def whole(chart: str) -> ET.Element:
    return ET.fromstring(f"<div>{chart}</div>")  # noqa: S314 - our own


def drawn(chart: str) -> ET.Element:
    """The picture of a chart."""
    svg = whole(chart).find(".//svg")
    assert svg is not None
    return svg


def spots(root: ET.Element) -> list[tuple[float, float]]:
    lines = [each.attrib["points"] for each in root.iter("polyline")]
    pairs = [pair.split(",") for line in lines for pair in line.split()]
    return [(float(x), float(y)) for x, y in pairs]


@given(st.lists(st.tuples(reals, reals), max_size=30), st.booleans())
def test_a_line_lies_within_its_picture(points: list[tuple[float, float]], powers: bool) -> None:  # noqa: FBT001 - given
    line = Line("Evidence", tuple(Point(x, y) for x, y in points))

    root = drawn(plot(Plot("Evidence over throws.", (line,), y=Axis(powers=powers))))

    height = float(root.attrib["viewBox"].split()[3])
    assert len(spots(root)) == (len(points) if len(points) != 1 else 0)
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


def test_a_chart_is_one_stop_of_the_keyboard_and_says_what_it_is() -> None:
    line = Line("A", (Point(0, 0, "zero", "/a/"), Point(1, 0, "one")))
    root = whole(plot(Plot("Linked.", (line,))))

    stops = [each for each in root.iter() if each.attrib.get("tabindex") == "0"]
    assert [each.tag for each in stops] == ["svg"]
    assert stops[0].attrib["role"] == "group"
    assert stops[0].attrib["aria-roledescription"] == "chart"
    assert [each.attrib["role"] for each in root.iter("p")] == ["status"]


def test_what_lies_above_each_other_is_one_spot_from_left_to_right() -> None:
    lines = (
        Line("Now", (Point(0, 0, "0 now"), Point(2, 5, "5 now"))),
        Line("Then", (Point(0, 0, "0 then"), Point(1, 3, "3 then"))),
    )

    root = drawn(plot(Plot("Two.", lines)))

    assert [each.text for each in root.iter("title")] == ["0 now; 0 then", "3 then", "5 now"]
    areas = [each for each in root.iter("rect") if each.attrib["class"] == "plot-area"]
    edges = [(float(each.attrib["x"]), float(each.attrib["width"])) for each in areas]
    for (left, width), (beside, _) in pairwise(edges):
        assert left + width == pytest.approx(beside, abs=0.2)


def test_a_point_is_no_line_but_a_figure_and_a_sentence() -> None:
    line = Line("Evidence", (Point(3, 1, "After 3 throws: 1 to 1"),))

    root = whole(plot(Plot("One.", (line,))))

    assert list(root.iter("polyline")) == []
    assert [each.text for each in root.iter("text")].count("After 3 throws: 1 to 1") == 1
    said = [each.text for each in root.iter("p")]
    assert said[1] == "One point so far: After 3 throws: 1 to 1. A line begins with the second."


def test_behind_a_chart_stands_its_table() -> None:
    table = table_of(("Time", "Staked"), [("20:00", "€5.00"), ("20:15", "€7.50")])
    line = Line("Staked", (Point(0, 500, "20:00: €5.00"), Point(1, 750, "20:15: €7.50")))

    root = whole(plot(Plot("Staked.", (line,), table=table)))

    details = root.find(".//details")
    assert details is not None
    assert [each.text for each in details.iter("summary")] == ["Show as table"]
    cells = [each.text for each in details.iter("td")]
    assert cells == ["20:00", "€5.00", "20:15", "€7.50"]
    assert [each.text for each in root.iter("title")] == ["20:00: €5.00", "20:15: €7.50"]


@pytest.mark.parametrize(
    ("locale", "digits", "most", "ticks"),
    [
        ("en-GB", 2, 500000, ["0", "1,000", "2,000", "3,000", "4,000", "5,000"]),
        ("en-GB", 2, 250, ["0.00", "0.50", "1.00", "1.50", "2.00", "2.50"]),
        ("it-IT", 2, 250, ["0,00", "0,50", "1,00", "1,50", "2,00", "2,50"]),
        ("de-DE", 0, 25000, ["0", "5.000", "10.000", "15.000", "20.000", "25.000"]),
        ("en-GB", 3, 2, ["0.000", "0.001", "0.002"]),
    ],
)
def test_ticks_of_money_are_round_and_written_as_the_house_does(
    locale: str, digits: int, most: int, ticks: list[str]
) -> None:
    locales.use(locale, "€", digits)
    line = Line("Staked", (Point(0, 0), Point(1, most)))

    root = drawn(plot(Plot("Staked.", (line,), y=Axis("€", money=True))))

    texts = [str(each.text or "") for each in root.iter("text")]
    assert [text for text in texts if text in ticks][: len(ticks)] == ticks
    assert texts.count("€") == 1
    assert not [text for text in texts if "€" in text and text != "€"]


def test_a_count_has_no_ticks_between_whole_numbers() -> None:
    assert [figure for _value, figure in round_ticks(0, 1, whole=True)] == ["0", "1"]
    assert [figure for _value, figure in round_ticks(0, 2, whole=True)] == ["0", "1", "2"]


@pytest.mark.parametrize("form", [groups.bars, groups.columns, groups.marks])
def test_a_group_of_bars_is_a_spot_with_its_figures(form: Callable[[groups.Data], str]) -> None:
    locales.use("it-IT")
    series = (
        groups.Series("Wins", (0.25, 0.5), ("25,00 %", "50,00 %")),
        groups.Series("Ties", (0.1, 0.2), ("10,00 %", "20,00 %")),
    )
    root = drawn(form(groups.Data("Hands", "Hand", ("pair", "run"), series)))

    told = [each.text for each in root.iter("title")]
    assert told == [
        "Hand pair: Wins 25,00 %, Ties 10,00 %",
        "Hand run: Wins 50,00 %, Ties 20,00 %",
    ]
    assert not [each for each in root.iter("text") if re.search(r"\d\.\d", each.text or "")]


def test_levels_and_several_lines_have_words() -> None:
    lines = (Line("Seen", (Point(0, 1),)), Line("Expected", (Point(0, 2),)))

    root = drawn(plot(Plot("Two.", lines, levels=(Level(3, "1000 to 1"),))))

    texts = [each.text for each in root.iter("text")]
    assert {"Seen", "Expected", "1000 to 1"} <= set(texts)


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
    root = drawn(
        faces(
            [1234] * sides,
            "Faces.",
            axis="face",
            told=["1,234"] * sides,
            table=table_of((), ()),
        )
    )

    texts = sorted((float(each.attrib["x"]), str(each.text or "")) for each in root.iter("text"))
    figures = [x for x, text in texts if text == "1,234"]
    assert bool(figures) == (sides < 10)
    assert all(after - before >= 5 * FIGURE for before, after in pairwise(figures))


@pytest.mark.parametrize(
    ("exponent", "said"), [(0, "1"), (2, "100"), (3, "1,000"), (6, "10⁶"), (-2, "10⁻²")]
)
def test_powers_of_ten_are_written_as_people_write_them(exponent: float, said: str) -> None:
    assert power(exponent) == said


@given(st.lists(st.none() | reals, max_size=40), st.booleans())
def test_a_spark_lies_within_its_picture(values: list[float | None], zero: bool) -> None:  # noqa: FBT001 - given
    told = [str(value) for value in values]
    svg = spark(values, "How it went.", told, from_zero=zero)

    seen = [value for value in values if value is not None]
    if len(seen) < 2:
        assert not svg
        return
    root = drawn(svg)
    assert root.attrib["aria-label"] == "How it went."
    assert [each.text for each in root.iter("title")] == [str(value) for value in seen]
    dots = [each for each in root.iter("circle") if each.attrib["class"] == "spark-dot"]
    assert len(spots(root)) + len(dots) == len(seen)
    assert all(0 <= x <= SPARK_WIDTH and 0 <= y <= SPARK_HEIGHT for x, y in spots(root))


def test_a_gap_in_a_spark_is_a_gap() -> None:
    root = drawn(spark([1, 2, None, 3, 2], "With a gap.", ["a", "b", "c", "d", "e"]))

    assert len(list(root.iter("polyline"))) == 2
    assert [each.text for each in root.iter("title")] == ["a", "b", "d", "e"]


def test_a_day_alone_between_gaps_is_a_dot() -> None:
    root = drawn(spark([1, 2, None, 3, None, 2, 1], "Gaps.", list("abcdefg")))

    assert len(list(root.iter("polyline"))) == 2
    assert [each.attrib["class"] for each in root.iter("circle")].count("spark-dot") == 1
