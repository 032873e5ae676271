"""Who would pay in stone hand, or score, before a throw."""

from games.leaders import NO_ROUND, Leaders
from games.stone_hand.hands import badness
from games.stone_hand.state import PlayerHand, Playing, State
from games.stone_hand.verdicts import worst_of


def leaders(state: State) -> Leaders:
    """
    Who leads the round: who has the worst hand so far and would pay (SH4); among those who throw a
    tie out, who has the worst tie throw so far (SH5). On a scoreboard, who has the best hand or the
    lowest score and would score (SH13); a tie still names the loser there.
    """
    if not isinstance(state, Playing):
        return NO_ROUND
    this = state.round
    if this.tied:
        return _of_tie(this.tie_throws)
    standing = tuple(each for each in this.standing if each.hand is not None)
    if state.opened.options.mode != "scoreboard":
        return _worst(standing)
    if not standing:
        return Leaders()
    by_score = state.opened.options.point_to == "lowest_score"
    ranks = {
        each.player: (each.hand.score or 0,) if by_score else badness(each.hand)
        for each in standing
        if each.hand is not None
    }
    best = min(ranks.values())
    return Leaders(tuple(player for player, rank in ranks.items() if rank == best))


def _of_tie(throws: tuple[PlayerHand, ...]) -> Leaders:
    """Who would lose a tie (SH5): a triad at once, a home throw never; else the worst so far."""
    named = {each.player: each.hand.name for each in throws if each.hand is not None}
    if triads := tuple(player for player, hand in named.items() if hand == "triad"):
        return Leaders(triads, pays=True)
    return _worst(tuple(each for each in throws if named[each.player] != "home"))


def _worst(standing: tuple[PlayerHand, ...]) -> Leaders:
    worst = worst_of(standing) if standing else ()
    return Leaders(tuple(each.player for each in worst), pays=True)
