"""Finds the houses that a command line names, by name or by id."""

from __future__ import annotations

import contextlib
from typing import Final
from uuid import UUID

from django.core.management import CommandError
from django.db.models import Q

from casino.establishments.models import Establishment

NOT_DONE: Final = 2


def houses(names: list[str] | None) -> list[Establishment]:
    """
    The houses that are named, or all houses if none is.

    :raises CommandError: if there is no house of a name.
    """
    if names is None:
        return list(Establishment.objects.all())
    found = []
    for name in names:
        wanted = Q(name=name)
        with contextlib.suppress(ValueError):
            wanted |= Q(pk=UUID(name))
        house = Establishment.objects.filter(wanted).first()
        if house is None:
            raise CommandError(f"--establishment: there is no house {name}.", returncode=NOT_DONE)
        found.append(house)
    return found
