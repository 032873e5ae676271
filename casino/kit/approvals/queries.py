"""Queries about requests, for pages and the API: cards to decide by, how many wait, history."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import kinds, operations, projections, requests
from casino.kit.approvals.models import ExceptionRow, RequestRow
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request

UUID_TEXT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NOTHING: frozenset[str] = frozenset()
CARRY_OUT: Final = frozenset({"approve", "alone"})
"""The answers with which happens what was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """
    A request as one person sees it.

    :param tells: a sentence about what was asked for; "" if its kind says nothing.
    :param details: the same in full, of a request that waits; None if its kind says no more.
    :param refused: why it cannot be carried out now, if that is known.
    :param otherwise: the page of what is left to do then, or "".
    :param may: what this person may do about it: approve, reject, withdraw, alone, review.
    :param why_not: why they may not decide it, where they might expect to.
    """

    row: RequestRow
    id: UUID
    kind: str
    title: str
    subject: Mapping[str, Any]
    amount: int | None
    reason: str
    asked_by: str
    asked_at: datetime
    state: str
    state_name: str
    tells: str = ""
    details: Mapping[str, Any] | None = None
    address: str = ""
    refused: str = ""
    otherwise: str = ""
    may: Collection[str] = ()
    why_not: str = ""
    decided_by: str = ""
    decided_at: datetime | None = None
    decision: str = ""
    reviewed_by: str = ""
    reviewed_at: datetime | None = None
    review: str = ""
    in_order: bool | None = None
    position: int
    decided_position: int | None = None


def waiting(establishment: UUID) -> int:
    """How many requests of a house wait for an answer or a review, plus other pending items."""
    return _open(establishment).count() + kinds.count_pending(establishment)


def all_waiting(establishment: UUID) -> QuerySet[RequestRow]:
    return _open(establishment).filter(state=RequestRow.State.WAITING).order_by("position")


def to_review(establishment: UUID) -> QuerySet[RequestRow]:
    """Acts done alone that nobody else has reviewed yet: the after-the-fact list (D1b)."""
    return _open(establishment).filter(state=RequestRow.State.ALONE).order_by("position")


def _open(establishment: UUID) -> QuerySet[RequestRow]:
    return RequestRow.objects.filter(establishment=establishment, open=True)


def second_people(house: Establishment) -> dict[str, Any]:
    """
    Whether the house has a second person to approve anything (D1b).

    ``approvers``: the names of at most two people who may approve something here; ``to_review``:
    how many acts done alone nobody else has reviewed.
    """
    people = (
        requests.people_able(house.pk, "approve").select_related("attendant").order_by("since")[:2]
    )
    return {
        "approvers": [str(each.attendant) for each in people],
        "to_review": to_review(house.pk).count(),
    }


def history(establishment: UUID) -> QuerySet[RequestRow]:
    """The requests of a house that are decided."""
    return RequestRow.objects.filter(establishment=establishment, decided_position__isnull=False)


def exceptions(establishment: UUID) -> QuerySet[ExceptionRow]:
    """The lines of the exception report, in the order in which things happened (C2)."""
    return ExceptionRow.objects.filter(establishment=establishment).order_by("position")


def row_now(house: Establishment, request: UUID) -> RequestRow | None:
    """A request's row as the ledger has it at this moment; a request to void as the list has it."""
    events = journal.stream(establishment=house.pk, stream=requests.stream_of(request))
    return projections.row_from_stream(events) or row(house, request)


def row(house: Establishment, request: UUID) -> RequestRow | None:
    return RequestRow.objects.filter(establishment=house, id=request).first()


def request_of(house: Establishment, row: RequestRow) -> Request:
    """A row as a `Request`, with what a kind needs to describe it."""
    return requests.Request(
        house=house,
        id=row.id,
        kind=row.kind,
        subject=row.subject,
        reason=row.reason,
        asked_by=row.asked_by,
        asked_at=row.asked_at,
        amount=row.amount,
        beneficiaries=tuple(row.beneficiaries),
        position=row.position,
    )


