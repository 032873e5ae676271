"""What a void cancels, and a supervisor's answer to it on the attendant's device (G4)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.tables.board import boards
from casino.house.acts import acts
from casino.house.attendants import permissions, pins, signins
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import requests
from casino.play.core import operations, undo, void_requests
from casino.play.core.stories import staff_names
from casino.play.settlement import settled
from casino.settings.staff import tablets
from casino.settings.staff.sign_in import one_time_approval
from casino.words.presenters import PRESENTERS
from games import corrections
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from django.http import HttpRequest

    from casino.floor.tables.board.boards import Seen
    from casino.house.attendants.models import Attendant, Tablet
    from games.messages import VoidRequested

REASONS: Final = (
    gettext_lazy("entered wrongly"),
    gettext_lazy("wrong player"),
    gettext_lazy("a die was touched"),
    gettext_lazy("a rule was misread"),
)
ADDRESSES: Final = ("command", "supervisor", "change")
ENTRIES_LISTED: Final = 6
"""How many of the entries that a void cancels are listed, the newest; the others are counted."""


class LookAgain(Refused):
    code = "look_again"


class ReasonMissing(Refused):
    code = "reason_missing"


class NobodyChosen(Refused):
    code = "nobody_chosen"


def void_page(seen: Seen, number: int) -> dict[str, Any]:
    """
    The effect of a void back to an entry, before it is requested.

    :raises Refused: if the game does not go back so far, in the rules' own sentence.
    """
    loaded = seen.loaded
    state = loaded.state
    back_to = corrections.reversible(number, state, settled.irreversible_through(loaded))
    in_time = undo.is_open(loaded, seen.house.undo_seconds, timezone.now())
    request = next((each.request for each in state.requests if each.back_to == back_to), None)
    command = loaded.ruleset.command_of(loaded.facts[back_to - 1])
    return {
        **about(seen),
        "going": going(seen, back_to),
        "changes": command is not None and corrections.command_in_full(command) is not None,
        "alone": corrections.alone(back_to, state, seen.through, in_time=in_time),
        "waits": request,
        "reasons": [str(reason) for reason in REASONS],
    }


def about(seen: Seen) -> dict[str, Any]:
    """What every sheet at a table needs to send a command and to link back."""
    game = seen.loaded.key.game
    urls = {name: reverse(f"floor-{name}", args=[game]) for name in ADDRESSES}
    return {
        "board": {
            "game": str(game),
            "urls": urls,
            "currency": seen.house.currency_symbol,
            "command_id": str(uuid.uuid4()),
        },
        "back": reverse("floor-game", args=[game]),
    }


def going(seen: Seen, back_to: int) -> dict[str, Any]:
    """
    What a void back to an event cancels, in counts, coins and words.

    ``paid``: all payments, by anybody to anybody; ``bought_in``: what players brought, which is
    handed back to them.
    """
    loaded = seen.loaded
    cancelled = {number: fact for number, fact in loaded.live if number >= back_to}
    presenter, most = PRESENTERS[loaded.ruleset.id], loaded.version - back_to + 1
    entries = boards.log(loaded, presenter, staff_names(loaded), limit=most)
    what = [each for each in entries if each["number"] in cancelled]
    return {
        "back_to": back_to,
        "version": loaded.version,
        "throws": sum(fact.is_throw for fact in cancelled.values()),
        "rounds": sum(fact.ends_round for fact in cancelled.values()),
        "paid": sum(each.amount for fact in cancelled.values() for each in fact.payments),
        "bought_in": sum(each.amount for fact in cancelled.values() for each in fact.buy_ins),
        "what": tokens.resolve(seen.house.pk, what[:ENTRIES_LISTED]),
        "more": len(what[ENTRIES_LISTED:]),
    }


# --- The second person ----------------------------------------------------------------------------


def answer_page(request: HttpRequest, seen: Seen, requested: VoidRequested) -> dict[str, Any]:
    """The page on which a supervisor answers at the table, with the people who may answer."""
    back = going(seen, requested.back_to)
    tablet = tablet_of(request, seen)
    able = _able(seen, requested) if tablet else []
    code: set[UUID] = set() if _pin_is_enough(seen, back) else one_time_approval.needing_code(able)
    people = [{"id": str(each.pk), "name": str(each), "code": each.pk in code} for each in able]
    return {
        **about(seen),
        "void_request": tokens.resolve(
            seen.house.pk,
            {
                "request": requested.request,
                "reason": requested.reason,
                "who": staff_names(seen.loaded).get(requested.asked_by, ""),
                "change": requested.instead is not None,
            },
        ),
        "going": back,
        "void": tokens.resolve(
            seen.house.pk,
            undo.effects(
                seen.loaded,
                requested.back_to,
                requested.request,
                void_requests.change_asked_for(seen.loaded, requested.request),
            ),
        ),
        "impossible": tokens.resolve_text(
            seen.house.pk, void_requests.refusal(seen.loaded, requested.back_to)
        ),
        "people": people,
        "chosen": request.POST.get("person") or (people[0]["id"] if len(people) == 1 else ""),
        "name": request.POST.get("username", ""),
        "reason": request.POST.get("reason", ""),
        "tablet": tablet,
        "most": pins.MOST,
        "code_required": permissions.second_factor_required(),
    }


def tablet_of(request: HttpRequest, seen: Seen) -> Tablet | None:
    """The floor tablet that sends the request, if it belongs to this house."""
    tablet = tablets.tablet_of_cookie(request.COOKIES.get(tablets.COOKIE, ""))
    return tablet if tablet and tablet.establishment_id == seen.house.pk else None


def _able(seen: Seen, requested: VoidRequested) -> list[Attendant]:
    """People who may answer by PIN: neither the asker nor anybody who plays here (C1, D1b)."""
    apart = {requested.asked_by} | requests.who_play(seen.house.pk, tuple(seen.loaded.stakes))
    able = pins.people(seen.house.pk, "approve")
    return [person for person in able if str(person.pk) not in apart]


def _pin_is_enough(seen: Seen, back: Mapping[str, int]) -> bool:
    """Whether the house accepts a PIN for both factors here: up to a large prize (D2)."""
    amount = back["paid"] + back["bought_in"]
    return seen.house.pin_approves_voids and amount <= seen.house.large_prize


def answer(
    request: HttpRequest, seen: Seen, requested: VoidRequested, *, now: datetime, device: str
) -> None:
    """
    Put a supervisor's answer to the game, as their own act (C1).

    Errors that can be found without the secret are refused first, so that they cost no attempt.

    :raises Refused: if they are not who they say, may not answer, or the rules do not allow it.
    :raises StreamMoved: if the game moved while they answered.
    """
    sent = request.POST
    approve, reason = sent.get("do") == "approve", sent.get("reason", "").strip()
    if sent.get("version") != str(seen.loaded.version):
        raise LookAgain(_("Something was recorded meanwhile. Look again at what goes back."))
    if not approve and not reason:
        raise ReasonMissing(_("Say why you reject it: it stands beside the request for ever. C1"))
    person = _proven(request, seen, requested, now)
    raw = {
        "do": "approve" if approve else "reject",
        "request": requested.request,
        "command_id": sent.get("command_id", ""),
        **({"through": seen.loaded.version} if approve else {"reason": reason}),
    }
    loaded = seen.loaded
    answered = operations.command(
        by=person,
        house=seen.house,
        game=loaded.key.game,
        raw=raw,
        now=now,
        device=device,
        seen={loaded.key.stream: loaded.version},
    )
    if answered.refusal is not None:
        refusal = answered.refusal
        raise acts.WasRefused(refusal.code, tokens.resolve_text(seen.house.pk, refusal.detail))


def _proven(request: HttpRequest, seen: Seen, requested: VoidRequested, now: datetime) -> Attendant:
    """
    The supervisor who answers: by PIN if a name was tapped, otherwise by name and password.

    :raises Refused: if nobody who may answer has given that secret.
    """
    sent = request.POST
    code, chosen = sent.get("code", ""), sent.get("person", "")
    if not chosen and sent.get("username"):
        return one_time_approval.by_password(
            request=request,
            name=sent["username"],
            password=sent.get("password", ""),
            code=code,
            act="approve",
            house=seen.house.pk,
            now=now,
        )
    tablet = tablet_of(request, seen)
    person = next((each for each in _able(seen, requested) if str(each.pk) == chosen), None)
    if tablet is None or person is None:
        raise NobodyChosen(_("Tap your name first, then give your PIN. D3"))
    return one_time_approval.by_pin(
        tablet=tablet,
        person=person,
        pin=sent.get("pin", ""),
        code=code,
        act="approve",
        enough=_pin_is_enough(seen, going(seen, requested.back_to)),
        place=signins.where(request),
        now=now,
    )
