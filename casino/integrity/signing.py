"""
Signing a house's ledger: with its keys, after a look at what was signed before and is kept outside.

What is in the way is kept as one row a house (`SigningTrouble`), said once in the log, and shown by
health and the start page until it is gone. Of one house only: the others are signed.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.db import transaction

from casino.integrity import advice, copies, key_record, keys, queries, rollback_detection
from casino.integrity.keys import NoKey
from casino.integrity.models import SigningTrouble, Verification, VerificationFinding
from casino.jobs.models import Occasion
from casino.settlement import payout_holds
from ledger import checkpoints, epochs, journal
from ledger.checkpoints import BehindPublished
from ledger.tiles import Altered
from ledger.verify import Unreadable

if TYPE_CHECKING:
    from datetime import datetime

    from casino.establishments.models import Establishment
    from ledger.models import Checkpoint

Kind = SigningTrouble.Kind
STAGE: Final = "signed"
KEPT: Final = "kept"  # as checks call what was kept outside (docs/how-to/verify.md)
SAYS_MAX: Final = 700

log = structlog.get_logger(__name__)


def sign(house: Establishment, now: datetime) -> Checkpoint | None:
    """
    Let the house's tree grow and sign its head, unless something is in the way (`SigningTrouble`).

    :returns: None where there is nothing new, another worker is at it, or nothing may be signed.
    """
    if queries.broken(house.pk).exists():
        return None  # until a later verification is sound
    if (known := rollback_detection.unanswered(house.pk)) is not None:
        _behind(house, f"The book is behind a checkpoint of {known.published.size} events.", now)
        return None
    try:
        signed = _signed(house, now)
    except NoKey as none:
        _in_the_way(house, Kind.NO_KEY, str(none), now)
    except BehindPublished as ahead:
        if _covered(house, ahead):
            _broken(house, str(ahead), 0, ahead.published.size - 1, now, what=KEPT)
        else:
            rollback_detection.found(house, ahead.published, now)
            _behind(house, str(ahead), now)
    except Altered as altered:
        _broken(house, str(altered), altered.first, altered.last, now)
    except Unreadable as unreadable:  # a note or a key on record: both are the book's
        last = checkpoints.latest(house.pk)
        _broken(house, str(unreadable), 0, last.size - 1 if last else 0, now)
    else:
        SigningTrouble.objects.filter(establishment=house).delete()
        return signed
    return None


def _signed(house: Establishment, now: datetime) -> Checkpoint | None:
    if journal.head(establishment=house.pk) < 0:
        return None
    own = keys.signing_keys(house.pk)
    published = copies.published(house.pk)
    key_record.announce(house, [key.public for key in own], now)
    return checkpoints.grow(
        establishment=house.pk, keys=own, name=settings.LEDGER_ORIGIN, now=now, published=published
    )


def _behind(house: Establishment, says: str, now: datetime) -> None:
    """What the book lacks was promised and paid: who is paid now might be paid twice (E2)."""
    told = queries.trouble(house.pk)
    if told is None or told.kind != Kind.BEHIND:  # its first sentence says most
        _in_the_way(house, Kind.BEHIND, f"{says} {advice.restored(house.pk)}", now)


def _covered(house: Establishment, ahead: BehindPublished) -> bool:
    """Whether the book is as long as what is published: then it says something else (E2)."""
    epoch = epochs.current(house.pk)
    first = epochs.origin(house.pk, name=settings.LEDGER_ORIGIN, epoch=1)
    same = epochs.epoch_of(ahead.published, first_origin=first) == epoch
    return same and ahead.published.size <= journal.head(establishment=house.pk) + 1


def _broken(  # noqa: PLR0913 - what was found, where
    house: Establishment, says: str, first: int, last: int, now: datetime, *, what: str = STAGE
) -> None:
    """
    E2: payouts stop, and it is kept as a verification that found it.

    The run's id is that of what it rests on, so that workers who find it at once keep it once. The
    stop comes first: who is killed between the two finds it again.
    """
    sound = Verification.objects.filter(establishment=house, state=Verification.State.SOUND)
    run = uuid.uuid5(house.pk, f"{STAGE}/{sound.count()}/{first}/{last}")
    payout_holds.failed(house, why="verification", about=str(run), now=now)
    with transaction.atomic():
        _, new = Verification.objects.get_or_create(
            establishment=house, id=run,
            defaults={
                "occasion": Occasion.SIGN, "asked_at": now, "start": first,
                "stop": last + 1, "reached": first, "cursor": {"stage": STAGE}, "found": 1,
                "state": Verification.State.BROKEN, "worked_at": now, "finished_at": now,
            },
        )  # fmt: skip
        if new:
            told = {"what": what, "from": first, "to": last, "says": says}
            VerificationFinding.objects.create(establishment=house, job=run, seq=0, details=told)
    _in_the_way(house, Kind.BROKEN, says, now)


def _in_the_way(house: Establishment, kind: SigningTrouble.Kind, says: str, now: datetime) -> None:
    """Kept as long as it lasts, and logged when it begins: not each time that it is met."""
    says = says[:SAYS_MAX]
    known = SigningTrouble.objects.filter(establishment=house).first()
    begins = known is None or known.kind != kind
    if known is None or begins or known.says != says:
        since = {"since": now} if begins else {}
        SigningTrouble.objects.update_or_create(
            establishment=house, defaults={"kind": kind, "says": says, **since}
        )
    if begins:
        log.error("not_signed", establishment=str(house.pk), why=kind.value)
