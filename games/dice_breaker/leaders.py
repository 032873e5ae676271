"""Who has the highest hand in dice breaker, before a throw."""

from games.dice_breaker.arena import all_faces
from games.dice_breaker.hands import hand_of, strength
from games.dice_breaker.state import Playing, State
from games.leaders import NO_ROUND, Leaders


def leaders(state: State) -> Leaders:
    """Who has the highest hand in the arena (DB5); a player with nothing so far does not lead."""
    if not isinstance(state, Playing) or not state.round.hands:
        return NO_ROUND
    made = {player: hand_of(dice) for player, dice in all_faces(state.round).items()}
    tie_by = state.opened.options.tie_by
    ranks = {
        player: strength(hand, tie_by) for player, hand in made.items() if hand.name != "nothing"
    }
    if not ranks:
        return Leaders()
    highest = max(ranks.values())
    return Leaders(tuple(player for player, rank in ranks.items() if rank == highest))
