"""What may be done beside the play, alike in every game: exactly what `decide` takes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.commands import NO_THROW_REASONS
from games.corrections import alone_events, in_running_round, reversible
from games.disputes import outcomes, payouts_of, stands
from games.game_session import GameSession
from games.messages import Disputed
from games.refusals import Refused
from games.session import OFFERED_IN_A_BREAK

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Offering:
    """
    What may be done in a game and at its table; `offers` is that of its ruleset.

    :param playing: the commands that the game's own rules take while the game runs.
    :param staying: the players whose money is still played for.
    :param over: whether the game has ended.
    """

    playing: Callable[[Any], Iterable[Row]]
    staying: Callable[[Any], tuple[str, ...]]
    over: Callable[[Any], bool]

    def offers(
        self,
        state: GameSession[Any],
        *,
        booked_through: int | None = None,
        irreversible_through: int = 0,
        in_time: bool = True,
    ) -> list[Row]:
        if not state.number:
            return [{"do": "open"}]
        inner, over = state.inner, self.over(state.inner)
        rows = [
            *(() if over else self.playing(inner)),
            *cash_outs(inner.stakes, () if over else self.staying(inner)),
            *voids(state, booked_through, irreversible_through, in_time=in_time),
            *table_event_offers(state, irreversible_through, over=over),
        ]
        return at_the_table(state, rows)


def no_throw(player: str, **dice: int) -> Row:
    return {"do": "no_throw", "player": player, "reasons": list(NO_THROW_REASONS), **dice}


def cash_outs(stakes: Mapping[str, int], staying: tuple[str, ...]) -> Iterator[Row]:
    """
    Cash-outs of players who no longer play. `most` is the stake as played; only the caller knows
    how much of it is booked.
    """
    for player, stake in stakes.items():
        if player not in staying and stake > 0:
            yield {"do": "cash_out", "player": player, "most": stake}


def buy_ins(players: Iterable[str]) -> Iterator[Row]:
    """Buy-ins: money may be brought at any time."""
    for player in players:
        yield {"do": "buy_in", "player": player}


def table_event_offers(
    state: GameSession[Any], irreversible_through: int, *, over: bool
) -> Iterator[Row]:
    """
    The answers to requests for a void (G4), breaks, handovers, witnesses, disputes.

    :param over: whether the game has ended.
    """
    yield from answers(state, irreversible_through)
    if not over:
        yield from between_throws(state)
    yield from second_eyes(state, irreversible_through)


def at_the_table(state: GameSession[Any], rows: Iterable[Row]) -> list[Row]:
    """Of the rows, those that may be done now: while the table is paused, only some."""
    return [row for row in rows if not state.paused or row["do"] in OFFERED_IN_A_BREAK]


def between_throws(state: GameSession[Any]) -> Iterator[Row]:
    """
    Breaks, handover and change of dice. `offered`: who offered the table to whom, if the other has
    not signed yet (B3).
    """
    yield {"do": "resume"} if state.paused else {"do": "pause"}
    offer = state.offered[1] if state.offered is not None else None
    yield {
        "do": "handover",
        "offered": offer and {"by": offer.by, "to": offer.to, "round": offer.round},
    }
    if not state.throwing:
        yield {"do": "change_dice", "dice_set": state.dice_set}


def second_eyes(state: GameSession[Any], irreversible_through: int) -> Iterator[Row]:
    """
    Witnesses and disputes. `through`: the last event with which a player was paid; `latest`: those
    of its payouts that have no witness yet. `rounds`: rounds 1 to that one may be disputed, and
    each payout by itself.
    """
    if state.live is None:
        return
    last = state.live.value
    rounds = last.ended + last.thrown
    if last.won:
        latest = [each for each in payouts_of(last.won, state) if each not in state.witnessed]
        yield {"do": "witness", "through": last.won, "latest": list(map(str, latest))}
    if rounds or last.won:
        yield {"do": "dispute", "rounds": rounds, "through": last.won}
    for dispute in state.disputes:
        yield {
            "do": "resolve",
            "dispute": dispute.dispute,
            "round": dispute.round,
            "asked_by": dispute.by,
            "outcomes": list(ends(dispute, state, irreversible_through)),
        }


def ends(dispute: Disputed, state: GameSession[Any], irreversible_through: int) -> Iterator[str]:
    """
    The outcomes that a dispute may have; a void is left out if it would cross what cannot be undone
    (G4).
    """
    voided = stands(dispute, state)
    for outcome in outcomes(dispute, state):
        if outcome != "voided" or not voided or may_be_voided(dispute, state, irreversible_through):
            yield outcome


def may_be_voided(dispute: Disputed, state: GameSession[Any], irreversible_through: int) -> bool:
    try:
        reversible(dispute.first, state, irreversible_through)
    except Refused:
        return False
    return True


def voids(
    state: GameSession[Any],
    booked_through: int | None,
    irreversible_through: int,
    *,
    in_time: bool,
) -> Iterator[Row]:
    """
    The offer to void. `alone`: the events that the attendant may void back to without a second
    person. `undo`: the one of these that this holds for no longer than the house's seconds, or
    None; see `games.corrections.undoable`. With a second person, any event that still counts and is
    `from` or later; for those in `requested` a request waits for an answer.
    """
    if state.live is None:
        return
    earliest = max(1, state.live.value.cashed, irreversible_through) + 1
    if state.live.value.first < earliest:
        return
    own = [
        each for each in alone_events(state, booked_through, in_time=in_time) if each >= earliest
    ]
    brief = own[0] if own and not in_running_round(own[0], state, booked_through) else None
    yield {
        "do": "void",
        "from": earliest,
        "to": state.live.number,
        "alone": own,
        "undo": brief,
        "requested": [request.back_to for request in state.requests],
    }


def answers(state: GameSession[Any], irreversible_through: int) -> Iterator[Row]:
    """Answers to requests for a void, for anybody but the person who asked."""
    barrier = max(state.live.value.cashed if state.live else 0, irreversible_through)
    for request in state.requests:
        row = {"request": request.request, "asked_by": request.asked_by}
        if request.back_to > barrier:
            yield {"do": "approve", **row, "back_to": request.back_to}
        yield {"do": "reject", **row, "back_to": request.back_to}
