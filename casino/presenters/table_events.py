"""What happens beside the play, told the same in every game: no throws, voids, money, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from casino.presenters.words import OUTCOMES, REASONS
from games import messages as shared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casino.presenters.shapes import Line
    from games.messages import Fact


def told(fact: Fact, people: Mapping[str, str], sides: Callable[[int], list[int]]) -> Line | None:
    """
    A shared event as the log has it; None where it is a game's own.

    :param people: the names of staff, by id.
    :param sides: the sizes of so many dice.
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
            told = {"number": back_to, "reason": reason}
            said = _("Void from %(number)s on: %(reason)s") % told
            if fact.alone:
                said = _("%(said)s (done alone, to be reviewed)") % {"said": said}
            return _line("voided", said, "G4")
        case shared.VoidRequested(back_to=back_to, reason=reason):
            told = {"number": back_to, "reason": reason, "who": people.get(fact.asked_by, "")}
            sentence = _("%(who)s asks to void from %(number)s on: %(reason)s") % told
            return _line("request", sentence, "G4")
        case shared.VoidRejected(request=request, reason=reason):
            told = {"request": request, "reason": reason}
            bare = _("Request %(request)s is rejected")
            said = _("Request %(request)s is rejected: %(reason)s") if reason else bare
            return _line("reject", said % told, "G4")
        case _:
            return None


def _breaks(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Paused(note=note, by=by):
            told = {"who": people.get(by, ""), "note": note}
            said = _("%(who)s paused: %(note)s") if note else _("%(who)s paused the table")
            return _line("pause", said % told)
        case shared.Resumed(by=by):
            return _line("pause", _("%(who)s: play goes on") % {"who": people.get(by, "")})
        case shared.HandoverOffered(by=by, to=to):
            told = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(who)s hands the table over to %(to)s") % told, "B3")
        case shared.HandedOver(by=by, to=to):
            told = {"who": people.get(by, ""), "to": people.get(to, "")}
            return _line("handover", _("%(to)s takes the table over from %(who)s") % told, "B3")
        case shared.DiceChanged(reason=reason):
            return _line("dice", _("Other dice: %(reason)s") % {"reason": reason}, "F1")
        case _:
            return None


def _second_eyes(fact: Fact, people: Mapping[str, str]) -> Line | None:
    match fact:
        case shared.Witnessed(cause=cause, approved_by=by):
            told = {"who": people.get(by, ""), "number": cause}
            return _line("witness", _("%(who)s witnessed what %(number)s paid") % told, "A7")
        case shared.Disputed(dispute=dispute, round=round_no, reason=reason):
            told = {"number": dispute, "round": round_no, "reason": reason}
            sentence = _("Dispute %(number)s, about round %(round)s: %(reason)s") % told
            return _line("dispute", sentence, "C3")
        case shared.Resolved(dispute=dispute, outcome=outcome, reason=reason):
            told = {"number": dispute, "outcome": OUTCOMES[outcome], "reason": reason}
            sentence = _("Dispute %(number)s ends, %(outcome)s: %(reason)s") % told
            return _line("dispute", sentence, "C3")
        case _:
            return None


def _money(fact: Fact) -> Line | None:
    match fact:
        case shared.FeeTaken():
            return _line("fee", _("Fee for the house"), "G6")
        case shared.PlayerJoined(player=player, stake=stake):
            told = {"name": player, "amount": stake}
            seated = _("%(name)s sits down with %(amount)s") if stake else _("%(name)s sits down")
            return _line("join", seated % told, "G1")
        case shared.BoughtIn(player=player, amount=amount):
            told = {"name": player, "amount": amount}
            return _line("cash", _("%(name)s brings %(amount)s to the table") % told)
        case shared.CashedOut(player=player, amount=amount):
            told = {"name": player, "amount": amount}
            return _line("cash", _("%(name)s takes %(amount)s from the table") % told)
        case _:
            return None


def _at_the_table(fact: Fact, sides: Callable[[int], list[int]]) -> Line | None:
    match fact:
        case shared.NoThrowRecorded(player=player, reason=reason, dice=dice):
            told = {"name": player, "reason": REASONS[reason]}
            line = _line("no_throw", _("No throw by %(name)s: %(reason)s") % told, "G3")
            seen: Line = {"kind": "no_throw", "rules": [], "dice": list(dice or ())}
            return {**seen, **line, "sides": sides(len(dice))} if dice else line
        case shared.TableClosed():
            return _line("close", _("The game is closed"), "G9")
        case _:
            return None


def _line(kind: str, sentence: str, *rules: str) -> Line:
    return {"kind": kind, "sentence": sentence, "rules": list(rules)}
