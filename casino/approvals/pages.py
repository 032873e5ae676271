"""The queue of what waits for a second person, one request of it, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext_lazy

from casino.approvals import answers, pending_items, queries
from casino.approvals.listings import DECIDED
from casino.web.forms import ActForm
from casino.web.listings.pages import paged
from casino.web.pages import Page, office
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from casino.approvals.queries import Card


QUEUE = 100  # cards on one page; a house that lets more wait has other troubles
REASON_MAX = 500


class AnswerForm(ActForm):
    """One answer to one request; which one, the button says."""

    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=REASON_MAX)

    def __init__(self, *args: Any, request: object, **kwargs: Any) -> None:
        super().__init__(*args, auto_id=f"%s-{request}", **kwargs)


DONE = {
    "approve": gettext_lazy("Approved, and done."),
    "reject": gettext_lazy("Rejected. Nothing happened."),
    "withdraw": gettext_lazy("Taken back. Nothing happened."),
    "alone": gettext_lazy("Done alone. It stays on the list until somebody else has reviewed it."),
    "in_order": gettext_lazy("Signed off by your name."),
    "object": gettext_lazy("Your objection stands beside it by your name."),
}


@office("look", section="approvals")
def queue(page: Page) -> HttpResponse:
    waiting = queries.all_waiting(page.house.pk)
    found = queries.cards(page.house, waiting[:QUEUE], page.person)
    review = queries.cards(page.house, queries.to_review(page.house.pk)[:QUEUE], page.person)
    context = {
        "cards": _with_forms(found),
        "review": _with_forms(review),
        "errands": pending_items.errands(page.house, page.may, most=QUEUE),
        "more": max(0, waiting.count() - QUEUE) if len(found) == QUEUE else 0,
    }
    return page.show("approvals/index.html", context)


@office("look", section="approvals")
def one(page: Page, asked: UUID) -> HttpResponse:
    """One request; sent here, the answer to it."""
    return _answer(page, asked) if page.posted else _render(page, asked)


def _answer(page: Page, request: UUID) -> HttpResponse:
    do = page.request.POST.get("do", "")
    form = AnswerForm(page.sent, request=request)
    done = page.take(form, lambda: _put(page, request, do, form), str, "approvals")
    return done or _render(page, request, form)


def _put(page: Page, request: UUID, do: str, form: AnswerForm) -> _StrPromise:
    """
    Answer; what is said of it.

    :raises Malformed: if that is no answer.
    """
    if do not in DONE:
        raise Malformed(f"do: one of {', '.join(DONE)}.", field="do")
    act, reason = page.act(form.act_id), form.cleaned_data["reason"]
    match do:
        case "approve" | "reject":
            answers.decide(act, request, approve=do == "approve", reason=reason)
        case "withdraw":
            answers.withdraw(act, request, reason=reason)
        case "alone":
            answers.do_alone(act, request, reason=reason)
        case _:
            answers.review(act, request, in_order=do == "in_order", note=reason)
    return DONE[do]


def _render(page: Page, request: UUID, sent: AnswerForm | None = None) -> HttpResponse:
    """:param sent: an answer that was not taken: the page says why."""
    row = queries.row(page.house, request)
    if row is None:
        raise Http404("There is no such request at this house.")
    [card] = queries.cards(page.house, [row], page.person)
    context = {
        "card": card,
        "form": sent or AnswerForm(request=request),
    }
    return page.show("approvals/approval.html", context)


@office("look", section="approvals")
def history(page: Page) -> HttpResponse:
    """What was decided, newest first."""
    return paged(page, DECIDED, "approvals/history.html")


def _with_forms(cards: list[Card]) -> list[tuple[Card, AnswerForm]]:
    return [(card, AnswerForm(request=card.id)) for card in cards]
