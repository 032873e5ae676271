"""The pages of disputes: open disputes, one dispute, finding a round, the bundle (C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.http import Http404, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web import periods
from casino.kit.web.forms import ActForm, TableField, offer, status_of
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import REFUSALS, Page, office
from casino.play.core import operations
from casino.play.core.queries import find
from casino.proof.disputes import bundle, queries
from casino.proof.disputes.listings import DISPUTES, FOUND
from casino.words.languages.amounts import money
from casino.words.languages.fields import MomentField
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.presenter import account
from casino.words.presenters.rounds import chapters
from casino.words.presenters.words import OUTCOMES
from games.disputes import payouts_of
from games.refusals import NoGame, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.acts.game_streams.loading import Loaded
    from casino.proof.disputes.models import DisputeRow

REASON_MAX = 2000
LAST_ROUNDS = 50  # rounds to choose from; an older one is found by a receipt or a time


class FindForm(forms.Form):
    receipt = forms.CharField(required=False, max_length=60, label=gettext_lazy("Receipt"))
    table = TableField(required=False, label=gettext_lazy("Table"), empty_label="")
    at = MomentField(
        required=False,
        label=gettext_lazy("When"),
    )
    player = forms.CharField(required=False, max_length=80, label=gettext_lazy("Player"))
    game = forms.ChoiceField(required=False, label=gettext_lazy("Pot of"))

    def __init__(self, *args: Any, tables: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        table, game = self.fields["table"], self.fields["game"]
        assert isinstance(table, TableField)  # noqa: S101 - declared above
        assert isinstance(game, forms.ChoiceField)  # noqa: S101 - declared above
        table.queryset = tables
        game.choices = [("", ""), *_kinds()]

    def criteria(self) -> queries.Criteria:
        given = self.cleaned_data
        table = given["table"]
        return queries.Criteria(
            receipt=given["receipt"],
            table=table.pk if table else None,
            at=given["at"],
            player=given["player"],
            game=given["game"],
        )


class RaiseForm(ActForm):
    about = forms.ChoiceField(label=gettext_lazy("What is objected to"))
    reason = forms.CharField(
        label=gettext_lazy("What is said, and by whom"),
        max_length=REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "about", choices)


class DecideForm(ActForm):
    outcome = forms.ChoiceField(label=gettext_lazy("Outcome"), widget=forms.RadioSelect)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=REASON_MAX,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, outcomes: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "outcome", [(each, str(MEANINGS[each])) for each in outcomes])


MEANINGS = {
    "stands": gettext_lazy("It stands: what was decided is paid."),
    "voided": gettext_lazy(
        "Voided: back to before the round's first throw, with all that followed."
    ),
    "adjusted": gettext_lazy("To be adjusted: what is right is paid by an approved adjustment."),
}


def _kinds() -> list[tuple[str, str]]:
    return [(game, str(title)) for game, title in TITLES.items()]


@office("look", section="disputes")
def overview(page: Page) -> HttpResponse:
    """The open disputes, the oldest first, and the list of all disputes."""

    def context() -> dict[str, Any]:
        waiting = queries.cards(page.house, queries.open_(page.house.pk))
        return {"open": waiting, "now": page.now}

    return page_with_list(page, DISPUTES, "proof/disputes/index.html", context)


@office("look", section="disputes")
def search(page: Page) -> HttpResponse:
    """Find a round by receipt, table and time, player or pot."""
    searched = any(page.request.GET.get(name) for name in FindForm.base_fields)
    if plain := periods.plain_address(page, FindForm.base_fields):
        return plain
    form = FindForm(page.request.GET if searched else None, tables=page.house.tables.all())
    found = queries.find(page.house, form.criteria()) if searched and form.is_valid() else []
    context = {
        "form": form,
        "searched": searched,
        "table": of_rows(page, FOUND, found),
        "most": queries.MOST,
    }
    return page.show("proof/disputes/find.html", context)


@office("look", section="disputes")
def raise_(page: Page, game: UUID) -> HttpResponse:
    """Raise a dispute about a round of a game, or one payout of it."""
    loaded = _game(page, game)
    permissions.require(page.person, "record", page.house)
    choices = list(_subjects(page, loaded))
    given = page.request.GET.get("round", "")
    form = RaiseForm(page.sent, choices=choices, initial={"about": f"round {given}"})
    if form.is_valid():
        kind, _space, named = form.cleaned_data["about"].partition(" ")
        about: dict[str, Any] = {"round": int(named)} if kind == "round" else {"payout": named}
        try:
            number = _put(page, game, form, do="dispute", **about)
        except REFUSALS as refused:
            form.refuse(page.why(refused))
        else:
            sentence = _(
                "The dispute is open. What it is about is not paid out; the table plays on."
            )
            return page.done(sentence, "dispute", game=game, dispute=number)
    return _raising(page, loaded, form)


@office("look", section="disputes")
def one(page: Page, game: UUID, dispute: int) -> HttpResponse:
    """One dispute in full; a POST decides it."""
    row = _row(page, game, dispute)
    whole = queries.whole(page.house, row)
    if page.posted:
        permissions.require(page.person, "approve", page.house)
    form = DecideForm(page.sent, outcomes=list(whole.outcomes))

    def decide() -> str:
        outcome = form.cleaned_data["outcome"]
        _put(page, game, form, do="resolve", dispute=dispute, outcome=outcome)
        return _("The dispute is closed: %(outcome)s.") % {"outcome": OUTCOMES[outcome]}

    done = page.take(form, decide, str, "dispute", game=game, dispute=dispute)
    return done or _render(page, whole, form)


@office("look", section="disputes")
def download(page: Page, game: UUID, dispute: int) -> HttpResponse:
    """The bundle of a dispute; it has names, so only people who oversee may download it."""
    row = _row(page, game, dispute)
    if not (page.may("approve") or page.may("audit")):
        raise NotYours(_("A bundle holds names: it is for those who approve or audit. C3"))
    whole = bundle.of(page.house, row, by=page.person, at=page.now)
    response = StreamingHttpResponse(whole.stream(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{bundle.filename(row)}"'
    return cast("HttpResponse", response)  # a page's type has no stream


def _put(page: Page, game: UUID, form: ActForm, **fields: Any) -> int:
    """
    Put a command to the game; returns the number of its first event.

    :raises Refused: if the rules refuse the command.
    """
    raw = {
        "command_id": str(form.act_id),
        "reason": form.cleaned_data["reason"],
        **fields,
    }
    answer = operations.command(
        by=page.person, house=page.house, game=game, raw=raw, now=page.now, device=page.device
    )
    if answer.refusal is not None:
        raise Refused(answer.refusal.detail)
    return answer.events()[0].stream_version


def _game(page: Page, game: UUID) -> Loaded:
    try:
        return find([page.house.pk], game)
    except NoGame as missing:
        raise Http404(str(missing)) from None


def _row(page: Page, game: UUID, number: int) -> DisputeRow:
    row = queries.one(page.house, game, number)
    if row is None:
        raise Http404("There is no such dispute at this house.")
    return row


def _subjects(page: Page, loaded: Loaded) -> Iterator[tuple[str, str]]:
    """The choices of what to dispute: rounds, the newest first, each with its payouts."""
    of_round = chapters(loaded.facts).of
    presenter = PRESENTERS[loaded.ruleset.id]
    paid: dict[int, list[tuple[str, str]]] = {}
    thrown: set[int] = set()
    for number, fact in loaded.live:
        round_no = of_round[number - 1]
        thrown |= {round_no} if fact.is_throw else set()
        for payout in payouts_of(number, loaded.state):
            payment = fact.payments[payout.seq]
            about = {
                "number": round_no,
                "amount": money(payment.amount),
                "who": account(payment.payee, presenter),
                "event": payout,
            }
            text = _("Round %(number)s: %(amount)s to %(who)s (%(event)s)") % about
            paid.setdefault(round_no, []).append((f"payout {payout}", text))
    for round_no in sorted(thrown | paid.keys(), reverse=True)[:LAST_ROUNDS]:
        if round_no in thrown:
            yield f"round {round_no}", _("Round %(number)s as a whole") % {"number": round_no}
        yield from tokens.resolve(page.house.pk, paid.get(round_no, []))


def _raising(page: Page, loaded: Loaded, form: RaiseForm) -> HttpResponse:
    context = {
        "form": form,
        "game": loaded.key.game,
        "title": TITLES[loaded.ruleset.id],
        "table": page.house.tables.get(pk=loaded.place["table"]).name,
        "rounds": loaded.view["round"],
    }
    return page.show("proof/disputes/raise.html", context)


def _render(page: Page, whole: queries.Whole, form: DecideForm) -> HttpResponse:
    decides = page.may("approve") and whole.card.is_open
    why_not = whole.why_not(page.person) if decides else ""
    context = {
        "whole": whole,
        "card": whole.card,
        "story": whole.story,
        "form": form if decides and not why_not else None,
        "why_not": why_not,
        "takes_bundle": page.may("approve") or page.may("audit"),
        "now": page.now,
    }
    return page.show("proof/disputes/dispute.html", context, status=status_of(form))
