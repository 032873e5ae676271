"""The pages of the ledger's events: content, proof, causes and effects of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.acts.game_streams.loading import readable
from casino.house.attendants.permissions import NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Page, office
from casino.money.cash.accounts import queries as cash_accounts
from casino.money.payouts import receipts
from casino.play.settlement.entries import game_key
from casino.play.settlement.models import Payout
from casino.proof.search import events
from casino.proof.search.game_pages import oversees
from casino.proof.verification.proofs.listings import EVENTS, is_id, items
from casino.words.languages.text.spreadsheets import in_base64
from ledger import journal
from ledger.accounts import AccountRef
from ledger.canonical import INTEGER_MAX
from ledger.proofs import NotCovered
from ledger.tiles import Altered
from ledger.wire import leaf_hash

if TYPE_CHECKING:
    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

SECTION: Final = "ledger"


@office("look", section=SECTION, from_replica=True)
def listing(page: Page) -> HttpResponse:
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


@office("look", section=SECTION, from_replica=True)
def one(page: Page, position: int) -> HttpResponse:
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
    rows = {row["event"].position: row for row in items(list(connected.values()))}
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


@office("look", section=SECTION, from_replica=True)
def body(page: Page, position: int) -> HttpResponse:
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
