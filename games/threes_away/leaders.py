"""Who leads for the pot in threes away, before a throw."""

from games.leaders import NO_ROUND, Leaders
from games.threes_away.state import Playing, Running, State


def leaders(state: State) -> Leaders:
    """
    Who leads the round: the lowest total of the turns that have ended, if it can win the pot (TA1,
    TA3, TA7).
    """
    if not isinstance(state, Playing) or not isinstance(state.round, Running):
        return NO_ROUND
    this = state.round
    totals = {
        each.player: each.total
        for each in this.done
        if not each.bust and (this.limit is None or each.total <= this.limit)
    }
    lowest = min(totals.values(), default=0)
    return Leaders(tuple(player for player, total in totals.items() if total == lowest))
