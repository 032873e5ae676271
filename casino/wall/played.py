"""How a house plays a game now: its home throw with the story, its options and fee in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.establishments.models import HouseRules
from casino.odds.house_query import home_throw_of
from casino.presenters.opening import OPENINGS, reading
from casino.presenters.opening.fields import UNIT
from casino.pseudonyms import tokens
from games import stone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from casino.establishments.models import Establishment
    from casino.presenters.opening.fields import Option


@dataclass(frozen=True, slots=True)
class HomeShown:
    """
    The home throw of a game, and who names it.

    :param source: as `HouseRules.HomeThrows` has it; `label`: in words.
    :param story: the story behind the house's own; "" without one.
    """

    source: str
    label: str
    faces: tuple[int, ...]
    story: str

    sides: int = stone.SIDES


def home_of(
    house: Establishment, game: str, rules: HouseRules | None, now: datetime
) -> HomeShown | None:
    """None if the game has no home throw here."""
    if not OPENINGS[game].homes:
        return None
    source = rules.home_throws if rules else HouseRules.HomeThrows.HOUSE
    throw = home_throw_of(house, game, source, now)
    if throw is None and source in {HouseRules.HomeThrows.NONE, HouseRules.HomeThrows.HOUSE}:
        return None
    faces = (throw.low, throw.middle, throw.high) if throw else ()
    story = str(tokens.resolve(house.pk, throw.story)) if throw and throw.story else ""
    return HomeShown(source, str(HouseRules.HomeThrows(source).label), faces, story)


def terms(game: str, chosen: Mapping[str, Any], *, fee: str, paid: bool) -> Iterator[str]:
    """The fee, main options, and options that are not the rules' default, in words."""
    if fee:
        yield _("Fee: %(fee)s") % {"fee": fee}
    for option in OPENINGS[game].options:
        if option.name == UNIT and not paid:
            continue
        value = chosen.get(option.name, option.default)
        if option.main or value != option.default:
            yield f"{option.label}: {_in_words(option, value, paid=paid)} ({option.rule})"


def _in_words(option: Option, value: object, *, paid: bool) -> str:
    """A value with what it counts, such as "2 points", where it is a number and no amount."""
    said, numbers = reading.in_words(option, value, paid=paid), option.numbers
    if numbers is None or said != str(value):
        return said
    return f"{numbers.label}: {said}" if numbers.label else f"{said} {numbers.help}".strip()
