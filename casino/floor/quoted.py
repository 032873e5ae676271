"""The rules in a sentence each, to stand beside a payout. The whole text is in docs/games/."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBER = re.compile(r"\b(?:SH|G|H)\d+\b")

RULES = {
    "SH1": _("Everybody stakes the same; nobody joins or buys in later."),
    "SH2": _("An empty throw is thrown again and counts for nothing else."),
    "SH3": _("From worst to best: pair, run, triple. Within one the lower score is better; "
             "between pairs of equal score the lower paired value is better."),
    "SH4": _("When all have thrown, the worst throw loses and pays its score into the pool, "
             "a triple three times its score."),
    "SH5": _("Identical worst throws: the tied throw again to name the loser."),
    "SH6": _("A triad, 1-4-7 or 2-5-8, loses on the spot; the other throws of the round are void."),
    "SH7": _("A home throw voids the throws of the round; its thrower sits the round out."),
    "SH8": _("The loser throws first in the next round; if out, the next seat with money does."),
    "SH9": _("Whose stake is gone drops out; the last with money wins the pool."),
    "SH10": _("Who leaves forfeits the rest of the stake to the pool, unless the house refunds."),
    "SH11": _("Where the house allows it a valid throw may be thrown again; the last one stands."),
    "SH12": _("For drinks no money moves: the loser owes every other player a drink."),
    "SH13": _("On the scoreboard no money moves: the best throw of the round scores a point."),
    "G2": _("Nobody pays more than they have left."),
    "G4": _("A mistake is voided, never edited; what it moved is moved back."),
    "G5": _("What does not divide evenly goes, a coin each, in seat order from the first thrower."),
    "G6": _("The house's fee is announced at the opening, rounded down, at most a tenth of a pot."),
    "G9": _("Closing voids an unfinished round; a pool without a winner is shared."),
}  # fmt: skip


def quoted(cited: Iterable[str], texts: str = "") -> list[dict[str, str]]:
    """The rules that are cited or named in a text, once each, in the order of their first use."""
    numbers = dict.fromkeys([*cited, *NUMBER.findall(texts)])
    return [{"number": each, "text": str(RULES[each])} for each in numbers if each in RULES]
