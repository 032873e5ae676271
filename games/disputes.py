"""Second persons who look at payouts: witnesses (A7), disputes and how they end (C3)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from games.commands import OUTCOMES, Dispute, Resolve, Witness
from games.corrections import OwnRequest, reversible
from games.game_session import GameSession, backwards, find_live, find_step, last_step, to_a_player
from games.messages import Disputed, Fact, Resolved, Voided, Witnessed
from games.refusals import Refused


class NoSuchPayout(Refused):
    code = "no_such_payout"


class WhichPayout(Refused):
    code = "which_payout"


class AlreadyWitnessed(Refused):
    code = "already_witnessed"


class OwnRecord(Refused):
    code = "own_record"


class OwnBenefit(Refused):
    code = "own_benefit"


class NoSuchRound(Refused):
    code = "no_such_round"


class AlreadyDisputed(Refused):
    code = "already_disputed"


class NoSuchDispute(Refused):
    code = "no_such_dispute"


class UnknownOutcome(Refused):
    code = "unknown_outcome"


class NoReason(Refused):
    code = "no_reason"


class VoidedAlready(Refused):
    code = "voided_already"


class Payout(NamedTuple):
    """
    A payment to a player: `cause` is the event that pays, `seq` the place of the payment in it,
    from 0.
    """

    cause: int
    seq: int

    def __str__(self) -> str:
        return f"{self.cause}.{self.seq}"


def witness(command: Witness, state: GameSession[Any]) -> Witnessed:
    """Record a second person as a payout's witness (A7): never the one who recorded the throw."""
    payout = meant(command.payout, command.seq, state, "A7")
    if payout in state.witnessed:
        raise AlreadyWitnessed(f"payout: {payout} has its witness already. A7")
    if command.approved_by == command.recorded_by:
        raise OwnRecord(
            f"payout: who recorded {payout} does not witness it; a second person does. A7"
        )
    not_paid(command)
    return Witnessed(
        *payout,
        asked_by=command.recorded_by,
        approved_by=command.approved_by,
        beneficiaries=command.beneficiaries,
    )


def raise_dispute(command: Dispute, state: GameSession[Any]) -> Disputed:
    """
    Open a dispute about a round or one of its payouts (C3), which freezes what it is about; the
    table plays on.
    """
    with_reason(command.reason)
    if command.payout is None:
        payout, round_no = None, running(command.round or 0, state)
        first = next(throws(round_no, state))
    else:
        payout = meant(command.payout, command.seq, state, "C3")
        live = find_live(payout.cause, state)
        round_no, first = live.round, next(throws(live.round, state), live.first)
    cause, seq = payout or (None, None)
    for other in state.disputes:
        if (other.first, other.cause, other.seq) == (first, cause, seq):
            raise AlreadyDisputed(
                f"dispute {other.dispute} is about the same; it waits for its outcome. C3"
            )
    return Disputed(state.number + 1, round_no, first, command.reason, command.by, cause, seq)


def resolve(command: Resolve, state: GameSession[Any]) -> tuple[Fact, ...]:
    """Close a dispute with an outcome and a reason (C3); who decides had no part in it."""
    dispute = open_dispute(command.dispute, state)
    with_reason(command.reason)
    if command.approved_by == dispute.by:
        raise OwnRequest(f"dispute: who raised {dispute.dispute} does not decide it. C3")
    if command.approved_by in command.recorded_by:
        raise OwnRecord(
            f"dispute: who recorded what {dispute.dispute} is about does not decide it. C3"
        )
    not_paid(command)
    if command.outcome not in outcomes(dispute, state):
        raise _no_outcome(command.outcome, dispute, state)
    return tuple(_end(command, dispute, state))


def _end(command: Resolve, dispute: Disputed, state: GameSession[Any]) -> Iterator[Fact]:
    for outcome in OUTCOMES:
        if outcome == command.outcome:
            yield Resolved(
                dispute.dispute,
                outcome,
                command.reason,
                dispute.by,
                command.approved_by,
                command.beneficiaries,
            )
    if command.outcome == "voided" and stands(dispute, state):
        target = reversible(dispute.first, state, command.irreversible_through)
        yield Voided(target, command.reason, dispute.by, command.approved_by)


