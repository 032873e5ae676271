"""Who sits at a table, clockwise, and with what (G1, G7, G8, G10), and how a game opens."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.dice import Dice
from games.kinds import shorten
from games.messages import BuyIn
from games.payments import COINS_MAX, RESERVED
from games.refusals import DoubleName, Refused, ReservedName, TooLarge, UnknownPlayer

PLAYERS_MIN: Final = 2


class TooFewPlayers(Refused):
    code = "too_few_players"


class OutsideTableLimits(Refused):
    code = "outside_table_limits"


class TwoHouseSeats(Refused):
    code = "two_house_seats"


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    stake: int | None = None
    house: bool = False
    home_throw: Dice | None = None


def seat(named: str | Mapping[str, Any]) -> Seat:
    """A seat from the way an opening names it: by the player's name alone, or with more fields."""
    return Seat(named) if isinstance(named, str) else Seat(**named)


def check_seats(players: Sequence[Seat]) -> None:
    """:raises Refused: if there are too few players, a name twice, or two house seats (G8)."""
    names = [each.name.strip() for each in players]
    if len(names) < PLAYERS_MIN:
        raise TooFewPlayers(f"players: {len(names)} named, two or more play.")
    for name, times in Counter(names).items():
        if times > 1:
            raise DoubleName(f"players: {shorten(name)} sits down twice.")
        if name in RESERVED:
            raise ReservedName(f"players: {shorten(name)} is the name of an account.")
    if sum(each.house for each in players) > 1:
        raise TwoHouseSeats("players: the house holds one seat, not more. G8")


def countable(players: Iterable[Seat], *, rule: str) -> None:
    """:raises TooLarge: if one player could win more coins than every JSON reader reads exactly."""
    together = sum(each.stake or 0 for each in players)
    if together > COINS_MAX:
        raise TooLarge(f"stake: all stakes together are {together}, at most {COINS_MAX}. {rule}")


def within_limits(
    amount: int, least: int | None, greatest: int | None, *, field: str = "stake"
) -> None:
    """:raises OutsideTableLimits: if a stake, ante or price is not what the table takes (G10)."""
    if least is not None and amount < least:
        raise OutsideTableLimits(f"{field} is {amount}: this table's least is {least}. G10")
    if greatest is not None and amount > greatest:
        raise OutsideTableLimits(f"{field} is {amount}: this table's greatest is {greatest}. G10")


def first_thrower(named: str | None, players: Sequence[Seat]) -> str:
    """The first thrower (G7): who is named, else the house's seat, else the first seat."""
    names = [each.name for each in players]
    if named is None:
        return next((each.name for each in players if each.house), names[0])
    if named not in names:
        raise UnknownPlayer(f"first: {shorten(named)} is not among the players. G7")
    return named


def stake_of_newcomer(players: Iterable[Seat], named: int | None = None) -> int | None:
    """
    What a newcomer brings who names nothing: what the opening asked of everybody (G1).

    :param named: the stake that the opening names for all, if it does.
    :returns: None where players brought different stakes. The house's own seat does not count (G8).
    """
    if named:
        return named
    brought = {each.stake or 0 for each in players if not each.house}
    return next(iter(brought)) if len(brought) == 1 else None


def house_seat(players: Iterable[Seat]) -> str | None:
    return next((each.name for each in players if each.house), None)


def bought_in(players: Iterable[Seat]) -> tuple[BuyIn, ...]:
    """The money that players bring to the table with an opening."""
    return tuple(BuyIn(each.name, each.stake, each.house) for each in players if each.stake)


def clockwise(
    everyone: tuple[str, ...], first: str, among: Iterable[str] | None = None
) -> tuple[str, ...]:
    """Those of `among`, clockwise from `first`'s seat on (G1); `first` need not be in `among`."""
    start = everyone.index(first)
    wanted = frozenset(everyone if among is None else among)
    return tuple(name for name in everyone[start:] + everyone[:start] if name in wanted)


# The command that opens a game: the fields that all games share.


@dataclass(frozen=True, slots=True)
class Opening:
    """
    The opening of a game. The house fills in the fields from `stake_min` on: the table's limits
    (G10), the table, the dice set on it, and the time in seconds since 1970.

    :param stake: the stake of every player who names none of their own.
    """

    players: tuple[Seat, ...]
    stake: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    first: str | None = None
    fee: Mapping[str, Any] | None = None
    stake_min: int | None = None
    stake_max: int | None = None
    table: str = ""
    dice_set: str = ""
    at: int | None = None
