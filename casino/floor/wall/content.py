"""
The content of a wall board: only what everybody at the table sees, and nothing about staff; and how
a house plays a game now: its home throw with the story, its options and fee in words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.floor.players.public_names import screen_names
from casino.house.establishments.models import HouseRules
from casino.house.game_streams.catalogue import HOUSE_RULES
from casino.house.home_throws import operations as home_throws
from casino.house.pseudonyms import tokens
from casino.play.odds.house_query import home_throw_of
from casino.play.rollovers import operations as rollovers
from casino.words.presenters import PRESENTERS, TITLES, words
from casino.words.presenters.figures import figures
from casino.words.presenters.opening import OPENINGS, reading
from casino.words.presenters.opening.fields import UNIT
from casino.words.presenters.presenter import account
from games import stone
from games.history import house_seats

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.house.game_streams.loading import Loaded
    from casino.words.presenters.opening.fields import Option
    from casino.words.presenters.presenter import Presenter

PLAYER: Final = re.compile(r"\bp-[a-z2-9]{12}(\d?)")
"""A player's token; a digit after the token is the number of a die named after the player."""


def game(house: Establishment, loaded: Loaded) -> dict[str, Any]:
    """The content about a game; players are named only if the house allows it."""
    presenter, view = PRESENTERS[loaded.ruleset.id], loaded.view
    content = {
        "title": str(TITLES[loaded.ruleset.id]),
        "round": view["round"],
        "over": loaded.closed,
        "sentence": sentence(loaded, presenter),
        "figures": figures(presenter, loaded),
        "sizes": list(presenter.SIZES),
        "home_throws": view["home_throws"],
        "seats": seats(house, loaded, presenter),
        "to_beat": to_beat(loaded, presenter),
        "auction": presenter.auction(loaded),
        "last": last_result(loaded, presenter),
        "rules": list(rules(loaded, presenter)),
    }
    resolved: dict[str, Any] = put_labels(content, names(house, loaded))
    waiting = rollovers.read(house.pk, loaded.ruleset.id).waiting
    return {
        **resolved,
        "currency": house.currency_symbol,
        "rolled_over": rollovers.total(waiting),
        "on_the_wall": on_the_wall(house, loaded),
        "story": story(house, loaded),
    }


def sentence(loaded: Loaded, presenter: Presenter) -> str:
    if loaded.state.paused and not loaded.closed:
        return _("The table is paused")
    return str(presenter.upcoming(loaded, loaded.view)["sentence"])


def seats(house: Establishment, loaded: Loaded, presenter: Presenter) -> list[dict[str, Any]]:
    """The seats in order: what lies before each, and its stake if the house shows stakes."""
    view = loaded.view
    money = presenter.for_money(loaded) and house.wall_stakes
    houses = house_seats(loaded.live)
    return [
        {
            "number": number,
            "name": player,
            "house": player in houses,
            "turn": player in view["next"]["players"],
            "stake": stake if money else None,
            "drinks": view["drinks"].get(player),
            "points": view["points"].get(player),
            "owner": None,
            "owners": None,
            "sides": None,
            "marks": None,
            **_before(presenter.hand_of(loaded, view, player), money=money),
        }
        for number, (player, stake) in enumerate(view["stakes"].items(), 1)
    ]


def _before(standing: Any, *, money: bool) -> dict[str, Any]:
    """What lies before a seat. Coins in a pocket are shown only if stakes are."""
    return {name: each for name, each in standing.items() if money or name != "pocket"}


def last_result(loaded: Loaded, presenter: Presenter) -> dict[str, Any] | None:
    """How the last round ended, and who paid whom; None if no round has ended yet."""
    ended = next((fact for _number, fact in reversed(loaded.live) if fact.ends_round), None)
    if ended is None:
        return None
    line = presenter.describe(loaded, ended, {})
    return {
        "sentence": line["sentence"] if line else "",
        "payments": [
            {
                "from": account(payment.payer, presenter),
                "to": account(payment.payee, presenter),
                "amount": payment.amount,
            }
            for payment in ended.payments
        ],
    }


def rules(loaded: Loaded, presenter: Presenter) -> Iterator[str]:
    """The agreed rules in words: the fee, main options, and options that are not the default."""
    agreed: Mapping[str, Any] = loaded.opening.data.get("options") or {}
    fee, paid = presenter.terms(loaded)["fee"], presenter.for_money(loaded)
    return terms(loaded.ruleset.id, agreed, fee=fee, paid=paid)


def to_beat(loaded: Loaded, presenter: Presenter) -> dict[str, Any] | None:
    """Who would win or pay if the round ended now, and with what; None if nobody would."""
    lead = loaded.ruleset.leaders(loaded.state.inner)
    if loaded.closed or not lead.players:
        return None
    held = presenter.hand_of(loaded, loaded.view, lead.players[0])
    said = held.get("words") or (words.hand(held["hand"], held["score"]) if held["hand"] else "")
    return {
        "label": _("Would pay now") if lead.pays else _("To beat"),
        "names": words.names(lead.players),
        "hand": said,
    }


def on_the_wall(house: Establishment, loaded: Loaded) -> str:
    """The house's notice to its players, from the house rules that this game pinned."""
    pinned = loaded.opening.data.get(HOUSE_RULES)
    if not pinned:
        return ""
    text = HouseRules.objects.filter(establishment=house, pk=pinned["id"])
    token = text.values_list("text", flat=True).first()
    return str(tokens.resolve(house.pk, token)) if token else ""


def story(house: Establishment, loaded: Loaded) -> str:
    """The story behind the house's home throw, if that is the one that is played."""
    throw = home_throws.in_force(establishment=house, at=timezone.now(), game=loaded.ruleset.id)
    if throw is None or not throw.story or list(throw.faces) not in loaded.view["home_throws"]:
        return ""
    return str(tokens.resolve(house.pk, throw.story))


def names(house: Establishment, loaded: Loaded) -> dict[str, str]:
    """What screens call the players, by token: a name as they allow, or the seat's number."""
    seats = {token: _("Seat %(number)s") % {"number": number}
             for number, token in enumerate(loaded.stakes, 1)}  # fmt: skip
    return {**seats, **screen_names(house, seats)}


def put_labels(value: Any, by: Mapping[str, str]) -> Any:
    """A value with labels instead of tokens; a token without a label becomes "a player"."""

    def name(found: re.Match[str]) -> str:
        token, die = found[0].removesuffix(found[1]), found[1]
        who = by.get(token, _("a player"))
        return _("%(name)s, die %(number)s") % {"name": who, "number": die} if die else who

    match value:
        case str():
            return PLAYER.sub(name, value)
        case dict():
            return {key: put_labels(each, by) for key, each in value.items()}
        case list() | tuple():
            return [put_labels(each, by) for each in value]
        case _:
            return value


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
