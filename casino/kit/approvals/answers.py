"""Answers to requests, whether a game or this room keeps them. Pages and the API call these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.house.attendants import permissions
from casino.kit.approvals import kinds, operations, queries, requests

if TYPE_CHECKING:
    from uuid import UUID

    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.kinds import Keeper


def decide(
    act: acts.Act,
    request_id: UUID,
    *,
    approve: bool,
    reason: str = "",
    through: int | None = None,
) -> None:
    """
    Approve or reject a request.

    :param through: of a request to void, the last event of the game that whoever approves has seen
        (the ``through`` of its details); None: what was there when it was asked for.
    :raises NoSuchRequest: if the house has no request with that id.
    :raises Refused: as `operations.decide` does, or as the game's rules do for a void.
    """
    kept = _request_of_game(act, request_id)
    if kept is None:
        operations.decide(act, request_id, approve=approve, reason=reason)
        return
    seen = {} if through is None or not approve else {"through": through}
    _keeper(kept).decide(act, _person(act), kept, approve=approve, reason=reason, **seen)


def withdraw(act: acts.Act, request_id: UUID, *, reason: str = "") -> None:
    """
    Withdraw one's own request.

    :raises NotTheAsker: if somebody else made the request.
    """
    kept = _request_of_game(act, request_id)
    if kept is None:
        operations.withdraw(act, request_id, reason=reason)
        return
    if kept.asked_by != act.actor:
        raise operations.NotTheAsker("Somebody else asked for this: reject it, with a reason. C1")
    _keeper(kept).withdraw(act, _person(act), kept, reason=reason)


def do_alone(act: acts.Act, request_id: UUID, *, reason: str) -> None:
    """
    Do alone what one has requested, where nobody else could approve it; somebody reviews it later
    (D1b).

    :param reason: not needed for a void: the request itself says why.
    :raises OthersCould: if somebody else could approve it.
    """
    kept = _request_of_game(act, request_id)
    if kept is None:
        operations.do_alone(act, request_id, reason=reason)
        return
    _keeper(kept).do_alone(act, _person(act), kept)


def review(act: acts.Act, request_id: UUID, *, in_order: bool, note: str = "") -> None:
    """Sign off, by name, what somebody did alone, or object to it (D1b)."""
    kept = _request_of_game(act, request_id)
    if kept is None:
        operations.review(act, request_id, in_order=in_order, note=note)
        return
    operations.review(
        act,
        request_id,
        in_order=in_order,
        note=note,
        find=lambda *_: _keeper(kept).done_alone(kept),
    )


def _person(act: acts.Act) -> Attendant:
    if act.by is None:
        raise permissions.NotYours("A person decides, signed in by name. C1")
    return act.by


def _request_of_game(act: acts.Act, request_id: UUID) -> requests.Request | None:
    row = queries.row(act.house, request_id)
    return queries.request_of(act.house, row) if row is not None and row.game else None


def _keeper(request: requests.Request) -> Keeper:
    keeper = kinds.kinds_by_name()[request.kind].keeper
    if keeper is None:
        raise operations.UnknownKind(f"Nobody keeps requests of the kind {request.kind}.")
    return keeper
