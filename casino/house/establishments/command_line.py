"""Finds the houses that a command line names, by name or by id."""

from __future__ import annotations

import contextlib
from typing import Final
from uuid import UUID

from django.core.management import CommandError
from django.db.models import Q

from casino.house.establishments.models import Establishment

NOT_DONE: Final = 2


def house(name: str, option: str) -> Establishment:
    """
    The house of a name or an id.

    :param option: what names it, for the message.
    :raises CommandError: if there is none.
    """
    wanted = Q(name=name)
    with contextlib.suppress(ValueError):
        wanted |= Q(pk=UUID(name))
    found = Establishment.objects.filter(wanted).first()
    if found is None:
        raise CommandError(f"{option}: there is no house {name}.", returncode=NOT_DONE)
    return found


def houses(names: list[str] | None) -> list[Establishment]:
    """
    The houses that are named, or all houses if none is.

    :raises CommandError: if there is no house of a name.
    """
    if names is None:
        return list(Establishment.objects.all())
    return [house(name, "--establishment") for name in names]
