"""The form that opens a game of Threes Away."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option, flags, unit
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="threes-away",
    line=_("Five d6; the lowest total takes the pot"),
    sample_dice=((6, 3), (6, 3), (6, 1)),
    stake_label=_("What each player brings"),
    options=(
        Option("ante", "TA1", _("Ante"), 1, main=True, limited=True,
               odds="It says what is played for, not what falls.",
               numbers=Numbers(1, COINS_MAX, points=True,
                               help=_("of each player in every round, in points"))),
        Option("progressive", "TA7", _("A round can be won"), "no", main=True, choices=(
            Choice("no", _("With any total")),
            Choice("by_round", _("With a total that grows by the round"),
                   _("0 in the first, 1 in the second, and so on; else the pot rolls over")),
            Choice("triangular", _("With a total that grows slower each time"),
                   _("1 once, 2 twice, 3 three times; else the pot rolls over")))),
        Option("bottoms", "TA8", _("Bottoms, the faces underneath"), default=False,
               odds="Called before the throw: the faces underneath are as likely as those on top"
                    " (TA8).", choices=flags(
            false=_("do not count"), true=_("may be called"))),
        Option("zero", "TA1", _("What counts nothing"), 3, choices=tuple(
            Choice(face, label) for face, label in enumerate(
                (_("ones"), _("twos"), _("threes"), _("fours"), _("fives"), _("sixes")), 1))),
        Option("bust", "TA3", _("A turn is lost above"), "lowest",
               odds="Who is stopped is above a finished total already and cannot be lowest (TA3).",
               choices=(
            Choice("lowest", _("the lowest total so far")),
            Choice("previous", _("the last finished total")),
            Choice("none", _("nothing: all play on")))),
        Option("tie_ante", "TA5", _("After a tie"), default=True,
               odds="It says what a tie costs, not how likely it is (TA5).", choices=flags(
            true=_("all ante again"), false=_("nobody antes again"))),
        Option("zero_tie_ante", "TA6", _("Before a play-off of zeros"), "additional",
               odds="It says what a tie costs, not how likely it is (TA6).", choices=(
            Choice("additional", _("everyone antes once more")), Choice("none", _("nobody does")))),
        unit(odds="It says what an ante is counted in, not what falls (G11)."),
    ),
)  # fmt: skip
