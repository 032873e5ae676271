"""
Requests to void as a kind of request for approval (G4).

A game keeps and decides its requests to void; this module lists them among the other requests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.engine.processes import signals
from casino.engine.processes.queues import house_subscriber
from casino.house.acts import acts
from casino.house.acts.game_streams import course
from casino.house.acts.game_streams.loading import GameKey, load, load_all
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments import table_names
from casino.kit.approvals import requests as approval_requests
from casino.kit.approvals.kinds import Keeper, Kind
from casino.kit.approvals.operations import AlreadyDecided, Beneficiary, check_reason, sole
from casino.kit.approvals.projections import VOID
from casino.kit.approvals.requests import State
from casino.play.core import core, undo
from casino.play.core import operations as play
from casino.play.core.commands import Who
from casino.play.core.stories import staff_names
from casino.play.settlement import settled
from casino.words.presenters import TITLES
from games import corrections
from games.messages import Voided, VoidRequested
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request


def decide(
    act: acts.Act,
    by: Attendant,
    request: Request,
    *,
    approve: bool,
    reason: str = "",
    **seen: int,
) -> None:
    """
    Put the second person's answer to the game, as a command `approve` or `reject`.

    :param seen: ``through``, the last event that whoever approves has seen, if they say so.
    :raises Beneficiary: if the person plays in that game, and so may be paid by the void.
    :raises WasRefused: if the game's rules refuse the command, with their sentence.
    """
    if not approve:
        check_reason(reason)
    if str(by.pk) in approval_requests.who_play(act.house.pk, players_in_game(request)):
        raise Beneficiary("You play in this game yourself; somebody else decides. C1, D1b")
    answer = play.command(
        by=by,
        house=act.house,
        game=UUID(request.subject["game"]),
        raw={**command(act, request, approve=approve, reason=reason), **seen},
        now=act.now,
        device=act.device,
    )
    _answer(act, answer)


def withdraw(act: acts.Act, by: Attendant, request: Request, *, reason: str = "") -> None:
    """
    Take back one's own request; to the game this is a rejection by whoever asked.

    This needs no right to approve, so it is put to `core` and not through `operations`.
    """
    permissions.require(by, "record", act.house)
    answer = core.ask(
        house=act.house,
        key=_key(request),
        raw=command(act, request, approve=False, reason=reason),
        who=Who(
            attendant=act.actor,
            device=act.device,
            now=act.now,
            plays_as=permissions.plays_as(by, act.house.pk),
        ),
    )
    _answer(act, answer)
    signals.played.send(None, establishment=act.house.pk)


def do_alone(act: acts.Act, by: Attendant, request: Request) -> None:
    """
    Approve one's own request to void, where nobody else could approve it (D1b).

    :raises OthersCould: if somebody else could approve it.
    :raises Beneficiary: if the person plays in that game.
    """
    seen = approval_requests.employment_guard(act.house.pk)
    permissions.require(by, "approve", act.house)
    sole(request, by, "approve", approval_requests.who_play(act.house.pk, players_in_game(request)))
    answer = core.ask(
        house=act.house,
        key=_key(request),
        raw={
            **command(act, request, approve=True, reason=""),
            "through": load(_key(request)).version,  # who asked is there, and sees what was entered
        },
        who=Who(
            attendant=act.actor,
            device=act.device,
            now=act.now,
            plays_as=permissions.plays_as(by, act.house.pk),
            alone=True,
            seen=seen,
        ),
    )
    _answer(act, answer)
    signals.played.send(None, establishment=act.house.pk)


def as_now(request: Request) -> Request:
    """The request, updated from its game and its review; for `approvals.operations.review`."""
    alone = any(
        isinstance(fact, Voided) and fact.alone and fact.request == request.subject["request"]
        for fact in load(_key(request)).facts
    )
    reviews = journal.stream(establishment=request.house.pk, stream=request.stream)
    return replace(
        request,
        state=State.ALONE if alone else request.state,
        reviewed_by=reviews[-1].data["reviewed_by"] if reviews else None,
        version=len(reviews),
    )


def _answer(act: acts.Act, answer: core.Answer) -> None:
    """:raises WasRefused: if the game refused the command, with the sentence of its rules."""
    if answer.refusal is not None:
        raise refusal_of(act, answer.refusal.code, answer.refusal.detail)
    if answer.receipt.last_position is not None:
        house_subscriber.catch_up(establishment=act.house.pk, position=answer.receipt.last_position)


def command(act: acts.Act, request: Request, *, approve: bool, reason: str) -> dict[str, Any]:
    reasons = {"reason": reason} if reason.strip() else {}
    return {
        "command_id": str(act.command_id),
        "do": "approve" if approve else "reject",
        "request": request.subject["request"],
        **reasons,
    }


def refusal_of(act: acts.Act, code: str, detail: str) -> acts.WasRefused:
    if code == "no_such_request":  # the person saw a list that is older than the game
        return acts.WasRefused(AlreadyDecided.code, _("This request waits no longer. C1"))
    return acts.WasRefused(code, tokens.resolve(act.house.pk, detail))


def players_in_game(request: Request) -> tuple[str, ...]:
    """The players of the game, by token."""
    return tuple(load(_key(request)).stakes)


def tells(requests: Sequence[Request]) -> list[str]:
    """A sentence for each request about what approving it does; "" if its game cannot be read."""
    house = requests[0].house
    games = load_all(house.pk, {_key(request).game for request in requests})
    found = [(games.get(_key(request).game), request) for request in requests]
    places = {
        (loaded.place["table"], request.position) for loaded, request in found if loaded is not None
    }
    tables = table_names.names_at(house, places)
    return [
        _description(loaded, request, tables[loaded.place["table"], request.position])
        if loaded
        else ""
        for loaded, request in found
    ]


def _description(loaded: Loaded, request: Request, table: str) -> str:
    """What was asked for: the events that stood when it was, and the table's name by then."""
    back_to = request.subject["back_to"]
    number = request.subject["request"]
    count = sum(1 for _step in course.back_to(loaded.courses[number - 2], back_to))
    at = {
        "game": TITLES.get(loaded.ruleset.id, loaded.ruleset.id),
        "table": table or "?",
        "number": back_to,
        "count": count,
    }
    if change_asked_for(loaded, number) is not None:
        return _(
            "%(game)s at %(table)s: what was entered from event %(number)d on is entered again with"
            " a change, and what it pays is paid as if it had been so from the beginning."
        ) % {**at, "number": back_to}
    return ngettext(
        "%(game)s at %(table)s goes back to before event %(number)d: %(count)d event counts as"
        " never been, and what was paid for it is paid back.",
        "%(game)s at %(table)s goes back to before event %(number)d: %(count)d events count as"
        " never been, and what was paid for them is paid back.",
        count,
    ) % {**at, "number": back_to}


