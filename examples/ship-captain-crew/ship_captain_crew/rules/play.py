"""The state of a game between two commands, what may be done, and what happens then."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games import commands, fees, refusals, table_events
from games import messages as common
from games import seats as sitting
from games.decider import Decider
from games.dice import Dice, check_dice
from games.messages import Fact
from games.payments import POT, Payment, balance, move, share
from games.seats import Opening
from games.session import GameSession, decider_at_table
from ship_captain_crew.rules import messages as ship
from ship_captain_crew.rules.opening import open_game, room
from ship_captain_crew.rules.parse import parse

DICE: Final = 5
SIDES: Final = 6
THROWS: Final = 3
WANTED: Final = (6, 5, 4)  # ship, captain, crew
ALL: Final = len(WANTED)


@dataclass(frozen=True, slots=True)
class Turn:
    throws: int = 0
    kept: int = 0
    cargo: int | None = None

    @property
    def dice(self) -> int:
        return DICE - self.kept


@dataclass(frozen=True, slots=True)
class Unopened:
    pass


@dataclass(frozen=True, slots=True)
class Table:
    """
    :param seats: who sits there, in order; `first`: who begins the round.
    :param order: who throws in the running round, or in a tie of it; empty: none runs.
    :param members: who is in the running round; `staked`, `seat_fees`: what they paid for it.
    :param done: the cargo of each turn that has ended.
    """

    opened: ship.GameOpened
    seats: tuple[str, ...]
    stakes: Mapping[str, int]
    first: str
    pot: int = 0
    round: int = 1
    order: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    staked: tuple[Payment, ...] = ()
    seat_fees: tuple[Payment, ...] = ()
    turn: Turn = Turn()
    done: Mapping[str, int | None] = field(default_factory=dict)
    charged_at: int | None = None
    over: bool = False

    @property
    def ante(self) -> int:
        """The coins of an ante (SC1, G11)."""
        return self.opened.options.ante * self.opened.options.unit


State = Unopened | Table


def able(state: Table) -> tuple[str, ...]:
    """SC1: who is in the running round, or can ante for the next; the first thrower first."""
    if state.members:
        return state.members
    among = [name for name in state.seats if state.stakes[name] >= state.ante]
    return sitting.clockwise(everyone(state), state.first, among)


def everyone(state: Table) -> tuple[str, ...]:
    """Those who have left, too: a first thrower may be among them, and the next seat begins."""
    return state.seats + gone(state)


def gone(state: Table) -> tuple[str, ...]:
    return tuple(name for name in state.stakes if name not in state.seats)


def thrower(state: Table) -> str | None:
    """Whose turn it is; None: nobody's."""
    order = state.order or able(state)
    if state.over or (not state.order and len(order) < sitting.PLAYERS_MIN):
        return None
    return next((name for name in order if name not in state.done), None)


def kept_of(kept: int, dice: Dice) -> tuple[int, int | None]:
    """SC2, SC3: how many of ship, captain and crew lie there then, and the cargo."""
    left = list(dice)
    while kept < ALL and WANTED[kept] in left:
        left.remove(WANTED[kept])
        kept += 1
    return kept, sum(left) if kept == ALL else None


# --- What may be done ---


def decide(command: Any, state: State) -> tuple[Fact, ...]:
    match state, command:
        case Unopened(), Opening():
            return (open_game(command),)
        case Unopened(), _:
            raise refusals.NoGame("No game is open: it begins with open.")
        case _, Opening():
            raise refusals.AlreadyOpen("open: this game is open already.")
        case Table(), commands.CashOut():
            table_events.check_known(command.player, state.stakes)
            plays = not state.over and command.player in able(state)
            return (table_events.cash_out(command, state.stakes, playing=plays, leave_rule="SC7"),)
        case Table(over=False), ship.Throw() | commands.Stand() | commands.NoThrow():
            return at_the_dice(command, state)
        case Table(over=False), _:
            return seating(command, state)
        case _:
            raise refusals.GameOver(f"{type(command).__name__}: the game is over. G9")


def at_the_dice(command: Any, state: Table) -> tuple[Fact, ...]:
    player, turn, whose = command.player, state.turn, thrower(state)
    table_events.check_known(player, state.stakes)
    if whose is None:
        raise refusals.NotNow(
            f"Nothing is thrown until two have {state.ante} for the ante. SC1, SC7"
        )
    if player != whose:
        raise refusals.NotYourTurn(f"{whose} throws, not {player}. SC2")
    if isinstance(command, commands.NoThrow):
        return (table_events.no_throw(command, most=turn.dice, sides=SIDES),)
    if isinstance(command, ship.Throw):
        dice = check_dice(command.dice, n=turn.dice, sides=SIDES, rule="SC2")
        kept, cargo = kept_of(turn.kept, dice)
        thrown = ship.DiceThrown(player, dice, kept, cargo, turn.throws + 1 == THROWS)
        return settled((thrown, *started(state, command.at)), state)
    if turn.cargo is None:
        raise refusals.NotNow(f"{player} stands with a cargo, and there is none yet. SC3")
    return settled((ship.Stood(player, turn.cargo),), state)


def started(state: Table, at: int | None) -> tuple[Fact, ...]:
    """SC1, G6: antes and fees, with the first throw of a round."""
    if state.order:
        return ()
    order, house = able(state), sitting.house_seat(state.opened.players)
    antes = tuple(Payment(name, POT, state.ante, ("SC1",)) for name in order)
    payers, stakes = [name for name in order if name != house], move(state.stakes, antes)
    owed = fees.due(state.opened.fee, payers, stakes, at=at, charged_at=state.charged_at)
    taken = () if owed is None else (common.FeeTaken(*owed),)
    return (ship.RoundStarted(state.round, order, antes), *taken)


