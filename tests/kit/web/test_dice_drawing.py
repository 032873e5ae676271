"""Dice are drawn by shape, state and numeral, and say aloud what they show."""

from xml.etree import ElementTree as ET

import pytest
from django.template import TemplateSyntaxError

from casino.kit.web.templatetags.dice import (
    ON_SHEET,
    OWNERS,
    PIPS,
    SHAPES,
    STATES,
    TRUMP,
    dice,
    die,
    die_sheet,
    owner_sign,
    places,
    sheet_die,
)

CORNERS = {4: 3, 6: 4, 8: 4, 10: 4, 12: 5}


def drawn(value: int | None, sides: int = 8, state: str = "plain", size: int = 24) -> ET.Element:
    return ET.fromstring(die(value, sides, state, size))  # noqa: S314 - our own drawing


def classes(svg: ET.Element) -> list[str]:
    return [part.get("class", "") for part in svg.iter()]


@pytest.mark.parametrize(("sides", "corners"), CORNERS.items())
def test_each_size_of_die_has_an_outline_of_its_own(sides: int, corners: int) -> None:
    assert len(SHAPES[sides].outline) == corners
    assert len({shape.outline for shape in SHAPES.values()}) == len(SHAPES)


@pytest.mark.parametrize("sides", SHAPES)
@pytest.mark.parametrize("state", STATES)
def test_every_die_stays_in_its_box_up_to_the_ring(sides: int, state: str) -> None:
    assert drawn(sides, sides, state).get("viewBox") == "0 0 48 48"
    assert all(0 <= x <= 48 and 0 <= y <= 48 for x, y in SHAPES[sides].outline)


@pytest.mark.parametrize("sides", [4, 8, 10, 12])
def test_the_numeral_is_the_face(sides: int) -> None:
    for face in places(sides):
        assert [text.text for text in drawn(face, sides).iter("text")] == [str(face)]


@pytest.mark.parametrize("face", PIPS)
def test_a_six_sided_die_has_as_many_pips_as_its_face(face: int) -> None:
    assert classes(drawn(face, 6)).count("die-pip") == face


# fmt: off
MARKS = [
    # state    drawn in addition   said
    ("plain",  None,               "7"),
    ("kept",   "die-ring",         "7, kept"),
    ("out",    "die-strike",       "7, out"),
    ("void",   "die-strike",       "7, void"),
    ("home",   "die-house",        "7, home throw"),
]
# fmt: on


@pytest.mark.parametrize(("state", "mark", "said"), MARKS)
def test_a_state_has_a_mark_and_a_word(state: str, mark: str | None, said: str) -> None:
    svg = drawn(7, 8, state)

    marks = {"die-ring", "die-strike", "die-house"} & set(classes(svg))
    assert marks == ({mark} if mark else set())
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == said


def test_a_struck_die_keeps_its_numeral_on_top() -> None:
    parts = [part.tag for part in drawn(7, 8, "void")]

    assert parts[-1] == "text"


def test_an_empty_place_is_an_outline_only() -> None:
    svg = drawn(None, 8)

    assert [part.get("class") for part in svg] == ["die-place"]
    assert svg.get("aria-label") == "empty place for a d8"


def test_a_decorative_die_is_hidden_from_screen_readers() -> None:
    svg = ET.fromstring(die(4, decorative=True))  # noqa: S314 - our own drawing

    assert svg.get("aria-hidden") == "true"
    assert svg.get("role") is None


def test_nothing_in_a_drawing_needs_an_inline_style() -> None:
    for sides in SHAPES:
        for state in STATES:
            assert "style=" not in die(1, sides, state)


def test_a_void_throw_strikes_all_its_dice() -> None:
    assert dice([2, 2, 7], void=True).count("die-strike") == 3
    assert dice(None) == '<span class="dice"></span>'


@pytest.mark.parametrize(("sides", "state"), [(7, "plain"), (8, "glowing")])
def test_an_unknown_die_is_the_template_author_s_mistake(sides: int, state: str) -> None:
    with pytest.raises(TemplateSyntaxError):
        die(1, sides, state)


def test_dice_of_different_sizes_and_states_lie_side_by_side() -> None:
    drawn = ET.fromstring(dice([3, 11], [4, 12], ["kept", "out"]))  # noqa: S314 - our own drawing

    assert [svg.get("class") for svg in drawn] == ["die die-4 die-kept", "die die-12 die-out"]
    assert [svg.get("aria-label") for svg in drawn] == ["3, kept", "11, out"]
    assert dice([5, 5, 5], [6], ["kept"]).count("die-ring") == 3  # one for all


@pytest.mark.parametrize("owner", [*range(1, len(OWNERS) + 1), TRUMP])
def test_whose_die_it_is_stands_in_the_corner(owner: int | str) -> None:
    svg = ET.fromstring(die(4, 6, owner=owner))  # noqa: S314 - our own drawing

    assert f"own-{owner}" in (svg.get("class") or "")
    assert classes(svg).count("die-owner") == 1
    assert f"own-{owner}" in owner_sign(owner)


def test_no_two_players_have_the_same_mark() -> None:
    marks = {owner_sign(owner).partition(" d=")[2] for owner in [*range(1, len(OWNERS) + 1), TRUMP]}

    assert len(marks) == len(OWNERS) + 1
    assert owner_sign(len(OWNERS) + 1) == owner_sign(1)  # a ninth player's begin again


@pytest.mark.parametrize("sides", SHAPES)
def test_a_sheet_has_every_die_that_refers_to_it(sides: int) -> None:
    sheet = ET.fromstring(die_sheet([sides, sides]))  # noqa: S314 - our own drawing
    drawn = [part.get("id") for part in sheet.iter() if part.get("id")]

    assert len(drawn) == len(set(drawn))
    wanted = [sheet_die(None, sides)]
    wanted += [sheet_die(face, sides, state) for face in places(sides) for state in ON_SHEET]
    for each in wanted:
        use = next(part for part in ET.fromstring(each) if part.tag == "use")  # noqa: S314 - as above
        assert (use.get("href") or "").removeprefix("#") in drawn


def test_a_sheet_s_die_bears_its_owner_s_mark_too() -> None:
    assert "own-2" in sheet_die(4, 6, owner=2)
    assert sheet_die(4, 6, owner=2).count("die-owner") == 1
    assert "die-owner" not in sheet_die(4, 6)
