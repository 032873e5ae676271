"""Threes Away, told at the table: whose turn it is and why, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.play.telling.teller import Teller, line
from casino.play.telling.words import names
from games.messages import PlayerJoined
from games.threes_away import messages as threes
from games.threes_away.hands import SIDES
from games.threes_away.state import Ended, Playing, Running

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.play.loading import Loaded
    from casino.play.telling.teller import Figures, Line, Standing, Upcoming
    from games.messages import Fact

BUST = "bust"


class ThreesAway(Teller):
    SIZES = (SIDES,)

    def upcoming(self, loaded: Loaded, view: Mapping[str, Any]) -> Upcoming:
        state = loaded.state.inner
        may, player = view["next"]["may"], next(iter(view["next"]["players"]), None)
        throws = "throw" in may and isinstance(state, Playing) and isinstance(state.round, Running)
        return {
            "sentence": self.over(state) if isinstance(state, Ended) else _sentence(state, player),
            "player": player,
            "may": may,
            "dice": [SIDES] * state.round.turn.dice if throws else [],
        }

    def over(self, state: Any) -> str:
        del state
        return _("The game is closed")

    def figures(self, state: Any) -> Figures:
        if not isinstance(state, Playing):
            return {"pot": state.pot}
        this = state.round
        running: Figures = {}
        if isinstance(this, Running):
            carried = state.pot - sum(payment.amount for payment in this.staked)
            running = {"limit": this.limit, "carried": carried or None}
        return {
            "pot": state.pot,
            "ante": state.opened.options.ante,
            "awaited": state.awaited or None,
            **running,
        }

    def hand_of(self, loaded: Loaded, view: Mapping[str, Any], player: str) -> Standing:
        turn, score = view["turn"], view["scores"].get(player)
        on_turn = turn is not None and turn["player"] == player
        kept = list(turn["kept"]) if on_turn else dice_kept(loaded, player)
        lying = list(turn["thrown"]) if on_turn else []
        total = turn["total"] if on_turn and kept else score
        words = "" if total is None else _("bust") if total == BUST else str(total)
        return {
            "hand": None,
            "score": None,
            "dice": [*kept, *lying] or None,
            "marks": ["kept"] * len(kept) + ["plain"] * len(lying),
            "words": words,
            "state": _standing(loaded, view, player),
        }

    def of_the_game(self, loaded: Loaded, fact: Fact) -> Line | None:
        del loaded
        return _of_the_turn(fact) or _of_the_round(fact) or _of_the_pot(fact) or _of_people(fact)

    def own(self, loaded: Loaded, view: Mapping[str, Any]) -> dict[str, Any]:
        """The dice that lie there and those kept before, and whether bottoms may be called."""
        turn = view["turn"] or {"thrown": [], "kept": []}
        state = loaded.state.inner
        return {
            "lying": turn["thrown"],
            "kept": turn["kept"],
            "bottoms": state.opened.options.bottoms,
        }


def _sentence(state: Any, player: str | None) -> str:
    this = state.round
    if not isinstance(this, Running):
        return _("Waiting until two can ante")
    name = {"name": player, "count": this.turn.dice}
    if this.turn.thrown:
        return _("%(name)s keeps one or more") % name
    if this.turn.kept:
        return _("%(name)s throws the other %(count)s") % name
    if this.coming.among:
        return _("Play-off: %(name)s to throw") % name
    return _("%(name)s to throw") % name


def _standing(loaded: Loaded, view: Mapping[str, Any], player: str) -> str:
    if player in view["out"]:
        return "left" if _has_left(loaded, player) else "out"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    return "thrown" if player in view["scores"] else "waiting"


def _has_left(loaded: Loaded, player: str) -> bool:
    for _number, fact in reversed(loaded.live):
        if isinstance(fact, threes.PlayerLeft | PlayerJoined) and fact.player == player:
            return isinstance(fact, threes.PlayerLeft)
    return False


def dice_kept(loaded: Loaded, player: str) -> list[int]:
    """The faces on top that a player has kept in the running round."""
    kept: list[int] = []
    for _number, fact in reversed(loaded.live):
        if fact.ends_round:
            break
        if isinstance(fact, threes.DiceKept) and fact.player == player:
            kept = [*fact.dice, *kept]
    return kept


def _of_the_turn(fact: Fact) -> Line | None:
    match fact:
        case threes.DiceThrown(player=player, dice=dice, bottoms=bottoms):
            said = _("%(name)s calls bottoms") if bottoms else "%(name)s"
            rules = ["TA8"] if bottoms else []
            return {**_dice(dice, "plain"), **line("throw", said % {"name": player}, rules)}
        case threes.DiceKept(player=player, dice=dice, total=total):
            said = _("%(name)s keeps, in all %(total)s") % {"name": player, "total": total}
            return {**_dice(dice, "kept"), **line("keep", said, ["TA2"])}
        case threes.TurnEnded(bust=True):
            told = {"name": fact.player, "total": fact.total}
            return line("bust", _("%(name)s is bust with %(total)s") % told, list(fact.rules))
        case threes.TurnEnded(player=player, total=0):
            sentence = _("%(name)s finishes with zero: another ante of all") % {"name": player}
            return line("taken", sentence, list(fact.rules))
        case threes.TurnEnded(player=player, total=total):
            told = {"name": player, "total": total}
            return line("taken", _("%(name)s finishes with %(total)s") % told, list(fact.rules))
        case _:
            return None


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case threes.RoundStarted():
            return line("ante", _started(fact), ["TA1"])
        case threes.RoundWon(winner=winner, round=number, rules=rules):
            won = {"name": winner, "round": number}
            return line("won", _("%(name)s wins round %(round)s") % won, list(rules))
        case threes.RoundTied():
            return line("tie", _tied(fact), list(fact.rules))
        case threes.RoundRolledOver(limit=limit, rules=rules):
            sentence = _("Nobody has %(limit)s or less: the pot rolls over") % {"limit": limit}
            return line("tie", sentence, list(rules))
        case threes.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, list(rules))
        case _:
            return None


def _started(fact: threes.RoundStarted) -> str:
    told = {"round": fact.round, "limit": fact.limit, "names": names(fact.order)}
    if fact.waiting:
        return _("Round %(round)s: %(names)s play it off") % told
    if fact.limit is not None:
        return _("Round %(round)s: %(limit)s or less wins") % told
    return _("Round %(round)s begins") % told


def _tied(fact: threes.RoundTied) -> str:
    told = {"names": names(fact.players), "total": fact.total}
    if fact.total == 0:
        return _("Tie at zero: %(names)s play it off") % told
    return _("Tie at %(total)s: one tie, all tie") % told


def _of_the_pot(fact: Fact) -> Line | None:
    match fact:
        case threes.RolloverDrawn():
            return line("rollover", _("What rolled over is in the pot"), ["TA10"])
        case threes.RolloverArrived():
            return line("rollover", _("What rolled over has arrived"), ["TA10"])
        case threes.GameEnded(payments=payments, rules=rules):
            rolls = _("The pot rolls over to the next game")
            return line("close", rolls if payments else _("The game is over"), list(rules))
        case _:
            return None


def _of_people(fact: Fact) -> Line | None:
    match fact:
        case threes.GameOpened():
            return line("open", _("The game is open"), ["TA1"])
        case threes.LateAntePaid(player=player):
            return line("ante", _("%(name)s antes and is in it") % {"name": player}, ["G1", "TA10"])
        case PlayerJoined(player=player):
            return line("join", _("%(name)s sits down") % {"name": player}, ["G1"])
        case threes.PlayerLeft(player=player, rules=rules):
            return line("leave", _("%(name)s leaves") % {"name": player}, list(rules))
        case _:
            return None


def _dice(faces: tuple[int, ...], mark: str) -> Line:
    count = len(faces)
    return {
        "kind": "throw",
        "rules": [],
        "dice": list(faces),
        "sides": [SIDES] * count,
        "marks": [mark] * count,
    }
