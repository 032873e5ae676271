"""
The events that every game shares, and which of them count after a void.
Commands are in `games.commands`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from games.commands import ATTENDANT
from games.payments import Payment

Points = tuple[tuple[str, Fraction], ...]


class BuyIn(NamedTuple):
    """Money that a player brings to the table: of their own, or the house's for its seat (G8)."""

    player: str
    amount: int
    house: bool


class Fact:
    """Something that happened in a game. The first fact of a command is never a consequence."""

    __slots__ = ()

    @property
    def payments(self) -> tuple[Payment, ...]:
        return ()

    @property
    def points(self) -> Points:
        return ()

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return ()

    @property
    def consequence(self) -> bool:
        """Whether the fact followed from the one before it and is voided with it."""
        return False

    @property
    def is_throw(self) -> bool:
        return False

    @property
    def is_decision(self) -> bool:
        """
        Whether the fact decides about dice that lie on the table: which are kept, that a hand is
        taken, who gets a lot. It may be undone as the throw itself may (G4).
        """
        return False

    @property
    def ends_round(self) -> bool:
        return False

    @property
    def ends_game(self) -> bool:
        return False

    @property
    def is_cash(self) -> bool:
        """Whether money left the table by this fact: no void goes back across it (G4)."""
        return False


class TableEvent(Fact):
    """
    An event beside the play: no rule of a game sees it, and no void cancels it.

    What people asked of each other, signed and objected to remains true when the play is rewound.
    """

    __slots__ = ()


class Consequence(Fact):
    __slots__ = ()

    @property
    def consequence(self) -> bool:
        return True


class Decision(Fact):
    """A decision about dice that lie on the table."""

    __slots__ = ()

    @property
    def is_decision(self) -> bool:
        return True


class GameEnd(Consequence):
    __slots__ = ()

    @property
    def ends_game(self) -> bool:
        return True


class RoundEnd(Consequence):
    __slots__ = ()

    @property
    def ends_round(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Voided(Fact):
    """
    A void: events from `back_to` on, as far as they still counted, are cancelled as if they had
    never been.

    alone: the void needed a second person and there was none, so somebody else reviews it later
    (D1b).
    undo: the attendant alone took back the last throw within the house's seconds, although it had
    ended its round, begun the next one, or was booked.
    corrected: what follows was entered instead: a command with a change, and later ones again.
    """

    back_to: int
    reason: str
    asked_by: str
    approved_by: str | None = None
    request: int | None = None
    alone: bool = False
    undo: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class VoidRequested(TableEvent):
    """
    A void that waits for a second person (G4). It was asked for the events from `back_to` on that
    counted by then: those before the request, whose number is that of its event.

    holds: whether what those events and later ones pay to players is held until it is answered;
    requests that were recorded before this was so hold nothing.
    instead: the command that is then entered in place of the first one that goes back, as written;
    what was entered after that is entered again, except with `only`; with `before`, that first one
    is, too. None: nothing is.
    """

    request: int
    back_to: int
    reason: str
    asked_by: str
    holds: bool = False
    instead: Mapping[str, Any] | None = None
    only: bool = False
    before: bool = False


@dataclass(frozen=True, slots=True)
class VoidRejected(TableEvent):
    request: int
    rejected_by: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Paused(TableEvent):
    note: str | None = None
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Resumed(TableEvent):
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class HandoverOffered(TableEvent):
    """
    The outgoing attendant offers the table and signs the game as it stands (B3).

    version: the number of the last event by then; the offer lapses with the next event of the play
    or void.
    round: the running one.
    """

    by: str
    to: str
    version: int
    round: int


@dataclass(frozen=True, slots=True)
class HandedOver(TableEvent):
    """The incoming attendant signs the same state; `offered`: the event of the offer."""

    by: str
    to: str
    version: int
    round: int
    offered: int


@dataclass(frozen=True, slots=True)
class DiceChanged(TableEvent):
    """A change of dice: from here on others are thrown; `before`: the set that lay on the table."""

    dice_set: str
    before: str
    reason: str
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Witnessed(TableEvent):
    """
    A second person saw payment `seq` (from 0) of event `cause` (A7).

    asked_by: who recorded the throw that the payment rests on; approved_by: the witness.
    beneficiaries: staff who play in the game; the witness is none of them (C1).
    """

    cause: int
    seq: int
    asked_by: str
    approved_by: str
    beneficiaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disputed(TableEvent):
    """
    An objection to a round, or to one payout of it (C3).

    dispute: the number of the dispute, which is the event's own.
    first: the first throw of the round (if it has none, the first event of the payout's command);
    if the dispute ends with a void, the void goes back to it.
    cause, seq: the payout, as in `Witnessed`; None: everything that the round pays.
    """

    dispute: int
    round: int
    first: int
    reason: str
    by: str = ATTENDANT
    cause: int | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Resolved(TableEvent):
    """
    How a dispute ended (C3), decided by a second person.

    outcome: "stands": what was decided is paid; "voided": the round is void, by the `Voided` that
    follows or by an earlier one; "adjusted": an adjustment pays what is right.
    asked_by: who raised the dispute; approved_by: who decided it.
    beneficiaries: staff who play in the game; who decided is none of them (C1).
    """

    dispute: int
    outcome: Literal["stands", "voided", "adjusted"]
    reason: str
    asked_by: str
    approved_by: str
    beneficiaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoThrowRecorded(Fact):
    player: str
    reason: Literal["cocked", "off_table", "interference"]
    dice: tuple[int, ...] | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class FeeTaken(Consequence):
    """
    A fee that players pay with a round's first throw; `through`: the time up to which a time charge
    is now paid (G6).
    """

    payments: tuple[Payment, ...] = ()
    through: int | None = None


@dataclass(frozen=True, slots=True)
class BoughtIn(Fact):
    player: str
    amount: int
    house: bool = False

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return (BuyIn(self.player, self.amount, self.house),)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Fact):
    """
    A player sits down, last in order, with a stake; 0 for who comes back to money that is still
    here.
    """

    player: str
    stake: int = 0
    house: bool = False

    @property
    def buy_ins(self) -> tuple[BuyIn, ...]:
        return (BuyIn(self.player, self.stake, self.house),) if self.stake else ()


@dataclass(frozen=True, slots=True)
class TableClosed(Fact):
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class CashedOut(Fact):
    player: str
    amount: int

    @property
    def is_cash(self) -> bool:
        return True


OutsideRules = Voided | TableEvent  # events that the rules of a game do not decide


# The events of a game that count: those that a void cancelled are left out (G4).


Numbered = tuple[int, Fact]


def live(history: Iterable[Numbered]) -> list[Numbered]:
    """The events that count: without voids, cancelled events and table events."""
    standing: list[Numbered] = []
    for number, event in history:
        if isinstance(event, Voided):
            while standing and standing[-1][0] >= event.back_to:
                standing.pop()
        elif not isinstance(event, TableEvent):
            standing.append((number, event))
    return standing


def house_seats(standing: Iterable[Numbered]) -> frozenset[str]:
    """The players whose stake is the house's own (G8), according to the events that count."""
    return frozenset(each.player for _, event in standing for each in event.buy_ins if each.house)
