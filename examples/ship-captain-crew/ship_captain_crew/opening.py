"""The fields of the form that opens a game."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option
from games.kinds import UNITS
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="ship-captain-crew",
    line=_("Five d6; ship, captain, crew, and the highest cargo takes the pot"),
    sample_dice=((6, 6), (6, 5), (6, 4)),
    stake_label=_("What each player brings"),
    options=(
        Option("ante", "SC1", _("Ante"), 1, main=True, limited=True,
               odds="An ante changes what is won, not how dice fall (SC1).",
               numbers=Numbers(1, COINS_MAX, help=_("units of each player in every round"))),
        Option("ties", "SC6", _("The highest cargo twice"), "again", main=True,
               odds="One turn is asked for, and a tie takes two (SC6).", choices=(
            Choice("again", _("The tied throw again")),
            Choice("share", _("They share the pot")))),
        Option("unit", "G11", _("A unit is"), 1,
               odds="It says what the ante is counted in, not what falls (G11).",
               numbers=Numbers(UNITS[0], UNITS[-1], money=True)),
    ),
)  # fmt: skip
