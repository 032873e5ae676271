"""How a game of stone hand opens: who sits, what is staked, under which options (SH1, G6, G10)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, get_args, get_type_hints

from games import stone
from games.dice import Dice, checked
from games.kinds import shown, whole
from games.payments import COINS_MAX, RESERVED
from games.refusals import (
    DoubleName,
    OptionValue,
    Refused,
    ReservedName,
    TooLarge,
    UnknownOption,
    UnknownPlayer,
    ZeroAmount,
)
from games.stone_hand.messages import Fee, GameOpened, Open, Options, Seat

RULES_VERSION: Final = 1
PLAYERS_MIN: Final = 2
PERCENT_MAX: Final = 10
FEE_FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "rake": (("percent",), ("cap",)),
    "seat": (("amount",), ()),
    "time": (("amount", "minutes"), ()),
}


class TooFewPlayers(Refused):
    code = "too_few_players"


class UnequalStakes(Refused):
    code = "unequal_stakes"


class OutsideTableLimits(Refused):
    code = "outside_table_limits"


class TwoHouseSeats(Refused):
    code = "two_house_seats"


class UnknownFee(Refused):
    code = "unknown_fee"


class FeeTooHigh(Refused):
    code = "fee_too_high"


class NoMoneyPlayed(Refused):
    code = "no_money_played"


class UnknownPolicy(Refused):
    code = "unknown_policy"


class HomeThrowScores(Refused):
    code = "home_throw_scores"


class HomeThrowMisplaced(Refused):
    code = "home_throw_misplaced"


def opened(command: Open) -> GameOpened:
    options = chosen(command.options)
    seats = staked(command, options)
    return GameOpened(
        rules_version=RULES_VERSION,
        players=seats,
        first=first_thrower(command.first, seats),
        options=options,
        homes=homes(command, options),
        home_throw_policy="attendant" if command.home_throw_policy == "attendant" else "fixed",
        home_override=command.home_override,
        fee=fee(command.fee, options),
        stake_min=command.stake_min,
        stake_max=command.stake_max,
        table=command.table,
        dice_set=command.dice_set,
        at=command.at,
    )


def chosen(asked: Mapping[str, Any]) -> Options:
    values: dict[str, Any] = {name: option(name, value) for name, value in asked.items()}
    return Options(**values)


def option(name: str, value: object) -> object:
    hints = get_type_hints(Options)
    if name not in hints:
        raise UnknownOption(f"options.{shown(name)}: stone hand has no such option.")
    number = whole(value) if isinstance(value, float) else value
    allowed = (True, False) if hints[name] is bool else _literals(hints[name])
    if any(type(number) is type(each) and number == each for each in allowed):
        return number
    if name == "triad_pay" and type(number) is int and 1 <= number <= COINS_MAX:
        return number
    words = ", ".join(shown(each) for each in allowed)
    more = " or a whole amount of coins" if name == "triad_pay" else ""
    raise OptionValue(f"options.{name} is {shown(value)}: choose {words}{more}.")


def _literals(hint: Any) -> tuple[object, ...]:
    """The values of a Literal, or of the Literal within a union."""
    return tuple(
        value for each in get_args(hint) if each is not int for value in (get_args(each) or (each,))
    )


def staked(command: Open, options: Options) -> tuple[Seat, ...]:
    """SH1: everyone stakes the same. Where no money is played the stake never moves."""
    names = [seat.name.strip() for seat in command.players]
    if len(names) < PLAYERS_MIN:
        raise TooFewPlayers(f"players: {len(names)} named, two or more play.")
    for name, seated in Counter(names).items():
        if seated > 1:
            raise DoubleName(f"players: {shown(name)} sits down twice.")
        if name in RESERVED:
            raise ReservedName(f"players: {shown(name)} is the name of an account.")
    if sum(seat.house for seat in command.players) > 1:
        raise TwoHouseSeats("players: the house holds one seat, not more. G8")
    seats = tuple(_staked(seat, command, options) for seat in command.players)
    if len({seat.stake for seat in seats}) > 1:
        other = next(seat for seat in seats if seat.stake != seats[0].stake)
        raise UnequalStakes(
            f"stake of {other.name} is {other.stake}: everyone stakes the same, and"
            f" {seats[0].name} stakes {seats[0].stake}. SH1"
        )
    if sum(seat.stake or 0 for seat in seats) > COINS_MAX:
        raise TooLarge(f"stake is {seats[0].stake}: all stakes together at most {COINS_MAX}. SH9")
    return seats


def _staked(seat: Seat, command: Open, options: Options) -> Seat:
    stake = (command.stake or 0) if seat.stake is None else seat.stake
    if options.mode == "pool":
        if stake == 0:
            raise ZeroAmount(f"stake of {seat.name}: a pool is played for one coin or more. SH1")
        within_limits(stake, command.stake_min, command.stake_max)
    return Seat(seat.name, stake, seat.house, _home_of(seat, command, options))


def within_limits(stake: int, least: int | None, greatest: int | None) -> None:
    if least is not None and stake < least:
        raise OutsideTableLimits(f"stake is {stake}: this table's least is {least}. G10")
    if greatest is not None and stake > greatest:
        raise OutsideTableLimits(f"stake is {stake}: this table's greatest is {greatest}. G10")


def first_thrower(named: str | None, seats: tuple[Seat, ...]) -> str:
    """G7: as named; else the house's seat; else the first."""
    names = [seat.name for seat in seats]
    if named is None:
        return next((seat.name for seat in seats if seat.house), names[0])
    if named not in names:
        raise UnknownPlayer(f"first: {shown(named)} is not among the players. G7")
    return named


