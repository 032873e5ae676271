"""Queries about the signing of a house's ledger, for pages and monitoring."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from django.db.models import Exists, OuterRef

from casino.proof.signing import copies, findings
from casino.proof.signing.models import (
    OutsideCopy,
    SigningTrouble,
    Verification,
    VerificationFinding,
)
from casino.words.languages.locales import time_ago
from casino.words.languages.spreadsheets import in_base64
from ledger import epochs, journal
from ledger.models import Checkpoint, Event

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment

NO_TIME: Final = timedelta(0)  # clocks differ


def broken(establishment: UUID | None = None) -> QuerySet[Verification]:
    """
    Verifications that found something, without a later sound one over at least the same positions.

    :param establishment: the house; None: all houses.
    """
    rows = Verification.objects.filter(state=Verification.State.BROKEN)
    if establishment is not None:
        rows = rows.filter(establishment=establishment)
    later = Verification.objects.filter(
        establishment=OuterRef("establishment"),
        state=Verification.State.SOUND,
        asked_at__gt=OuterRef("asked_at"),
        start__lte=OuterRef("start"),
        stop__gte=OuterRef("stop"),
    )
    return rows.exclude(Exists(later))


def trouble(establishment: UUID) -> SigningTrouble | None:
    """Why nothing is signed for a house now; None: nothing prevents signing."""
    return SigningTrouble.objects.filter(establishment=establishment).first()


def stuck() -> set[UUID]:
    """The houses for which nothing is signed until somebody mends something. Two queries."""
    troubled = SigningTrouble.objects.values_list("establishment", flat=True)
    return {*troubled, *broken().values_list("establishment", flat=True)}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """
    Why nothing is signed for a house now.

    :param sentence: why, and what to do, with the house's name, in English; for whoever mends
        it.
    :param kind: of `SigningTrouble`, for a sentence in the reader's language (`findings`).
    :param changed: whether a verification found that records were changed. Then managers look into
        it; otherwise it is for whoever runs the house's computers.
    """

    sentence: str
    kind: str
    changed: bool


def obstacle(house: Establishment) -> Obstacle | None:
    """What prevents signing for a house now; None if nothing does."""
    if broken(house.pk).exists():
        sentence = f"{house.name}: {_describe_findings(house)} {what_to_do(house)}"
        return Obstacle(sentence, SigningTrouble.Kind.BROKEN, changed=True)
    row = trouble(house.pk)
    if row is None:
        return None
    return Obstacle(f"{house.name}: {row.message}", row.kind, changed=False)


def in_the_way(house: Establishment) -> str:
    """A sentence with the house's name: why nothing is signed now, and what to do; "" if none."""
    found = obstacle(house)
    return "" if found is None else found.sentence


def what_to_do(house: Establishment) -> str:
    """What to do after a verification has found something."""
    more = f" {findings.after_restore(house.pk)}" if _differs(house.pk) else ""
    return f"{findings.VERIFY}{more}"


def _describe_findings(house: Establishment) -> str:
    row = trouble(house.pk)
    if row is not None and row.kind == SigningTrouble.Kind.BROKEN:
        return row.message
    if only_guards(house) is not None:
        return "A verification found that what guards the database was changed."
    return "A verification found that its records were changed."


def only_guards(house: Establishment) -> str | None:
    """
    The first sentence of what verifications found, if all of it is that the database's guards
    differ; None: they found something else.
    """
    found = VerificationFinding.objects.filter(
        establishment=house, job__in=broken(house.pk).values("id")
    ).order_by("job", "seq")
    details = found.values_list("details", flat=True)
    if not details or details.exclude(details__what="guard").exists():
        return None
    return str(details[0]["says"])


def _differs(establishment: UUID) -> bool:
    """Whether a verification found that the ledger contradicts a checkpoint kept outside."""
    runs = broken(establishment).values("id")
    found = VerificationFinding.objects.filter(establishment=establishment, job__in=runs)
    return found.filter(details__what="kept").exists()


@dataclass(frozen=True, slots=True)
class Place:
    """
    The state of one destination of copies.

    :param label: its name, without secrets.
    :param size: how many events its newest copy covers; 0: it has none yet.
    :param error: why the last attempt failed; "" if it did not.
    """

    label: str
    epoch: int
    size: int
    copied_at: datetime | None
    error: str
    failed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Outside:
    """
    How much of a house's ledger copies outside cover, and what is exposed.

    :param configured: whether there is any destination.
    :param size: how many events the newest copy covers; 0: there is no copy.
    :param copied_at: when that copy was made.
    :param exposed: how many events no copy outside covers.
    :param exposed_since: when the first of these was recorded; None: there is none.
    """

    configured: bool
    size: int
    copied_at: datetime | None
    exposed: int
    exposed_since: datetime | None
    places: tuple[Place, ...]

    def exposed_for(self, now: datetime) -> timedelta | None:
        return None if self.exposed_since is None else max(now - self.exposed_since, NO_TIME)

    def age(self, now: datetime) -> timedelta | None:
        """The age of the newest copy outside."""
        return None if self.copied_at is None else max(now - self.copied_at, NO_TIME)


def outside(establishment: UUID) -> Outside:
    """What copies outside cover of a house's ledger (guarantee 2), and what they do not yet."""
    epoch = epochs.current(establishment)
    places = _places(establishment)
    have = [(place.size, place.copied_at) for place in places if place.epoch == epoch]
    size, copied_at = max(have, key=itemgetter(0), default=(0, None))
    uncovered = Event.objects.filter(establishment=establishment, position=size)
    return Outside(
        configured=bool(places),
        size=size,
        copied_at=copied_at,
        exposed=max(0, journal.head(establishment=establishment) + 1 - size),
        exposed_since=uncovered.values_list("recorded_at", flat=True).first(),
        places=places,
    )


def _places(establishment: UUID) -> tuple[Place, ...]:
    """The state of each destination in the settings, in their order, also of those without copy."""
    wanted = copies.from_settings()
    found = OutsideCopy.objects.filter(establishment=establishment) if wanted else ()
    rows = {row.destination: row for row in found}
    return tuple(_place(each.label, rows.get(each.text) or OutsideCopy()) for each in wanted)


def _place(label: str, row: OutsideCopy) -> Place:
    return Place(
        label=label,
        epoch=row.epoch,
        size=row.size,
        copied_at=row.copied_at,
        error=row.error,
        failed_at=row.failed_at,
    )


def covering(establishment: UUID, position: int) -> Checkpoint | None:
    """The first checkpoint that covers a position; None: none does yet."""
    for epoch in range(1, epochs.current(establishment) + 1):
        rows = Checkpoint.objects.filter(establishment=establishment, epoch=epoch)
        if (found := rows.filter(size__gt=position).order_by("size").first()) is not None:
            return found
    return None


# Checkpoints as pages show them, and the names of files about a house's ledger.


SIZE: Final = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class CheckpointItem:
    """A checkpoint as pages show it: `root` as in its note, and its age in words."""

    checkpoint: Checkpoint
    root: str
    age: str


def item_of(checkpoint: Checkpoint, now: datetime) -> CheckpointItem:
    return CheckpointItem(
        checkpoint, in_base64(bytes(checkpoint.root)), time_ago(now - checkpoint.signed_at)
    )


def filename(establishment: UUID, rest: str) -> str:
    """The name of a file to download: the beginning of the house's id, and `rest`."""
    return f"{str(establishment)[:8]}-{rest}"


def size_in(given: str | None) -> int | None:
    """The size of a checkpoint in a query parameter; None: there is none, or it is no number."""
    return int(given) if given and SIZE.fullmatch(given) else None
