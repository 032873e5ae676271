"""Presenter of Cinnabar Gate: whose turn it is and why, what the pay is, what happened."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.words.languages.amounts import money
from casino.words.presenters import words
from casino.words.presenters.presenter import (
    Presenter,
    line,
    line_of_dice,
    line_of_home_throw,
    sought,
)
from casino.words.presenters.words import names, the_dice_decide
from games.cinnabar_gate import messages as gate
from games.cinnabar_gate.hands import PAY_AT_START, RAISES
from games.cinnabar_gate.rules import chances_left, empties
from games.cinnabar_gate.state import Ended, Playing, Turn, deciding
from games.messages import BoughtIn, PlayerJoined
from games.stone import DICE, SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.cinnabar_gate.messages import Options
    from games.messages import Fact

STEPS_MOST: Final = 5  # how many of the latest values of the pay are shown


class CinnabarGate(Presenter):
    POT = gettext_lazy("pool")
    SIZES = (SIDES,)

    def mode(self, game: Course) -> tuple[str, str]:
        """The options that differ from the usual ones, as option values and in words."""
        agreed_words = options_in_words(opening_of(game).options)
        return " ".join(agreed_words), ", ".join(agreed_words.values())

    def for_money(self, game: Course) -> bool:
        return opening_of(game).options.variant != "arcade"

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state = game.state.inner
        if not isinstance(state, Playing):
            return {"sentence": self.over(state), "player": None, "may": [], "dice": []}
        player = next(iter(view["next"]["players"]), None)
        return {
            "sentence": _sentence(game, state, player),
            "player": player,
            "may": view["next"]["may"],
            "dice": [SIDES] * DICE,
        }

    def over(self, state: Any) -> str:
        if not isinstance(state, Ended) or not state.winners:
            return _("The game is closed")
        pooled = state.opened.options.variant == "pool"
        return describe_end(state.winners, ["CG11"] if pooled else [])

    def figures(self, state: Any) -> Figures:
        variant = state.opened.options.variant
        figures: Figures = {"pot": state.pot} if variant == "pool" else {}
        if isinstance(state, Playing):
            if variant == "arcade":
                figures["scores"] = state.round.pay
            else:
                figures["pay"] = state.round.pay * state.opened.options.unit
        return figures

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        held = hands(game).get(player)
        standing: SeatState = {
            "hand": held.hand if held else None,
            "score": held.score if held else None,
            "dice": list(held.dice) if held else None,
            "state": _standing(game, view, player, thrown=held is not None),
            "signs": _signs(game, player),
            "pocket": view["pockets"].get(player, 0),
        }
        if held is not None and held.hand == "home":
            standing["marks"] = ["home"] * DICE
        return standing

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        if isinstance(fact, gate.HandTaken):
            opal = ["CG10"] if opening_of(game).options.opal else []
            return line("stand", _("%(name)s stands") % {"name": fact.player}, ["CG4", *opal])
        return line_of(fact, opening_of(game).options)

    def closing(self, state: Any) -> str:
        if not isinstance(state, Playing) or state.opened.options.variant == "pool":
            return ""
        return _("An unfinished round is void; everybody keeps what they have. G9")

    def leaving(self, state: Any) -> str:
        """What leaving costs: it depends on the round and on who threw empty (CG1)."""
        options = state.opened.options
        if options.variant == "arcade":
            return ""
        if options.variant == "table" and options.empty == "only" and empties(state):
            return _("Counts as the worst hand of the round; but only who threw empty pays. CG6")
        if state.round.begun:
            return _("Counts as the worst hand of the round, and pays when it ends. CG1")
        return _("Takes along what is left of the stake. CG1")

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        """
        The pay, and how it has changed in the round (CG2, CG5).

        pay: what the worst hand pays now, None once the game is over; steps: the latest values of
        the pay, ending with the current one; both in coins where money is played (G11). moved: the
        player whose throw or stand changed it last, "" if the last one did not. rose: whether it
        went up.
        """
        options, moved = opening_of(game).options, last_move(game)
        point = 1 if options.variant == "arcade" else options.unit
        return {
            "pay": None if view["pay"] is None else view["pay"] * point,
            "steps": [step * point for step in pay_steps(game)[-STEPS_MOST:]],
            "moved": moved.player if moved else "",
            "rose": moved is not None and "CG5" in moved.rules,
        }


def opening_of(game: Course) -> gate.GameOpened:
    fact = game.facts[0]
    if not isinstance(fact, gate.GameOpened):
        raise TypeError("A game begins with its opening.")
    return fact


# --- Whose turn, and why ------------------------------------------------------------------------


def _sentence(game: Course, state: Playing, player: str | None) -> str:
    if state.homes is None:
        return _("Throw for the home throw")
    if player is None:  # after the last throw: the event that follows is not recorded yet
        return the_dice_decide()
    tie, turn = state.round.tie, state.round.turn
    values = {"name": player, "hand": _show_up(game)}
    if tie is not None:
        return _in_a_tie(tie.end, values)
    if turn is not None and turn.hand is None:
        return _("%(hand)s: %(name)s throws again") % values
    if (open_hand := deciding(state)) is not None:
        return _may_throw_again(state, open_hand)
    return _("%(name)s to throw") % values


def _in_a_tie(end: gate.End, values: Mapping[str, str | None]) -> str:
    """The next action in a tie (CG7): who throws again, and for which end of the round."""
    if values["hand"]:
        return _("%(hand)s in the tie: %(name)s throws again") % values
    if end == "best":
        return _("Tie for best: %(name)s throws again") % values
    return _("Tie for worst: %(name)s throws again") % values


def _show_up(game: Course) -> str:
    """The show-up that was thrown last and has to be thrown again; "" after any other throw."""
    for _number, fact in reversed(game.live):
        if isinstance(fact, gate.DiceThrown):
            return words.hand(fact.hand).capitalize() if fact.hand in RAISES else ""
    return ""


def _may_throw_again(state: Playing, turn: Turn) -> str:
    """The next action for a player who may throw again: hand, and rethrows left (CG4, CG10)."""
    junk, again = chances_left(state)
    hand = words.hand(turn.hand.name, turn.hand.score) if turn.hand else ""
    values = {
        "name": turn.player,
        "hand": _whole(hand),
        "left": _whole(_describe_left(junk, again)),
    }
    return _("%(name)s, %(hand)s: again (%(left)s) or stand") % values


def _describe_left(junk: int, again: int) -> str:
    if junk and again:
        return _("%(junk)s left, %(again)s by Opal") % {"junk": junk, "again": again}
    if again:
        return _("%(again)s left by Opal") % {"again": again}
    return _("%(junk)s left") % {"junk": junk}


def _whole(text: str) -> str:
    """A text without line breaks within it, so that it can be read from afar."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


