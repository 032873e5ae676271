"""Preparations that a program requests: one for each command, however often it is sent."""

from __future__ import annotations

import hashlib
import uuid
from typing import TYPE_CHECKING

from casino.house.attendants import permissions
from casino.kit.web.jobs.running import AlreadyBegun
from casino.reports.registers import params, preparing
from casino.reports.registers.models import Preparation
from ledger import canonical, journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.documents.report import Report


def begin(  # noqa: PLR0913 - one argument for each field of the request
    *,
    by: Attendant,
    house: Establishment,
    report: Report,
    given: Mapping[str, str],
    command_id: uuid.UUID,
    now: datetime,
) -> Preparation:
    """
    Begin a preparation, or find the one that the same command began. Tasks run it.

    :param given: as `params.query` takes it.
    :raises NotYours: if the person may not audit the house.
    :raises CommandReused: if the command's id was used for something else.
    :raises Malformed, NotReadYet, TooMany: as in `params.query` and `preparing.ask`.
    """
    permissions.require(by, "audit", house)
    key = uuid.uuid5(house.pk, f"preparation/{command_id}")
    digest = hashlib.sha256(
        canonical.encode({"by": str(by.pk), "report": report.name, "asked": dict(given)})
    ).hexdigest()
    if (known := _find(house, key, digest, command_id)) is not None:
        return known
    query = params.query(house, report, given, now)
    try:
        return preparing.ask(
            by=by, report=report, query=query, now=now, key=key, request_hash=digest
        )
    except AlreadyBegun:  # the command was sent twice at once: the other request has begun it
        if (known := _find(house, key, digest, command_id)) is None:
            raise
        return known


def _find(
    house: Establishment, key: uuid.UUID, digest: str, command_id: uuid.UUID
) -> Preparation | None:
    found = Preparation.objects.filter(establishment=house, id=key).select_related("asked_by")
    run = found.first()
    if run is not None and run.request_hash != digest:
        raise journal.CommandReused(command_id)
    return run
