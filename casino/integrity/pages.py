"""Proof: what is signed, what is copied outside, with which keys, and what the last check found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from django import forms
from django.db.models import Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.integrity import key_record, keys, parked, published, queries, runs, verify_tasks
from casino.integrity.models import Verification, VerificationFinding
from casino.platform.command import CALLED
from casino.pseudonyms import tokens as pseudonyms
from casino.settlement import payout_holds
from casino.web.forms import ActForm
from casino.web.pages import office
from games.refusals import Refused
from ledger import checkpoints, epochs, journal
from ledger.entries import NAME_MAX
from ledger.journal import Conflict
from ledger.models import Checkpoint

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from casino.establishments.models import Establishment
    from casino.web.pages import Page
    from ledger.wire import StoredEvent

SECTION: Final = "proof"
NEWEST: Final = 8  # checkpoints on the first page
RUNS: Final = 6
ROWS: Final = 50
BEFORE: Final = re.compile(r"([0-9]{1,9})\.([0-9]{1,15})")
NUMBER: Final = re.compile(r"[0-9]{1,9}")
STAGES: Final[dict[str, Any]] = {
    "signatures": gettext_lazy("signatures of checkpoints"),
    "events": gettext_lazy("events, their hashes and their columns"),
    "tiles": gettext_lazy("stored hashes"),
    "receipts": gettext_lazy("answers to commands"),
    "accounts": gettext_lazy("accounts against transfers"),
    "ends": gettext_lazy("streams and sequences to their ends"),
    "projections": gettext_lazy("what screens read, made anew"),
    "signed": gettext_lazy("what was signed last"),
}


class RetryForm(ActForm):
    follower = forms.ChoiceField(choices=[(name, name) for name in parked.KNOWN])
    stream = forms.CharField(max_length=NAME_MAX)


@office("audit", section=SECTION)
def proof(page: Page) -> HttpResponse:
    """How far the ledger can be proven now, and what is to be done where it cannot."""
    if page.request.headers.get("HX-Request") == "true":
        return page.show("integrity/_verification.html", _runs(page))
    house = page.house
    newest = checkpoints.latest(house.pk)
    context = {
        "told": published.told(newest, page.now) if newest else None,
        "in_the_way": queries.in_the_way(house),
        "trouble": queries.trouble(house.pk),
        "unsigned": journal.head(establishment=house.pk) + 1 - (newest.size if newest else 0),
        "outside": _outside(page),
        "newest": [published.told(each, page.now) for each in _checkpoints(house)[:NEWEST]],
        "keys": _keys(house),
        "epochs": _epochs(house),
        "stuck": [(each, uuid4()) for each in parked.streams(house.pk)],
        "retries": page.may("configure"),
        "command": CALLED,
    }
    return page.show("integrity/index.html", {**context, **_runs(page)})


@office("audit", section=SECTION)
def all_checkpoints(page: Page) -> HttpResponse:
    """Every checkpoint that was signed, newest first, a page at a time."""
    rows = _checkpoints(page.house)
    if (last := BEFORE.fullmatch(page.request.GET.get("before", ""))) is not None:
        epoch, size = map(int, last.groups())
        rows = rows.filter(Q(epoch__lt=epoch) | Q(epoch=epoch, size__lt=size))
    some = list(rows[: ROWS + 1])
    shown = [published.told(each, page.now) for each in some[:ROWS]]
    older = f"{some[ROWS - 1].epoch}.{some[ROWS - 1].size}" if some[ROWS:] else ""
    return page.show("integrity/checkpoints.html", {"rows": shown, "older": older})


@office("audit", section=SECTION)
def verification(page: Page, verification: UUID) -> HttpResponse:
    """One check: of what, and everything it found."""
    runs_here = Verification.objects.filter(establishment=page.house)
    run = runs_here.select_related("asked_by").filter(id=verification).first()
    if run is None:
        raise Http404("There is no such verification of this house.")
    rows = VerificationFinding.objects.filter(establishment=page.house, verification=run.id)
    after = page.request.GET.get("after", "")
    if NUMBER.fullmatch(after):
        rows = rows.filter(seq__gt=int(after))
    some = list(rows.order_by("seq")[: ROWS + 1])
    context = {
        "run": _told(run),
        "findings": [_finding(page.house, each) for each in some[:ROWS]],
        "after": some[ROWS - 1].seq if some[ROWS:] else None,
        "kept": runs.KEPT,
        "stopped": payout_holds.stop_now(page.house.pk) is not None,
    }
    return page.show("integrity/verification.html", context)


@office("audit", section=SECTION)
def verify(page: Page) -> HttpResponse:
    """Check everything now; workers do it (E2). An auditor may: nothing of the house changes."""
    if not page.posted:
        return proof(page.request)
    try:
        run = runs.ask(by=page.person, house=page.house, since=0, now=page.now)
    except runs.AlreadyRunning as running:
        return page.refused(running, "proof")
    verify_tasks.wake(run)
    return page.done(_("It has begun. You need not wait for it: it goes on by itself."), "proof")


@office("audit", section=SECTION, post="configure")
def retry(page: Page) -> HttpResponse:
    """Another try at what a follower could not take in, by a manager and on record."""
    if not page.posted:
        return proof(page.request)
    form = RetryForm(page.request.POST or None)
    if not form.is_valid():
        return page.refused(Refused(_("Nothing was sent: try again.")), "proof")
    subscriber, stream = form.cleaned_data["follower"], form.cleaned_data["stream"]
    try:
        act = page.act(form.act_id, do="retry", follower=subscriber, stream=stream)
        tried = parked.retry(act, subscriber=subscriber, stream=stream)
    except (Refused, Conflict) as refused:
        return page.refused(refused, "proof")
    if tried.parked:
        sentence = _("It failed again: the newest reason stands beside it.")
        return page.refused(Refused(sentence), "proof")
    return page.done(_("It was taken in; nothing of it waits any more."), "proof")


def _runs(page: Page) -> dict[str, Any]:
    rows = Verification.objects.filter(establishment=page.house).select_related("asked_by")
    told = [_told(run) for run in rows.order_by("-asked_at")[:RUNS]]
    return {
        "runs": told,
        "running": next((each for each in told if each["running"]), None),
        "last": next((each for each in told if not each["running"]), None),
        "stopped": payout_holds.stop_now(page.house.pk) is not None,
    }


def _told(run: Verification) -> dict[str, Any]:
    """A verification as the page shows it."""
    whole = run.stop - run.since
    return {
        "run": run,
        "running": run.state == Verification.State.RUNNING,
        "stage": str(STAGES.get(run.stage, run.stage)),
        "done": run.reached - run.since,
        "whole": whole,
        "last": run.stop - 1,
        "not_compared": run.place.get("not_compared", []),
        "url": reverse("verification", args=[run.id]),
    }


def _finding(house: Establishment, row: VerificationFinding) -> dict[str, Any]:
    told: dict[str, Any] = pseudonyms.resolve(house.pk, row.told)
    return {**told, "first": told.get("from"), "stage": str(STAGES.get(told["what"], told["what"]))}


def _checkpoints(house: Establishment) -> QuerySet[Checkpoint]:
    return Checkpoint.objects.filter(establishment=house.pk).order_by("-epoch", "-size")


def _outside(page: Page) -> dict[str, Any]:
    """What is copied outside, how old that is, and how long the rest is exposed."""
    found = queries.outside(page.house.pk)
    exposed_for = found.exposed_for(page.now)
    return {
        "found": found,
        "exposed_for": published.length(exposed_for) if exposed_for is not None else "",
        "places": [
            {
                "place": each,
                "copied": published.ago(page.now - each.copied_at) if each.copied_at else "",
                "failed": published.ago(page.now - each.failed_at) if each.failed_at else "",
            }
            for each in found.places
        ],
    }


def _keys(house: Establishment) -> dict[str, Any]:
    return {
        "in_force": keys.public_keys(house.pk),
        "retired": key_record.on_record(house.pk).retired,
    }


def _epochs(house: Establishment) -> list[StoredEvent]:
    """What began the epochs behind the first."""
    return journal.stream(establishment=house.pk, stream=epochs.STREAM)
