"""The form that opens a game of River."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option, unit
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="river",
    line=_("Five hidden dice, five at auction"),
    sample_dice=((4, 3), (8, 6), (12, 11)),
    stake_label=_("What each player brings"),
    stake=50,
    price=5,
    first=False,  # RV1: the banker has no turn
    house_seat=False,  # RV1: and no seat
    options=(
        Option("min_raise", "RV3", _("A bid raises by"), 1,
               odds="It says how bids rise, not what dice make (RV3).",
               numbers=Numbers(1, COINS_MAX, help=_("points or more"), points=True)),
        Option("tie", "RV6", _("Equal hands"), "split", choices=(
            Choice("split", _("share the pot")),
            Choice("high_value", _("compare their dice, then share")),
            Choice("rolloff", _("throw a d12 each, the highest wins")))),
        unit(odds="It says what bids are counted in, not what dice make (G11)."),
    ),
)  # fmt: skip
