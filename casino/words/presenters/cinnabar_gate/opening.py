"""The form that opens a game of Cinnabar Gate."""

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from casino.words.presenters.opening_forms import Choice, Numbers, Opening, Option, flags, unit
from games import stone
from games.cinnabar_gate.hands import PAY_AT_START
from games.payments import COINS_MAX

OPENING: Final = Opening(
    game="cinnabar-gate",
    line=_("Three d8; the worst hand pays the best"),
    sample_dice=((8, 2), (8, 4), (8, 6)),
    stake_label=_("Stake of each player"),
    limited=True,
    example=_("The pay begins at %(amount)s."),
    example_points=PAY_AT_START,
    homes=True,
    options=(
        Option("variant", "CG11", _("Played for"), "table", main=True, choices=(
            Choice("table", _("Each other's money"), _("The worst hand pays the best. CG6")),
            Choice("pool", _("A pool"), _("Losers pay into it; the last with money takes it. "
                                          "A home throw restarts the round, an empty ends it.")),
            Choice("arcade", _("The scoreboard"), _("The best hand scores points, no money moves."),
                   paid=False))),
        Option("opal", "CG10", _("Opal River: any hand thrown again"), 0,
               help=_("By the first thrower; by the others as often as by them."), choices=(
                   Choice(0, _("no")), Choice(1, _("once")), Choice(2, _("twice")))),
        Option("junk_rethrows", "CG4", _("Junk may be thrown again"), 3,
               numbers=Numbers(0, 99, help=_("times"))),
        Option("pay_lowering", "CG2", _("A hand under the pay lowers it"), "to_score", choices=(
            Choice("to_score", _("to its score")), Choice("by_one", _("by one")))),
        Option("pay_cap", "CG5", _("The pay rises"), "none", choices=(
            Choice("none", _("without an end")),),
            numbers=Numbers(1, COINS_MAX, _("up to so many points"), points=True)),
        Option("empty", "CG6", _("When somebody throws empty"), "only",
               help=_("1-4-7 and 2-5-8 are empty."), choices=(
                   Choice("only", _("they alone pay")),
                   Choice("also", _("the worst hand pays, too")))),
        Option("ties", "CG7", _("Ties"), "rethrow", choices=(
            Choice("rethrow", _("are thrown again")), Choice("split", _("share and pay alike")))),
        Option("pair_value", "CG3", _("Between pairs of equal score"), default=False, choices=flags(
            false=_("they are tied"), true=_("the lower pair is better"))),
        Option("junk_order", "CG3", _("The better junk"), "low", choices=(
            Choice("low", _("scores lower")), Choice("high", _("scores higher")))),
        Option("runs", "CG3", _("7-8-1 and 8-1-2"), "wrap", choices=(
            Choice("wrap", _("are runs")), Choice("straight", _("are not runs")))),
        Option("winnings", "CG8", _("What is won"), "stake",
               odds="It says where winnings go, not who wins them (CG8).",
               help=_("What is put aside is not played any more."), choices=(
                   Choice("stake", _("joins the stake")), Choice("pocket", _("is put aside")))),
        Option("arcade_points", "CG11", _("On the scoreboard the best hand scores"), "pay",
               odds="It says what a win scores: the pay, whose chances these are, or 1.",
               choices=(Choice("pay", _("the pay")), Choice(1, _("one point")))),
        unit(),
    ),
)  # fmt: skip


def check_home_throw(faces: tuple[int, int, int]) -> None:
    """:raises ValidationError: if the faces are a show-up (CG5), a hand of its own in this game."""
    low, middle, high = faces
    if faces in stone.SHOW_UPS:
        raise ValidationError(
            f"{low}-{middle}-{high} is a show-up in Cinnabar Gate; set it for another game alone,"
            " or say why it may be the home throw."
        )
