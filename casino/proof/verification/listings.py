"""The lists of checkpoints, of verifications and of findings, on pages and in files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.listings.columns import FOR_PROGRAMS, Column
from casino.kit.web.listings.listing import Listing
from casino.proof.signing import findings as sentences
from casino.proof.signing import queries
from casino.proof.signing.models import Verification, VerificationFinding
from casino.proof.signing.queries import CheckpointItem
from casino.proof.verification import runs
from ledger.models import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from casino.kit.web.listings.columns import Sign
    from casino.kit.web.listings.listing import Viewer

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


def stage(name: str) -> str:
    """The name of a stage of verification in words."""
    return str(STAGES.get(name, name))


CHECKPOINTS: Final = Listing[Checkpoint, CheckpointItem](
    name="checkpoints",
    title=gettext_lazy("Checkpoints"),
    about=gettext_lazy("The heads of the house's ledger that were signed."),
    rows=lambda viewer: Checkpoint.objects.filter(establishment=viewer.house.pk),
    items=lambda _viewer, rows: [queries.item_of(row, timezone.now()) for row in rows],
    order=("-epoch", "-size"),
    columns=(
        Column(name="signed_at", title=gettext_lazy("Signed"), kind="moment", style="soft",
               value=lambda item: item.checkpoint.signed_at, order=("epoch", "size")),
        Column(name="size", title=gettext_lazy("Events"), kind="number",
               value=lambda item: item.checkpoint.size),
        Column(name="receipts", title=gettext_lazy("Answers"), kind="number",
               value=lambda item: item.checkpoint.receipts),
        Column(name="epoch", title=gettext_lazy("Epoch"), kind="number", style="wide",
               value=lambda item: item.checkpoint.epoch),
        Column(name="root", title=gettext_lazy("Root"), style="wide",
               template="proof/integrity/_root.html"),
        Column(name="origin", title=gettext_lazy("Origin"), on=FOR_PROGRAMS,
               value=lambda item: item.checkpoint.origin),
    ),
    empty=gettext_lazy("There are none here."),
    names_players=False,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerificationItem:
    """A verification as a row of the list shows it."""

    run: Verification

    @property
    def running(self) -> bool:
        return self.run.running

    @property
    def sign(self) -> Sign:
        return runs.VERIFICATION.sign(self.run)

    @property
    def stage(self) -> str:
        return stage(self.run.stage)

    @property
    def done(self) -> int:
        return self.run.done

    @property
    def whole(self) -> int:
        """How many events there are to check."""
        return self.run.whole

    @property
    def last(self) -> int:
        return self.run.stop - 1

    @property
    def occasion(self) -> str:
        """Why the verification was begun, and by whom."""
        why = str(self.run.get_occasion_display())
        return f"{why}, {self.run.asked_by}" if self.run.asked_by else why

    @property
    def url(self) -> str:
        return reverse("verification", args=[self.run.id])


def verifications(viewer: Viewer) -> QuerySet[Verification]:
    return Verification.objects.filter(establishment=viewer.house).select_related("asked_by")


VERIFICATIONS: Final = Listing[Verification, VerificationItem](
    name="verifications",
    title=gettext_lazy("Verifications, newest first"),
    about=gettext_lazy("When the house's records were checked, and with what result."),
    rows=verifications,
    items=lambda _viewer, rows: [VerificationItem(row) for row in rows],
    order=("-asked_at", "-id"),
    columns=(
        Column(name="asked_at", title=gettext_lazy("Begun"), kind="moment", style="soft",
               value=lambda item: item.run.asked_at, order=("asked_at", "id"),
               link=lambda item: item.url),
        Column(name="state", title=gettext_lazy("Result"), template="proof/integrity/_result.html",
               value=lambda item: item.run.state,
               display=lambda item: str(item.sign.word)),
        Column(name="findings", title=gettext_lazy("Findings"), kind="number", on=FOR_PROGRAMS,
               value=lambda item: item.run.found),
        Column(name="events", title=gettext_lazy("Events"), kind="number",
               value=lambda item: item.whole),
        Column(name="occasion", title=gettext_lazy("Why then"), style="wide"),
    ),
    names_players=False,
)  # fmt: skip


def findings(viewer: Viewer) -> QuerySet[VerificationFinding]:
    """The findings of the verification that the address names."""
    match = viewer.request.resolver_match
    rows = VerificationFinding.objects.filter(establishment=viewer.house)
    if match is None or "verification" not in match.kwargs:
        return rows.none()
    return rows.filter(job=match.kwargs["verification"])


def _findings(viewer: Viewer, rows: Sequence[VerificationFinding]) -> list[dict[str, Any]]:
    described: list[dict[str, Any]] = tokens.resolve(viewer.house.pk, [row.details for row in rows])
    return [
        {
            **each, "first": each.get("from"), "stage": stage(each["what"]),
            "sentence": sentences.sentence(each), "line": sentences.line(each),
        }
        for each in described
    ]  # fmt: skip


def _text(name: str) -> Any:
    """A function that returns a field of a finding as text; None if it has no such field."""
    return lambda item: None if item.get(name) is None else str(item[name])


FINDINGS: Final = Listing[VerificationFinding, dict[str, Any]](
    name="findings",
    title=gettext_lazy("What it found"),
    about=gettext_lazy("What a verification found to be other than it was signed."),
    rows=findings,
    items=_findings,
    order=("seq",),
    columns=(
        Column(name="what", title=gettext_lazy("What"), display=lambda item: item["stage"]),
        Column(name="from", title=gettext_lazy("From position"), kind="number",
               value=lambda item: item["first"]),
        Column(name="to", title=gettext_lazy("To position"), kind="number",
               value=lambda item: item.get("to")),
        Column(name="says", title=gettext_lazy("What it says"),
               display=lambda item: item["sentence"]),
        Column(name="row", title=gettext_lazy("Row"), value=_text("row"), on=FOR_PROGRAMS),
        Column(name="column", title=gettext_lazy("Column"), value=_text("column"),
               on=FOR_PROGRAMS),
        Column(name="expected", title=gettext_lazy("Should be"), value=_text("expected"),
               on=FOR_PROGRAMS),
        Column(name="found", title=gettext_lazy("Is"), value=_text("found"), on=FOR_PROGRAMS),
    ),
)  # fmt: skip
