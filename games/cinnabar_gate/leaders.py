"""Who would win in Cinnabar Gate, or pay the pool, before a throw."""

from games.cinnabar_gate.hands import shows_up
from games.cinnabar_gate.state import Playing, State, Taken
from games.cinnabar_gate.verdicts import best_in, pool, worst_of
from games.leaders import NO_ROUND, Leaders


def leaders(state: State) -> Leaders:
    """
    Who leads the round: who has the best hand so far, among those who are still here (CG6). In a
    pool, who has the worst hand, or whoever has left (CG1, CG11). In a tie, who leads by its throws
    so far (CG7).
    """
    if not isinstance(state, Playing):
        return NO_ROUND
    this = state.round
    if this.tie is not None:
        pays = this.tie.end == "worst"
        held = this.tie.throws
        if not held:
            return Leaders(pays=pays)
        return Leaders(worst_of(state, held) if pays else best_in(state, held), pays)
    turn = this.turn
    held = this.taken
    if turn is not None and turn.hand is not None and not shows_up(turn.hand):
        held = (*held, Taken(turn.player, turn.hand))
    if pool(state):
        worst = worst_of(state, held) if held else ()
        return Leaders(this.left or worst, pays=True)
    held = tuple(each for each in held if each.player not in this.left)
    return Leaders(best_in(state, held) if held else ())
