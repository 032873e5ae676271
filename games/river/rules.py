"""The rules of River: what may be done, and what happens then. See docs/games/river.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from games.commands import BringMoney, CashOut, Close, Join, Leave, NoThrow
from games.decider import Decider
from games.dice import Dice, check_dice
from games.fees import due, give_back, take_rake
from games.kinds import check_whole_units
from games.messages import BoughtIn, Fact, FeeTaken, NoThrowRecorded, PlayerJoined, TableClosed
from games.payments import POT, Payment, balance, share
from games.refusals import (
    AlreadyOpen,
    GameOver,
    NoGame,
    NoSuchFace,
    NotNow,
    NotPlaying,
    NotYourTurn,
    Refused,
    RoundRunning,
    WrongNumberOfDice,
)
from games.river.auction import at_auction
from games.river.commitments import CommitmentUsed, check_commitment, well_formed
from games.river.hands import SIDES, SIZES, Hand, best_with
from games.river.messages import (
    Bid,
    BySize,
    Command,
    DiceBought,
    DiceOffered,
    DiceRevealed,
    DiceSealed,
    DieThrown,
    GameEnded,
    HandsUnseen,
    Offer,
    Open,
    Pass,
    PlayerLeft,
    Reveal,
    RoundStarted,
    RoundVoided,
    RoundWon,
    Seal,
    Sell,
    StartRound,
    Throw,
    TieCalled,
    Withdraw,
    parse,
)
from games.river.opening import open_game
from games.river.state import (
    NOTHING_WON,
    Ended,
    Hidden,
    Phase,
    Playing,
    Round,
    State,
    Unopened,
    buyers,
    evolve,
    here,
    hidden,
    phase,
    rolling,
)
from games.seats import PLAYERS_MIN, TooFewPlayers, stake_of_newcomer, within_limits
from games.session import GameSession, decider_at_table
from games.table_events import cash_out, check_known, money_brought, no_throw, take_seat

if TYPE_CHECKING:
    from collections.abc import Iterable

ROLL_OFF_SIDES: Final = max(SIDES)
INTERFERENCE: Final = "interference"
WAITING_FOR: Final[dict[Phase, str]] = {
    "between": "no round is running: start_round sells the dice. RV1",
    "sealing": "not everybody has sealed their dice. RV2",
    "offering": "the banker throws first: offer. RV3",
    "bidding": "the auction is not over. RV3",
    "revealing": "the hands are being revealed. RV2",
    "rolling": "equal hands throw for the pot. RV6",
}


class PriceMissing(Refused):
    code = "price_missing"


class SealedAlready(Refused):
    code = "sealed_already"


class RevealedAlready(Refused):
    code = "revealed_already"


def decide(command: Command, state: State) -> tuple[Fact, ...]:
    """Decide a command: the events that it leads to, or a refusal."""
    match state, command:
        case Unopened(), Open():
            return (open_game(command),)
        case Unopened(), _:
            raise NoGame("No game is open: it begins with open.")
        case _, Open():
            raise AlreadyOpen("open: this game is open already.")
        case _, CashOut():
            check_known(command.player, state.stakes)
            playing = isinstance(state, Playing) and command.player not in state.left
            return (cash_out(command, state.stakes, playing=playing, leave_rule="RV7"),)
        case Playing(), _:
            return play(command, state)
        case _:
            raise GameOver(f"{type(command).__name__}: the game is over. G9")


def play(command: Command, state: Playing) -> tuple[Fact, ...]:
    match command:
        case Seal() | Offer() | Reveal() | Throw():
            return at_table(command, state)
        case Bid() | Pass() | Sell():
            return at_auction(command, state, in_round(command.player, state))
        case Withdraw():
            return at_auction(command, state, running(state))
        case StartRound():
            return start_round(command, state)
        case NoThrow():
            return (no_throw_of(command, state),)
        case _:
            return seating(command, state)


def at_table(command: Seal | Offer | Reveal | Throw, state: Playing) -> tuple[Fact, ...]:
    """Decide commands about throws and reveals."""
    match command:
        case Seal():
            return seal(command, state)
        case Offer():
            return offer(command, state)
        case Reveal():
            return reveal(command, state)
        case Throw():
            return throw(command, state)


def seating(command: Command, state: Playing) -> tuple[Fact, ...]:
    """Decide commands of players who come and go, and of the money that they bring."""
    match command:
        case Join():
            return come(newcomer(command, state), state)
        case BringMoney():
            return come(brought(command, state), state)
        case Leave():
            return leave(command, state)
        case Close():
            return (TableClosed(command.reason), *close_table(state))
        case _:
            raise NotNow(f"{type(command).__name__}: not while the game runs.")


def start_round(command: StartRound, state: Playing) -> tuple[Fact, ...]:
    """
    Start a round: sell five dice to everybody who can pay (RV1). Dice not seen so far stay unseen
    (RV2).
    """
    if state.round is not None:
        raise RoundRunning(f"start_round: round {state.number} is running. RV1")
    price = state.opened.price if command.price is None else command.price
    if price is None:
        raise PriceMissing("price: the opening named none, so each round does. RV1")
    check_whole_units(price, state.opened.options.unit, field="price")
    within_limits(price, state.opened.stake_min, state.opened.stake_max, field="price")
    players = buyers(state, price)
    if len(players) < PLAYERS_MIN:
        raise TooFewPlayers(
            f"price is {price}: {len(players)} at the table can pay it, two or more play. RV1"
        )
    return (
        RoundStarted(state.number, price, players, sales(players, price)),
        *unseen(state),
    )


def seal(command: Seal, state: Playing) -> tuple[Fact, ...]:
    """Seal the hole dice (RV2). The round's first seal is its first throw and brings its fees."""
    player = command.player
    this = in_round(player, state)
    if player in this.sealed:
        raise SealedAlready(f"player: {player} has sealed already. RV2")
    well_formed(command.commitment)
    if command.commitment is not None and command.commitment in this.sealed.values():
        raise CommitmentUsed("commitment: another player of this round gave the same. RV2")
    return (DiceSealed(player, command.commitment), *fees(state, this, command.at))


