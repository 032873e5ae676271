"""The page of odds in Italian: no word of English is left, but for names."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import translation

from casino.play.dice.odds.queries import GAMES, answer
from casino.play.dice.odds.queries import translate_answer as translated
from casino.words.languages import locales
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.odds_tables import Answer

NAMES = re.compile(r"Stone Hand|Cinnabar Gate|Threes Away|Dice Breaker|Opal River|River|Turn|Flop")
ENGLISH = re.compile(
    r"\b(the|an|and|or|of|to|is|are|as|by|with|who|what|which|how|whether|where|every|any"
    r"|each|from|before|after|than|players?|hands?|rounds?|throws?|thrown|\d dice|die"
    r"|times|chances?|odds|pays?|payment|stake|score|owes|wins|loses|losing|loser|home"
    r"|pair|triple|run|triad|empty|junk|show.ups?|void|nothing|straight|three|four|five"
    r"|full house|kept|keep|left|total|least|lowest|highest|best|worst|ties?|tied|alone"
    r"|several|row|lots?|adds|published|policy|never|likelier|none|all|under|expected"
    r"|banker|hole|target|coins|points|needs|double)\b",
    re.IGNORECASE,
)
WORD = re.compile("[A-Za-z]{2}")
TEXTS = re.compile(r'>([^<>]+)<| (?:aria-label|title)="([^"]*)"')

# fmt: off
QUERIES = [  # that have every table and note between them
    ("stone-hand",    {}),
    ("stone-hand",    {"mode": "drinks", "rethrow": "2", "triad_pay": "all", "home_throw": "none"}),
    ("stone-hand",    {"mode": "scoreboard"}),
    ("cinnabar-gate", {}),
    ("cinnabar-gate", {"opal": "1", "keep_junk": "2"}),
    ("cinnabar-gate", {"variant": "pool", "home_throw": "none"}),
    ("river",         {"hole": "4,6,8,10,12", "tie": "high_value"}),
    ("river",         {"hole": "4,6,8,10,12", "banker": "1,2,3,4,5"}),
    ("threes-away",   {}),
    ("threes-away",   {"dice": "1,3,3,5,6", "progressive": "by_round", "round": "2"}),
    ("dice-breaker",  {}),
    ("dice-breaker",  {"mode": "battle"}),
    *(ONE := [  # where of everything that is counted there is one
        ("stone-hand",    {"players": "2", "rethrow": "1", "mode": "drinks"}),
        ("cinnabar-gate", {"players": "2", "junk_rethrows": "1", "opal": "1", "keep_junk": "1"}),
        ("river",         {"players": "2", "hole": "4,6,8,10,12"}),
        ("threes-away",   {"players": "2", "progressive": "by_round"}),
        ("dice-breaker",  {"players": "2", "dice": "1"}),
    ]),
]
OF_ONE = re.compile(
    r"\b1 (best \w+|drinks|dice|times|players|who|volte|dadi|giocatori|bevute)\b"
)
# fmt: on


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    locales.use(locales.USUAL)
    with translation.override("en"):
        yield
    locales.use(locales.USUAL)


@pytest.mark.once
@pytest.mark.django_db
@pytest.mark.parametrize("game", list(GAMES))
def test_no_page_has_a_word_of_english(game: str) -> None:
    page = reader().get(f"/odds/{game}/").text

    assert [text for text in said(page) if ENGLISH.search(NAMES.sub("", text))] == []


def reader() -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE="it")
    client.force_login(builders.house().manager)
    return client


def said(page: str) -> list[str]:
    """What is read or heard in the main part of a page."""
    main = page[page.index("<main") : page.index("</main>")]
    return [unescape(text or label).strip() for text, label in TEXTS.findall(main)]


@pytest.mark.parametrize(("game", "query"), QUERIES)
def test_no_text_of_an_answer_is_left_as_it_was(game: str, query: dict[str, str]) -> None:
    english = answer(game, {name: [text] for name, text in query.items()})
    with translation.override("it"):
        italian = translated(english)

    pairs = zip(texts(english), texts(italian), strict=True)
    assert {one for one, other in pairs if one == other and WORD.search(one)} <= {"River"}


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("game", "query"), ONE)
def test_what_there_is_one_of_is_in_the_singular(
    game: str, query: dict[str, str], language: str
) -> None:
    found = answer(game, {name: [text] for name, text in query.items()})
    with translation.override(language):
        said = list(texts(translated(found)))

    assert [text for text in said if OF_ONE.search(text)] == []


def texts(found: Answer) -> Iterator[str]:
    yield from found.notes
    for table in found.tables:
        yield from (table.title, table.description, *(column.title for column in table.columns))
        yield from (cell for row in table.rows for cell in row if isinstance(cell, str))


@pytest.mark.django_db
def test_a_refusal_is_in_italian_too() -> None:
    page = reader().get("/odds/threes-away/", {"kept": "2"}).text

    assert "indica anche i dadi appena tirati" in page


def test_a_figure_within_a_sentence_has_the_mark_of_the_house() -> None:
    locales.use("it-IT")

    total = translated(answer("threes-away", {})).tables[0]

    assert "6,253979" in total.description


def test_the_api_and_the_command_answer_in_english() -> None:
    with translation.override("it"):
        river = answer("river", {})

    assert {table.title for table in river.tables} == {"The forty hands", "What a hand is worth"}