def details(requests: Sequence[Request]) -> list[dict[str, Any] | None]:
    """What approving each request does, in full; None if its game cannot be read."""
    house = requests[0].house
    games = load_all(house.pk, {_key(request).game for request in requests})
    found = [(games.get(_key(request).game), request.subject) for request in requests]
    people = staff_names(*games.values())
    return [
        undo.effects(
            loaded,
            about["back_to"],
            about["request"],
            change_asked_for(loaded, about["request"]),
            people,
        )
        if loaded
        else None
        for loaded, about in found
    ]


def refusals(requests: Sequence[Request]) -> list[str]:
    """Why each void is refused now, by the rules' own sentence; "" if it is not."""
    house = requests[0].house.pk
    games = load_all(house, {_key(request).game for request in requests})
    through = settled.irreversible_in(house, list(games.values()))
    found = [(games.get(_key(request).game), request.subject["back_to"]) for request in requests]
    return [
        _refusal(loaded, back_to, through[loaded.key]) if loaded else ""
        for loaded, back_to in found
    ]


def refusal(loaded: Loaded, back_to: int) -> str:
    """Why a void back to an event is refused now, whoever approves it; "" if it is not."""
    return _refusal(loaded, back_to, settled.irreversible_through(loaded))


def _refusal(loaded: Loaded, back_to: int, irreversible_through: int) -> str:
    try:
        corrections.reversible(back_to, loaded.state, irreversible_through)
    except Refused as refused:
        return str(refused)
    return ""


def change_asked_for(loaded: Loaded, number: int) -> undo.Change | None:
    """What a request, by its event's number, asks to be entered instead; None: nothing."""
    asked = loaded.facts[number - 1]
    if not isinstance(asked, VoidRequested) or asked.instead is None:
        return None
    return undo.Change(asked.instead, only=asked.only, before=asked.before)


def address(request: Request) -> str:
    return reverse("floor-log", args=[request.subject["game"]])


def otherwise(request: Request) -> str:
    """What cannot be voided any more is set right by an adjustment."""
    return reverse("payouts-of-game", args=[request.subject["game"]])


def _key(request: Request) -> GameKey:
    return GameKey(request.house.pk, UUID(request.subject["game"]))


REQUESTS: Final = {
    VOID: Kind(
        title=gettext_lazy("Void"),
        act="approve",
        carry_out=None,
        tells=tells,
        details=details,
        address=address,
        refusals=refusals,
        otherwise=otherwise,
        keeper=Keeper(decide=decide, withdraw=withdraw, do_alone=do_alone, done_alone=as_now),
    )
}
