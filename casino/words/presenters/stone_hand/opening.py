"""The form that opens a game of Stone Hand."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option, flags, unit
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="stone-hand",
    line=_("Three d8; the worst throw pays"),
    sample_dice=((8, 2), (8, 2), (8, 7)),
    stake_label=_("Stake of each player"),
    each=False,
    limited=True,
    example=_("A pair 5 costs %(amount)s."),
    example_points=5,
    homes=True,
    options=(
        Option("mode", "SH1", _("Played for"), "pool", main=True, choices=(
            Choice("pool", _("A pool"), _("The last with money takes it. SH9")),
            Choice("drinks", _("Drinks"), _("The loser owes everybody one. SH12"), paid=False),
            Choice("scoreboard", _("The scoreboard"),
                   _("The best throw of each round scores a point. SH13"), paid=False))),
        Option("rethrow", "SH11", _("Throws again by choice"), 0, choices=(
            Choice(0, _("none")), Choice(1, _("once")), Choice(2, _("twice")))),
        Option("triads", "SH6", _("1-4-7 and 2-5-8"), default=True, choices=flags(
            true=_("lose at once"), false=_("are empty"))),
        Option("triad_pay", "SH6", _("A triad pays"), "middle", choices=(
            Choice("middle", _("its middle number")), Choice("all", _("everything"))),
            numbers=Numbers(1, COINS_MAX, _("so many points"), points=True)),
        Option("runs", "SH3", _("7-8-1 and 8-1-2"), "wrap", choices=(
            Choice("wrap", _("are runs")), Choice("straight", _("are not runs")))),
        Option("tie_owes", "SH5", _("After a tie the loser owes"), "original", choices=(
            Choice("original", _("the first score")),
            Choice("rethrow", _("the throw that lost")))),
        Option("sole", "SH7", _("One left after home throws"), "pays", choices=(
            Choice("pays", _("throws and pays")), Choice("void", _("the round is void")))),
        Option("leave", "SH10", _("Who leaves"), "forfeit",
               odds="Nobody leaves in the course of a round (SH10).", choices=(
            Choice("forfeit", _("forfeits the stake")),
            Choice("refund", _("takes the stake along")))),
        Option("point_to", "SH13", _("The point goes to"), "best", choices=(
            Choice("best", _("the best throw")), Choice("lowest_score", _("the lowest score")))),
        unit(),
    ),
)  # fmt: skip
