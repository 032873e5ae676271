"""
The commands that every game shares.

Facts that only the caller knows (who asks, what is booked, what time it is) are fields of the
command; their defaults are those of a transcript.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeVar

ATTENDANT: Final = "attendant"
APPROVER: Final = "approver"
OUTCOMES: Final = ("stands", "voided", "adjusted")
UNDO_SECONDS: Final = 30  # how long the last throw may be undone, unless the house says otherwise
NO_THROW_REASONS: Final = ("cocked", "off_table", "interference")

Command = TypeVar("Command")


@dataclass(frozen=True, slots=True)
class Void:
    """
    Rewind to just before event `back_to` (G4).

    booked_through: the last event whose money settlement has booked; None: all of them.
    irreversible_through: the last event that may no longer be undone (an issued prize, a closed
    day, a rollover drawn); 0: none.
    alone: void it only if that takes no second person; otherwise it is refused, not requested.
    in_time: whether the last command of play was recorded so lately that the house lets the
    attendant undo it alone even if it ended its round or was booked (`UNDO_SECONDS`).
    instead: a command of `games.vocabulary.CORRECTED`, as written: it is entered in place of the
    one that is taken back, and what was entered after that, again; with `only`, that is not. With
    `before`, it was left out: it is entered first, and the one that is taken back again as well.
    again: the commands to be entered again, oldest first (`games.corrections.later`).
    at: when this is asked for, in seconds since 1970.
    """

    back_to: int
    reason: str
    asked_by: str = ATTENDANT
    approved_by: str | None = None
    booked_through: int | None = None
    irreversible_through: int = 0
    alone: bool = False
    in_time: bool = True
    instead: Mapping[str, Any] | None = None
    only: bool = False
    before: bool = False
    again: tuple[Any, ...] = ()
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Approve:
    """
    Approve a request for a void.

    through: the last event that whoever approves has seen; later ones would go back unseen, and the
    command is refused. None: it does not say.
    again: and at: as in `Void`, for a request that enters something instead.
    alone: nobody else at the house could approve, so the person who asked may approve their own
    request, which does not count as an approval (D1b). Only the house sets this; no surface and no
    transcript can.
    """

    request: int
    approved_by: str = APPROVER
    reason: str | None = None
    through: int | None = None
    irreversible_through: int = 0
    alone: bool = False
    again: tuple[Any, ...] = ()
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Reject:
    request: int
    rejected_by: str = APPROVER
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class NoThrow:
    player: str
    reason: str
    dice: tuple[int, ...] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    player: str


@dataclass(frozen=True, slots=True)
class CashOut:
    """booked: the part of the player's stake that settlement has booked; None: all of it."""

    player: str
    amount: int
    booked: int | None = None


@dataclass(frozen=True, slots=True)
class Stand:
    player: str


@dataclass(frozen=True, slots=True)
class Join:
    player: str
    stake: int | None = None


@dataclass(frozen=True, slots=True)
class BringMoney:
    """`buy_in`: more money for a player who is in the game already."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Close:
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Arrive:
    """
    Coins of the house's rollover that the game claimed at its opening have arrived (TA10).

    Only the caller that keeps the money sends this; no surface and no transcript can.
    """

    amount: int


@dataclass(frozen=True, slots=True)
class Pause:
    """A break: until `resume`, only commands that do not touch the dice are taken."""

    note: str | None = None
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Resume:
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Handover:
    """
    A handover of the table. Both attendants sign, each in a session of their own (B3): the outgoing
    one names the other, the incoming one names themselves.

    by: who asks. None: in a transcript, which has one line for each of the two attendants.
    """

    to: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeDice:
    dice_set: str
    reason: str
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Witness:
    """
    A second person saw a payout (A7).

    payout: the event that pays, or the first event of the command that led to the payout.
    seq: which of the event's payments, from 0; None: the only one that goes to a player.
    recorded_by: who recorded the throw that the payout rests on; beneficiaries: staff who play in
    the game (C1).
    """

    payout: int
    seq: int | None = None
    approved_by: str = APPROVER
    recorded_by: str = ATTENDANT
    beneficiaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dispute:
    """An objection to a round, or to one payout named as in `Witness` (C3)."""

    reason: str
    round: int | None = None
    payout: int | None = None
    seq: int | None = None
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Resolve:
    """
    The end of a dispute (C3): the decision stands, the round is voided, or an adjustment sets it
    right.

    recorded_by: everybody who recorded a part of what is disputed.
    irreversible_through: as in `Void`.
    beneficiaries: staff who play in the game (C1).
    """

    dispute: int
    outcome: str
    reason: str
    approved_by: str = APPROVER
    recorded_by: tuple[str, ...] = ()
    irreversible_through: int = 0
    beneficiaries: tuple[str, ...] = ()


AsideCommand = Pause | Resume | Handover | ChangeDice | Witness | Dispute | Resolve


def situate(command: Command, **context: Any) -> Command:
    """
    Fill in the fields of a command that only the caller knows, from `context`; names that the
    command has no field for are ignored.
    """
    room = {field.name for field in fields(command)}  # type: ignore[arg-type]  # commands are dataclasses
    return replace(command, **{name: value for name, value in context.items() if name in room})  # type: ignore[type-var]
