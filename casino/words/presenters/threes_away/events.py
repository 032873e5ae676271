"""The events of Threes Away as lines of the log, including what an event costs all players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.words.languages.amounts import money
from casino.words.presenters.presenter import line
from casino.words.presenters.words import names
from games.payments import ROLLOVER, balance
from games.threes_away import messages as threes
from games.threes_away.hands import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.words.presenters.shapes import Line
    from games.messages import Fact
    from games.payments import Payment


def describe(fact: Fact) -> Line | None:
    """A log line for an event of this game; None for an event that all games share."""
    return _of_the_turn(fact) or _of_the_round(fact) or _of_the_pot(fact) or _of_people(fact)


def _of_the_turn(fact: Fact) -> Line | None:
    match fact:
        case threes.DiceThrown(player=player, dice=dice, bottoms=bottoms):
            text = _("%(name)s calls bottoms") if bottoms else "%(name)s"
            rules = ["TA8"] if bottoms else []
            return {**_dice(dice, "plain"), **line("throw", text % {"name": player}, rules)}
        case threes.DiceKept(player=player, dice=dice, total=total):
            text = _("%(name)s keeps, in all %(total)s") % {"name": player, "total": total}
            return {**_dice(dice, "kept"), **line("keep", text, ["TA2"])}
        case threes.TurnEnded(bust=True):
            values = {"name": fact.player, "total": fact.total}
            return line("bust", _("%(name)s is bust with %(total)s") % values, fact.rules)
        case threes.TurnEnded():
            return line("taken", _describe_turn(fact), fact.rules)
        case _:
            return None


def _describe_turn(fact: threes.TurnEnded) -> str:
    """The sentence for a finished turn, with what a zero costs all players (TA4)."""
    values = {"name": fact.player, "total": fact.total, "ante": money(_most(fact.payments))}
    if fact.payments:
        return _("%(name)s finishes with zero: all ante another %(ante)s") % values
    return _("%(name)s finishes with %(total)s") % values


def _most(payments: Sequence[Payment]) -> int:
    """The full ante: the largest payment, since some pay only what they have left (G2)."""
    return max((payment.amount for payment in payments), default=0)


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case threes.RoundStarted(waiting=waiting, limit=limit):
            cited = {"TA1": True, "TA6": bool(waiting), "TA7": limit is not None}
            return line(
                "ante", _describe_start(fact), [rule for rule, holds in cited.items() if holds]
            )
        case threes.RoundWon(rules=rules):
            return line("won", _describe_win(fact), rules)
        case threes.RoundTied():
            return line("tie", _describe_tie(fact), fact.rules)
        case threes.RoundRolledOver(limit=limit, rules=rules):
            nobody = _("Nobody has %(limit)s or less: the pot rolls over")
            nobody = nobody if limit else _("Nobody has zero: the pot rolls over")
            return line("tie", nobody % {"limit": limit}, rules)
        case threes.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, rules)
        case _:
            return None


def _describe_start(fact: threes.RoundStarted) -> str:
    values = {"round": fact.round, "limit": fact.limit, "names": names(fact.order)}
    parts = [_antes(fact)]
    if fact.limit is not None:
        wins = _("%(limit)s or less wins") if fact.limit else _("only zero wins")
        parts.insert(0, wins % values)
    if fact.waiting:
        parts.insert(0, _("%(names)s play it off") % values)
    return _("Round %(round)s: %(parts)s") % {**values, "parts": ", ".join(parts)}


def _antes(fact: threes.RoundStarted) -> str:
    """The words for who puts an ante into the pot."""
    payers = [payment.payer for payment in fact.payments]
    values = {"names": names(payers), "ante": money(_most(fact.payments))}
    match len(payers):
        case 0:
            return _("no other ante")
        case 1:
            return _("%(names)s antes %(ante)s") % values
        case many if many == len(fact.order) + len(fact.waiting):
            return _("all ante %(ante)s") % values
        case _:
            return _("%(names)s ante %(ante)s") % values


def _describe_win(fact: threes.RoundWon) -> str:
    values = {
        "name": fact.winner,
        "total": fact.total,
        "round": fact.round,
        "prize": money(balance(fact.winner, fact.payments)),
    }
    if fact.total is None:
        return _("%(name)s is left alone and takes %(prize)s") % values
    return _("%(name)s wins round %(round)s with %(total)s and takes %(prize)s") % values


def _describe_tie(fact: threes.RoundTied) -> str:
    values = {"names": names(fact.players), "total": fact.total}
    if fact.total == 0:
        return _("Tie at zero: %(names)s play it off") % values
    if fact.among:
        return _("Tie at %(total)s, %(names)s: all who play it off throw again") % values
    return _("Tie at %(total)s, %(names)s: one tie, all tie") % values


def _of_the_pot(fact: Fact) -> Line | None:
    match fact:
        case threes.RolloverDrawn(amount=amount):
            sentence = _("%(amount)s rolled over from the game before") % {"amount": money(amount)}
            return line("rollover", sentence, ["TA10"])
        case threes.RolloverArrived(amount=amount):
            sentence = _("%(amount)s that were on their way have arrived") % {
                "amount": money(amount)
            }
            return line("rollover", sentence, ["TA10"])
        case threes.GameEnded(payments=payments, rules=rules):
            rolled = {"amount": money(balance(ROLLOVER, payments))}
            rolls = _("%(amount)s roll over to the house's next game") % rolled
            return line("close", rolls if payments else _("The game is over"), rules)
        case _:
            return None


def _of_people(fact: Fact) -> Line | None:
    match fact:
        case threes.GameOpened():
            return line("open", _("The game is open"), ["TA1"])
        case threes.LateAntePaid(player=player, payments=payments):
            values = {"name": player, "ante": money(_most(payments))}
            return line("ante", _("%(name)s antes %(ante)s and is in it") % values, ["G1", "TA10"])
        case threes.PlayerLeft(player=player, rules=rules):
            return line("leave", _("%(name)s leaves") % {"name": player}, rules)
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
