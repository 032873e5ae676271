"""How often a property that writes to a database is tried."""

from __future__ import annotations

import math

from django.db import connection


def how_often(number: int) -> int:
    """
    That many on SQLite, a third of them on PostgreSQL; which, is drawn anew in each run.

    What rules and followers make of a sequence nobody thought of shows where many are tried. That
    the other database holds and refuses the same shows in a few (docs/decisions/0053).
    """
    return math.ceil(number / 3) if connection.vendor == "postgresql" else number
