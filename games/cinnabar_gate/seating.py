"""Players who come and go in Cinnabar Gate, and the money that they bring (CG1, G10)."""

from dataclasses import replace

from games.cinnabar_gate.evolve import evolve
from games.cinnabar_gate.messages import PlayerLeft, RoundVoided
from games.cinnabar_gate.payouts import ending, who_is_next
from games.cinnabar_gate.state import Playing, playable
from games.cinnabar_gate.verdicts import gone
from games.commands import BringMoney, Join, Leave
from games.fees import NoMoneyPlayed
from games.messages import BoughtIn, Fact, PlayerJoined
from games.refusals import NoBuyingIn, NotPlaying, RoundRunning, ZeroAmount
from games.seats import house_seat, stake_of_newcomer, within_limits
from games.table_events import check_known, money_brought, take_seat


def join(command: Join, state: Playing) -> PlayerJoined:
    """Join between rounds, last in order, with the agreed stake unless another is named (CG1)."""
    player = command.player
    between_rounds(state, f"{player} may join")
    here = playable(state, player) if player in state.away else 0
    agreed = stake_of_newcomer(state.opened.players, state.opened.stake)
    stake = (0 if here else agreed) if command.stake is None else command.stake
    for_money = state.opened.options.variant != "arcade"
    event = take_seat(
        replace(command, stake=stake),
        state.stakes,
        state.pot,
        agreed=agreed,
        left=state.away,
        house=house_seat(state.opened.players),
        least=1 if for_money else 0,
    )
    if for_money:
        if here + event.stake == 0:
            raise ZeroAmount(f"stake of {player}: what was pocketed is not played again. CG8")
        within_limits(here + event.stake, state.opened.stake_min, state.opened.stake_max)
    return event


def bring(command: BringMoney, state: Playing) -> BoughtIn:
    """Bring more money between rounds, also after everything is lost; in a pool nobody does."""
    player = command.player
    check_known(player, state.stakes)
    variant = state.opened.options.variant
    if variant == "arcade":
        raise NoMoneyPlayed(f"amount: no money moves with variant={variant}. CG11")
    if variant == "pool":
        raise NoBuyingIn(f"player: {player} plays for a pool with one stake; no more. CG11")
    if player in state.away:
        raise NotPlaying(f"player: {player} has left; join again. CG1")
    between_rounds(state, f"{player} may buy in")
    least = state.opened.stake_min if player in state.out else None
    after = playable(state, player) + command.amount
    within_limits(after, least, state.opened.stake_max, field="amount, with the stake,")
    house = player == house_seat(state.opened.players)
    return money_brought(command, state.stakes, state.pot, house=house)


def leave(command: Leave, state: Playing) -> tuple[Fact, ...]:
    """
    Leave (CG1): between rounds with what is left of the stake; during a round it counts as the
    worst hand.
    """
    player = command.player
    check_known(player, state.stakes)
    if player not in state.playing:
        raise NotPlaying(f"player: {player} is not playing any more. CG1, CG8")
    if state.round.begun:
        event = PlayerLeft(player)
        return (event, *gone(_playing(evolve(state, event)), player))
    event = PlayerLeft(player, first=who_is_next(state, (state.round.first,), (player,)))
    return (event, *too_few(_playing(evolve(state, event))))


def too_few(state: Playing) -> tuple[Fact, ...]:
    """The end of the game if one player is left, who has no round to play (CG1)."""
    if len(state.playing) > 1:
        return ()
    event = RoundVoided(state.round.number, state.round.first, rules=("CG1",))
    return (event, *ending(state, event))


def between_rounds(state: Playing, what: str) -> None:
    if state.round.begun:
        raise RoundRunning(f"{what} between rounds; round {state.round.number} is running. CG1")


def _playing(state: object) -> Playing:
    if not isinstance(state, Playing):  # leaving alone ends no game
        raise TypeError(state)
    return state
