# ruff: noqa: RUF001 - letters that are taken for others are what this is about
"""Names that are one to the eye: which they are, and that lists show them beside each other."""

from __future__ import annotations

import unicodedata
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from confusable_homoglyphs import confusables
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.similar_names import add_similar
from casino.words.languages import names as lookalikes
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House

BLOCKS = {  # as Unicode names them, with who stands in each table
    range(0x0370, 0x0400): lookalikes.GREEK,
    range(0x0400, 0x0530): lookalikes.CYRILLIC,
    range(0x0531, 0x0590): lookalikes.ARMENIAN,
    range(0x0080, 0x0250): lookalikes.LATIN,
}
ALIKE = [
    ("Ada", "Аda"),
    ("Ada", "ADA"),
    ("Ada", "A da"),
    ("Jose", "José"),
    ("Ida", "lda"),
    ("Ida", "Ιda"),
    ("Ilya", "1lya"),
    ("Bo", "B0"),
    ("Table 1", "Table l"),
    ("Table 10", "Table IO"),
    ("Ada ♠", "Ada ♠\ufe0f"),
    ("ռan", "nan"),
    ("D'Angelo", "D’Angelo"),
    ("D'Angelo", "DAngelo"),
    ("Anna-Maria", "Anna Maria"),
    ("Anna\u2010Maria", "Annamaria"),
    ("St. John", "St John"),
    ("O.Brien", "O Brien"),
    ("\u0639\u0644\u06cc", "\u0639\u0640\u0644\u06cc"),
    ("\u0632\u0627\u062f\u0647", "\u0632\u0627\u200c\u062f\u0647"),
]
PERHAPS = [
    ("Müller", "Mueller"),
    ("Ada Müller", "Mueller, Ada"),
    ("Bjørn Dahl", "Dahl Bjoern"),
    ("Ömer", "Oemer"),
    ("Øystein", "Oeystein"),
    ("Åse", "Aase"),
    ("D'Angelo Ugo", "Ugo D Angelo"),
    ("Ugo DAngelo", "D'Angelo Ugo"),
    ("Maria-Anna Rossi", "Anna Maria Rossi"),
]
APART = [
    *PERHAPS,
    ("Table 1.1", "Table 11"),
    ("Ada", "Eda"),
    ("Table 1", "Table 7"),
    ("Ali", "All"),
    ("Вера", "Vera"),
    ("Mile", "Milo"),
]


@pytest.mark.once
@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_the_table_says_what_unicode_says(block: range) -> None:
    """Capital I is left as it is: whether it is an l is a reading of its own."""
    theirs = {}
    for letter in map(chr, block):
        latin = {
            each["c"]
            for told in confusables.is_confusable(letter, greedy=True) or ()
            for each in told["homoglyphs"]
            if len(each["c"]) == 1 and each["c"].isascii() and each["c"].isalpha()
        }
        if latin and letter.isalpha() and unicodedata.normalize("NFKD", letter) == letter:
            [theirs[letter]] = latin

    ours = {letter: "l" if like == "I" else like for letter, like in BLOCKS[block].items()}
    assert ours == theirs


@pytest.mark.once
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_these_are_one_to_the_eye(one: str, other: str) -> None:
    assert lookalikes.namesakes({1: one, 2: other, 3: "Carla"}) == {1: [other], 2: [one]}


@pytest.mark.once
@pytest.mark.parametrize(("one", "other"), APART)
def test_these_are_not(one: str, other: str) -> None:
    assert lookalikes.namesakes({1: one, 2: other}) == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "page", ["players", "people", "settings-tables", "settings-dice", "dice-sets"]
)
def test_lists_show_them_beside_each_other(page: str) -> None:
    house = builders.house()
    named(house, "Ada", "Carla")
    html = text(house, page)
    assert "looks like" not in html

    named(house, "Аda")

    html = text(house, page)
    assert "Ada looks like Аda" in html
    assert "Аda looks like Ada (А U+0410)" in html
    assert "Carla looks like" not in html


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("one", "other"), [("Ida", "lda"), ("A", "А"), ("0la", "Ola"), ("Bo", "Во")]
)
def test_a_search_shows_who_it_has_not_found(one: str, other: str) -> None:
    house = builders.house()
    tokens.player_tokens(house.id, [one, other, "Carla"], new=True)

    html = text(house, "players", name=one)

    assert f"{one} looks like {other}" in html
    assert f"{other} looks like" not in html


def named(house: House, *names: str) -> None:
    """Players, people, tables and dice of these names."""
    tokens.player_tokens(house.id, names, new=True)
    for name in names:
        builders.table(house.establishment, name=name)
        builders.dice_set(house.establishment, number=name)
        who = builders.person(first_name=name)
        builders.employed(house.establishment, Role.ATTENDANT, who)


def text(house: House, page: str, **asked: str) -> str:
    client = Client()
    client.force_login(house.manager)
    answer = client.get(reverse(page), asked)
    assert answer.status_code == HTTPStatus.OK
    return " ".join(strip_tags(answer.text).split())


@pytest.mark.parametrize(("one", "other"), PERHAPS)
def test_another_spelling_may_be_the_same_and_is_no_look_alike(one: str, other: str) -> None:
    names = {1: one, 2: other, 3: "Somebody Else"}

    assert lookalikes.namesakes(names) == {}
    assert lookalikes.perhaps_the_same(names) == {1: [other], 2: [one]}


def test_who_looks_the_same_is_not_shown_as_perhaps_the_same() -> None:
    assert lookalikes.perhaps_the_same({1: "D'Angelo", 2: "D’Angelo"}) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("names", [*PERHAPS, *((two, one) for one, two in PERHAPS)])
def test_who_may_be_the_same_is_found_among_all_players(names: tuple[str, str]) -> None:
    at = builders.house()
    one, other = (tokens.player_tokens(at.id, [name, "Zoe Zorn"], new=True)[name] for name in names)

    assert add_similar(at.id, {one: names[0]}) == {one: names[0], other: names[1]}


@pytest.mark.django_db
def test_the_list_of_players_shows_who_may_be_the_same() -> None:
    at = builders.house()
    tokens.player_tokens(at.id, ["Ada Müller", "Mueller Ada", "D'Angelo", "DAngelo"], new=True)
    client = Client()
    client.force_login(at.manager)

    page = strip_tags(client.get(reverse("players")).content.decode())

    assert "may be the same: Mueller Ada" in page
    assert "looks like DAngelo" in page
