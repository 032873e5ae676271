"""The page of table events: handover, other dice, witness, dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.floor.board import boards
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import ALLOWED
from casino.house.game_streams import occupancy
from casino.house.pseudonyms import tokens
from casino.play.dice.models import DiceSet
from casino.words.presenters import PRESENTERS
from casino.words.presenters.presenter import account
from casino.words.presenters.rounds import chapters
from games.disputes import payouts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.floor.board.boards import Seen

ROUNDS_MAX = 12  # to choose from; older rounds are disputed from the office
PAYOUTS_MAX = 12
PARTS = frozenset({"handover", "dice", "dispute"})  # each has a sheet of its own over the board
DICE_REASONS = (
    gettext_lazy("worn"),
    gettext_lazy("chipped"),
    gettext_lazy("a player asked"),
    gettext_lazy("a new shift"),
)


def page(seen: Seen) -> dict[str, Any]:
    """What may be done now, and the choices for it, with people's names."""
    board = boards.board(seen)
    can = board["can"]
    return {
        "board": board,
        "can": can,
        "next": board["next"],
        "staff": list(staff(seen)) if "handover" in can else [],
        "dice_sets": list(dice_sets(seen)) if "change_dice" in can else [],
        "rounds": rounds(can),
        "payouts": tokens.resolve(seen.house.pk, list(payouts(seen))),
        "dice_reasons": [str(reason) for reason in DICE_REASONS],
        "back": reverse("floor-game", args=[seen.loaded.key.game]),
    }


def staff(seen: Seen) -> Iterator[dict[str, str]]:
    """People who may take the table over (B3)."""
    people = Attendant.objects.filter(
        employments__establishment=seen.house,
        employments__until__isnull=True,
        employments__role__in=ALLOWED["record"],
        is_active=True,
    )
    for person in people.order_by("first_name", "username").distinct():
        if str(person.pk) != seen.person:
            yield {"id": str(person.pk), "name": str(person)}


def dice_sets(seen: Seen) -> Iterator[dict[str, str]]:
    """The dice sets that fit the game, are issued to its table or to all, and on no table (F1)."""
    loaded = seen.loaded
    needed, table = loaded.ruleset.dice(loaded.opening.data), loaded.place["table"]
    for dice in DiceSet.objects.filter(establishment=seen.house).order_by("number"):
        fits = dice.fits(needed) and dice.may_lie_at(table)
        if fits and occupancy.lies_ready(seen.house.pk, str(dice.pk), table):
            yield {"id": str(dice.pk), "name": str(dice)}


def rounds(can: dict[str, list[dict[str, Any]]]) -> list[int]:
    """The rounds that may be disputed, the newest first."""
    last = can["dispute"][0]["rounds"] if "dispute" in can else 0
    return list(range(last, max(0, last - ROUNDS_MAX), -1))


def payouts(seen: Seen) -> Iterator[dict[str, Any]]:
    """The last payouts that stand, newest first, and whether each has had its witness (A7)."""
    loaded, presenter = seen.loaded, PRESENTERS[seen.loaded.ruleset.id]
    of_round = chapters(loaded.facts).of
    left = PAYOUTS_MAX
    for number, fact in reversed(loaded.live):
        for payout in payouts_of(number, loaded.state):
            if left == 0:
                return
            left -= 1
            payment = fact.payments[payout.seq]
            yield {
                "id": str(payout),
                "round": of_round[number - 1],
                "to": account(payment.payee, presenter),
                "amount": payment.amount,
                "witnessed": payout in loaded.state.witnessed,
                "own": loaded.events[number - 1].provenance.actor == seen.person,
            }
