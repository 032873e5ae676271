"""The queue of what waits for a second person, one request of it, and what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.approvals import answers, pending_items, queries
from casino.approvals.kinds import known
from casino.approvals.models import RequestRow
from casino.web.forms import ActForm
from casino.web.pages import Page, office
from games.refusals import Malformed

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from casino.approvals.queries import Card

ROWS = 50
QUEUE = 100  # cards on one page; a house that lets more wait has other troubles
REASON_MAX = 500


class AnswerForm(ActForm):
    """One answer to one request; which one, the button says."""

    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=REASON_MAX)

    def __init__(self, *args: Any, request: object, **kwargs: Any) -> None:
        super().__init__(*args, auto_id=f"%s-{request}", **kwargs)


class FilterForm(forms.Form):
    kind = forms.ChoiceField(required=False, label=gettext_lazy("Kind"))
    state = forms.ChoiceField(required=False, label=gettext_lazy("State"))
    before = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = sorted((str(kind.title), name) for name, kind in known().items())
        over = [each for each in RequestRow.State.choices if each[0] != RequestRow.State.WAITING]
        self._choose("kind", [(name, title) for title, name in kinds])
        self._choose("state", [(value, str(label)) for value, label in over])

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = [("", _("all")), *choices]


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
    if page.posted:
        return _answer(page, asked)
    return _shown(page, asked)


def _answer(page: Page, request: UUID) -> HttpResponse:
    do = page.request.POST.get("do", "")
    form = AnswerForm(page.sent, request=request)
    done = page.take(form, lambda: _put(page, request, do, form), str, "approvals")
    return done or _shown(page, request, form)


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


def _shown(page: Page, request: UUID, sent: AnswerForm | None = None) -> HttpResponse:
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
    """What was decided, newest first, a page at a time."""
    form = FilterForm(page.request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    rows = queries.history(page.house.pk, kind=asked.get("kind", ""), state=asked.get("state", ""))
    if (before := asked.get("before")) is not None:
        rows = rows.filter(decided_position__lt=before)
    found = queries.decided(page.house, rows[: ROWS + 1])
    shown = found[:ROWS]
    context = {
        "form": form,
        "cards": shown,
        "older": shown[-1].decided_position if len(found) > ROWS else None,
        "asked": {name: value for name, value in asked.items() if value and name != "before"},
    }
    return page.show("approvals/history.html", context)


def _with_forms(cards: list[Card]) -> list[tuple[Card, AnswerForm]]:
    return [(card, AnswerForm(request=card.id)) for card in cards]
