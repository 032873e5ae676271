"""The form that opens a game of Dice Breaker."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option, flags, unit
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="dice-breaker",
    line=_("Five d6 each; break what lies there"),
    sample_dice=((6, 6), (6, 5), (6, 6)),
    owned=True,
    stake_label=_("What each player brings"),
    options=(
        Option("mode", "DB3", _("How it is played"), "quick", main=True, choices=(
            Choice("quick", _("Quick play"), _("All dice of one player, then the next.")),
            Choice("battle", _("Battle"), _("One die in turn; anybody's may be broken.")))),
        Option("ante", "DB11", _("Played for"), 0, main=True, limited=True, choices=(
            Choice(0, _("The honour"), _("No money moves."), paid=False),),
            odds="It says what is played for, not what falls (DB11).",
            numbers=Numbers(1, COINS_MAX, _("An ante of each player, in points"),
                            _("The winner of the game takes it."), points=True)),
        Option("target", "DB6", _("The game goes to"), 33,
               odds="It says how many points win the game, not how rounds end (DB6).",
               numbers=Numbers(1, COINS_MAX, help=_("points"))),
        Option("tie_by", "DB5", _("Equal hands"), "category", choices=(
            Choice("category", _("of one name share")),
            Choice("face", _("of one name compare their faces")))),
        Option("scoreboard", "DB5", _("The scoreboard of the house"), default=False,
               odds="It says where points count, too, not how rounds end (SB1).",
               choices=flags(false=_("does not count them"),
                            true=_("counts the points of each round"))),
        unit(odds="It says what the ante is counted in, not what falls (G11)."),
    ),
)  # fmt: skip
