"""Resumes the stopped payouts of a house, once two people have looked into the cause (E2, C1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.play.settlement import payout_holds

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.acts import acts
    from casino.house.attendants.models import Attendant
    from casino.kit.approvals.requests import Request
    from ledger import journal

KIND: Final = "resume_payouts"


def ask(act: acts.Act, *, reason: str) -> journal.Receipt:
    """
    Ask that the house pays again.

    :param reason: what was found, and why the house may pay.
    :raises NotYours: if the person's role does not let them approve.
    :raises NothingStopped: if the house pays.
    :raises EpochMissing: if the ledger is behind a checkpoint that others hold, and no epoch says
        what was lost.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "approve", act.house)
    stopped = payout_holds.in_force(act.house.pk)
    payout_holds.check_cleared(act.house.pk)
    subject = {"stop": stopped.version, "why": stopped.why}
    return approvals.ask(act, kind=KIND, subject=subject, reason=reason)


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved request to resume payouts.

    :raises NothingStopped: if payouts were resumed, or stopped again, since the request.
    :raises EpochMissing: see `ask`.
    """
    del by, now
    return payout_holds.event_of_resumption(_stop_of(request))


def _stop_of(request: Request) -> payout_holds.Stop:
    """:raises Refused: as `carry_out` does."""
    stopped = payout_holds.in_force(request.house.pk)
    if stopped.version != request.subject["stop"]:
        raise payout_holds.NothingStopped(
            "Payouts were stopped again meanwhile: look at that first. E2"
        )
    payout_holds.check_cleared(request.house.pk)
    return stopped


def tells(request: Request) -> str:
    sentence = _("What was held because of the stop goes to its players, and cash leaves again.")
    if request.subject["why"] == payout_holds.BEHIND:
        sentence += " " + _(
            "The book was restored from a copy: make sure that nobody is paid for what was lost"
            " and paid before."
        )
    return sentence


def address(_request: Request) -> str:
    return reverse("payouts")


REQUESTS: Final = {
    KIND: kinds.Kind(
        title=gettext_lazy("Resume payouts"),
        act="approve",
        carry_out=carry_out,
        tells=kinds.each(tells),
        refusals=kinds.each_refusal(_stop_of),
        address=address,
    ),
}
