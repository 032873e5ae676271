"""The events of Cinnabar Gate as lines of the log, and its options that differ from the usual."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.words.languages.amounts import money
from casino.words.presenters import words
from casino.words.presenters.presenter import line
from casino.words.presenters.stone import dice, line_of_home_throw, sought
from casino.words.presenters.words import names
from games.cinnabar_gate import messages as gate
from games.cinnabar_gate.hands import RAISES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.utils.functional import _StrPromise

    from casino.words.presenters.shapes import Line
    from games.cinnabar_gate.options import Options
    from games.messages import Fact

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
            drawn = dice(fact.dice, "home" if hand == "home" else "plain")
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
