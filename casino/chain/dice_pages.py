"""The pages of dice sets that move between houses of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.db import IntegrityError, transaction
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.chain import listings, proposals
from casino.chain.frame import LISTED, chain_page, member_at
from casino.chain.models import (
    WHY_MAX,
    ChainHouse,
    DiceArrival,
    DiceDeparture,
    DiceTransfer,
    Proposal,
)
from casino.kit.web.forms import ReasonForm, offer
from casino.kit.web.jobs import running
from casino.kit.web.jobs import tasks as jobs
from casino.kit.web.jobs.models import State as JobState
from casino.kit.web.jobs.running import Kind, StepResult
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Outcome
from casino.play.dice import life, transfers
from casino.play.dice.models import GONE, DiceSet
from games.refusals import Refused

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from casino.chain.models import Chain, ChainMember
    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.web.jobs.models import Job
    from casino.kit.web.pages import Page

SECTION = "chain-dice"


class SendForm(ReasonForm):
    """A dice set of one house, and the house to which it goes."""

    field_order = ("dice_set", "target", "reason")
    dice_set = forms.ChoiceField(label=gettext_lazy("Dice set"))
    target = forms.CharField(
        label=gettext_lazy("To which house"),
        max_length=80,
        widget=forms.TextInput(attrs={"list": "houses-of-chain", "autocomplete": "off"}),
    )


@chain_page("audit", section=SECTION)
def index(page: Page) -> HttpResponse:
    """The sets that moved or are about to, the latest first."""
    return page_with_list(
        page, listings.TRANSFERS, "chain/dice.html", {"manages": page.may("configure")}
    )


@chain_page("configure", section=SECTION)
def send(page: Page) -> HttpResponse:
    """Propose that a dice set goes to another house. First, from which house it goes."""
    houses = ChainHouse.objects.filter(chain=page.house.pk).select_related("establishment")
    named = list(
        houses.order_by("establishment__name").values_list("establishment__name", flat=True)[
            :LISTED
        ]
    )
    context: dict[str, Any] = {"names": named, "asked": page.request.GET.get("house", "")}
    source = _source(page)
    if source is None:
        return page.show("chain/dice_send.html", context)
    form = SendForm(page.sent)
    sets = movable(source)
    offer(form, "dice_set", [(str(dice.pk), str(dice)) for dice in sets])
    done = page.take(form, lambda: propose_move(page, form, source), _outcome, "chain:dice")
    return done or page.show("chain/dice_send.html", {**context, "source": source, "form": form})


def _source(page: Page) -> Establishment | None:
    """The house that the address names, by id or by name; None if it names none."""
    rows = ChainHouse.objects.filter(chain=page.house.pk).select_related("establishment")
    if given := page.request.GET.get("from", ""):
        try:
            rows = rows.filter(establishment=UUID(given))
        except ValueError:
            raise Http404("There is no such house in your chain.") from None
        found = rows.first()
        if found is None:
            raise Http404("There is no such house in your chain.")
        return found.establishment
    if name := page.request.GET.get("house", "").strip():
        found = rows.filter(establishment__name__iexact=name).first()
        return found.establishment if found else None
    return None


def propose_move(page: Page, form: SendForm, source: Establishment) -> Proposal:
    given = form.cleaned_data
    rows = ChainHouse.objects.filter(
        chain=page.house.pk, establishment__name__iexact=given["target"].strip()
    )
    target = rows.first()
    if target is None:
        raise NotOfTheChain(f"Your chain has no house called {given['target']}.")
    return propose(
        member_at(page), source=source.pk, target=target.pk, dice_set=UUID(given["dice_set"]),
        reason=given["reason"], command_id=form.act_id, now=page.now,
    )  # fmt: skip


def _outcome(made: Proposal) -> Outcome:
    said = _("Proposed. Another manager of the chain approves it. C1")
    return Outcome(said, str(made.get_kind_display()), reverse("chain:proposal", args=[made.pk]))


# Dice sets moved between houses of a chain: proposed by one manager, approved by another (F1, C1).
#
# Two jobs do it, each at its own house: the departure writes the set out of the one ledger, and
# only then begins the arrival, which writes it into the other. A worker may be killed anywhere:
# whoever goes on repeats what is on record, and the set is at one house, or on its way, and never
# at two.


State = DiceTransfer.State
DEVICE: Final = "chain"


class NotOfTheChain(Refused):
    code = "not_of_the_chain"


class SameHouse(Refused):
    code = "same_house"


class LeavesAlready(Refused):
    code = "leaves_already"


class NoSuchDice(Refused):
    code = "no_such_dice"


def propose(  # noqa: PLR0913 - what goes from where to where, and why
    member: ChainMember,
    *,
    source: UUID,
    target: UUID,
    dice_set: UUID,
    reason: str,
    command_id: UUID,
    now: datetime,
) -> Proposal:
    """
    Propose that a dice set goes to another house of the chain.

    :raises NotOfTheChain: if one of the houses is not the chain's.
    :raises SameHouse: if it is there already.
    :raises NoSuchDice: if the house has no such set, or it is gone.
    """
    if source == target:
        raise SameHouse("The set is at that house: choose another.")
    leaves, arrives = house_of(member.chain, source), house_of(member.chain, target)
    dice = movable(leaves).filter(pk=dice_set).first()
    if dice is None:
        raise NoSuchDice(f"{leaves} has no such dice set to send. F1")
    subject = {"dice_set": str(dice_set), "from": str(source), "to": str(target)}

    def also(made: Proposal) -> None:
        DiceTransfer.objects.create(
            proposal=made, dice_set=dice_set, number=dice.number, dice=str(dice.dice),
            source=leaves, target=arrives, changed_at=now,
        )  # fmt: skip

    return proposals.propose(
        member, kind=proposals.Kind.DICE, subject=subject, reason=reason,
        command_id=command_id, now=now, also=also,
    )  # fmt: skip


def house_of(chain: Chain, house: UUID) -> Establishment:
    """:raises NotOfTheChain: if the house is not of this chain."""
    rows = ChainHouse.objects.filter(chain=chain, establishment=house)
    found = rows.select_related("establishment").first()
    if found is None:
        raise NotOfTheChain("There is no such house in your chain.")
    return found.establishment


def movable(house: Establishment) -> Any:
    """The dice sets of a house that are not gone; whether one lies on a table is asked later."""
    rows = DiceSet.objects.filter(establishment=house)
    return rows.exclude(state__in=GONE).order_by("number")


def begin_departure(proposal: Proposal, by: Attendant, now: datetime) -> None:
    """
    Begin the departure, in the approval's own transaction.

    :raises LeavesAlready: if another transfer of the same set was approved.
    """
    row = DiceTransfer.objects.select_related("source").get(proposal=proposal)
    try:
        with transaction.atomic():
            DiceTransfer.objects.filter(pk=row.pk).update(state=State.LEAVING, changed_at=now)
    except IntegrityError:
        raise LeavesAlready(f"Set {row.number} leaves {row.source} already. F1") from None
    _begin(DEPARTURE, row.source, proposal, by, now)


def _begin(
    kind: Kind[Any], house: Establishment, proposal: Proposal, by: Attendant | None, now: datetime
) -> None:
    job = running.begin(
        kind, house=house, now=now, stop=1, asked_by=by, once=str(proposal.pk),
        parameters={"proposal": str(proposal.pk)},
    )  # fmt: skip
    jobs.wake(job)


def _row(run: DiceDeparture | DiceArrival) -> DiceTransfer:
    rows = DiceTransfer.objects.select_related(
        "source", "target", "proposal__chain", "proposal__decided_by"
    )
    return rows.get(pk=UUID(run.proposal))


def _transfer(row: DiceTransfer) -> transfers.Transfer:
    proposal = row.proposal
    return transfers.Transfer(
        id=proposal.pk, source=row.source, target=row.target, reason=proposal.reason,
        signed={
            "asked_by": str(proposal.asked_by_id), "approved_by": str(proposal.decided_by_id),
            "chain": str(proposal.chain_id),
        },
    )  # fmt: skip


def _context(row: DiceTransfer, now: datetime) -> dict[str, Any]:
    return {"by": row.proposal.decided_by, "device": DEVICE, "now": now}


def depart(run: DiceDeparture) -> StepResult:
    """Write the set out of its house; then, and in the same step, let its arrival begin."""
    row, now = _row(run), timezone.now()
    if row.state != State.LEAVING:
        return StepResult(state=JobState.DONE, reached=1)
    try:
        for house in (row.source_id, row.target_id):
            house_of(row.proposal.chain, house)
        transfers.send(_transfer(row), row.dice_set, **_context(row, now))
    except Refused as refused:
        why = str(refused)[:WHY_MAX]
        return StepResult(
            state=JobState.STOPPED, reached=1, figures={"why": why},
            keep=lambda: _record_move(row, State.LEAVING, State.REFUSED, now, why=why),
        )  # fmt: skip

    def keep() -> None:
        if _record_move(row, State.LEAVING, State.SENT, now):
            _begin(ARRIVAL, row.target, row.proposal, row.proposal.decided_by, now)

    return StepResult(state=JobState.DONE, reached=1, keep=keep)


def arrive(run: DiceArrival) -> StepResult:
    """Write the set into the house where it arrives."""
    row, now = _row(run), timezone.now()
    if row.state == State.SENT:
        sent = life.find(row.source, row.dice_set)
        transfers.arrive(_transfer(row), sent, **_context(row, now))
    return StepResult(
        state=JobState.DONE, reached=1,
        keep=lambda: _record_move(row, State.SENT, State.ARRIVED, now),
    )  # fmt: skip


def _record_move(
    row: DiceTransfer, before: str, after: str, now: datetime, *, why: str = ""
) -> int:
    rows = DiceTransfer.objects.filter(pk=row.pk, state=before)
    return rows.update(state=after, changed_at=now, why=why)


def _url(_job: Job) -> str:
    return reverse("dice-sets")


WORDS: Final = {**dict(JobState.choices), JobState.STOPPED: gettext_lazy("refused")}
DEPARTURE: Final = Kind(
    model=DiceDeparture, title=gettext_lazy("Dice for another house"), step=depart, url=_url,
    words=WORDS,
)  # fmt: skip
ARRIVAL: Final = Kind(
    model=DiceArrival, title=gettext_lazy("Dice from another house"), step=arrive, url=_url,
    words=WORDS,
)  # fmt: skip
