"""The office page *Proof*: what is signed and copied outside, keys, epochs and verifications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _

from casino.engine.processes.command import CALLED
from casino.kit.web.forms import ActForm
from casino.kit.web.jobs import running, tasks
from casino.kit.web.listings.pages import of_rows, page_with_list, viewer
from casino.kit.web.pages import office
from casino.play.settlement import payout_holds
from casino.proof.signing import findings, key_record, keys, parked, queries
from casino.proof.signing.models import Verification
from casino.proof.verification import runs
from casino.proof.verification.listings import (
    CHECKPOINTS,
    FINDINGS,
    VERIFICATIONS,
    VerificationItem,
    verifications,
)
from casino.words.languages import durations
from games.refusals import Refused
from ledger import checkpoints, epochs, journal
from ledger.entries import NAME_MAX
from ledger.models import Checkpoint

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from ledger.wire import StoredEvent

SECTION: Final = "proof"
NEWEST: Final = 8  # checkpoints on the first page
RUNS: Final = 6


class RetryForm(ActForm):
    subscriber = forms.ChoiceField(
        choices=[(name, name) for name in parked.KNOWN], widget=forms.HiddenInput
    )
    stream = forms.CharField(max_length=NAME_MAX, widget=forms.HiddenInput)


@office("audit", section=SECTION)
def proof(page: Page) -> HttpResponse:
    """The page *Proof*: how far the ledger can be proven now, and what to do where it cannot."""
    if page.request.headers.get("HX-Request") == "true":
        return page.show("proof/integrity/_verification.html", _runs(page))
    house = page.house
    newest = checkpoints.latest(house.pk)
    context = {
        "checkpoint": queries.item_of(newest, page.now) if newest else None,
        "in_the_way": _in_the_way(house),
        "trouble": queries.trouble(house.pk),
        "unsigned": journal.head(establishment=house.pk) + 1 - (newest.size if newest else 0),
        "outside": _outside(page),
        "newest": of_rows(page, CHECKPOINTS, _newest(house)),
        "keys": _keys(house),
        "epochs": _epochs(house),
        "stuck": [(each, _retry_form(each)) for each in parked.streams(house.pk)],
        "retries": page.may("configure"),
        "command": CALLED,
    }
    return page.show("proof/integrity/index.html", {**context, **_runs(page)})


@office("audit", section=SECTION)
def all_checkpoints(page: Page) -> HttpResponse:
    """Every checkpoint that was signed, newest first, a page at a time."""
    return page_with_list(page, CHECKPOINTS, "proof/integrity/checkpoints.html")


@office("audit", section=SECTION)
def verification(page: Page, verification: UUID) -> HttpResponse:
    """The page of one verification: its extent and everything that it found."""
    runs_here = Verification.objects.filter(establishment=page.house)
    run = runs_here.select_related("asked_by").filter(id=verification).first()
    if run is None:
        raise Http404("There is no such verification of this house.")
    context = {
        "run": VerificationItem(run),
        "kept": running.FINDINGS_KEPT,
        "stopped": payout_holds.stop_now(page.house.pk) is not None,
    }
    return page_with_list(page, FINDINGS, "proof/integrity/verification.html", context)


@office("audit", section=SECTION)
def verify(page: Page) -> HttpResponse:
    """Begin a verification of everything, which workers do (E2). An auditor may begin it."""
    if not page.posted:
        return proof(page.request)
    try:
        run = runs.ask(by=page.person, house=page.house, since=0, now=page.now)
    except running.AlreadyBegun as another:
        return page.refused(another, "proof")
    tasks.wake(run)
    return page.done(_("It has begun. You need not wait for it: it goes on by itself."), "proof")


@office("audit", section=SECTION, post="configure")
def retry(page: Page) -> HttpResponse:
    """Retry a parked stream; this is for managers, and is recorded."""
    if not page.posted:
        return proof(page.request)
    form = RetryForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Nothing was sent: try again."), "proof")
    subscriber, stream = form.cleaned_data["subscriber"], form.cleaned_data["stream"]
    act = page.act(form.act_id, do="retry", follower=subscriber, stream=stream)

    def retried() -> None:
        if parked.retry(act, subscriber=subscriber, stream=stream).parked:
            raise Refused(_("It failed again: the newest reason stands beside it."))

    return page.put(retried, _("It was taken in; nothing of it waits any more."), "proof")


def _retry_form(stuck: parked.Stuck) -> RetryForm:
    """The form behind the retry button of a parked stream."""
    initial = {"subscriber": stuck.subscriber, "stream": stuck.stream}
    return RetryForm(initial=initial, auto_id=False)


def _runs(page: Page) -> dict[str, Any]:
    rows = verifications(viewer(page, "page")).order_by("-asked_at")[:RUNS]
    items = [VerificationItem(row) for row in rows]
    return {
        "runs": of_rows(page, VERIFICATIONS, rows),
        "running": next((each for each in items if each.running), None),
        "last": next((each for each in items if not each.running), None),
        "stopped": payout_holds.stop_now(page.house.pk) is not None,
    }


def _in_the_way(house: Establishment) -> dict[str, str]:
    """Why nothing is signed now, for people and for whoever mends it; empty if nothing is wrong."""
    found = queries.obstacle(house)
    if found is None:
        return {}
    guards = queries.only_guards(house) is not None
    says = findings.SAYS["guard"] if guards else findings.OBSTACLES[found.kind]
    return {"says": str(says), "sentence": found.sentence}


def _outside(page: Page) -> dict[str, Any]:
    """What is copied outside, how old the copies are, and how long the rest has been exposed."""
    found = queries.outside(page.house.pk)
    exposed_for = found.exposed_for(page.now)
    return {
        "found": found,
        "exposed_for": durations.length(exposed_for) if exposed_for is not None else "",
        "places": [
            {
                "place": each,
                "copied": durations.ago(page.now - each.copied_at) if each.copied_at else "",
                "failed": durations.ago(page.now - each.failed_at) if each.failed_at else "",
            }
            for each in found.places
        ],
    }


def _newest(house: Establishment) -> QuerySet[Checkpoint]:
    rows = Checkpoint.objects.filter(establishment=house.pk)
    return rows.order_by(*CHECKPOINTS.order)[:NEWEST]


def _keys(house: Establishment) -> dict[str, Any]:
    return {
        "in_force": keys.public_keys(house.pk),
        "retired": key_record.on_record(house.pk).retired,
    }


def _epochs(house: Establishment) -> list[StoredEvent]:
    """The events that opened the epochs after the first."""
    return journal.stream(establishment=house.pk, stream=epochs.STREAM)
