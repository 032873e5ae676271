"""The office's pages *Proof*, about the whole ledger, and of its events, each with its proof."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.engine.processes.command import CALLED
from casino.house.acts.game_streams.loading import readable
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.forms import ActForm
from casino.kit.web.jobs import running, tasks
from casino.kit.web.listings.pages import of_rows, page_with_list, viewer
from casino.kit.web.pages import Page, office
from casino.money.cash.accounts import queries as cash_accounts
from casino.money.payouts import receipts
from casino.play.settlement import payout_holds
from casino.play.settlement.entries import game_key
from casino.play.settlement.models import Payout
from casino.proof.search import events
from casino.proof.search.game_pages import oversees
from casino.proof.signing import findings, keys, parked, queries
from casino.proof.signing.models import Verification
from casino.proof.verification import runs
from casino.proof.verification.listings import (
    CHECKPOINTS,
    EVENTS,
    FINDINGS,
    VERIFICATIONS,
    VerificationItem,
    event_items,
    is_id,
    verifications,
)
from casino.words.languages import locales
from casino.words.languages.spreadsheets import in_base64
from games.refusals import Refused
from ledger import checkpoints, epochs, journal
from ledger.accounts import AccountRef
from ledger.canonical import INTEGER_MAX
from ledger.entries import NAME_MAX
from ledger.models import Checkpoint
from ledger.proofs import NotCovered
from ledger.tiles import Altered
from ledger.wire import leaf_hash

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
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
        "exposed_for": locales.duration(exposed_for) if exposed_for is not None else "",
        "places": [
            {
                "place": each,
                "copied": locales.time_ago(page.now - each.copied_at) if each.copied_at else "",
                "failed": locales.time_ago(page.now - each.failed_at) if each.failed_at else "",
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
        "retired": keys.record_of(house.pk).retired,
    }


def _epochs(house: Establishment) -> list[StoredEvent]:
    """The events that opened the epochs after the first."""
    return journal.stream(establishment=house.pk, stream=epochs.STREAM)


# The pages of the ledger's events: content, proof, causes and effects of each.


EVENTS_SECTION: Final = "ledger"


@office("look", section=EVENTS_SECTION, from_replica=True)
def ledger_events(page: Page) -> HttpResponse:
    """The list of the house's events, the newest first, with the filters of the query string."""
    _let_in(page)
    head = journal.head(establishment=page.house.pk)
    if "head" in page.request.GET:
        return page.show("kit/web/_moment_head.html", {"head": head, "seen": _position_seen(page)})
    return page_with_list(page, EVENTS, "proof/proofs/events.html", {"head": head, "seen": head})


def _position_seen(page: Page) -> int:
    given = page.request.GET["head"]
    return int(given[:15]) if given.isdecimal() and given.isascii() else -1


def _let_in(page: Page) -> None:
    if not oversees(page):
        raise NotYours(_("The ledger is read by supervisors, managers and auditors. D1"))


@office("look", section=EVENTS_SECTION, from_replica=True)
def ledger_event(page: Page, position: int) -> HttpResponse:
    """The page of an event: its content, bytes and proof, and its relations to other events."""
    _let_in(page)
    event = _find(page, position)
    house = page.house
    fresh = leaf_hash(event.body)
    causes = events.causes(house.pk, event)[::-1]
    effects = events.effects(house.pk, event)
    siblings = events.of_command(house.pk, event.provenance.command_id)
    connected = {each.position: each for each in (event, *causes, *siblings)}
    connected |= {each.position: each for brood in effects for each in brood}
    rows = {row["event"].position: row for row in event_items(list(connected.values()))}
    receipt = events.receipt(house.pk, event.provenance.command_id)
    head = journal.head(establishment=house.pk)
    context = {
        "event": event,
        "row": rows[event.position],
        "provenance": event.provenance,
        "pretty": _pretty(house, event),
        "body": event.body.decode(),
        "leaf": fresh.hex(),
        "leaf_holds": fresh == event.leaf_hash,
        "kept_leaf": event.leaf_hash.hex(),
        "proof": _proof(house, position),
        "check": receipts.address(house.pk, position, fresh.hex()),
        "file": reverse("event-proof", kwargs={"establishment": house.pk, "position": position}),
        "causes": [rows[each.position] for each in causes],
        "effects": [[rows[each.position] for each in brood] for brood in effects],
        "siblings": [rows[each.position] for each in siblings if each.position != position],
        "transfers": _transfers(page, event),
        "receipt": receipt,
        "refusal": receipt and tokens.resolve_text(house.pk, receipt.refusal_detail or ""),
        "neighbours": events.neighbours(house.pk, event),
        "head": head,
        "before": position - 1 if position else None,
        "after": position + 1 if position < head else None,
        "pages": _pages(house, event),
        "belongs": f"{reverse('ledger-events')}?"
        f"{urlencode({'correlation': str(event.provenance.correlation_id)})}",
        "payouts": [receipts.url(row) for row in _payouts(house, event)],
    }
    return page.show("proof/proofs/event.html", context)