# --- The seats ----------------------------------------------------------------------------------


def hands(game: Course) -> dict[str, gate.DiceThrown]:
    """
    The last throw of each player in the running round, since its start or restart.

    For players in a tie, a throw in the tie replaces the one before.
    """
    lying: dict[str, gate.DiceThrown] = {}
    in_tie: dict[str, gate.DiceThrown] | None = None
    for fact in this_round(game):
        match fact:
            case gate.TieCalled():
                in_tie = {}
            case gate.DiceThrown(player=player, hand=hand) if in_tie is None:
                lying[player] = fact
                if hand in RAISES:
                    del lying[player]
            case gate.DiceThrown(player=player, hand=hand) if hand not in RAISES:
                in_tie = {**(in_tie or {}), player: fact}
    return {**lying, **(in_tie or {})}


def this_round(game: Course) -> list[Fact]:
    """The valid events of the running round, since its start or since a home throw restarted it."""
    happened: list[Fact] = []
    for _number, fact in reversed(game.live):
        if fact.ends_round or isinstance(fact, gate.RoundRestarted):
            break
        happened.append(fact)
    return happened[::-1]


def _standing(game: Course, view: Mapping[str, Any], player: str, *, thrown: bool) -> str:
    if player in view["out"]:
        return "left" if _has_left(game, player) else "out"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    return "thrown" if thrown else "waiting"


def _has_left(game: Course, player: str) -> bool:
    for _number, fact in reversed(game.live):
        match fact:
            case gate.PlayerLeft(player=who) if who == player:
                return True
            case PlayerJoined(player=who) | BoughtIn(player=who) if who == player:
                return False
    return False


