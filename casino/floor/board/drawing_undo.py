"""What an undo takes back, said before it is tapped (G4). Pure, like all modules of drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.words.languages.amounts import money
from games.payments import RESERVED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.floor.board.game import Game
    from games.messages import Fact


def describe_undo(game: Game, back_to: int, people: Mapping[str, str]) -> str:
    """
    What a void back to an event takes back: "Ada's 2-2-7 and 3 payments, 21 r".

    :param people: the names of staff, by id.
    """
    gone = [fact for number, fact in game.live if number >= back_to]
    if not gone:
        return ""
    amounts = [payment.amount for fact in gone for payment in fact.payments if payment.amount]
    what = describe_entry(game, gone[0], people)
    values = {
        "what": what,
        "count": len(amounts),
        "sum": money(sum(amounts)),
    }
    if not amounts:
        return what
    with_payments = ngettext(
        "%(what)s and %(count)d payment, %(sum)s",
        "%(what)s and %(count)d payments, %(sum)s",
        len(amounts),
    )
    return with_payments % values


def describe_payments(facts: Sequence[Fact]) -> str:
    """
    What entries pay that end a round, player by player: "Ada pays 7, Bo gets 7"; "" if they end
    none, or nobody pays or gets anything.
    """
    changes: dict[str, int] = {}
    for fact in facts:
        for payment in fact.payments:
            for player, amount in (
                (payment.payer, -payment.amount),
                (payment.payee, payment.amount),
            ):
                if player not in RESERVED:
                    changes[player] = changes.get(player, 0) + amount
    if not any(fact.ends_round for fact in facts):
        return ""
    pays, gets = _("%(name)s pays %(sum)s"), _("%(name)s gets %(sum)s")
    return ", ".join([
        (gets if change > 0 else pays) % {"name": player, "sum": money(abs(change))}
        for player, change in changes.items()
        if change
    ])  # fmt: skip


def entries_from(game: Game, number: int, before: int | None = None) -> int:
    """How many entries that count have a number from `number` on, and below `before`."""
    return len([
        1
        for at, fact in game.live
        if at >= number and (before is None or at < before) and not fact.consequence
    ])  # fmt: skip


def describe_entry(game: Game, fact: Fact, people: Mapping[str, str]) -> str:
    """An entry in few words: whose dice, or what its line of the log says."""
    line = game.presenter.describe(game, fact, people)
    player = getattr(fact, "player", None)
    if line is not None and line.get("dice") and player and fact.is_throw:
        dice = "-".join([str(each) for each in line["dice"]])
        return _("%(name)s's %(dice)s") % {"name": player, "dice": dice}
    if line is not None and line.get("sentence"):
        return line["sentence"]
    return _("what %(name)s took") % {"name": player} if player else _("the last entry")
