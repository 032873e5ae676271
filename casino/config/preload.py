"""
Before a process forks others: import once what each of them would, and let them share it.

What a fork reads it shares with its parent, what it writes it has for itself; and the garbage
collector writes into whatever it looks at. `gc.freeze` tells it to leave alone what is there.
"""

from __future__ import annotations

import gc
from functools import cache

from celery import current_app as app
from django.db import connections

from casino.platform import memory, registrations
from casino.web import addresses


@cache
def web() -> None:
    addresses.import_all()
    app.connection_for_write().get_transport_cls()  # the broker's client: for the first wake
    _shared()


@cache
def worker() -> None:
    """Once, although Celery says so before each of its processes. Tasks it has imported itself."""
    _shared()


def _shared() -> None:
    memory.gives_back()
    registrations.everything()
    connections.close_all()  # two processes on one connection would read each other's answers
    gc.collect()
    gc.freeze()