def fees(state: Playing, this: Round, at: int | None) -> tuple[FeeTaken, ...]:
    if this.begun:
        return ()
    owed = due(state.opened.fee, this.players, state.stakes, at=at, charged_at=state.charged_at)
    return () if owed is None else (FeeTaken(*owed),)


def offer(command: Offer, state: Playing) -> tuple[Fact, ...]:
    running(state)
    check_awaited("offer", "offering", state)
    return (DiceOffered(one_of_each(command.dice, rule="RV3")),)


def reveal(command: Reveal, state: Playing) -> tuple[Fact, ...]:
    """
    Reveal a hand (RV2): once the auction is over, in any order; who left may do so after the round
    has ended.
    """
    player = command.player
    check_known(player, state.stakes)
    late = next((each for each in state.hidden if each.player == player), None)
    if state.round is None and late is not None:
        return (reveal_hand(command, late, late=True),)
    this = in_round(player, state)
    if player in this.revealed:
        raise RevealedAlready(f"player: {player} has revealed already. RV2")
    check_awaited("reveal", "revealing", state)
    sealed = Hidden(player, this.sealed[player], this.won.get(player, NOTHING_WON))
    event = reveal_hand(command, sealed, late=False)
    return (event, *outcome(_playing(evolve(state, event))))


def reveal_hand(command: Reveal, sealed: Hidden, *, late: bool) -> DiceRevealed:
    """The best legal hand of revealed dice (RV4, RV5), found here and not by the player."""
    dice = one_of_each(command.dice, rule="RV2")
    check_commitment(command.player, sealed.commitment, command.salt, dice)
    made = best_with(dice, sealed.won)
    return DiceRevealed(
        player=command.player,
        dice=dice,
        hand=made.hand.name,
        rank=made.hand.rank,
        values=made.hand.values,
        replaced=made.replaced,
        salt=command.salt,
        late=late,
    )


def one_of_each(dice: BySize, *, rule: str) -> Dice:
    """:raises Refused: with the size, never a face: it may be of somebody's hole dice (RV2)."""
    faces = []
    for size, sides, face in zip(SIZES, SIDES, dice, strict=True):
        if face is None:
            raise WrongNumberOfDice(f"dice.{size} is missing: one die of each size. {rule}")
        if not 1 <= face <= sides:
            raise NoSuchFace(f"dice.{size}: a {size} shows 1 to {sides}. {rule}")
        faces.append(face)
    return tuple(faces)


def throw(command: Throw, state: Playing) -> tuple[Fact, ...]:
    """Throw one d12 in a roll-off, in seat order (RV6)."""
    to_roll(command.player, state)
    dice = check_dice(command.dice, n=1, sides=ROLL_OFF_SIDES, rule="RV6")
    event = DieThrown(command.player, dice)
    return (event, *outcome(_playing(evolve(state, event))))


