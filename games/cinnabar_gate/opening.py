"""How a game of Cinnabar Gate opens: who sits, with what stake, under which options."""

from typing import Final

from games import stone
from games.cinnabar_gate.hands import may_be_home
from games.cinnabar_gate.messages import RANGES, GameOpened, Open, Options
from games.fees import KINDS, Fee, fee
from games.kinds import chosen
from games.refusals import Refused, ZeroAmount
from games.seats import Seat, check_seats, countable, first_thrower, within_limits

RULES_VERSION: Final = 1
UNPAID: Final = {"arcade": "variant=arcade. CG11"}


class NoPotToRake(Refused):
    code = "no_pot_to_rake"


def open_game(command: Open) -> GameOpened:
    options = chosen(Options, command.options, game="cinnabar gate", ranges=RANGES)
    sought = stone.policy(command.home_throw_policy)
    seats = seats_with_stakes(command, options)
    return GameOpened(
        rules_version=RULES_VERSION,
        players=seats,
        first=first_thrower(command.first, seats),
        stake=command.stake,
        options=options,
        homes=stone.home_throws_in_force(
            seats,
            command.home_throw,
            sought,
            whose=options.homes,
            allowed=lambda faces: command.home_override or may_be_home(faces, options.runs),
            rule="CG3",
        ),
        home_throw_policy=sought,
        home_override=command.home_override,
        fee=fee_of_opening(command, options),
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
    )


def fee_of_opening(command: Open, options: Options) -> Fee | None:
    """
    The fee that an opening announces (G6): a rake is taken from a pot, which only the pool variant
    has.
    """
    agreed = fee(command.fee, without_money=UNPAID.get(options.variant))
    if options.variant == "table" and agreed is not None and KINDS[agreed.kind].of_pot is not None:
        raise NoPotToRake(
            f"fee.kind is {agreed.kind}: with variant=table players pay each other, there is no"
            " pot. G6, CG11"
        )
    return agreed


def seats_with_stakes(command: Open, options: Options) -> tuple[Seat, ...]:
    """The seats of an opening with their stakes, which need not be equal (CG1)."""
    check_seats(command.players)
    seats = tuple(_seat_with_stake(seat, command, options) for seat in command.players)
    countable(seats, rule="CG1")
    return seats


def _seat_with_stake(seat: Seat, command: Open, options: Options) -> Seat:
    stake = (command.stake or 0) if seat.stake is None else seat.stake
    if options.variant != "arcade":
        if stake == 0:
            raise ZeroAmount(f"stake of {seat.name}: one coin or more is played for. CG1")
        within_limits(stake, command.stake_min, command.stake_max)
    home = seat.home_throw
    return Seat(seat.name, stake, seat.house, None if home is None else tuple(sorted(home)))
