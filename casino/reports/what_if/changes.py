"""
A change for a what-if: other options, another fee, other home throws. Pure.

The change is applied to the opening of a game. If the rules refuse the changed opening, their own
sentence is the result; nothing is adapted here to make it valid.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from casino.words.presenters.registered import OfEach
from casino.words.presenters.registration import Game
from games import fees
from games.kinds import COINS
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.dice import Dice
    from games.seats import Seat

OPTIONS: Final[Mapping[str, type[Any]]] = OfEach(Game.all_options)
"""The house options of each game."""

NONE: Final = "none"
WORDS: Final = {"true": True, "false": False}


class BadChange(Refused):
    code = "bad_change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """
    What is to be different in a what-if.

    :param game: the only game that is changed; empty: every game that the change can concern.
    :param options: name -> value; a game without such an option keeps its own options.
    :param stake: what each player brings to the opening; None: as it was.
    :param price: of the dice in each round, for games that have a price; None: as it was.
    :param fee: in the form of an opening; empty: no fee is taken; None: as it was.
    :param home_throw: the house's home throw; empty: none; None: as it was.
    :param player_homes: player's token -> their own home throw.
    """

    game: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    stake: int | None = None
    price: int | None = None
    fee: Mapping[str, Any] | None = None
    home_throw: Dice | None = None
    player_homes: Mapping[str, Dice] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Change:
        home = values["home_throw"]
        return cls(
            game=values["game"],
            options=values["options"],
            stake=values.get("stake"),  # older runs have neither `stake` nor `price`
            price=values.get("price"),
            fee=values["fee"],
            home_throw=None if home is None else tuple(home),
            player_homes={name: tuple(dice) for name, dice in values["player_homes"].items()},
        )

    def of(self, game: str) -> bool:
        return self.game in {"", game}

    @property
    def is_nothing(self) -> bool:
        return self == Change(game=self.game)

    def opening(self, command: Any) -> Any:
        """The command that opened a game, with the change applied."""
        known = {each.name for each in fields(command)}
        own = {name: each for name, each in self.options.items() if name in command.options}
        changed: dict[str, Any] = {"options": {**command.options, **own}}
        if self.fee is not None:
            changed["fee"] = dict(self.fee) or None
        if self.price is not None and "price" in known:
            changed["price"] = self.price
        if self.home_throw is not None and "home_throw" in known:
            changed |= {"home_throw": self.home_throw or None, "home_throw_policy": "fixed"}
        homes = self.player_homes if "home_throw" in known else {}
        changed["players"] = tuple(self._seat(seat, homes) for seat in command.players)
        return replace(command, **changed)

    def _seat(self, seat: Seat, homes: Mapping[str, Dice]) -> Seat:
        """A player's seat with the other stake, if they brought money, and their new home throw."""
        stake = self.stake if seat.stake is not None and self.stake is not None else seat.stake
        return replace(seat, stake=stake, home_throw=homes.get(seat.name, seat.home_throw))


def parse(  # noqa: PLR0913 - one argument for each thing that may be another
    *,
    game: str = "",
    options: Iterable[str] = (),
    stake: int | None = None,
    price: int | None = None,
    fee: str = "",
    home_throw: str = "",
    player_homes: Mapping[str, str] | None = None,
) -> Change:
    """
    A change from texts such as ``rethrow=1``, ``kind=rake,percent=5`` or ``none``, and ``1-3-6``.

    :param player_homes: player's token -> faces.
    :raises BadChange: if a text is not valid, or nothing is changed.
    """
    if game and game not in OPTIONS:
        raise BadChange(f"game: {game!r} is not played here; {', '.join(OPTIONS)} is.")
    change = Change(
        game=game,
        options=dict(_option(each, game) for each in options),
        stake=_coins("stake", stake),
        price=_coins("price", price),
        fee=_fee(fee),
        home_throw=() if home_throw == NONE else _faces("home throw", home_throw),
        player_homes={
            name: dice
            for name, text in (player_homes or {}).items()
            if (dice := _faces("home throw of a player", text)) is not None
        },
    )
    return something(change)


def something(change: Change) -> Change:
    """
    The same change, if it changes anything.

    :raises BadChange: if it changes nothing.
    """
    if change.is_nothing:
        raise BadChange("Nothing is changed: name an option, a fee or a home throw.")
    return change


def options_of_games(game: str = "") -> dict[str, list[str]]:
    """The names of options, each with the games that have it."""
    found: dict[str, list[str]] = {}
    for each, kind in OPTIONS.items():
        for option in fields(kind) if game in {"", each} else ():
            found.setdefault(option.name, []).append(each)
    return found


def _option(text: str, game: str) -> tuple[str, Any]:
    name, equals, value = (part.strip() for part in text.partition("="))
    known = options_of_games(game)
    if not equals or name not in known:
        of = f"{game} has" if game else "there is"
        raise BadChange(f"option {text!r}: name=value, where {of} {', '.join(known)}.")
    return name, _value(value)


def _value(text: str) -> Any:
    if text in WORDS:
        return WORDS[text]
    return int(text) if text.lstrip("-").isdecimal() else text


def _fee(text: str) -> Mapping[str, Any] | None:
    if not text.strip():
        return None
    if text.strip() == NONE:
        return {}
    terms = {}
    for part in text.split(","):
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals:
            raise BadChange(f"fee {text!r}: kind=rake,percent=5 for example, or {NONE}. G6")
        terms[name] = _value(value)
    return check_fee(terms)


def check_fee(terms: Mapping[str, Any]) -> Mapping[str, Any]:
    """
    Check a fee, which is in the form of an opening.

    :raises BadChange: with the sentence of the rules, if they refuse the fee.
    """
    if any(type(value) is not int or value < 1 for name, value in terms.items() if name != "kind"):
        raise BadChange(f"fee {_write(terms)!r}: whole numbers above 0 only. G6")
    try:
        fees.fee(terms, without_money=None)
    except Refused as refused:
        raise BadChange(str(refused)) from refused
    return terms


def _write(terms: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in terms.items())


def _coins(what: str, amount: int | None) -> int | None:
    if amount is not None and amount not in COINS:
        raise BadChange(f"{what}: a whole number from {COINS[0]} to {COINS[-1]}.")
    return amount


def _faces(what: str, text: str) -> Dice | None:
    parts = text.replace("-", ",").split(",") if text.strip() else []
    if not all(part.strip().isdecimal() for part in parts):
        raise BadChange(f"{what} {text!r}: three faces, like 1-3-6. H1")
    return tuple(int(part) for part in parts) or None
