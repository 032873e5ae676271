"""Log lines for events that are the same in every game: no throws, voids, money, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.words.languages.amounts import money
from casino.words.presenters.words import OUTCOMES, REASONS
from games import messages as shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casino.words.presenters.shapes import Line
    from games.messages import Fact


def describe(
    fact: Fact, people: Mapping[str, str], sides: Callable[[int], list[int]]
) -> Line | None:
    """
    A log line for a shared event; None for an event of a game's own.

    :param people: the names of staff, by id.
    :param sides: a function from a number of dice to their sizes.
    """
    return (
        _voids(fact, people)
        or _breaks(fact, people)
        or _second_eyes(fact, people)
        or _money(fact)
        or _at_the_table(fact, sides)
    )


def _voids(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Voided(back_to=back_to, reason=reason):
            values = {"number": back_to, "reason": reason}
            changed = _("Changed, from %(number)s on: %(reason)s")
            text = (
                changed if fact.corrected else _("Void from %(number)s on: %(reason)s")
            ) % values
            if fact.alone:
                text = _("%(said)s (done alone, to be reviewed)") % {"said": text}
            return _line("voided", text, "G4")
        case shared.VoidRequested(back_to=back_to, reason=reason):
            values = {"number": back_to, "reason": reason, "who": people.get(fact.asked_by, "")}
            change = _("%(who)s asks for a change from %(number)s on: %(reason)s")
            plain = _("%(who)s asks to void from %(number)s on: %(reason)s")
            return _line("request", (change if fact.instead else plain) % values, "G4")
        case shared.VoidRejected(request=request, reason=reason):
            values = {"request": request, "reason": reason}
            bare = _("Request %(request)s is rejected")
            text = _("Request %(request)s is rejected: %(reason)s") if reason else bare
            return _line("reject", text % values, "G4")
        case _:
            return None


def _breaks(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Paused(note=note, by=by):
            values = {"who": people.get(by, ""), "note": note}
            text = _("%(who)s paused: %(note)s") if note else _("%(who)s paused the table")
            return _line("pause", text % values)
        case shared.Resumed(by=by):
            return _line("pause", _("%(who)s: play goes on") % {"who": people.get(by, "")})
        case shared.HandoverOffered(by=by, to=to):
            values = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(who)s hands the table over to %(to)s") % values, "B3")
        case shared.HandedOver(by=by, to=to):
            values = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(to)s takes the table over from %(who)s") % values, "B3")
        case shared.DiceChanged(reason=reason):
            return _line("dice", _("Other dice: %(reason)s") % {"reason": reason}, "F1")
        case _:
            return None


def _second_eyes(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Witnessed(cause=cause, approved_by=by):
            values = {"who": people.get(by, ""), "number": cause}
            return _line("witness", _("%(who)s witnessed what %(number)s paid") % values, "A7")
        case shared.Disputed(dispute=dispute, round=round_no, reason=reason):
            values = {"number": dispute, "round": round_no, "reason": reason}
            sentence = _("Dispute %(number)s, about round %(round)s: %(reason)s") % values
            return _line("dispute", sentence, "C3")
        case shared.Resolved(dispute=dispute, outcome=outcome, reason=reason):
            values = {"number": dispute, "outcome": OUTCOMES[outcome], "reason": reason}
            sentence = _("Dispute %(number)s ends, %(outcome)s: %(reason)s") % values
            return _line("dispute", sentence, "C3")
        case _:
            return None


def _money(fact: Fact) -> Line | None:
    match fact:
        case shared.FeeTaken():
            return _line("fee", _("Fee for the house"), "G6")
        case shared.PlayerJoined(player=player, stake=stake):
            values = {"name": player, "amount": money(stake)}
            seated = _("%(name)s sits down with %(amount)s") if stake else _("%(name)s sits down")
            return _line("join", seated % values, "G1")
        case shared.BoughtIn(player=player, amount=amount):
            values = {"name": player, "amount": money(amount)}
            return _line("cash", _("%(name)s brings %(amount)s to the table") % values)
        case shared.CashedOut(player=player, amount=amount):
            values = {"name": player, "amount": money(amount)}
            return _line("cash", _("%(name)s takes %(amount)s from the table") % values)
        case _:
            return None


def _at_the_table(fact: Fact, sides: Callable[[int], list[int]]) -> Line | None:
    match fact:
        case shared.NoThrowRecorded(player=player, reason=reason, dice=dice):
            values = {"name": player, "reason": REASONS[reason]}
            line = _line("no_throw", _("No throw by %(name)s: %(reason)s") % values, "G3")
            seen: Line = {"kind": "no_throw", "rules": [], "dice": list(dice or ())}
            return {**seen, **line, "sides": sides(len(dice))} if dice else line
        case shared.TableClosed():
            return _line("close", _("The game is closed"), "G9")
        case _:
            return None


def _line(kind: str, sentence: str, *rules: str) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}