def settled(happened: tuple[Fact, ...], before: Table) -> tuple[Fact, ...]:
    """SC5, SC6: what every turn's end brings about, once it was the last one."""
    state = RULES.fold(happened, before)
    if not isinstance(state, Table) or len(state.done) < len(state.order):
        return happened
    cargo = max(each or 0 for each in state.done.values()) or None
    best = tuple(name for name in state.order if state.done[name] == cargo)
    if len(best) > 1 and state.opened.options.ties == "again":
        return (*happened, ship.ThrownAgain(best, cargo))
    rules = ("SC5",) if len(best) == 1 else ("SC6", "G5")
    unit = state.opened.options.unit
    rake = fees.take_rake(state.pot, state.opened.fee, unit=unit)
    prizes = share(state.pot - sum(each.amount for each in rake), best, rules, unit=unit)
    return (*happened, ship.RoundEnded(state.round, best, cargo, (*rake, *prizes), rules))


def seating(command: Any, state: Table) -> tuple[Fact, ...]:
    """Who comes and goes, and with what money."""
    house = sitting.house_seat(state.opened.players)
    if isinstance(command, commands.Close):
        return (common.TableClosed(command.reason), *closed(state))
    if isinstance(command, commands.Join):
        between_rounds(state, f"{command.player} may join between rounds")
        room(len(state.seats) + 1)
        left = gone(state)
        return (table_events.take_seat(command, state.stakes, state.pot, left=left, house=house),)
    if not isinstance(command, commands.BringMoney | commands.Leave):
        raise refusals.NotNow(f"{type(command).__name__}: not while the game runs.")
    player = command.player
    table_events.check_known(player, state.stakes)
    if player not in state.seats:
        raise refusals.NotPlaying(f"player: {player} has left; join again. G1")
    if isinstance(command, commands.Leave):
        between_rounds(state, f"{player} may leave between rounds")
        return (ship.PlayerLeft(player),)
    is_house = player == house
    return (table_events.money_brought(command, state.stakes, state.pot, house=is_house),)


def between_rounds(state: Table, what: str) -> None:
    if state.order:
        raise refusals.RoundRunning(f"{what}; round {state.round} is running. G1")


def closed(state: Table) -> tuple[Fact, ...]:
    """G9: what was paid into the running round goes back."""
    if not state.order:
        return (ship.GameEnded(state.round - 1),)
    antes = tuple(Payment(POT, each.payer, each.amount, ("G9",)) for each in state.staked)
    back = antes + fees.give_back(state.seat_fees)
    void = ship.RoundEnded(state.round, payments=back, rules=("G9",))
    return (void, ship.GameEnded(state.round))


# --- How events change the state. Nothing is judged: they already happened ---


def evolve(state: State, event: Fact) -> State:
    match state, event:
        case Unopened(), ship.GameOpened():
            names = tuple(seat.name for seat in event.players)
            stakes = {seat.name: seat.stake or 0 for seat in event.players}
            return Table(event, names, stakes, event.first, charged_at=event.at)
        case Table(), common.CashedOut():
            return with_money(state, event.player, -event.amount)
        case Table(), _:
            stakes = move(state.stakes, event.payments)
            pot = state.pot + balance(POT, event.payments)
            return played(replace(state, stakes=stakes, pot=pot), event)
        case _:
            return state


def with_money(state: Table, player: str, amount: int) -> Table:
    stakes = {**state.stakes, player: state.stakes.get(player, 0) + amount}
    return replace(state, stakes=stakes)


def played(state: Table, event: Fact) -> Table:  # noqa: PLR0911 - one for each event
    match event:
        case ship.DiceThrown(ends_turn=False):
            return replace(state, turn=Turn(state.turn.throws + 1, event.kept, event.cargo))
        case ship.DiceThrown() | ship.Stood():
            return replace(state, done={**state.done, event.player: event.cargo}, turn=Turn())
        case ship.RoundStarted():
            return replace(state, order=event.order, members=event.order, staked=event.payments)
        case common.FeeTaken(through=None):
            return replace(state, seat_fees=event.payments)
        case common.FeeTaken():
            return replace(state, charged_at=event.through)
        case ship.ThrownAgain():
            return replace(state, order=event.players, done={}, turn=Turn())
        case ship.RoundEnded():
            first, more = next(iter(event.winners), state.first), state.round + 1
            kept = (state.opened, state.seats, state.stakes, first, state.pot, more)
            return Table(*kept, charged_at=state.charged_at)
        case _:
            return came_or_went(state, event)


def came_or_went(state: Table, event: Fact) -> Table:
    match event:
        case common.BoughtIn():
            return with_money(state, event.player, event.amount)
        case common.PlayerJoined():
            seats = (*(name for name in state.seats if name != event.player), event.player)
            return replace(with_money(state, event.player, event.stake), seats=seats)
        case ship.PlayerLeft():
            seats = tuple(name for name in state.seats if name != event.player)
            behind = sitting.clockwise(state.seats, event.player, seats)
            first = behind[0] if event.player == state.first and behind else state.first
            return replace(state, seats=seats, first=first)
        case ship.GameEnded():
            return replace(state, over=True)
        case _:
            return state


RULES: Final[Decider[Any, Fact, State]] = Decider(
    initial=Unopened(),
    decide=decide,
    evolve=evolve,
    is_terminal=lambda state: isinstance(state, Table) and state.over,
)
DECIDER: Final[Decider[Any, Fact, GameSession[State]]] = decider_at_table(RULES, parse)
