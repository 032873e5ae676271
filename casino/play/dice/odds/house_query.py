"""The question about odds that a house's own rules ask: its options in force and its home throw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters.odds_tables import NONE, as_text
from casino.words.presenters.registered import OPENINGS
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.house.home_throws.models import HomeThrow
    from casino.words.presenters.odds_tables import Raw


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
