"""A clock that stands until it is told, and chance from a seed: two runs give the same bytes."""

from __future__ import annotations

import random
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from unittest import mock

import time_machine

from ledger.notes import SigningKey

if TYPE_CHECKING:
    from collections.abc import Iterator


class Clock:
    """The time of everything in this process, while `pinned` lasts."""

    def __init__(self, traveller: time_machine.Traveller) -> None:
        self._traveller = traveller

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    def passes(self, **how_long: float) -> datetime:
        """Let time pass, as in ``passes(seconds=40)``; the new time."""
        self._traveller.shift(timedelta(**how_long))
        return self.now

    def is_at(self, moment: datetime) -> None:
        """Go to a moment, which has to be later than now."""
        if moment < self.now:
            raise ValueError(f"{moment} is past: it is {self.now}.")
        self._traveller.move_to(moment)


@contextmanager
def pinned(begins: datetime, seed: int) -> Iterator[Clock]:
    """
    While it lasts, the clock stands at `begins`, and everything random comes from the seed.

    Ids, salts and tokens are made from `os.urandom`, directly or by `secrets` and `uuid`.
    """
    chance = random.Random(seed)  # noqa: S311 - of a house that nobody has to keep secrets from

    with (
        mock.patch("os.urandom", chance.randbytes),
        mock.patch("random._urandom", chance.randbytes),
        mock.patch.object(
            SigningKey, "generate", lambda name: SigningKey(name, chance.randbytes(32))
        ),
        time_machine.travel(begins, tick=False) as traveller,
    ):
        yield Clock(traveller)