def cards(house: Establishment, rows: Iterable[RequestRow], person: Attendant) -> list[Card]:
    """The cards of some rows for one person; names and texts are put in for all of them at once."""
    listed = list(rows)
    people, texts = _words(house, listed)
    role = permissions.roles(person).get(house.pk, "")
    sight = _Sight(house, person, role, listed)
    effects = _effects([request_of(house, row) for row in listed])
    details = _details(house, listed)
    made = [
        replace(_card(sight, row, people, words, effect), details=details.get(row.id))
        for row, words, effect in zip(listed, texts, effects, strict=True)
    ]
    waiting = [request_of(house, row) for row in listed if row.state == RequestRow.State.WAITING]
    sentences = {**_unfit(details), **_refusals(waiting)}
    said = tokens.resolve_texts(house.pk, list(sentences.values()))
    refused = dict(zip(sentences, said, strict=True))
    return [_doable(house, card, refused[card.id]) if card.id in refused else card for card in made]


def _unfit(details: Mapping[UUID, Mapping[str, Any]]) -> dict[UUID, str]:
    return {request: each["unfit"] for request, each in details.items() if each.get("unfit")}


def _doable(house: Establishment, card: Card, refused: str) -> Card:
    """
    The card without the answers that would be refused now.

    :param refused: why they would be, in words.
    """
    kind = kinds.kinds_by_name()[card.kind]
    return replace(
        card,
        refused=refused,
        otherwise=kind.otherwise(request_of(house, card.row)) if kind.otherwise else "",
        may=frozenset(card.may) - CARRY_OUT,
    )


def with_refusal(house: Establishment, card: Card, person: Attendant) -> Card:
    """The card of a request by itself, once it was found out whether it can be carried out."""
    kind = kinds.kinds_by_name().get(card.kind)
    if kind is None or not CARRY_OUT & set(card.may):
        return card
    request = request_of(house, card.row)
    refused = operations.refusal_of(kind, request, person, timezone.now())
    return _doable(house, card, tokens.resolve_text(house.pk, refused)) if refused else card


def _refusals(requested: Sequence[Request]) -> dict[UUID, str]:
    """Why those that wait cannot be carried out now, as far as their kinds can say for a list."""
    found: dict[UUID, str] = {}
    for name, alike in _by_kind(requested).items():
        kind = kinds.kinds_by_name().get(name)
        if kind and kind.refusals:
            said = kind.refusals(alike)
            found |= {each.id: why for each, why in zip(alike, said, strict=True) if why}
    return found


def _details(house: Establishment, rows: Iterable[RequestRow]) -> dict[UUID, Mapping[str, Any]]:
    """What those that wait would do, in full and with names; a few queries for each kind."""
    waiting = [request_of(house, row) for row in rows if row.state == RequestRow.State.WAITING]
    found: dict[UUID, Mapping[str, Any] | None] = {}
    for name, alike in _by_kind(waiting).items():
        kind = kinds.kinds_by_name().get(name)
        if kind and kind.details:
            ids = [each.id for each in alike]
            found |= dict(zip(ids, kind.details(alike), strict=True))
    told = {request: details for request, details in found.items() if details is not None}
    named = tokens.resolve(house.pk, list(told.values())) if told else []
    return dict(zip(told, named, strict=True))


def _by_kind(requested: Iterable[Request]) -> dict[str, list[Request]]:
    found: dict[str, list[Request]] = {}
    for request in requested:
        found.setdefault(request.kind, []).append(request)
    return found


def _effects(requested: Sequence[Request]) -> list[str]:
    """A sentence about the effect of each request, with a query or two for each kind among them."""
    found: dict[UUID, str] = {}
    for name, alike in _by_kind(requested).items():
        kind = kinds.kinds_by_name().get(name)
        if kind and kind.tells:
            sentences = kind.tells(alike)
            found |= {each.id: effect for each, effect in zip(alike, sentences, strict=True)}
    effects = [found.get(request.id, "") for request in requested]
    named: list[str] = tokens.resolve(requested[0].house.pk, effects) if requested else []
    return named


def cards_of_decided(house: Establishment, rows: Iterable[RequestRow]) -> list[Card]:
    """
    The cards of requests that are over: without answers, because none is left to give, and without
    effects, which are on each request's own page. Three queries, however many rows.
    """
    listed = list(rows)
    people, texts = _words(house, listed)
    return [_brief(row, people, words) for row, words in zip(listed, texts, strict=True)]


def _words(
    house: Establishment, rows: Sequence[RequestRow]
) -> tuple[Mapping[str, str], Sequence[Sequence[str]]]:
    """The names of the people in these rows; each row's reason, decision and review in words."""
    people = names({who for row in rows for who in (row.asked_by, row.decided_by, row.reviewed_by)})
    return people, tokens.resolve(
        house.pk, [[row.reason, row.decision, row.review] for row in rows]
    )


