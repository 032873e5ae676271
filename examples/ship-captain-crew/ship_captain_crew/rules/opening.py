"""How a game opens (SC1). Only the house decides this: tablets open no games."""

from dataclasses import replace
from typing import Final

from games import fees, refusals
from games import seats as sitting
from games.kinds import COINS, UNITS, chosen, in_coins
from games.seats import Opening
from ship_captain_crew.rules import messages as ship

GAME: Final = "ship-captain-crew"
VERSION: Final = 1
PLAYERS_MAX: Final = 8
RANGES: Final = {"ante": COINS, "unit": UNITS}


class TooManyPlayers(refusals.Refused):
    code = "too_many_players"


def open_game(command: Opening) -> ship.GameOpened:
    options = chosen(ship.Options, command.options, game=GAME, ranges=RANGES)
    ante = in_coins(options.ante, options.unit, option="ante")
    sitting.within_limits(ante, command.stake_min, command.stake_max, field="options.ante")
    sitting.check_seats(command.players)
    room(len(command.players))
    seats = tuple(sat_down(each, command.stake) for each in command.players)
    sitting.countable(seats, rule="SC1")
    return ship.GameOpened(
        rules_version=VERSION, players=seats, first=sitting.first_thrower(command.first, seats),
        options=options, fee=fees.fee(command.fee, without_money=None),
        stake_min=command.stake_min, stake_max=command.stake_max,
        table=command.table, dice_set=command.dice_set, at=command.at,
    )  # fmt: skip


def room(many: int) -> None:
    if many > PLAYERS_MAX:
        raise TooManyPlayers(f"players: {many} are more than {PLAYERS_MAX}. SC1")


def sat_down(seat: sitting.Seat, agreed: int | None) -> sitting.Seat:
    if seat.home_throw is not None:
        raise refusals.NotInThisGame(f"home_throw of {seat.name}: there is none in this game.")
    stake = (agreed or 0) if seat.stake is None else seat.stake
    if stake == 0:
        raise refusals.ZeroAmount(f"stake of {seat.name}: everybody brings a coin or more. SC1")
    return replace(seat, stake=stake)