@office("look", section=EVENTS_SECTION, from_replica=True)
def ledger_event_body(page: Page, position: int) -> HttpResponse:
    """The stored bytes, as they are hashed; ``?format=hex`` gives a hex dump."""
    _let_in(page)
    event = _find(page, position)
    if page.request.GET.get("format") == "hex":
        lines = (event.body[at : at + 32].hex(" ") for at in range(0, len(event.body), 32))
        answer = HttpResponse(
            "".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8"
        )
        name = f"event-{position}.hex.txt"
    else:
        answer = HttpResponse(event.body, content_type="application/octet-stream")
        name = f"event-{position}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _find(page: Page, position: int) -> StoredEvent:
    event = events.one(page.house.pk, position) if position <= INTEGER_MAX else None
    if event is None:
        raise Http404("The ledger of this house has no event at this position.")
    return event


def _pretty(house: Establishment, event: StoredEvent) -> str:
    """The data of an event as JSON, with names; an erased name stays a token."""
    named = tokens.resolve(house.pk, dict(event.data))
    return json.dumps(named, indent=2, ensure_ascii=False, sort_keys=True)


def _proof(house: Establishment, position: int) -> dict[str, Any]:
    """Whether the newest checkpoint covers the event, by hashes that are computed now."""
    try:
        made = receipts.proven(house.pk, position)
    except NotCovered:
        return {"state": "waits"}
    except Altered as altered:
        return {"state": "altered", "sentence": str(altered)}
    return {
        "state": "holds",
        "size": made.checkpoint.size,
        "root": in_base64(made.checkpoint.root),
        "hashes": [each.hex() for each in made.proof],
    }


def _transfers(page: Page, event: StoredEvent) -> list[dict[str, Any]]:
    ends = [
        (AccountRef.parse(each["debit"]), AccountRef.parse(each["credit"]))
        for each in event.transfers
    ]
    titles = cash_accounts.titles(page.house, [account for pair in ends for account in pair])
    opens = page.may("audit")

    def end(account: AccountRef) -> dict[str, str]:
        url = reverse("account", kwargs={"kind": account.kind, "name": account.name})
        return {"title": titles[account], "url": url if opens else ""}

    return [
        {
            "from": end(debit),
            "to": end(credit),
            "amount": each["amount"],
            "reason": each["reason"],
            "reverses": each["reverses"],
        }
        for (debit, credit), each in zip(ends, event.transfers, strict=True)
    ]


def _payouts(house: Establishment, event: StoredEvent) -> list[Payout]:
    rows = Payout.objects.filter(establishment=house, position=event.position)
    return list(rows.order_by("seq"))


def _pages(house: Establishment, event: StoredEvent) -> dict[str, str]:
    """The other pages about an event's subject."""
    kind, _slash, thing = event.stream.partition("/")
    at = f"?{urlencode({'position': event.position})}"
    if kind == "game" and (key := game_key(event)) is not None and readable(key) is not None:
        return {
            "game": reverse("game-at", kwargs={"game": key.game, "number": event.stream_version})
        }
    if kind == "settlement" and is_id(thing):
        return {"pot": reverse("pot-at", kwargs={"game": thing}) + at}
    if kind in {"table", "custody"} and house.tables.filter(pk=thing).exists():
        return {"table": reverse("table-at", kwargs={"table": thing}) + at}
    return {"house": reverse("house-at") + at}
