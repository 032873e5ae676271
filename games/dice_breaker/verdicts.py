"""What follows in dice breaker: who starts, what a round scores, when the game is won."""

from fractions import Fraction

from games.dice_breaker.arena import all_faces
from games.dice_breaker.evolve import evolve, pay
from games.dice_breaker.hands import HIGHEST, HandName, hand_of, points, strength
from games.dice_breaker.messages import (
    FinalHand,
    GameEnded,
    PlayerLeft,
    RoundScored,
    RoundVoided,
    StartSettled,
    StartTied,
)
from games.dice_breaker.state import Breaking, Playing, in_order
from games.fees import give_back, take_rake
from games.messages import Fact
from games.payments import share


def decide_start(breaking: Breaking) -> tuple[Fact, ...]:
    """
    Who starts (DB1): the lowest new face; tied lowest break again; a player who is left alone
    starts.
    """
    if len(breaking.players) == 1:
        return (StartSettled(breaking.players[0]),)
    if breaking.due:
        return ()
    lowest = min(breaking.faces.values())
    tied = tuple(player for player in breaking.players if breaking.faces[player] == lowest)
    return (StartTied(tied),) if len(tied) > 1 else (StartSettled(tied[0]),)


def outcome(state: Playing) -> tuple[Fact, ...]:
    """
    The result of a round once all dice are thrown (DB5, DB6): it is scored, and perhaps the game is
    won.
    """
    if not state.round.over:
        return ()
    hands = _hands(state)
    winners, name = _highest(state, hands)
    if name == HIGHEST:
        return win_at_once(state, hands, winners)
    share = Fraction(points(name), len(winners)) if winners else Fraction()
    scores = tuple((player, share) for player in winners)
    leaders = _leaders(state, dict(scores))
    event = RoundScored(
        round=state.round.number,
        hands=hands,
        winners=winners,
        first=_next_first(state, winners, leaders if len(leaders) > 1 else ()),
        scores=scores,
        play_off=leaders if len(leaders) > 1 else (),
        rules=("DB4", "DB5"),
        counted=state.opened.options.scoreboard,
    )
    return (event, *([win_game(state, leaders, "DB6")] if len(leaders) == 1 else []))


def _hands(state: Playing) -> tuple[FinalHand, ...]:
    return tuple(
        FinalHand(player, hand_of(dice).name, dice)
        for player, dice in all_faces(state.round).items()
    )


def _highest(state: Playing, hands: tuple[FinalHand, ...]) -> tuple[tuple[str, ...], HandName]:
    """Who has the highest hand, in turn order, and what it is (DB5); nobody if all have nothing."""
    tie_by = state.opened.options.tie_by
    strengths = {each.player: strength(hand_of(each.dice), tie_by) for each in hands}
    best = max(strengths.values())
    winners = tuple(each.player for each in hands if strengths[each.player] == best)
    name = next(each.hand for each in hands if each.player in winners)
    return ((), name) if points(name) == 0 and name != HIGHEST else (winners, name)


def _leaders(state: Playing, more: dict[str, Fraction]) -> tuple[str, ...]:
    """Who of the round has the highest total (DB6), once that is the target or above."""
    this = state.round
    totals = {player: state.scores[player] + more.get(player, 0) for player in this.order}
    top = max(totals.values())
    if top < state.opened.options.target:
        return ()
    return tuple(player for player in this.order if totals[player] == top)


def _next_first(state: Playing, winners: tuple[str, ...], among: tuple[str, ...]) -> str:
    """
    Who starts the next round (DB7): the winner, of several the earlier in turn order; without a
    winner, the same player.
    """
    candidates = (*winners, *state.round.order)
    return next(player for player in candidates if not among or player in among)


def win_at_once(
    state: Playing, hands: tuple[FinalHand, ...], winners: tuple[str, ...]
) -> tuple[Fact, ...]:
    """Win the game by five of a kind (DB6), which scores no points."""
    event = RoundScored(
        round=state.round.number,
        hands=hands,
        winners=winners,
        first=winners[0],
        rules=("DB4", "DB6"),
    )
    return (event, win_game(state, winners, "DB6"))


def win_game(state: Playing, winners: tuple[str, ...], rule: str) -> GameEnded:
    """
    Win the game (DB11): the pot, less the house's rake, goes to the winner, or is shared by the
    winners (G5).
    """
    unit = state.opened.options.unit
    rake = take_rake(state.pot, state.opened.fee, unit=unit)
    rest = state.pot - sum(payment.amount for payment in rake)
    rules = ("DB11", "G5") if len(winners) > 1 else ("DB11",)
    payments = (*rake, *share(rest, winners, rules, unit=unit))
    return GameEnded(state.round.number, winners, payments, (rule,))


def close_table(state: Playing) -> tuple[Fact, ...]:
    """
    Close the table (G9): the running round is void, and the pot is shared among those still in the
    game (G5).
    """
    this = state.round
    event = RoundVoided(this.number, give_back(this.seat_fees), rules=("G9",))
    after = pay(state, event.payments)
    among = in_order(state, this.order[0], state.playing)
    payments = share(after.pot, among, ("G9", "G5"), unit=state.opened.options.unit)
    return (event, GameEnded(this.number, payments=payments, rules=("G9",)))


def follow_leave(before: Playing, event: PlayerLeft) -> tuple[Fact, ...]:
    """
    What follows when a player has left: the last of a play-off has won (DB6), and so has who is
    left alone (DB11); if nothing was thrown, the game is over without a winner (G1). It may be
    known now who starts (DB1).
    """
    state = evolve(before, event)
    if not isinstance(state, Playing):
        return ()
    number = before.round.number
    if len(state.play_off) == 1:
        return (RoundVoided(number, rules=("G1",)), win_game(state, state.play_off, "DB6"))
    if len(state.playing) == 1 and before.thrown:
        return (RoundVoided(number, rules=("DB11",)), win_game(state, state.playing, "DB11"))
    if len(state.playing) == 1:
        unit = state.opened.options.unit
        back = share(state.pot, state.playing, ("G1", "G5"), unit=unit)
        return (
            RoundVoided(number, rules=("G1",)),
            GameEnded(number, payments=back, rules=("G1",)),
        )
    return () if state.breaking is None else decide_start(state.breaking)
