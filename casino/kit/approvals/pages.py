"""Pages of requests: the queue for a second person, a single request, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.approvals import answers, kinds, queries
from casino.kit.web.forms import ActForm
from casino.kit.web.pages import Outcome, Page, office
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from casino.kit.approvals.queries import Card


QUEUE = 100  # cards on one page
REASON_MAX = 500


class AnswerForm(ActForm):
    """One answer to one request; the button says which answer."""

    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=REASON_MAX)
    through = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, request: object, seen: int | None = None, **kwargs: Any) -> None:
        """:param seen: the last event that the card shows; see `answers.decide`."""
        super().__init__(*args, auto_id=f"%s-{request}", **kwargs)
        self.initial["through"] = seen


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
        "items": kinds.pending_items(page.house, page.may, most=QUEUE),
        "more": max(0, waiting.count() - QUEUE) if len(found) == QUEUE else 0,
    }
    return page.show("kit/approvals/index.html", context)


@office("look", section="approvals")
def one(page: Page, request_id: UUID) -> HttpResponse:
    """One request; on POST, the answer to it."""
    return _answer(page, request_id) if page.posted else _render(page, request_id)


def _answer(page: Page, request: UUID) -> HttpResponse:
    do = page.request.POST.get("do", "")
    form = AnswerForm(page.sent, request=request)
    done = page.take(
        form,
        lambda: _put(page, request, do, form),
        lambda said: Outcome(str(said), _("The request"), reverse("approval", args=[request])),
        "approvals",
    )
    return done or _render(page, request, form)


def _put(page: Page, request: UUID, do: str, form: AnswerForm) -> _StrPromise:
    """
    Answer a request. Return the message to show.

    :raises Malformed: if `do` is not an answer.
    """
    if do not in DONE:
        raise Malformed(f"do: one of {', '.join(DONE)}.", field="do")
    act, reason = page.act(form.act_id), form.cleaned_data["reason"]
    match do:
        case "approve" | "reject":
            through = form.cleaned_data["through"]
            answers.decide(act, request, approve=do == "approve", reason=reason, through=through)
        case "withdraw":
            answers.withdraw(act, request, reason=reason)
        case "alone":
            answers.do_alone(act, request, reason=reason)
        case _:
            answers.review(act, request, in_order=do == "in_order", note=reason)
    return DONE[do]


def _render(page: Page, request: UUID, sent: AnswerForm | None = None) -> HttpResponse:
    """
    The page of a request.

    :param sent: an answer that was not accepted: the page says why.
    """
    row = queries.row(page.house, request)
    if row is None:
        raise Http404("There is no such request at this house.")
    [card] = queries.cards(page.house, [row], page.person)
    card = queries.with_refusal(page.house, card, page.person)
    context = {
        "card": card,
        "form": sent or AnswerForm(request=request, seen=_last_event_seen(card)),
    }
    return page.show("kit/approvals/approval.html", context)


def _with_forms(cards: list[Card]) -> list[tuple[Card, AnswerForm]]:
    return [(card, AnswerForm(request=card.id, seen=_last_event_seen(card))) for card in cards]


def _last_event_seen(card: Card) -> int | None:
    """The last event of the game that the card of a request to void shows."""
    return card.details["through"] if card.details else None