def names(ids: Collection[str]) -> dict[str, str]:
    """The names of attendants by id; an id that nobody has stands for itself."""
    wanted = [each for each in ids if UUID_TEXT.fullmatch(each)]
    found = {str(each.pk): str(each) for each in Attendant.objects.filter(pk__in=wanted)}
    return {each: found.get(each, each) for each in ids}


class _Sight:
    """What one person's role at a house permits for some requests."""

    def __init__(
        self, house: Establishment, person: Attendant, role: str, rows: Iterable[RequestRow]
    ) -> None:
        self.house, self.person, self.role = house, str(person.pk), role
        waiting = [row for row in rows if row.state == RequestRow.State.WAITING]
        answers = self.allows("approve") or self.allows("configure")
        mine = [row for row in waiting if answers or row.asked_by == self.person]
        self.paid = requests.people_concerned(house, mine)
        self._alone: dict[tuple[str, ...], bool] = {}

    def allows(self, act: permissions.Act) -> bool:
        return self.role in permissions.ALLOWED[act]

    def alone(self, act: permissions.Act, concerned: Collection[str]) -> bool:
        """Whether nobody else, apart from those concerned, could approve; one query per act."""
        key = (act, *sorted(concerned))
        if key not in self._alone:
            self._alone[key] = not requests.others_able(
                self.house.pk, act, {self.person, *concerned}
            )
        return self._alone[key]


def _card(
    sight: _Sight, row: RequestRow, people: Mapping[str, str], words: Sequence[str], effect: str
) -> Card:
    kind = kinds.kinds_by_name().get(row.kind)
    may, why_not = _may(sight, row)
    return replace(
        _brief(row, people, words),
        tells=effect,
        address=kind.address(request_of(sight.house, row)) if kind and kind.address else "",
        may=may,
        why_not=why_not,
    )


def _brief(row: RequestRow, people: Mapping[str, str], words: Sequence[str]) -> Card:
    kind = kinds.kinds_by_name().get(row.kind)
    reason, decision, review = words
    return Card(
        row=row,
        id=row.id,
        kind=row.kind,
        title=str(kind.title) if kind else row.kind,
        subject=row.subject,
        amount=row.amount,
        reason=reason,
        asked_by=people[row.asked_by],
        asked_at=row.asked_at,
        state=row.state,
        state_name=row.get_state_display(),
        decided_by=people[row.decided_by] if row.decided_by else "",
        decided_at=row.decided_at,
        decision=decision,
        reviewed_by=people[row.reviewed_by] if row.reviewed_by else "",
        reviewed_at=row.reviewed_at,
        review=review,
        in_order=row.in_order,
        position=row.position,
        decided_position=row.decided_position,
    )


def _may(sight: _Sight, row: RequestRow) -> tuple[frozenset[str], str]:
    """What the person may do about a request, and why not more where they might expect it."""
    match row.state, row.asked_by == sight.person:
        case RequestRow.State.WAITING, True:
            return _may_own(sight, row)
        case RequestRow.State.WAITING, False:
            return _may_answer(sight, row)
        case RequestRow.State.ALONE, own if not row.reviewed_by and sight.allows("audit"):
            if own:
                return NOTHING, _("You did this alone: an auditor or another manager reviews it.")
            return frozenset({"review"}), ""
        case _:
            return NOTHING, ""


def _may_own(sight: _Sight, row: RequestRow) -> tuple[frozenset[str], str]:
    act = _act(row)
    if not sight.allows(act):
        return frozenset({"withdraw"}), ""
    concerned = row.beneficiaries
    if not sight.alone(act, concerned):  # some of the others may be players whom it pays
        concerned = sorted(sight.paid[row.id])
    if sight.person not in concerned and sight.alone(act, concerned):
        return frozenset({"withdraw", "alone"}), _("Nobody else at this house could approve it.")
    return frozenset({"withdraw"}), _("You asked for this yourself: somebody else approves it.")


def _may_answer(sight: _Sight, row: RequestRow) -> tuple[frozenset[str], str]:
    if not sight.allows(_act(row)):
        return NOTHING, ""
    if sight.person in {*row.beneficiaries, *sight.paid[row.id]}:
        return NOTHING, _("It is your money or your role: somebody else decides.")
    return frozenset({"approve", "reject"}), ""


def _act(row: RequestRow) -> permissions.Act:
    kind = kinds.kinds_by_name().get(row.kind)
    return kind.act if kind else "approve"
