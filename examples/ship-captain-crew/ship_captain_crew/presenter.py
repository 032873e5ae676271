"""Ship, Captain and Crew in words: whose turn it is and why, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from casino.words.languages.amounts import money
from casino.words.presenters.presenter import Presenter, line
from casino.words.presenters.words import names
from games.payments import balance
from ship_captain_crew.rules import messages as ship
from ship_captain_crew.rules.play import ALL, SIDES, THROWS, WANTED, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.messages import Fact


class ShipCaptainCrew(Presenter):
    SIZES = (SIDES,)

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state, player = game.state.inner, next(iter(view["next"]["players"]), None)
        return {
            "sentence": self.over(state) if state.over else sentence(state, player),
            "player": player,
            "may": view["next"]["may"],
            "dice": [] if player is None else [SIDES] * state.turn.dice,
        }

    def over(self, state: Any) -> str:
        del state
        return _("The game is closed")

    def figures(self, state: Any) -> Figures:
        return {"pot": state.pot, "ante": state.ante}

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        turn = view["turn"]
        lies = turn["kept"] if turn is not None and turn["player"] == player else 0
        return {
            "hand": None,
            "score": None,
            "dice": list(WANTED[:lies]) or None,
            "marks": ["kept"] * lies,
            "words": words(view, player),
            "state": standing(game.state.inner, view, player),
        }

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        del game
        return of_the_turn(fact) or of_the_round(fact) or of_people(fact)


def sentence(state: Table, player: str | None) -> str:
    values = {"name": player, "left": THROWS - state.turn.throws, "cargo": state.turn.cargo}
    if player is None:
        return waiting(state)
    if state.turn.cargo is not None:
        return _("%(name)s has %(cargo)s: throws both again (%(left)s left) or stands") % values
    if state.turn.throws == 0:
        return _("%(name)s to throw") % values
    missing = (_("the ship"), _("the captain"), _("the crew"))[state.turn.kept]
    return _("%(name)s throws for %(missing)s (%(left)s left)") % {**values, "missing": missing}


def waiting(state: Table) -> str:
    """The last throw fell, and what it leads to is an event of its own; or nobody can ante."""
    return _("The round ends") if state.order else _("Waiting until two can ante")


def words(view: Mapping[str, Any], player: str) -> str:
    turn, score = view["turn"], view["scores"].get(player)
    if isinstance(score, int):
        return _("cargo %(cargo)s") % {"cargo": score}
    if score is not None:
        return _("no cargo")
    on_turn = turn is not None and turn["player"] == player and turn["cargo"] is not None
    return _("cargo %(cargo)s") % {"cargo": turn["cargo"]} if on_turn else ""


def standing(state: Table, view: Mapping[str, Any], player: str) -> str:
    if player in view["out"]:
        return "out" if player in state.seats else "left"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    return "thrown" if player in view["scores"] else "waiting"


def of_the_turn(fact: Fact) -> Line | None:
    match fact:
        case ship.DiceThrown(player=player, dice=dice, kept=kept, cargo=cargo):
            lies = (_("no ship"), _("ship"), _("ship, captain"), _("cargo %(cargo)s"))[kept]
            lying = lies % {"cargo": cargo}
            rules = ["SC3"] if kept == ALL else ["SC2"]
            entry = line("throw", _("%(name)s: %(said)s") % {"name": player, "said": lying}, rules)
            many = len(dice)
            return {**entry, "dice": list(dice), "sides": [SIDES] * many, "marks": ["plain"] * many}
        case ship.Stood(player=player, cargo=cargo):
            values = {"name": player, "cargo": cargo}
            return line("stand", _("%(name)s stands with %(cargo)s") % values, ["SC3"])
        case _:
            return None


def of_the_round(fact: Fact) -> Line | None:
    values: dict[str, Any]
    match fact:
        case ship.RoundStarted(round=number, payments=payments):
            values = {"round": number, "ante": money(payments[0].amount)}
            return line("ante", _("Round %(round)s: all ante %(ante)s") % values, ["SC1"])
        case ship.ThrownAgain(players=players, cargo=cargo):
            values = {"names": names(players), "cargo": cargo or 0}
            return line("tie", _("Tie at %(cargo)s: %(names)s throw again") % values, ["SC6"])
        case ship.RoundEnded(winners=(), round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, rules)
        case ship.RoundEnded(winners=winners, payments=payments, rules=rules):
            prize = sum(balance(name, payments) for name in winners)
            values = {"names": names(winners), "prize": money(prize), "round": fact.round}
            won = _("%(names)s wins round %(round)s and takes %(prize)s")
            split = _("%(names)s share the %(prize)s of round %(round)s")
            return line("won", (won if len(winners) == 1 else split) % values, rules)
        case _:
            return None


def of_people(fact: Fact) -> Line | None:
    match fact:
        case ship.GameOpened():
            return line("open", _("The game is open"), ["SC1"])
        case ship.PlayerLeft(player=player):
            return line("leave", _("%(name)s leaves") % {"name": player}, ["G1"])
        case ship.GameEnded():
            return line("close", _("The game is over"), ["G9"])
        case _:
            return None
