"""Checks and context for commands beside the play: dice, handovers, witnesses, disputes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from casino.house.attendants.models import Employment
from casino.house.attendants.permissions import ALLOWED
from casino.kit.approvals import requests
from casino.play.dice.models import DiceSet, State
from games.disputes import open_dispute, subject
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.acts.game_streams.loading import Loaded
    from casino.play.core.who import Who
    from games.game import DiceNeeded


class DiceUnfit(Refused):
    code = "dice_unfit"


class NotStaffHere(Refused):
    code = "not_staff_here"


def context(do: str, fields: Mapping[str, Any], who: Who, loaded: Loaded) -> dict[str, Any]:
    """
    The context of a command beside the play that the rules cannot know.

    :param fields: fields of the command; references are numbers of events.
    :raises Refused: if the house does not have the dice or the person that the command names.
    """
    match do:
        case "pause" | "resume" | "dispute":
            return {"by": who.attendant}
        case "handover":
            on_the_floor(loaded.key.establishment, fields["to"])
            return {"by": who.attendant}
        case "change_dice":
            lying_ready(loaded, fields["dice_set"])
            return {"by": who.attendant}
        case "witness":
            return {
                "approved_by": who.attendant,
                "recorded_by": recorder(loaded, fields["payout"][0], who.attendant),
                "beneficiaries": who_play(loaded),
            }
        case "resolve":
            return {
                "approved_by": who.attendant,
                "recorded_by": recorders(loaded, fields["dispute"]),
                "beneficiaries": who_play(loaded),
            }
        case _:
            return {}


def on_the_floor(establishment: UUID, attendant: str) -> None:
    """
    Check that an attendant may record at the house, before a table is handed to them (B3).

    :raises NotStaffHere: if they may not.
    """
    employed = Employment.objects.filter(
        establishment=establishment, until__isnull=True, role__in=ALLOWED["record"]
    )
    if (person := read_id(attendant)) is None or not employed.filter(attendant=person).exists():
        raise NotStaffHere("to: nobody of that id records play at this house: name who does. B3")


def lying_ready(loaded: Loaded, named: str) -> None:
    """
    Check that a named dice set belongs to the house and fits the game (F1).

    Whether the set is free is checked when it is placed on the table.

    :raises DiceUnfit: if there is no such set, or it does not fit.
    """
    house, number = loaded.key.establishment, read_id(named)
    dice = DiceSet.objects.filter(establishment=house, pk=number).first() if number else None
    if dice is None:
        raise DiceUnfit("dice_set: this house has no such set: take another. F1")
    needed = loaded.ruleset.dice(loaded.opening.data)
    fitting(dice, needed, loaded.ruleset.id, loaded.place["table"])


def fitting(dice: DiceSet, needed: DiceNeeded, game: str, table: str) -> None:
    """:raises DiceUnfit: if a game of this kind cannot be played with the set at the table."""
    if dice.withdrawn:
        raise DiceUnfit(f"Set {dice.number} is withdrawn: take another.")
    if dice.state != State.ISSUED:
        raise DiceUnfit(f"Set {dice.number} is not issued: take another, or issue it first. F1")
    if not dice.may_lie_at(table):
        raise DiceUnfit(f"Set {dice.number} is issued to another table: take another. F1")
    if not dice.fits(needed):
        raise DiceUnfit(f"Set {dice.number} is {dice.dice}; {game} needs {needed}: take another.")


def recorders(loaded: Loaded, dispute: int) -> tuple[str, ...]:
    """
    The people who recorded any event that a dispute is about (C3).

    :raises NoSuchDispute: if the dispute is not open.
    """
    about = subject(open_dispute(dispute, loaded.state), loaded.state)
    return tuple(sorted(set().union(*map(loaded.recorders, about))))


def who_play(loaded: Loaded) -> tuple[str, ...]:
    """The ids of people who work at the house and play in the game (C1, D1b)."""
    players = list(loaded.stakes)
    return tuple(sorted(requests.who_play(loaded.key.establishment, players)))


def recorder(loaded: Loaded, number: int, witness: str) -> str:
    """
    The id of whoever recorded an event: the witness's own, if they had a part in it (A7).

    "" if there is no such event, which the rules refuse.
    """
    if witness in loaded.recorders(number):
        return witness
    known = 1 <= number <= loaded.version
    return loaded.events[number - 1].provenance.actor if known else ""


def read_id(named: str) -> UUID | None:
    """
    Parse an id; None unless it is written exactly as the house writes ids.

    Other spellings are not accepted, because ids are parts of stream names.
    """
    try:
        read = UUID(named)
    except ValueError:
        return None
    return read if str(read) == named else None