def _signs(game: Course, player: str) -> list[str]:
    """What counts for a seat beside its hand: tied, best, or counted as worst (CG1, CG7)."""
    state = game.state.inner
    if not isinstance(state, Playing):
        return []
    tie, signs = state.round.tie, []
    if tie is not None and player in tie.players:
        signs.append(_("tied for best") if tie.end == "best" else _("tied for worst"))
    if tie is not None and player in tie.best:
        signs.append(_("best"))
    if player in state.round.left:
        signs.append(_("counts as worst"))
    return signs


# --- The pay ------------------------------------------------------------------------------------


def pay_steps(game: Course) -> list[int]:
    """All values that the pay has had in the running round, in order."""
    moves = (fact.pay for fact in this_round(game) if isinstance(fact, gate.PayMoved))
    return [PAY_AT_START, *moves]


def last_move(game: Course) -> gate.PayMoved | None:
    """The change of the pay that the last command in the running round caused; None if none."""
    for fact in reversed(this_round(game)):
        if isinstance(fact, gate.PayMoved):
            return fact
        if not fact.consequence:
            break
    return None


# The events of Cinnabar Gate as lines of the log, and its options that differ from the usual.


# Words for options that differ from the usual, by option and value; "" stands for any other value.
AGREED: Final[Mapping[str, Mapping[str, _StrPromise]]] = {
    "variant": {"pool": gettext_lazy("pool"), "arcade": gettext_lazy("arcade")},
    "opal": {"1": gettext_lazy("Opal once"), "2": gettext_lazy("Opal twice")},
    "junk_rethrows": {
        "0": gettext_lazy("junk is taken"),
        "1": gettext_lazy("junk again once"),
        "": gettext_lazy("junk again %(value)s times"),
    },
    "pay_lowering": {"by_one": gettext_lazy("pay falls by one")},
    "pay_cap": {"": gettext_lazy("pay rises to %(value)s at most")},
    "empty": {"also": gettext_lazy("with an empty the worst pays, too")},
    "ties": {"split": gettext_lazy("ties share")},
    "pair_value": {"True": gettext_lazy("equal pairs by their value")},
    "junk_order": {"high": gettext_lazy("high junk is better")},
    "runs": {"straight": gettext_lazy("7-8-1 and 8-1-2 are no runs")},
    "winnings": {"pocket": gettext_lazy("winnings are put aside")},
    "arcade_points": {"1": gettext_lazy("a point a round")},
}
VOID: Final = {
    "CG1": gettext_lazy("Round %(round)s is void: only one is left"),
    "CG6": gettext_lazy("Round %(round)s is void: nobody has more than empty"),
    "CG7": gettext_lazy("Round %(round)s is void: all are tied"),
    "CG11": gettext_lazy("Round %(round)s is void: all sit out"),
    "G9": gettext_lazy("Round %(round)s is void: the table closes"),
}


def line_of(fact: Fact, options: Options) -> Line | None:
    """
    A log line for an event of this game; None for an event that all games share.

    :param options: those of the game: on the scoreboard the pay is points, else it is money.
    """
    return _of_the_dice(fact) or _of_the_pay(fact, options) or _of_the_round(fact)


def pay_of(pay: int, options: Options) -> str:
    """The pay in a sentence: an amount of money, or points where no money is played for (CG11)."""
    return str(pay) if options.variant == "arcade" else money(pay * options.unit)


def options_in_words(options: Options) -> dict[str, str]:
    """The options that differ from the usual ones, in words."""
    texts: dict[str, str] = {}
    for field in fields(options):
        value = getattr(options, field.name)
        if value != field.default and field.name in AGREED:
            choices = AGREED[field.name]
            words_of = choices.get(str(value)) or choices[""]
            key = value if field.name == "variant" else f"{field.name}={value}"
            of_pay = field.name == "pay_cap" and isinstance(value, int)
            texts[key] = str(words_of) % {"value": pay_of(value, options) if of_pay else value}
    return texts


def _of_the_dice(fact: Fact) -> Line | None:
    match fact:
        case gate.HomeDiceThrown():
            return sought(fact.dice, fact.hand)
        case gate.HomeThrowSettled(home=home):
            return line_of_home_throw(home)
        case gate.DiceThrown(player=player, hand=hand, score=score):
            drawn = line_of_dice(fact.dice, "home" if hand == "home" else "plain")
            rules = ["CG5"] if hand in RAISES else []
            return {**drawn, "name": player, "hand": hand, "score": score, "rules": rules}
        case _:
            return None


