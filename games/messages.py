"""The events that every game shares; commands are in `games.commands`."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

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
        """It followed from the fact before it and is voided with it."""
        return False

    @property
    def is_throw(self) -> bool:
        return False

    @property
    def ends_round(self) -> bool:
        return False

    @property
    def ends_game(self) -> bool:
        return False

    @property
    def is_cash(self) -> bool:
        """Money left the table: no void goes back across it (G4)."""
        return False


class TableEvent(Fact):
    """
    It stands beside the play: no rule of a game sees it, and no void cancels it.

    What people asked of each other, signed and objected to remains true when the play is rewound.
    """

    __slots__ = ()


class Consequence(Fact):
    __slots__ = ()

    @property
    def consequence(self) -> bool:
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
    Events from `back_to` on, as far as they still stood, count as never been.

    alone: it took a second person, and there was none: somebody else reviews it later (D1b).
    """

    back_to: int
    reason: str
    asked_by: str
    approved_by: str | None = None
    request: int | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class VoidRequested(TableEvent):
    request: int
    back_to: int
    reason: str
    asked_by: str


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
    The outgoing attendant's signature under the game as it stood (B3).

    version: the last event of the play by then; the offer lapses with the next one.
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
    """From here on other dice are thrown; `before`: the set that lay there."""

    dice_set: str
    before: str
    reason: str
    by: str = ATTENDANT


@dataclass(frozen=True, slots=True)
class Witnessed(TableEvent):
    """
    Payment `seq` (from 0) of event `cause` was seen by a second person (A7).

    asked_by: who recorded the throw it rests on; approved_by: the witness.
    beneficiaries: staff who play in the game, none of them the witness (C1).
    """

    cause: int
    seq: int
    asked_by: str
    approved_by: str
    beneficiaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disputed(TableEvent):
    """
    A round is objected to, or one payout of it (C3).

    dispute: its number, which is the event's own.
    first: the first event of the round; with it the round itself may be voided.
    cause, seq: the payout, as in `Witnessed`; None: all that the round pays.
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
    follows or by one that came before; "adjusted": what is right is paid by an adjustment.
    asked_by: who raised the dispute; approved_by: who decided it.
    beneficiaries: staff who play in the game, none of them who decided (C1).
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
    """`through`: up to when a time charge is paid now (G6)."""

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
    """Somebody sits down last in order, with a stake; 0 for who comes back with money here."""

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


OutsideRules = Voided | TableEvent  # what is taken as it stands: not decided by the rules of a game
