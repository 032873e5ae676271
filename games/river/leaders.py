"""Who leads in a roll-off of River. Nobody throws before it knowing how the round stands."""

from games.leaders import NO_ROUND, Leaders
from games.river.state import Playing, State


def leaders(state: State) -> Leaders:
    """Who has the highest d12 of the roll-off so far (RV6)."""
    if not isinstance(state, Playing) or state.round is None:
        return NO_ROUND
    rolled = state.round.rolled
    highest = max((face for _, face in rolled), default=0)
    return Leaders(tuple(player for player, face in rolled if face == highest))