def _of_the_pay(fact: Fact, options: Options) -> Line | None:
    match fact:
        case gate.PayMoved(player=player, pay=pay, rules=rules):
            values = {"name": player, "pay": pay_of(pay, options)}
            if "CG5" in rules:
                return line("rise", _("%(name)s raises the pay to %(pay)s") % values, rules)
            return line("fall", _("%(name)s lowers the pay to %(pay)s") % values, rules)
        case gate.RoundRestarted(player=player, pay=pay):
            values = {"name": player, "pay": pay_of(pay, options)}
            sentence = _("The round starts again at %(pay)s, %(name)s sits it out") % values
            return line("restart", sentence, ["CG11"])
        case _:
            return None


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case gate.TieCalled():
            return line("tie", _describe_tie(fact), ["CG7"])
        case gate.RoundSettled():
            return line("won" if fact.winners else "lost", _describe_settlement(fact), fact.rules)
        case gate.RoundVoided(round=number, rules=rules):
            return line("void", str(VOID[rules[0]]) % {"round": number}, rules)
        case _:
            return _of_the_session(fact)


def _describe_tie(fact: gate.TieCalled) -> str:
    values = {"names": names(fact.players), "best": names(fact.best)}
    if fact.end == "best":
        return _("Tie for best: %(names)s throw again") % values
    if fact.best:
        return _("%(best)s best; tie for worst: %(names)s throw again") % values
    return _("Tie for worst: %(names)s throw again") % values


def _describe_settlement(fact: gate.RoundSettled) -> str:
    """The sentence for a settled round: who wins, who pays, and who is out (CG8)."""
    values = {"round": fact.round, "winners": names(fact.winners), "losers": names(fact.losers)}
    if fact.points:
        _winner, share = fact.points[0]  # all who share have the same (CG7)
        scored = ngettext("%(winners)s scores %(points)s in round %(round)s",
                          "%(winners)s score %(points)s each in round %(round)s",
                          len(fact.points))  # fmt: skip
        return scored % {**values, "points": words.exactly(share)}
    parts = [_paying(fact) % values]
    if fact.winners:
        won = ngettext("%(winners)s wins round %(round)s", "%(winners)s share round %(round)s",
                       len(fact.winners))  # fmt: skip
        parts.insert(0, won % values)
    if fact.out:
        out = ngettext("%(out)s is out", "%(out)s are out", len(fact.out))
        parts.append(out % {"out": names(fact.out)})
    return ", ".join(parts)


def _paying(fact: gate.RoundSettled) -> str:
    """The words for the losers: whoever has nothing left loses without paying (G2)."""
    if not fact.winners:
        return _("%(losers)s loses round %(round)s")
    if not fact.payments:
        return ngettext("%(losers)s loses", "%(losers)s lose", len(fact.losers))
    return ngettext("%(losers)s pays", "%(losers)s pay", len(fact.losers))


def _of_the_session(fact: Fact) -> Line | None:
    match fact:
        case gate.GameOpened(options=options):
            return line("open", _describe_opening(options), ["CG1"])
        case gate.PlayerLeft(player=player, first=first):
            values = {"name": player}
            if first is None:
                sentence = _("%(name)s leaves, the worst hand of the round") % values
                return line("leave", sentence, ["CG1"])
            return line("leave", _("%(name)s leaves") % values, ["CG1"])
        case gate.GameEnded(winners=winners, rules=rules):
            return line("close", describe_end(winners, rules), rules)
        case _:
            return None


def _describe_opening(options: Options) -> str:
    terms = ", ".join(options_in_words(options).values())
    return _("The game is open: %(terms)s") % {"terms": terms} if terms else _("The game is open")


def describe_end(winners: tuple[str, ...], rules: Sequence[str]) -> str:
    values = {"names": names(winners)}
    if not winners:
        return _("The game is over")
    if "CG11" not in rules:
        return _("%(names)s is the last at the table") % values
    return ngettext("%(names)s wins the pool", "%(names)s share the pool", len(winners)) % values