def homes(command: Open, options: Options) -> tuple[Dice, ...]:
    """SH7: the house's one, or everybody's; none yet where the attendant throws for it (H2)."""
    if command.home_throw_policy not in {"fixed", "attendant"}:
        raise UnknownPolicy(
            f"home_throw_policy is {shown(command.home_throw_policy)}: fixed or attendant. H1, H2"
        )
    attendant = command.home_throw_policy == "attendant"
    if attendant and (command.home_throw is not None or options.homes == "players"):
        raise HomeThrowMisplaced(
            "home_throw_policy is attendant: the attendant throws for the home throw, nobody"
            " names one. H2"
        )
    if command.home_throw is not None and options.homes == "players":
        raise HomeThrowMisplaced("home_throw: with homes=players each player names their own. SH7")
    named = [seat.home_throw for seat in command.players] + [command.home_throw]
    faces = [home(each, command, options) for each in named if each is not None]
    return tuple(dict.fromkeys(faces))


def _home_of(seat: Seat, command: Open, options: Options) -> Dice | None:
    if seat.home_throw is None:
        return None
    if options.homes == "house":
        raise HomeThrowMisplaced(
            f"home_throw of {seat.name}: with homes=house one home throw holds for the table. SH7"
        )
    return home(seat.home_throw, command, options)


def home(dice: Dice, command: Open, options: Options) -> Dice:
    faces = checked(sorted(dice), n=stone.DICE, sides=stone.SIDES, rule="H1", field="home_throw")
    if not command.home_override and not stone.may_be_home(faces, options.runs):
        raise HomeThrowScores(
            f"home_throw {'-'.join(map(str, faces))} is another scoring throw; a home throw is"
            " three different faces that are no run and no triad. H1"
        )
    return faces


def fee(asked: Mapping[str, Any] | None, options: Options) -> Fee | None:
    """G6: a rake on the pot, a seat fee for each round, or a charge for time."""
    if asked is None:
        return None
    if options.mode != "pool":
        raise NoMoneyPlayed(f"fee: no money moves with mode={options.mode}. G6, SH12, SH13")
    kind = asked.get("kind")
    if not isinstance(kind, str) or kind not in FEE_FIELDS:
        raise UnknownFee(f"fee.kind is {shown(kind)}: rake, seat or time. G6")
    required, optional = FEE_FIELDS[kind]
    for name in asked:
        if name not in {"kind", *required, *optional}:
            raise UnknownFee(f"fee.{shown(name)}: a {kind} fee has no such field. G6")
    for name in required:
        if name not in asked:
            raise UnknownFee(f"fee.{name} is missing: a {kind} fee needs it. G6")
    if asked.get("percent", 0) > PERCENT_MAX:
        raise FeeTooHigh(f"fee.percent is {asked['percent']}: at most {PERCENT_MAX}. G6")
    return Fee(**{each.name: asked[each.name] for each in fields(Fee) if each.name in asked})