def _no_outcome(outcome: str, dispute: Disputed, state: GameSession[Any]) -> Refused:
    if outcome in OUTCOMES:
        return VoidedAlready(
            f"outcome: what dispute {dispute.dispute} is about has been voided meanwhile;"
            " what is left to say is voided. C3"
        )
    can_be = ", ".join(outcomes(dispute, state))
    return UnknownOutcome(f"outcome is {outcome!r}: {can_be}. C3")


def outcomes(dispute: Disputed, state: GameSession[Any]) -> tuple[str, ...]:
    """
    The outcomes that a dispute may have: what was voided in the meantime is neither paid nor
    adjusted.
    """
    return OUTCOMES if stands(dispute, state) else ("voided",)


def stands(dispute: Disputed, state: GameSession[Any]) -> bool:
    """Whether the disputed round or payout still counts, that is, no void has cancelled it."""
    anchor = dispute.first if dispute.cause is None else dispute.cause
    return find_step(state.live, anchor) is not None


def open_dispute(number: int, state: GameSession[Any]) -> Disputed:
    for dispute in state.disputes:
        if dispute.dispute == number:
            return dispute
    raise NoSuchDispute(f"dispute: no dispute {number} is open in this game. C3")


def others(state: GameSession[Any], dispute: int) -> tuple[Disputed, ...]:
    return tuple(each for each in state.disputes if each.dispute != dispute)


def not_paid(command: Witness | Resolve) -> None:
    """
    :raises OwnBenefit: if who approves plays in the game: whoever would be paid approves nothing
        (C1).
    """
    if command.approved_by in command.beneficiaries:
        raise OwnBenefit("Who plays in this game themselves approves nothing of it. C1")


def with_reason(reason: str) -> None:
    if not reason.strip():
        raise NoReason("reason is empty: say why. C3")


def running(round_no: int, state: GameSession[Any]) -> int:
    """:raises NoSuchRound: if no throw of that round counts: there was none, or it was voided."""
    last = last_step(state).value.ended + state.throwing
    if not 1 <= round_no <= last or next(throws(round_no, state), None) is None:
        raise NoSuchRound(
            f"round: no throw of a round {round_no} stands; rounds 1 to {last} were thrown. C3"
        )
    return round_no


def throws(round_no: int, state: GameSession[Any]) -> Iterator[int]:
    """The numbers of the throws of a round that still count, in order."""
    found_so_far = []
    for step in backwards(state):
        if step.value.ended < round_no - 1:
            break
        if step.value.throw and step.value.round == round_no:
            found_so_far.append(step.number)
    yield from reversed(found_so_far)


def subject(dispute: Disputed, state: GameSession[Any]) -> Iterator[int]:
    """The events that a dispute is about: the throws of its round, and the payout that it names."""
    yield from throws(dispute.round, state)
    if dispute.cause is not None:
        yield dispute.cause


def meant(event: int, seq: int | None, state: GameSession[Any], control: str) -> Payout:
    """
    The payout that is named by its event, or by the first event of the command that led to it.

    :raises NoSuchPayout: if no player is paid there.
    :raises WhichPayout: if there is more than one payment to a player, and `seq` names none.
    """
    find_live(event, state)
    own = payouts_of(event, state)
    paid = own or payouts_from(event, state)
    if seq is not None:  # from 0: a payment of the event itself, else a payout of the command
        paid = [payout for payout in own if payout.seq == seq] if own else paid[seq : seq + 1]
    if not paid:
        nth = "" if seq is None else f" as payment {seq}"
        raise NoSuchPayout(f"payout: event {event} pays no player{nth}. {control}")
    if len(paid) > 1:
        raise WhichPayout(f"payout: name one of {', '.join(map(str, paid))}. {control}")
    return paid[0]


def payouts_of(event: int, state: GameSession[Any]) -> list[Payout]:
    """The payments to players of one event; none if a void has cancelled the event."""
    step = find_step(state.live, event)
    return [
        Payout(event, seq)
        for seq, payment in enumerate(step.value.payments if step is not None else ())
        if to_a_player(payment)
    ]


def payouts_from(first: int, state: GameSession[Any]) -> list[Payout]:
    """The payments to players of one command, given by its first event."""
    numbers = []
    for step in backwards(state):
        if step.number < first:
            break
        if step.value.first == first:
            numbers.append(step.number)
    return [payout for number in reversed(numbers) for payout in payouts_of(number, state)]