def to_roll(player: str, state: Playing) -> None:
    this = in_round(player, state)
    check_awaited("throw", "rolling", state)
    turn = rolling(this)
    if player not in turn:
        raise NotYourTurn(f"{' or '.join(turn)} throws, not {player}. RV6")


def no_throw_of(command: NoThrow, state: Playing) -> NoThrowRecorded:
    """
    Record a no throw (G3): of hole dice that are not sealed yet, or of a die of a roll-off.

    The banker's dice are nobody's throw; only a player's interference with them is recorded.
    """
    this = in_round(command.player, state)
    match phase(state):
        case "sealing" if command.player not in this.sealed:
            most = len(SIZES)
        case "sealing":
            raise SealedAlready(f"player: {command.player} has sealed already. RV2, G3")
        case "offering" if command.reason == INTERFERENCE:
            most = len(SIZES)
        case "offering":
            raise NotNow("no_throw: the banker throws; a player may only interfere. RV3, G3")
        case _:
            to_roll(command.player, state)
            most = 1
    return no_throw(command, most=most, sides=ROLL_OFF_SIDES)


def newcomer(command: Join, state: Playing) -> PlayerJoined:
    """Join between rounds (G1), with the stake agreed at the opening if no other is named."""
    if state.round is not None and state.round.begun:
        raise RoundRunning(f"{command.player} may join between rounds; round is running. G1")
    agreed = stake_of_newcomer(state.opened.players, state.opened.stake)
    return take_seat(command, state.stakes, state.pot, agreed=agreed, left=state.left)


def brought(command: BringMoney, state: Playing) -> BoughtIn:
    player = command.player
    check_known(player, state.stakes)
    if player in state.left:
        raise NotPlaying(f"player: {player} has left: join first. G1")
    return money_brought(command, state.stakes, state.pot, house=False)


def come(event: PlayerJoined | BoughtIn, state: Playing) -> tuple[Fact, ...]:
    """
    What follows when money comes (G1, RV1): a player who can pay before the first throw buys five
    dice, too.
    """
    after, player = _playing(evolve(state, event)), event.player
    this = after.round
    late = this is not None and not this.begun and player not in this.players
    if this is None or not late or after.stakes[player] < this.price:
        return (event,)
    return (event, DiceBought(player, sales((player,), this.price, ("RV1", "G1"))))


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """Leave: the price comes back before the first throw (G1), and is forfeited after it (RV7)."""
    player, this = command.player, state.round
    check_known(player, state.stakes)
    if player not in here(state):
        raise NotPlaying(f"player: {player} has left already. RV7")
    if this is None or player not in this.players:
        return (PlayerLeft(player, rules=("G1",)),)
    if this.begun:
        event = PlayerLeft(player, rules=("RV7",))
        return (event, *outcome(_playing(evolve(state, event))))
    back = (Payment(POT, player, this.price, ("G1",)),)
    event = PlayerLeft(player, back, ("G1",))
    return (event, *too_few(_playing(evolve(state, event))))


def in_round(player: str, state: Playing) -> Round:
    """:raises Refused: if `player` holds no dice in the running round."""
    check_known(player, state.stakes)
    this = running(state)
    if player in state.left:
        raise NotPlaying(f"player: {player} has left. RV7")
    if player not in this.players:
        raise NotPlaying(f"player: {player} bought no dice and sits the round out. RV1")
    return this


def running(state: Playing) -> Round:
    if state.round is None:
        raise NotNow(f"Not yet: {WAITING_FOR['between']}")
    return state.round


def check_awaited(do: str, wanted: Phase, state: Playing) -> None:
    """:raises NotNow: if the round is in another phase, with a message that says in which."""
    if (now := phase(state)) != wanted:
        raise NotNow(f"{do}: not now; {WAITING_FOR[now]}")


def _playing(state: State) -> Playing:
    if not isinstance(state, Playing):  # only closing ends the game
        raise TypeError(state)
    return state


def is_terminal(state: State) -> bool:
    return isinstance(state, Ended)


RULES: Final[Decider[Command, Fact, State]] = Decider(
    initial=Unopened(), decide=decide, evolve=evolve, is_terminal=is_terminal
)
DECIDER: Final[Decider[Command, Fact, GameSession[State]]] = decider_at_table(RULES, parse)


# What follows in River: who takes the pot, when a round is void, which dice nobody will see.


