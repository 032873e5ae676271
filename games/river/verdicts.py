"""What follows in River: who takes the pot, when a round is void, which dice nobody will see."""

from collections.abc import Iterable

from games.fees import give_back, take_rake
from games.messages import Fact
from games.payments import POT, Payment, balance, share
from games.river.hands import Hand
from games.river.messages import (
    GameEnded,
    HandsUnseen,
    RoundVoided,
    RoundWon,
    TieCalled,
)
from games.river.state import Playing, Round, hidden, phase, rolling
from games.seats import PLAYERS_MIN


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
