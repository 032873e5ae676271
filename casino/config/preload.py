"""
Before a process forks others: import once what each of them would import, so that they share it.

Parent and forks share memory that they only read; what a fork writes is copied. The garbage
collector writes into every object that it looks at, and `gc.freeze` tells it to leave existing
objects alone.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from functools import cache

from celery import current_app as app
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from casino.engine.processes import memory, registrations
from casino.kit.web import addresses


@cache
def web() -> None:
    addresses.import_all()
    app.connection_for_write().get_transport_cls()  # the broker's client: needed for the first wake
    _share_memory()


@cache
def worker() -> None:
    """
    Prepare the worker's forks. Celery signals this before each process; it is done once. The tasks
    are imported already.
    """
    _share_memory()


def _share_memory() -> None:
    _refuse_an_unknown_pooler()
    memory.gives_back()
    registrations.everything()
    connections.close_all()  # two processes on one connection would read each other's answers
    gc.collect()
    gc.freeze()


def _refuse_an_unknown_pooler() -> None:
    """End the program with a sentence; nobody would read it between the lines of requests."""
    if not settings.PRODUCTION:
        return
    try:
        with suppress(DatabaseError):  # away: whoever needs it connects again
            connections[DEFAULT_DB_ALIAS].ensure_connection()
    except ImproperlyConfigured as unknown:
        raise SystemExit(str(unknown)) from unknown