def outcome(state: Playing) -> tuple[Fact, ...]:
    """
    The consequences of a reveal, a throw of a roll-off or a departure, which `state` contains
    already.
    """
    this = state.round
    if this is None:
        return ()
    if len(this.players) < PLAYERS_MIN:
        return (win_round(state, this, this.players, ("RV6", "RV7")),)
    match phase(state):
        case "revealing" if not this.unrevealed:
            return (verdict(state, this),)
        case "rolling" if len(this.tied) == 1 or not rolling(this):
            return (result_of_roll_off(state, this),)
        case _:
            return ()


def verdict(state: Playing, this: Round) -> RoundWon | TieCalled:
    """
    The result of the reveal (RV6): the highest row takes the pot; among equal rows the option `tie`
    decides.
    """
    best = min(hand.rank for hand in hands(this).values())
    equal = tuple(name for name, hand in hands(this).items() if hand.rank == best)
    if len(equal) == 1:
        return win_round(state, this, equal, ("RV6",))
    match state.opened.options.tie:
        case "rolloff":
            return TieCalled(equal)
        case "high_value":
            equal = highest_values(this, equal)
        case "split":
            pass
    return win_round(state, this, equal, ("RV6", "G5") if len(equal) > 1 else ("RV6",))


def hands(this: Round) -> dict[str, Hand]:
    """The hands that those still in the round have shown, in seat order."""
    return {name: this.revealed[name] for name in this.players}


def highest_values(this: Round, equal: tuple[str, ...]) -> tuple[str, ...]:
    """The players whose row has the highest dice of its own (RV6), compared highest first."""
    most = max(this.revealed[name].values for name in equal)
    return tuple(name for name in equal if this.revealed[name].values == most)


def result_of_roll_off(state: Playing, this: Round) -> RoundWon | TieCalled:
    """
    The result of a roll-off (RV6): the highest d12 wins; equal ones throw again. One who is left
    alone need not throw.
    """
    highest = max((face for _, face in this.rolled), default=0)
    equal = tuple(name for name, face in this.rolled if face == highest)
    equal = this.tied if len(this.tied) == 1 else equal
    return win_round(state, this, equal, ("RV6",)) if len(equal) == 1 else TieCalled(equal)


def win_round(
    state: Playing, this: Round, winners: tuple[str, ...], rules: tuple[str, ...]
) -> RoundWon:
    unit = state.opened.options.unit
    rake = take_rake(state.pot, state.opened.fee, unit=unit)
    left = state.pot - sum(payment.amount for payment in rake)
    hand = this.revealed.get(winners[0]) if "RV7" not in rules else None
    return RoundWon(
        round=this.number,
        winners=winners,
        rank=hand.rank if hand else None,
        payments=(*rake, *share(left, winners, rules, unit=unit)),
        rules=rules,
    )


def too_few(state: Playing) -> tuple[Fact, ...]:
    """Void the round if fewer than two are left before its first throw (RV1): prices go back."""
    this = state.round
    if this is None or len(this.players) >= PLAYERS_MIN:
        return ()
    return (RoundVoided(this.number, pay_back(this, "RV1"), ("RV1",)),)


def close_table(state: Playing) -> tuple[Fact, ...]:
    """Close the table (G9): the running round is void; dice that nobody has seen stay unseen."""
    this = state.round
    if this is None:
        return (*unseen(state), GameEnded(state.number, ("G9",)))
    back = pay_back(this, "G9")
    forfeited = state.pot + balance(POT, back)
    unit = state.opened.options.unit
    divided = share(forfeited, this.players, ("G9", "RV7", "G5"), unit=unit)
    void = RoundVoided(this.number, (*back, *divided, *give_back(this.seat_fees)), ("G9",))
    never = tuple(each.player for each in hidden(this))
    return (
        void,
        *((HandsUnseen(this.number, never),) if never else ()),
        GameEnded(this.number, ("G9",)),
    )


def pay_back(this: Round, rule: str) -> tuple[Payment, ...]:
    """Payments that give those still in the round back what they paid, in the order they paid."""
    return tuple(
        Payment(POT, each.payer, each.amount, (rule,))
        for each in this.staked
        if each.payer in this.players
    )


def unseen(state: Playing) -> tuple[HandsUnseen, ...]:
    """The players who left the last round and have not shown their dice since (RV2)."""
    if not state.hidden:
        return ()
    return (HandsUnseen(state.number - 1, tuple(each.player for each in state.hidden)),)


def sales(
    players: Iterable[str], price: int, rules: tuple[str, ...] = ("RV1",)
) -> tuple[Payment, ...]:
    """Payments for five dice from each player, at one price (RV1)."""
    return tuple(Payment(name, POT, price, rules) for name in players)
