"""Presenter of Stone Hand: whose turn it is and why, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.words.presenters.presenter import (
    Presenter,
    line,
    line_of_dice,
    line_of_home_throw,
    sought,
)
from casino.words.presenters.words import names, the_dice_decide
from games.stone import DICE, SIDES
from games.stone_hand import messages as stone
from games.stone_hand.state import Ended, Playing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.messages import Fact

HAND_RULES = {"empty": ["SH2"], "triad": ["SH6"], "home": ["SH7"]}
MODES = {
    "pool": gettext_lazy("pool"),
    "drinks": gettext_lazy("for drinks"),
    "scoreboard": gettext_lazy("scoreboard"),
}


class StoneHand(Presenter):
    POT = gettext_lazy("pool")
    SIZES = (SIDES,)

    def mode(self, game: Course) -> tuple[str, str]:
        mode = opening_of(game).options.mode
        return mode, str(MODES[mode])

    def for_money(self, game: Course) -> bool:
        return opening_of(game).options.mode == "pool"

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state = game.state.inner
        if not isinstance(state, Playing):
            return {"sentence": self.over(state), "player": None, "may": [], "dice": []}
        player = next(iter(view["next"]["players"]), None)
        return {
            "sentence": _sentence(state, player),
            "player": player,
            "may": view["next"]["may"],
            "dice": [SIDES] * DICE,
        }

    def over(self, state: Any) -> str:
        if isinstance(state, Ended) and state.winners:
            return _describe_win(state.winners)
        return _("The game is closed")

    def figures(self, state: Any) -> Figures:
        played = isinstance(state, Playing | Ended) and state.opened.options.mode == "pool"
        return {"pot": state.pot if played else None}

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        held = last_hand(game, player)
        return {
            "hand": held.hand if held else None,
            "score": held.score if held else None,
            "dice": list(held.dice) if held else None,
            "state": _standing(game, view, player, thrown=held is not None),
        }

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        del game
        return of_the_dice(fact) or of_the_round(fact) or of_the_session(fact)


def opening_of(game: Course) -> stone.GameOpened:
    fact = game.facts[0]
    if not isinstance(fact, stone.GameOpened):
        raise TypeError("A game begins with its opening.")
    return fact


def _sentence(state: Playing, player: str | None) -> str:
    this = state.round
    if state.homes is None:
        return _("Throw for the home throw")
    if player is None:  # after the last throw: the event that follows is not recorded yet
        return the_dice_decide()
    name = {"name": player}
    if this.tied:
        return _("Tie: %(name)s throws again") % name
    if this.deciding:
        left = state.opened.options.rethrow - this.standing[-1].again
        if len(this.standing) > 1:
            left = this.standing[0].again - this.standing[-1].again
        return _("%(name)s may throw again (%(left)s left) or stand") % {**name, "left": left}
    if this.standing and this.standing[-1].player == player:
        return _("Empty: %(name)s throws again") % name
    return _("%(name)s to throw") % name


def _standing(game: Course, view: Mapping[str, Any], player: str, *, thrown: bool) -> str:
    if player in view["out"]:
        gone = any(
            isinstance(fact, stone.PlayerLeft) and fact.player == player for _n, fact in game.live
        )
        return "left" if gone else "out"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    return "thrown" if thrown else "waiting"


def last_hand(game: Course, player: str) -> stone.DiceThrown | None:
    """A player's last throw in the running round, since its start, restart or tie; None if none."""
    for _number, fact in reversed(game.live):
        if fact.ends_round or isinstance(fact, stone.RoundRestarted | stone.GameOpened):
            return None
        if isinstance(fact, stone.TieCalled) and player in fact.players:
            return None
        if isinstance(fact, stone.DiceThrown) and fact.player == player:
            return None if fact.hand == "empty" else fact
    return None


def of_the_dice(fact: Fact) -> Line | None:
    match fact:
        case stone.DiceThrown():
            return line_of_throw(fact)
        case stone.HomeDiceThrown():
            return sought(fact.dice, fact.hand)
        case stone.HomeThrowSettled(home=home):
            return line_of_home_throw(home)
        case stone.HandTaken(player=player):
            return line("stand", _("%(name)s stands") % {"name": player}, ["SH11"])
        case _:
            return None


def of_the_round(fact: Fact) -> Line | None:
    match fact:
        case stone.FeeTaken():
            return line("fee", _("Fee for the round"), ["G6"])
        case stone.RoundRestarted(player=player):
            sentence = _("The round starts again, %(name)s sits it out") % {"name": player}
            return line("restart", sentence, ["SH7"])
        case stone.TieCalled(players=players):
            sentence = _("Tie for worst: %(names)s throw again") % {"names": names(players)}
            return line("tie", sentence, ["SH5"])
        case stone.RoundLost(loser=loser, round=number, rules=rules):
            lost = {"name": loser, "round": number}
            return line("lost", _("%(name)s loses round %(round)s") % lost, list(rules))
        case stone.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, list(rules))
        case _:
            return None


def of_the_session(fact: Fact) -> Line | None:
    match fact:
        case stone.GameOpened():
            return line("open", _("The game is open"), ["SH1"])
        case stone.PlayerLeft(player=player, rules=rules):
            return line("leave", _("%(name)s leaves") % {"name": player}, list(rules))
        case stone.TableClosed():
            return line("close", _("The game is closed"), ["G9"])
        case stone.GameEnded(winners=winners, rules=rules):
            sentence = _describe_win(winners) if winners else _("The game is over")
            return line("won", sentence, list(rules))
        case _:
            return None


def _describe_win(winners: Sequence[str]) -> str:
    won = ngettext("%(names)s wins the pool", "%(names)s share the pool", len(winners))
    return won % {"names": names(winners)}


def line_of_throw(fact: stone.DiceThrown) -> Line:
    return {
        **line_of_dice(fact.dice, "home" if fact.hand == "home" else "plain"),
        "name": fact.player,
        "hand": fact.hand,
        "score": fact.score,
        "rules": HAND_RULES.get(fact.hand, []),
    }
