"""The Celery task of partitions: a piece stands ready before a house's events reach it."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.db import connection

from casino.engine.scale.partitions import pieces

log = structlog.get_logger(__name__)


@shared_task(name="casino.partitions.tasks.watch", acks_late=True)
def watch(**_newer: object) -> None:
    """Called twice, late or never, it costs room in the open piece and nothing else."""
    if made := pieces.open_ahead(connection):
        log.info("ledger_pieces_made", pieces=made)
