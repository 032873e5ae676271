"""Events whose commands were answered, and which are missing in the copy that is put back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from casino.proof.signing import signing
from ledger import checkpoints, verify
from tests.support.builders import opened, put, settled, throw
from tests.support.exported import started_anew
from tests.support.proven import happened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import Body, House


class _Restored(Exception):  # noqa: N818
    pass


@contextmanager
def lost() -> Iterator[None]:
    """What is done within was done, was answered, and is not in the copy that is put back."""
    try:
        with transaction.atomic():
            yield
            raise _Restored  # noqa: TRY301 - a savepoint is the copy
    except _Restored:
        started_anew()


def signed(house: House) -> verify.Checkpoint:
    signing.sign(house.establishment, timezone.now())
    row = checkpoints.latest(house.id)
    assert row is not None
    return verify.Checkpoint.parse(row.note.encode())


def restored(house: House, *, more: int = 0) -> tuple[verify.Checkpoint, str, Body]:
    """
    A game whose last throw was lost: the checkpoint with it, the game, and the command.

    :param more: events of the house that were lost, too.
    """
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7))
    signed(house)
    command = throw("Bruno", 2, 3, 4)
    with lost():
        put(house, game, command)
        settled(house)
        happened(house, more, now=timezone.now())
        ahead = signed(house)
    return ahead, game, command
