"""
Signs a house's ledger with its keys, after comparing it with earlier checkpoints and copies
outside.

If something prevents signing, it is stored in one row per house (`SigningTrouble`), logged once,
and shown by health and the start page until it is gone. Other houses are signed all the same.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.db import transaction

from casino.kit.web.jobs.models import Occasion
from casino.play.settlement import payout_holds
from casino.proof.signing import copies, findings, keys, queries
from casino.proof.signing import epochs as integrity_epochs
from casino.proof.signing.keys import NoKey
from casino.proof.signing.models import SigningTrouble, Verification, VerificationFinding
from ledger import checkpoints, epochs, journal
from ledger.checkpoints import BehindPublished
from ledger.conflicts import count_of
from ledger.tiles import Altered
from ledger.verify import Unreadable

if TYPE_CHECKING:
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from ledger.models import Checkpoint

Kind = SigningTrouble.Kind
STAGE: Final = "signed"
KEPT: Final = "kept"  # the check's name for findings against copies kept outside (verify.md)
MESSAGE_MAX: Final = 700

log = structlog.get_logger(__name__)


def sign(house: Establishment, now: datetime) -> Checkpoint | None:
    """
    Extend the house's tree and sign its head, unless something prevents it (`SigningTrouble`).

    :returns: None if there is nothing new, another worker is doing it, or nothing may be signed.
    """
    if queries.broken(house.pk).exists():
        return None  # until a later verification is sound
    if (known := integrity_epochs.loss_not_on_record(house.pk)) is not None:
        _behind(
            house,
            f"The book is behind a checkpoint of {count_of(known.published.size, 'event')}.",
            now,
        )
        return None
    try:
        signed = _sign(house, now)
    except NoKey as none:
        _in_the_way(house, Kind.NO_KEY, str(none), now)
    except BehindPublished as ahead:
        if _covers(house, ahead):
            _broken(house, str(ahead), 0, ahead.published.size - 1, now, what=KEPT)
        else:
            with payout_holds.unless_unguarded(house):
                integrity_epochs.stop_for_loss(house, ahead.published, now)
            _behind(house, str(ahead), now)
    except Altered as altered:
        _broken(house, str(altered), altered.first, altered.last, now)
    except Unreadable as unreadable:  # a note or a key in the house's own records
        last = checkpoints.latest(house.pk)
        _broken(house, str(unreadable), 0, last.size - 1 if last else 0, now)
    else:
        SigningTrouble.objects.filter(establishment=house).delete()
        return signed
    return None


def _sign(house: Establishment, now: datetime) -> Checkpoint | None:
    if journal.head(establishment=house.pk) < 0:
        return None
    own = keys.signing_keys(house.pk)
    published = copies.checkpoints_in_folders(house.pk)
    keys.announce_on_record(house, [key.public for key in own], now)
    return checkpoints.grow(
        establishment=house.pk, keys=own, name=settings.LEDGER_ORIGIN, now=now, published=published
    )


def _behind(house: Establishment, message: str, now: datetime) -> None:
    """Store that the ledger is behind: whoever is paid now might be paid twice (E2)."""
    known = queries.trouble(house.pk)
    if known is None or known.kind != Kind.BEHIND:  # the first sentence says most: it stays
        _in_the_way(house, Kind.BEHIND, f"{message} {findings.after_restore(house.pk)}", now)


def _covers(house: Establishment, ahead: BehindPublished) -> bool:
    """Whether the ledger is long enough for a published checkpoint, so that it contradicts it."""
    epoch = epochs.current(house.pk)
    first = epochs.origin(house.pk, name=settings.LEDGER_ORIGIN, epoch=1)
    same = epochs.epoch_of(ahead.published, first_origin=first) == epoch
    return same and ahead.published.size <= journal.head(establishment=house.pk) + 1


def _broken(  # noqa: PLR0913 - what was found, where
    house: Establishment, message: str, first: int, last: int, now: datetime, *, what: str = STAGE
) -> None:
    """
    Stop payouts and store the finding as a verification that found it (E2).

    The verification's id is derived from the finding, so that concurrent workers store it once.
    Payouts are stopped first: a worker that is killed in between finds the same again.
    """
    sound = Verification.objects.filter(establishment=house, state=Verification.State.SOUND)
    run = uuid.uuid5(house.pk, f"{STAGE}/{sound.count()}/{first}/{last}")
    with payout_holds.unless_unguarded(house):
        payout_holds.stop_payouts(house, why="verification", about=str(run), now=now)
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
            details = {"what": what, "from": first, "to": last, "says": message}
            VerificationFinding.objects.create(establishment=house, job=run, seq=0, details=details)
    _in_the_way(house, Kind.BROKEN, message, now)


def _in_the_way(
    house: Establishment, kind: SigningTrouble.Kind, message: str, now: datetime
) -> None:
    """Store what prevents signing, and log it when it begins, not each time that it is found."""
    message = message[:MESSAGE_MAX]
    known = SigningTrouble.objects.filter(establishment=house).first()
    begins = known is None or known.kind != kind
    if known is None or begins or known.message != message:
        since = {"since": now} if begins else {}
        SigningTrouble.objects.update_or_create(
            establishment=house, defaults={"kind": kind, "message": message, **since}
        )
    if begins:
        log.error("not_signed", establishment=str(house.pk), why=kind.value)
