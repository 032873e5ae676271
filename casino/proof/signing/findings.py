"""
Sentences about what verifications have found, and about why payouts are stopped.

People read one sentence for each kind of finding, in their language, which names a subject. What a
check itself says, with tables and columns, is in English: for a terminal, and for whoever runs the
house's computers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.engine.processes.command import CALLED
from casino.house.establishments import epochs
from casino.play.settlement import payout_holds
from casino.proof.signing import epochs as integrity_epochs
from casino.proof.signing.models import SigningTrouble, VerificationFinding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from django.utils.functional import _StrPromise

    from casino.house.establishments.models import Establishment
    from casino.play.settlement.payout_holds import Stop

STOPPED: Final[Mapping[str, _StrPromise]] = {
    "regrade": gettext_lazy("a regrade found payouts that differ"),
    payout_holds.BEHIND: gettext_lazy("the book is behind a checkpoint that is kept outside"),
}


SAYS: Final[Mapping[str, _StrPromise]] = {
    "account": gettext_lazy("The balance of an account is not what its transfers come to."),
    "body": gettext_lazy("An event cannot be read as it was recorded."),
    "chain": gettext_lazy("Answers to commands are not those that were signed, or are missing."),
    "checkpoint": gettext_lazy("A checkpoint is not what was signed, or is missing."),
    "column": gettext_lazy("What stands beside an event is not what the event says."),
    "command": gettext_lazy("The events of a command are not together, or not in order."),
    "cursor": gettext_lazy(
        "Somebody moved the place up to which a part of the program has read the events."
    ),
    "epoch": gettext_lazy("An epoch has no event that opens it, or another one."),
    "guard": gettext_lazy("What guards the database against changes is not as it was installed."),
    "hash": gettext_lazy("A text or a sealed count is not the one that was recorded."),
    "kept": gettext_lazy("The events are not those of a checkpoint that is kept outside."),
    "leaf": gettext_lazy("An event is not the one whose hash was stored with it."),
    "parked": gettext_lazy("What is parked is not what the events say."),
    "position": gettext_lazy("Events are missing."),
    "projection": gettext_lazy("What screens and reports show is not what the events say."),
    "receipt": gettext_lazy("The answer to a command is missing, or not what its events say."),
    "record": gettext_lazy("A setting, or an entry about a person, is not as it was recorded."),
    "root": gettext_lazy("Events are not those that were signed, or are missing."),
    "signature": gettext_lazy("A checkpoint is not signed with a key of the house."),
    "signed": gettext_lazy("The events are not those that were signed last."),
    "tile": gettext_lazy("Stored hashes are not those of the events."),
    "transfer": gettext_lazy(
        "A transfer of money is not what its event says, is missing, or is one too many."
    ),
    "version": gettext_lazy("Two events contradict each other, or one between them is missing."),
}
"""The kinds of findings, by the words of docs/how-to/verify.md."""
BEHIND: Final = gettext_lazy(
    "The events end before a checkpoint that is kept outside: this is an older copy of them."
)
OBSTACLES: Final[Mapping[str, _StrPromise]] = {
    SigningTrouble.Kind.NO_KEY: gettext_lazy("There is no key to sign with."),
    SigningTrouble.Kind.BEHIND: gettext_lazy(
        "The book is behind a checkpoint that is kept outside."
    ),
    SigningTrouble.Kind.BROKEN: gettext_lazy("A verification found that records were changed."),
}
"""Why nothing is signed, by the kind of trouble."""
ELSE: Final = OBSTACLES[SigningTrouble.Kind.BROKEN]
"""Of a kind of finding that this version does not know any more."""


def sentence(details: Mapping[str, Any]) -> str:
    """A finding for people, in their language; where it is stands beside it."""
    return str(BEHIND if details.get("behind") else SAYS.get(details["what"], ELSE))


def why_stopped(why: str) -> str:
    """
    Why payouts were stopped, in a few words.

    :param why: as the event of the stop has it.
    """
    return str(STOPPED.get(why, _("a check of the house's records failed")))


def because(establishment: UUID, about: str) -> str:
    """
    Why a verification stopped the payouts of a house: its first finding (E2).

    :param about: the verification's id, as the stop of payouts has it.
    """
    rows = VerificationFinding.objects.filter(establishment=establishment, job=about)
    first = rows.order_by("seq").values_list("details", flat=True).first()
    if first is None:
        return _("a verification found that records were changed")
    return _("a verification found: %(says)s") % {"says": sentence(first).removesuffix(".")}


def explain(house: Establishment, stop: Stop, now: datetime) -> dict[str, Any]:
    """
    What a page says of a stop.

    If the ledger is behind a checkpoint that others hold: the command that comes first. If an epoch
    has recorded the loss since the stop: the lost positions.
    """
    found = stop.why == payout_holds.VERIFICATION
    why = because(house.pk, stop.about) if found else why_stopped(stop.why)
    if (known := integrity_epochs.loss_not_on_record(house.pk)) is not None:
        command = open_epoch(house.pk)
        return {"why": why, "behind": known.published.size, "command": command}
    restored = epochs.restoration(house, now)
    if restored is None or restored.since < stop.since:
        return {"why": why}
    first, last = restored.lost
    return {"why": why, "lost": {"from": first, "to": last}}


def line(details: Mapping[str, Any]) -> str:
    """A finding for people at a terminal: the check, the position, the sentence, the values."""
    first, last = details.get("from"), details.get("to")
    where = "" if first is None else f"position {first}: "
    if first is not None and last != first:
        where = f"positions {first} to {last}: "
    lines = [f"! {details['what']}: {where}{details['says']}"]
    if "expected" in details or "found" in details:
        lines += [f"    {side}: {details.get(side)}" for side in ("expected", "found")]
    return "\n".join(lines)


# Sentences that say what to do next when something is wrong with a house's proof, the same in
# health, the office and commands. backup.md, checkpoints.md and verify.md in docs/how-to/ say more.


RESUME: Final = (
    "Two people resume payouts: one asks on the office's page Payouts, another approves it. E2"
)
VERIFY: Final = (
    "Keep the database as it is and look at what was found (the office's page Proof;"
    " docs/how-to/verify.md says what it means). When it is put right, verify once more there: then"
    " it is signed again."
)
CUT_OFF: Final = (
    "If nobody restored a backup, the book was cut off at its end: stop the house, keep the"
    " database as it is, and restore the newest backup."
)


def open_epoch(establishment: UUID, file: object = "FILE") -> str:
    """The command line that records the loss of events."""
    return (
        f"{CALLED} open_epoch --establishment {establishment} --checkpoint {file} --reason WHY"
        " --by MANAGER"
    )


def after_restore(establishment: UUID) -> str:
    return (
        "If a backup was restored, open a new epoch, which names what was lost:"
        f" {open_epoch(establishment)} (FILE: the newest checkpoint that anybody has). {CUT_OFF}"
    )
