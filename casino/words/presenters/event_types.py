"""
What the ledger's events are called by people: a few words for each type of event.

The type itself is for programs and for whoever reads the ledger event by event. A type that is not
here, such as one of another author's game, is written with spaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.presenters import TITLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

OF_GAMES: Final[Mapping[str, _StrPromise]] = {
    # The game and its seats
    "game_opened": gettext_lazy("game opened"),
    "game_ended": gettext_lazy("game over"),
    "table_closed": gettext_lazy("game closed"),
    "game_closed": gettext_lazy("game closed"),
    "player_joined": gettext_lazy("player joined"),
    "player_left": gettext_lazy("player left"),
    "bought_in": gettext_lazy("money brought"),
    "cashed_out": gettext_lazy("paid out"),
    "antes_paid": gettext_lazy("antes paid"),
    "late_ante_paid": gettext_lazy("ante paid late"),
    "fee_taken": gettext_lazy("fee taken"),
    # Throws
    "dice_thrown": gettext_lazy("throw"),
    "die_thrown": gettext_lazy("throw of one die"),
    "die_rested": gettext_lazy("die at rest"),
    "dice_kept": gettext_lazy("dice kept"),
    "hand_taken": gettext_lazy("hand stood on"),
    "home_dice_thrown": gettext_lazy("throw for the home throw"),
    "home_throw_settled": gettext_lazy("home throw found"),
    "no_throw_recorded": gettext_lazy("no throw"),
    "turn_ended": gettext_lazy("turn over"),
    "pay_moved": gettext_lazy("pay raised or lowered"),
    "start_broken": gettext_lazy("throw for the start"),
    "start_settled": gettext_lazy("start decided"),
    "start_tied": gettext_lazy("start tied"),
    # An auction
    "dice_offered": gettext_lazy("dice offered"),
    "bid_made": gettext_lazy("bid"),
    "bid_passed": gettext_lazy("passed on a bid"),
    "dice_bought": gettext_lazy("dice bought"),
    "lot_sold": gettext_lazy("die sold"),
    "lot_withdrawn": gettext_lazy("die withdrawn"),
    "dice_sealed": gettext_lazy("dice sealed"),
    "dice_revealed": gettext_lazy("dice revealed"),
    "hands_unseen": gettext_lazy("dice never shown"),
    # Rounds
    "round_started": gettext_lazy("round begun"),
    "round_restarted": gettext_lazy("round begun anew"),
    "round_lost": gettext_lazy("round lost"),
    "round_won": gettext_lazy("round won"),
    "round_tied": gettext_lazy("round tied"),
    "round_settled": gettext_lazy("round settled"),
    "round_scored": gettext_lazy("round scored"),
    "round_voided": gettext_lazy("round void"),
    "round_rolled_over": gettext_lazy("pot rolled over"),
    "rollover_drawn": gettext_lazy("rollover taken"),
    "rollover_arrived": gettext_lazy("rollover arrived"),
    "tie_called": gettext_lazy("tie"),
    # Beside the play
    "voided": gettext_lazy("entry voided"),
    "void_requested": gettext_lazy("void asked for"),
    "void_rejected": gettext_lazy("void rejected"),
    "paused": gettext_lazy("break"),
    "resumed": gettext_lazy("break over"),
    "handover_offered": gettext_lazy("table handed on"),
    "handed_over": gettext_lazy("table taken over"),
    "dice_changed": gettext_lazy("other dice at the table"),
    "witnessed": gettext_lazy("large prize witnessed"),
    "disputed": gettext_lazy("dispute raised"),
    "resolved": gettext_lazy("dispute decided"),
}
"""By the last part of the type: games call alike what is alike."""
OF_THE_HOUSE: Final[Mapping[str, _StrPromise]] = {
    "house.founded": gettext_lazy("house founded"),
    # Two people
    "approval.requested": gettext_lazy("approval asked for"),
    "approval.approved": gettext_lazy("request approved"),
    "approval.rejected": gettext_lazy("request rejected"),
    "approval.withdrawn": gettext_lazy("request withdrawn"),
    "approval.done_alone": gettext_lazy("done alone"),
    "approval.reviewed": gettext_lazy("reviewed"),
    # Money
    "settlement.booked": gettext_lazy("payment booked"),
    "settlement.reversed": gettext_lazy("payment taken back"),
    "settlement.held": gettext_lazy("payout held"),
    "settlement.released": gettext_lazy("payout released"),
    "settlement.adjusted": gettext_lazy("adjustment booked"),
    "settlement.prize_issued": gettext_lazy("prize won"),
    "season.opened": gettext_lazy("season of a scoreboard begun"),
    "season.ended": gettext_lazy("last day of a season set"),
    "season.closed": gettext_lazy("season of a scoreboard closed"),
    "season.adjusted": gettext_lazy("points of a closed season adjusted"),
    "adjustment.made": gettext_lazy("adjustment"),
    "adjustment.paid": gettext_lazy("adjustment handed out"),
    "payouts.stopped": gettext_lazy("payouts stopped"),
    "payouts.resumed": gettext_lazy("payouts resumed"),
    "prize.handed_out": gettext_lazy("prize handed out"),
    "rollover.left": gettext_lazy("pot left for the next game"),
    "rollover.taken_back": gettext_lazy("rollover taken back"),
    "rollover.returned": gettext_lazy("rollover returned"),
    "rollover.reclaimed": gettext_lazy("rollover claimed again"),
    "rollover.drawn": gettext_lazy("rollover taken"),
    "rollover.arrived": gettext_lazy("rollover arrived"),
    "cage.moved": gettext_lazy("money of cage and bank"),
    "tip.taken": gettext_lazy("tip taken"),
    "tip.paid_out": gettext_lazy("tips handed out"),
    # Floats and fee boxes
    "shift.opened": gettext_lazy("float opened"),
    "shift.signed_over": gettext_lazy("float signed over"),
    "shift.closed": gettext_lazy("float closed"),
    "count.entered": gettext_lazy("count entered"),
    "count.agreed": gettext_lazy("count agreed"),
    "count.differed": gettext_lazy("counts that differ"),
    "count.called_off": gettext_lazy("count called off"),
    "slip.issued": gettext_lazy("slip issued"),
    "slip.filled": gettext_lazy("fill"),
    "slip.credited": gettext_lazy("credit"),
    "slip.received": gettext_lazy("slip received"),
    "fees.count_entered": gettext_lazy("fee box: count entered"),
    "fees.counted": gettext_lazy("fee box counted"),
    "fees.count_differed": gettext_lazy("fee box: counts that differ"),
    # Days
    "day.opened": gettext_lazy("gaming day begun"),
    "day.closing": gettext_lazy("gaming day being closed"),
    "day.closed": gettext_lazy("gaming day closed"),
    "day.signed": gettext_lazy("gaming day signed"),
    # Tables and dice
    "table.game_opened": gettext_lazy("game at the table"),
    "table.game_closed": gettext_lazy("table free again"),
    "dice.placed": gettext_lazy("dice on a table"),
    "dice.lifted": gettext_lazy("dice off a table"),
    "dice.received": gettext_lazy("dice received"),
    "dice.issued": gettext_lazy("dice issued"),
    "dice.returned": gettext_lazy("dice returned"),
    "dice.inspected": gettext_lazy("dice inspected"),
    "dice.quarantined": gettext_lazy("dice set aside"),
    "dice.withdrawn": gettext_lazy("dice withdrawn"),
    "dice.destroyed": gettext_lazy("dice destroyed"),
    "dice.sent": gettext_lazy("dice sent to another house"),
    "alarm.raised": gettext_lazy("alarm about dice"),
    "alarm.acknowledged": gettext_lazy("alarm acknowledged"),
    # Players
    "player.excluded": gettext_lazy("player excluded"),
    "player.readmitted": gettext_lazy("player readmitted"),
    "player.told_apart": gettext_lazy("player told apart"),
    "player.seat_refused": gettext_lazy("seat refused"),
    "player.limited": gettext_lazy("limits of what a player pays in set"),
    "player.paid_in": gettext_lazy("what a player with limits has paid in"),
    "player.erased": gettext_lazy("name erased"),
    "player.code_given": gettext_lazy("code for the guests' page given out"),
    "player.code_ended": gettext_lazy("code for the guests' page ended"),
    "player.shown": gettext_lazy("name on public screens chosen"),
    "waiting.entered": gettext_lazy("put on the waiting list"),
    "waiting.called": gettext_lazy("called from the waiting list"),
    "waiting.skipped": gettext_lazy("skipped on the waiting list"),
    "waiting.taken_off": gettext_lazy("taken off the waiting list"),
    # Devices
    "lease.taken": gettext_lazy("recording taken over"),
    "late.listed": gettext_lazy("late entry kept"),
    "late.refused": gettext_lazy("late entry refused"),
    "late.put": gettext_lazy("late entry recorded"),
    "late.dismissed": gettext_lazy("late entry dismissed"),
    "late.dropped": gettext_lazy("entry dropped on its device"),
    "late.gap_found": gettext_lazy("entries missing"),
    "late.gap_filled": gettext_lazy("missing entries arrived"),
    "late.gap_closed": gettext_lazy("gap closed"),
    # The chain that the house belongs to
    "chain.joined": gettext_lazy("house joined a chain"),
    "chain.left": gettext_lazy("house left its chain"),
    # The ledger itself
    "keys.announced": gettext_lazy("key announced"),
    "keys.retired": gettext_lazy("key retired"),
    "ledger.epoch_opened": gettext_lazy("new epoch after a restore"),
    "parked.retried": gettext_lazy("parked events tried again"),
}
THINGS: Final[Mapping[str, _StrPromise]] = {
    "establishment": gettext_lazy("House"),
    "table": gettext_lazy("Table"),
    "dice_set": gettext_lazy("Dice set"),
    "home_throw": gettext_lazy("Home throw"),
    "house_rules": gettext_lazy("Rules and fee"),
    "prize_rule": gettext_lazy("Prize"),
    "scoreboard": gettext_lazy("Scoreboard"),
    "employment": gettext_lazy("Staff"),
    "invitation": gettext_lazy("Invitation"),
    "tablet": gettext_lazy("Tablet"),
}
"""What a house configures; what became of it is the last part of the type."""


def title(event_type: str) -> str:
    """What people call an event of this type: "throw", "fill", "Table: changed"."""
    family, _dot, name = event_type.partition(".")
    if event_type in OF_THE_HOUSE:
        return str(OF_THE_HOUSE[event_type])
    if family in THINGS and name == "created":
        return _("%(thing)s: new") % {"thing": THINGS[family]}
    if family in THINGS and name == "changed":
        return _("%(thing)s: changed") % {"thing": THINGS[family]}
    if name in OF_GAMES:
        return str(OF_GAMES[name])
    title = TITLES.get(family.replace("_", "-"), family.replace("_", " "))
    return f"{title}: {name.replace('_', ' ')}" if name else str(title)
