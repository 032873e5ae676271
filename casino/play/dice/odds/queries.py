"""The odds of games: the answer to a query, the query of a house's own rules, and its words."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.words.languages import locales
from casino.words.languages.messages import ODDS, translate
from casino.words.presenters import odds_tables
from casino.words.presenters.odds_tables import NONE, Answer, as_text
from casino.words.presenters.registered import OPENINGS, OfEach
from casino.words.presenters.registration import Game
from games.refusals import Malformed, Refused, UnknownGame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.house.home_throws.models import HomeThrow
    from casino.words.presenters.odds_tables import Cell, Raw, Subject, Table


KEPT: Final = 128  # answers that each process caches; guests of many houses ask for theirs

GAMES: Final[Mapping[str, Subject]] = OfEach(Game.has_odds, having=lambda game: game.odds)


def find(game: str) -> Subject:
    """
    The game of that name, as its odds describe it.

    :raises UnknownGame: if its odds are not known; names the games whose odds are.
    """
    if game not in GAMES:
        raise UnknownGame(f"game: no odds are known of {game!r}; of {', '.join(GAMES)} they are.")
    return GAMES[game]


def answer(game: str, raw: Raw) -> Answer:
    """
    The odds of a game, for a query.

    :param raw: field -> texts, as in a query string; an absent field has its default.
    :raises Malformed: if a field does not exist, or its value has a wrong shape.
    :raises Refused: if a value is not possible: an unknown game, option value or face, too many
        dice.
    """
    return _answer(game, tuple(sorted((name, tuple(texts)) for name, texts in raw.items())))


@lru_cache(maxsize=KEPT)
def _answer(game: str, raw: tuple[tuple[str, tuple[str, ...]], ...]) -> Answer:
    """The answer to a query. It depends only on the query, so it is cached."""
    of = find(game)
    query = odds_tables.read_query(
        dict(raw), of.fields, of.options, game=of.title.lower(), ranges=of.ranges
    )
    return Answer(
        game=game,
        title=of.title,
        options=asdict(query.options),
        query=query.values,
        unmoved={field.name: field.unmoved for field in of.fields if field.unmoved},
        tables=tuple(of.tables(query)),
        notes=tuple(of.notes(query)),
    )


# The question about odds that a house's own rules ask: its options in force and its home throw.


def options_of(house: Establishment, game: str, rules: HouseRules | None) -> Mapping[str, Any]:
    """Every option of a game as the house plays it, the rules' defaults included."""
    usual = {option.name: option.default for option in OPENINGS[game].options}
    return {**usual, **house_rules.with_worth_of_point(house, rules.options if rules else {})}


def home_throw_of(house: Establishment, game: str, source: str, now: datetime) -> HomeThrow | None:
    """The house's own home throw; None also if its rules take it from elsewhere, or have none."""
    if source != HouseRules.HomeThrows.HOUSE:
        return None
    return home_throws.in_force(establishment=house, at=now, game=game)


def query_of(house: Establishment, game: str, now: datetime) -> tuple[dict[str, list[str]], bool]:
    """
    The texts of all fields of a game's odds that the house's rules decide.

    Left out are options beyond those that odds are worked out for; and whether any was.
    """
    asked = _all_fields(house, game, now)
    if _is_known(game, asked):
        return asked, False
    known = {name: texts for name, texts in asked.items() if _is_known(game, {name: texts})}
    return known if _is_known(game, known) else {}, True


def _is_known(game: str, raw: Raw) -> bool:
    try:
        answer(game, raw)
    except (Malformed, Refused):
        return False
    return True


def _all_fields(house: Establishment, game: str, now: datetime) -> dict[str, list[str]]:
    rules = house_rules.in_force(establishment=house, game=game, at=now)
    chosen = options_of(house, game, rules)
    raw = {
        field.name: [as_text(chosen[field.name])]
        for field in GAMES[game].fields
        if field.is_option and not field.unmoved and field.name in chosen
    }
    if OPENINGS[game].homes:
        source = rules.home_throws if rules else HouseRules.HomeThrows.HOUSE
        throw = home_throw_of(house, game, source, now)
        raw["home_throw"] = [",".join(map(str, throw.faces)) if throw else NONE]
        raw["home_override"] = [as_text(bool(throw and throw.override))]
    return raw


# What the odds say, in the reader's language: for the page alone.
# The API and the command line answer in English. Texts are found in the catalogues as the sentences
# of the rules are (`casino.words.languages.messages`).


POINT: Final = re.compile(r"(?<=[0-9])\.(?=[0-9])")  # of a figure; rules' numbers have none


def translate_sentence(text: str) -> str:
    """One or several sentences or a title, with the decimal mark of the house."""
    return POINT.sub(locales.decimal_mark(), translate(text, ODDS))


def translate_word(text: str) -> str:
    """A word by which programs call something, as people read it."""
    return translate(text, ODDS).replace("_", " ")


def translate_answer(found: Answer) -> Answer:
    return replace(
        found,
        tables=tuple(translate_table(each) for each in found.tables),
        notes=tuple(translate_sentence(each) for each in found.notes),
    )


def translate_table(found: Table) -> Table:
    return replace(
        found,
        title=translate_sentence(found.title),
        description=translate_sentence(found.description),
        columns=tuple(
            replace(each, title=translate_sentence(each.title)) for each in found.columns
        ),
        rows=tuple(tuple(_cell(cell) for cell in row) for row in found.rows),
    )


def _cell(cell: Cell) -> Cell:
    return translate_word(cell) if isinstance(cell, str) else cell
