"""
The lease of beat: of any number of beats, one sends; if it dies, another goes on within seconds.

The lease is one row. It is taken, renewed and given back by one statement each, which is its own
transaction, so a pooler between beat and the database changes nothing. Only the database's clock
says when it ends. This module imports no models: beat would need twice the memory for them.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid4

import structlog
from django.db import DEFAULT_DB_ALIAS, Error, connections

log = structlog.get_logger(__name__)

TERM: Final = 5.0  # seconds that a lease lasts
RENEWED: Final = 1.5  # seconds after which the holder renews it
NAME: Final = "beat"

CLOCK: Final = {
    "postgresql": "statement_timestamp() + make_interval(secs => %s)",
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', format('%%+.3f seconds', %s))",
}
"""The database's clock, so many seconds from now; of the statement's start, so never too late."""
TAKE: Final = """
    INSERT INTO health_beatlease (name, holder, fence, renewed_at, ends_at)
    VALUES (%s, %s, 1, {clock}, {clock})
    ON CONFLICT (name) DO UPDATE SET
        fence = health_beatlease.fence
            + CASE WHEN health_beatlease.holder = excluded.holder THEN 0 ELSE 1 END,
        holder = excluded.holder, renewed_at = excluded.renewed_at, ends_at = excluded.ends_at
    WHERE health_beatlease.holder = excluded.holder
        OR health_beatlease.ends_at <= excluded.renewed_at
    RETURNING fence"""
GIVE_BACK: Final = """
    UPDATE health_beatlease SET ends_at = renewed_at WHERE name = %s AND holder = %s AND fence = %s
"""


@dataclass
class Lease:
    """
    One beat's hold on the lease.

    :param term: seconds that it lasts if it is not renewed.
    :param renewed: seconds after which it is renewed, and after which a beat that waits asks again.
    """

    term: float = TERM
    renewed: float = RENEWED
    using: str = DEFAULT_DB_ALIAS
    holder: UUID = field(default_factory=uuid4)
    fence: int | None = field(default=None, init=False)
    """Which holding this is, counted over all beats; None while another beat has the lease."""
    _ends: float = field(default=-math.inf, init=False)
    _asks: float = field(default=-math.inf, init=False)
    _reached: bool = field(default=True, init=False)

    def held(self) -> bool:
        """
        Whether this beat may send now. Asks the database only every `renewed` seconds.

        The end is counted from before the database was asked, so it is never later than in the
        row. If the database cannot be reached, the lease runs out: no sweep could do anything.
        """
        now = time.monotonic()
        if now >= self._asks:
            self._asks = now + self.renewed
            self._ask(now)
        return time.monotonic() < self._ends

    def give_back(self) -> None:
        """End the lease, so that another beat goes on at once."""
        if self.fence is None:
            return
        try:
            with connections[self.using].cursor() as cursor:
                cursor.execute(GIVE_BACK, [NAME, self._holder(), self.fence])
        except (Error, OSError):
            connections[self.using].close()
        self.fence, self._ends = None, -math.inf

    def _ask(self, now: float) -> None:
        before = self.fence
        try:
            self.fence = self._take()
        except (Error, OSError) as error:
            connections[self.using].close()  # the next time it connects anew
            if self._reached:
                log.error("beat_lease_unknown", reason=type(error).__name__)  # noqa: TRY400 - no news in it
            self._reached = False
            return
        self._reached = True
        self._ends = -math.inf if self.fence is None else now + self.term
        if self.fence is not None and self.fence != before:
            log.info("beat_sends", fence=self.fence)
        elif self.fence is None and before is not None:
            log.warning("beat_lease_lost", fence=before)

    def _take(self) -> int | None:
        connection = connections[self.using]
        statement = TAKE.format(clock=CLOCK[connection.vendor])
        with connection.cursor() as cursor:
            cursor.execute(statement, [NAME, self._holder(), 0.0, self.term])
            row = cursor.fetchone()
        return None if row is None else int(row[0])

    def _holder(self) -> str:
        """As the column keeps it: SQLite has UUIDs as 32 digits."""
        return self.holder.hex if connections[self.using].vendor == "sqlite" else str(self.holder)
