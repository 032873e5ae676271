"""Stone Hand, told at the table: whose turn it is and why, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import messages as shared
from games.stone import DICE, SIDES
from games.stone_hand import messages as stone
from games.stone_hand.state import Ended, Playing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.play.loading import Loaded
    from games.fees import Fee
    from games.messages import Fact

HAND_RULES = {"empty": ["SH2"], "triad": ["SH6"], "home": ["SH7"]}
MODES = {
    "pool": gettext_lazy("pool"),
    "drinks": gettext_lazy("for drinks"),
    "scoreboard": gettext_lazy("scoreboard"),
}
REASONS = {
    "cocked": gettext_lazy("cocked die"),
    "off_table": gettext_lazy("off the table"),
    "interference": gettext_lazy("interference"),
}


def opened(loaded: Loaded) -> stone.GameOpened:
    fact = loaded.facts[0]
    if not isinstance(fact, stone.GameOpened):
        raise TypeError("A game begins with its opening.")
    return fact


def for_money(loaded: Loaded) -> bool:
    return opened(loaded).options.mode == "pool"


def terms(loaded: Loaded) -> dict[str, Any]:
    """What was agreed before the first throw."""
    start = opened(loaded)
    return {
        "mode": start.options.mode,
        "mode_name": str(MODES[start.options.mode]),
        "fee": fee(start.fee) if start.fee else "",
    }


def fee(agreed: Fee) -> str:
    match agreed.kind:
        case "rake":
            return _("%(percent)s %% of the pool") % {"percent": agreed.percent}
        case "seat":
            return _("%(amount)s a round") % {"amount": agreed.amount}
        case _:
            return _("%(amount)s every %(minutes)s min") % {
                "amount": agreed.amount,
                "minutes": agreed.minutes,
            }


def upcoming(loaded: Loaded, view: Mapping[str, Any]) -> dict[str, Any]:
    """The next action: who, what, and a sentence that says it across a loud table."""
    state = loaded.state.inner
    if not isinstance(state, Playing):
        return {"sentence": over(state), "player": None, "may": [], "dice": {}}
    player = next(iter(view["next"]["players"]), None)
    return {
        "sentence": _sentence(state, player),
        "player": player,
        "name": player,
        "may": view["next"]["may"],
        "dice": {"count": DICE, "sides": SIDES},
    }


def _sentence(state: Playing, player: str | None) -> str:
    this = state.round
    if state.homes is None:
        return _("Throw for the home throw")
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


def over(state: Any) -> str:
    if isinstance(state, Ended) and state.winners:
        return _("%(name)s wins the pool") % {"name": ", ".join(state.winners)}
    return _("The game is closed")


def hand_of(loaded: Loaded, view: Mapping[str, Any], player: str) -> dict[str, Any]:
    """How a seat stands in the running round."""
    held = last_hand(loaded, player)
    return {
        "hand": held.hand if held else None,
        "score": held.score if held else None,
        "dice": list(held.dice) if held else None,
        "state": _standing(loaded, view, player, thrown=held is not None),
    }


def _standing(loaded: Loaded, view: Mapping[str, Any], player: str, *, thrown: bool) -> str:
    if player in view["out"]:
        gone = any(
            isinstance(fact, stone.PlayerLeft) and fact.player == player for _n, fact in loaded.live
        )
        return "left" if gone else "out"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    return "thrown" if thrown else "waiting"


def last_hand(loaded: Loaded, player: str) -> stone.DiceThrown | None:
    """What a player has in the running round: nothing from before its start or restart."""
    for _number, fact in reversed(loaded.live):
        if fact.ends_round or isinstance(fact, stone.RoundRestarted | stone.GameOpened):
            return None
        if isinstance(fact, stone.TieCalled) and player in fact.players:
            return None
        if isinstance(fact, stone.DiceThrown) and fact.player == player:
            return None if fact.hand == "empty" else fact
    return None


def told(_loaded: Loaded, fact: Fact, people: Mapping[str, str]) -> dict[str, Any] | None:
    """An event as the log has it: kind, sentence or hand, rules. None: not worth a line."""
    return of_the_dice(fact) or of_the_round(fact) or of_the_sitting(fact) or aside(fact, people)


def of_the_dice(fact: Fact) -> dict[str, Any] | None:
    match fact:
        case stone.DiceThrown():
            return thrown(fact)
        case stone.HomeDiceThrown():
            sentence = _("for the home throw: %(hand)s") % {"hand": fact.hand}
            return {**_line("throw", sentence, ["H2"]), "dice": list(fact.dice), "sides": SIDES}
        case stone.HomeThrowSettled(home=home):
            faces = "-".join(map(str, home))
            return _line("home", _("The home throw is %(faces)s") % {"faces": faces}, ["H2"])
        case stone.HandTaken(player=player):
            return _line("stand", _("%(name)s stands") % {"name": player}, ["SH11"])
        case _:
            return None


def of_the_round(fact: Fact) -> dict[str, Any] | None:
    match fact:
        case stone.FeeTaken():
            return _line("fee", _("Fee for the round"), ["G6"])
        case stone.RoundRestarted(player=player):
            sentence = _("The round starts again, %(name)s sits it out") % {"name": player}
            return _line("restart", sentence, ["SH7"])
        case stone.TieCalled(players=players):
            sentence = _("Tie for worst: %(names)s throw again") % {"names": ", ".join(players)}
            return _line("tie", sentence, ["SH5"])
        case stone.RoundLost(loser=loser, round=number, rules=rules):
            lost = {"name": loser, "round": number}
            return _line("lost", _("%(name)s loses round %(round)s") % lost, list(rules))
        case stone.RoundVoided(round=number, rules=rules):
            return _line("void", _("Round %(round)s is void") % {"round": number}, list(rules))
        case _:
            return None


def of_the_sitting(fact: Fact) -> dict[str, Any] | None:
    match fact:
        case stone.GameOpened():
            return _line("open", _("The game is open"), ["SH1"])
        case stone.PlayerLeft(player=player, rules=rules):
            return _line("leave", _("%(name)s leaves") % {"name": player}, list(rules))
        case stone.TableClosed():
            return _line("close", _("The game is closed"), ["G9"])
        case stone.GameEnded(winners=winners, rules=rules):
            sentence = _("%(names)s wins the pool") % {"names": ", ".join(winners)}
            return _line("won", sentence if winners else _("The game is over"), list(rules))
        case _:
            return None


def thrown(fact: stone.DiceThrown) -> dict[str, Any]:
    return {
        "kind": "throw",
        "name": fact.player,
        "hand": fact.hand,
        "score": fact.score,
        "dice": list(fact.dice),
        "sides": SIDES,
        "mark": "home" if fact.hand == "home" else "plain",
        "rules": HAND_RULES.get(fact.hand, []),
    }


def aside(fact: Fact, people: Mapping[str, str]) -> dict[str, Any] | None:
    """What any game may have: no throws, voids and the requests for them, cash."""
    match fact:
        case shared.NoThrowRecorded(player=player, reason=reason):
            sentence = _("No throw by %(name)s: %(reason)s") % {
                "name": player,
                "reason": REASONS[reason],
            }
            dice = {"dice": list(fact.dice), "sides": SIDES} if fact.dice else {}
            return {**_line("no_throw", sentence, ["G3"]), **dice}
        case shared.Voided(back_to=back_to, reason=reason):
            told = {"number": back_to, "reason": reason, "who": people.get(fact.asked_by, "")}
            return _line("voided", _("Void from %(number)s on: %(reason)s") % told, ["G4"])
        case shared.VoidRequested(back_to=back_to, reason=reason):
            told = {"number": back_to, "reason": reason, "who": people.get(fact.asked_by, "")}
            sentence = _("%(who)s asks to void from %(number)s on: %(reason)s") % told
            return _line("request", sentence, ["G4"])
        case shared.VoidRejected(request=request):
            sentence = _("Request %(request)s is rejected") % {"request": request}
            return _line("reject", sentence, ["G4"])
        case shared.CashedOut(player=player, amount=amount):
            sentence = _("%(name)s takes %(amount)s from the table") % {
                "name": player,
                "amount": amount,
            }
            return _line("cash", sentence, [])
        case _:
            return None


def _line(kind: str, sentence: str, rules: list[str]) -> dict[str, Any]:
    return {"kind": kind, "sentence": sentence, "rules": rules}
