"""
Repairs the rows that settlement keeps besides its entries, one by one.

These rows cannot be emptied and rebuilt like a projection: prizes are given by them, so they must
be complete at any moment. Only rows that differ are written, in one short transaction.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q

from casino.play.settlement.seasons import PREFIX
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.verification.rebuild import TRIES, Disturbed, compare_rows, derivation_of
from casino.proof.verification.rebuilt_replay import Replay, no_progress
from casino.proof.verification.rebuilt_settled import BOOKS, ROWS
from casino.proof.verification.shadow import shadows
from ledger.models import Event, Subscription

if TYPE_CHECKING:
    from uuid import UUID

    from casino.proof.verification.rebuilt_replay import Progress
    from casino.proof.verification.rebuilt_rows import Difference

TABLES: Final = {model._meta.db_table: model for model in ROWS}  # noqa: SLF001 - documented Meta


class _Moved(Exception):  # noqa: N818 - caught here
    """Settlement booked something while its rows were compared."""


def repair(establishment: UUID, progress: Progress = no_progress) -> int:
    """
    Repair the rows that are not what settlement's entries make of them; how many were repaired.

    :raises Disturbed: if the house books faster than the rows can be compared.
    """
    for _ in range(TRIES):
        what = derivation_of(SETTLEMENT)
        with shadows(establishment, what.rows) as made, made.in_place():
            replay = Replay(what.subscriber, made, progress)
            found = compare_rows(what, made, replay, most=sys.maxsize)
        if found is None:
            continue
        wrong = [each for each in found if each.table in TABLES]
        try:
            _put_right(establishment, wrong, replay.position)
        except _Moved:
            continue
        return len(wrong)
    raise Disturbed(f"{establishment} has booked something meanwhile, {TRIES} times.")


def _put_right(establishment: UUID, wrong: list[Difference], position: int) -> None:
    """
    Write the repaired rows, unless something was booked after `position`.

    Settlement waits meanwhile, because its subscription is locked. Adjustments do not wait: one
    that was made before is noticed at the end, and one that is made afterwards writes over the
    repair.
    """
    with transaction.atomic():
        mine = Subscription.objects.filter(establishment=establishment, name=SETTLEMENT.name)
        mine.select_for_update(of=("self",), no_key=True).first()
        for each in wrong:
            _write(establishment, each)
        later = Event.objects.filter(establishment=establishment, position__gt=position)
        booked = Q(stream__startswith=BOOKS) | Q(stream__startswith=PREFIX)
        if later.filter(booked).exists():
            raise _Moved


def _write(establishment: UUID, wrong: Difference) -> None:
    objects = TABLES[wrong.table]._default_manager  # noqa: SLF001
    if wrong.what == "missing":
        objects.create(**wrong.expected)
        return
    rows = objects.filter(establishment=establishment, **wrong.key)
    if wrong.what == "extra":
        rows.delete()
    else:
        rows.update(**wrong.expected)
