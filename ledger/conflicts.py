"""Conflicts: why an append failed. A failed append has written nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ledger.accounts import POT_FALLS_TO, AccountRef, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from ledger.entries import NewTransfer


def count_of(number: int, one: str, many: str = "") -> str:
    """``1 event``, ``2 events``; `many`: the plural if it is not made with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


class Conflict(Exception):  # noqa: N818  names the fact
    """The ledger is not in the state that the entry assumes. `code` is stable: logs use it."""

    code = "conflict"


class StreamMoved(Conflict):
    """Somebody else appended to the stream first. Load the stream again and decide again."""

    code = "stream_moved"

    def __init__(self, stream: str, *, expected: int, actual: int) -> None:
        super().__init__(f"{stream} has {count_of(actual, 'event')}, not {expected}.")
        self.stream, self.expected, self.actual = stream, expected, actual


class BalanceMoved(StreamMoved):
    """An account that the entry relies on has changed. Read the account and decide again."""

    code = "balance_moved"

    def __init__(self, account: AccountRef, *, expected: int, actual: int) -> None:
        super().__init__(str(account), expected=expected, actual=actual)
        self.args = (f"{account} holds {actual}, not {expected}.",)
        self.account = account


class HeadMoved(StreamMoved):
    """
    Two appended at once, and this one took a number that the other has. Decide again.

    One server lets only one append at a time. While a house moves, one may wait on the server that
    it leaves and one on that where it goes (docs/scale/distribution.md).
    """

    code = "head_moved"

    def __init__(self) -> None:
        super().__init__("ledger", expected=0, actual=0)
        self.args = ("Somebody else appended at the same moment, on another server.",)


class CommandReused(Conflict):
    """The command id was already answered for another request."""

    code = "command_reused"

    def __init__(self, command_id: UUID) -> None:
        super().__init__(f"The command id {command_id} was used for another request.")
        self.command_id = command_id


class Overdrawn(Conflict):
    """Players' money would fall below zero."""

    code = "overdrawn"

    def __init__(self, account: AccountRef, *, available: int, amount: int) -> None:
        super().__init__(f"{account} holds {available}, {amount} were to be taken.")
        self.account, self.available, self.amount = account, available, amount


class PotFalls(Conflict):
    """A pot's coins would go elsewhere than to players, the rollover or the fee (A2)."""

    code = "pot_falls"

    def __init__(self, pot: AccountRef, credit: AccountRef) -> None:
        super().__init__(f"{pot} is won, rolled over or pays its fee; not to {credit}. A2")
        self.pot, self.credit = pot, credit

    @classmethod
    def first_of(cls, transfers: Iterable[NewTransfer]) -> Self | None:
        """The conflict for the first transfer that takes a pot's coins to a forbidden account."""
        for booked in transfers:
            if booked.debit.kind == Kind.POT and booked.credit.kind not in POT_FALLS_TO:
                return cls(booked.debit, booked.credit)
        return None


class NotReversible(Conflict):
    """The reversed transfer does not exist, was reversed before, or is not mirrored exactly."""

    code = "not_reversible"

    def __init__(self, transfer_id: UUID) -> None:
        super().__init__(f"The transfer {transfer_id} cannot be reversed so.")
        self.transfer_id = transfer_id


class FourEyes(Conflict):
    """
    The person who approves or reviews is not the actor of the event, or asked for it, or is paid
    by it (C1).
    """

    code = "four_eyes"

    def __init__(self, second: str, *, stream: str, event_type: str) -> None:
        super().__init__(f"{second} is not a second person for {event_type} of {stream}. C1")
        self.second, self.stream, self.event_type = second, stream, event_type


class CursorMoved(Conflict):
    """Another worker moved the subscription."""

    code = "cursor_moved"

    def __init__(self, subscription: str, *, expected: int) -> None:
        super().__init__(f"The subscription {subscription} is no longer at {expected}.")
        self.subscription, self.expected = subscription, expected


class Duplicate(Conflict):
    """An event id or a transfer id is already in the house's ledger."""

    code = "duplicate"
