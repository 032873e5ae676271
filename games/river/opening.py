"""How a game of River opens: who sits, for which price, under which options (RV1, G6, G10)."""

from dataclasses import replace
from typing import Final

from games.fees import fee
from games.kinds import COINS, UNITS, check_whole_units, chosen, in_coins
from games.refusals import NotInThisGame, Refused, ZeroAmount
from games.river.messages import GameOpened, Open, Options
from games.seats import Seat, check_seats, countable, within_limits

RULES_VERSION: Final = 1
RANGES: Final = {"min_raise": COINS, "unit": UNITS}


class BankerPlaysNot(Refused):
    code = "banker_plays_not"


def open_game(command: Open) -> GameOpened:
    options = chosen(Options, command.options, game="river", ranges=RANGES)
    in_coins(options.min_raise, options.unit, option="min_raise")
    if command.price is not None:
        check_whole_units(command.price, options.unit, field="price")
        within_limits(command.price, command.stake_min, command.stake_max, field="price")
    return GameOpened(
        rules_version=RULES_VERSION,
        players=seats_of_opening(command),
        options=options,
        fee=fee(command.fee, without_money=None),
        price=command.price,
        stake=command.stake or None,
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
    )


def seats_of_opening(command: Open) -> tuple[Seat, ...]:
    """
    The seats of an opening with their stakes, which need not be equal (RV1); the banker does not
    play.
    """
    check_seats(command.players)
    seats = tuple(_seat(seat, command.stake) for seat in command.players)
    countable(seats, rule="RV6")
    return seats


def _seat(seat: Seat, agreed: int | None) -> Seat:
    if seat.house:
        raise BankerPlaysNot(f"house: {seat.name} cannot be the house's seat. RV1, G8")
    if seat.home_throw is not None:
        raise NotInThisGame(f"home_throw of {seat.name}: there is none in river.")
    stake = (agreed or 0) if seat.stake is None else seat.stake
    if stake == 0:
        raise ZeroAmount(f"stake of {seat.name}: one coin or more is brought to the table. RV1")
    return replace(seat, stake=stake)
