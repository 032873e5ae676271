"""
Imports an exported house into an installation that does not have it.

First the files are checked as an outsider would check them. Then the ledger is imported, while
subscribers are held and the house has no row, so that nothing can happen in it. Finally everything
else is imported in one transaction, so the house exists completely or not at all. If the import is
killed, the same command continues it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from casino.attendants.models import Attendant
from casino.establishments import gaming_day
from casino.establishments.models import Establishment
from casino.integrity import export_tables, rebuilt_settled
from casino.integrity.export_tables import CHUNK, HOUSE, STAFF, TABLES
from casino.operations import changes
from casino.settlement.subscriber import SETTLEMENT
from casino.subscriptions.tasks import SUBSCRIBERS
from ledger import checkpoints, importing, journal, money
from ledger.checkpoints import INTEGRITY
from ledger.subscriptions import StreamVersions
from ledger.verify import Checkpoint, Export, Key, Trust, Undecided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from uuid import UUID

    from casino.integrity.export_tables import Exported

NAMES: Final = tuple(subscriber.name for subscriber in (*SUBSCRIBERS, INTEGRITY))
USERNAME_MAX: Final = 150
UNPROVEN: Final = (
    "All of it fits together. Whose book it is nobody has shown: that takes the house's key (--key)"
    " or a checkpoint that was kept (--checkpoint)."
)


class NotImported(Exception):  # noqa: N818 - names the fact
    """The house was not imported; the message is a sentence for the user."""


@dataclass(slots=True)
class Imported:
    """
    The result of an import.

    :param held: sentences about what was checked.
    :param renamed: user names that were already taken here: old name -> new name.
    """

    house: Establishment
    events: int
    checkpoints: int
    held: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)


def import_(  # noqa: PLR0913 - what is trusted, what it is called, and who is told
    export: Export,
    *,
    keys: Sequence[Key] = (),
    kept: Sequence[Checkpoint] = (),
    name: str | None = None,
    on_progress: Callable[[int], object] = lambda _events: None,
    also: Callable[[Establishment], object] = lambda _house: None,
) -> Imported:
    """
    Check an export and import it.

    :param keys: keys of the house. :param kept: checkpoints that were kept. Either shows whose
        ledger it is. Without both, the files are only compared with each other, and `held` says so.
    :param name: another name for the house.
    :param also: is called with the house in the transaction in which it begins to exist, for what
        has to be there from its first moment on. Subscribers are still held, and read it later.
    :raises NotImported: if the installation has that house, or another one with its name.
    :raises Untrue: if something was changed.
    :raises Unreadable: if a file is not in the expected format.
    :raises Differs: if a different ledger exists here under the house's id.
    """
    house, called = _house(export, name)
    held = _checked(export, Trust(keys=tuple(keys), kept=tuple(kept)))
    importing.hold(house.pk, NAMES)
    importing.read_in(export, on_progress=on_progress)
    importing.hash_tiles(house.pk)
    if money.differences(establishment=house.pk):
        raise NotImported("Balances are not the fold of their transfers: nothing was let go.")
    with transaction.atomic():
        done = Imported(house, journal.head(establishment=house.pk) + 1, 0, held)
        house.save(force_insert=True)
        done.renamed = _staff(export)
        for each in TABLES:
            for chunk in _chunks(export, each):
                each.model._default_manager.bulk_create(chunk)  # noqa: SLF001
        done.checkpoints = importing.keep_checkpoints(export)
        _settled(house.pk)
        _renamed(house, called)
        also(house)
        _released(export, house.pk)
    gaming_day.MEMORY.forget(house.pk)
    return done


def _house(export: Export, name: str | None) -> tuple[Establishment, str]:
    """
    The exported house under its new name, and its original name.

    :raises NotImported: if its id or its name is taken here.
    """
    [house, *more] = [*export_tables.read(HOUSE, export.lines(HOUSE.file)), None]
    if not isinstance(house, Establishment) or more != [None]:
        raise NotImported(f"{HOUSE.file} has to have one line, of one house.")
    if str(house.pk) != export.manifest.get("establishment"):
        raise NotImported(f"{HOUSE.file} is of another house than the ledger.")
    called, house.name = house.name, name or house.name
    if Establishment.objects.filter(pk=house.pk).exists():
        raise NotImported(f"{house.name} is here already, {house.pk}. Nothing was changed.")
    if Establishment.objects.filter(name=house.name).exists():
        raise NotImported(f"Another house here is called {house.name}: give a name with --name.")
    return house, called


def _renamed(house: Establishment, called: str) -> None:
    """Record the new name of a house as a change of the house, like any other (C2)."""
    if house.name != called:
        before = {**changes.state_of(house), "name": called}
        changes.record(establishment=house, thing=house, happened="changed", before=before, by=None)


def _checked(export: Export, trust: Trust) -> list[str]:
    if trust.keys or trust.kept:
        return export.check(trust, contents=True)
    try:  # at least check the signatures with the keys in the export itself
        exported = tuple(Key.parse(vkey) for vkey in export.manifest["keys"])
        return [*export.check(Trust(keys=exported), contents=True), UNPROVEN]
    except Undecided:
        return [UNPROVEN]


def _staff(export: Export) -> dict[str, str]:
    """Import staff without any means to sign in. Those who are known here stay unchanged."""
    renamed = {}
    for chunk in _chunks(export, STAFF):
        known = set(Attendant.objects.filter(pk__in=[each.pk for each in chunk]).values_list("pk"))
        for each in chunk:
            if (each.pk,) in known:
                continue
            wanted = each.username
            if Attendant.objects.filter(username=wanted).exists():
                each.username = f"{wanted[: USERNAME_MAX - 9]}-{each.pk.hex[:8]}"
                renamed[wanted] = each.username
            each.save(force_insert=True)
    return renamed


def _chunks(export: Export, exported: Exported) -> Iterator[list[Any]]:
    rows = export_tables.read(exported, export.lines(exported.file))
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _settled(establishment: UUID) -> None:
    """Make the rows that settlement keeps besides its entries, from those entries."""
    after, versions = -1, StreamVersions(establishment)
    while events := journal.read(establishment=establishment, after=after, limit=CHUNK):
        for event in events:
            rebuilt_settled.KEPT.handle(event, versions)
        after = events[-1].position


def _released(export: Export, establishment: UUID) -> None:
    """
    Release all subscribers: settlement and signing continue where they were; those that only read
    begin at the first event.
    """
    positions = dict.fromkeys(NAMES, -1)
    newest = checkpoints.latest(establishment)
    positions[INTEGRITY.name] = -1 if newest is None else newest.size - 1
    booking = importing.reached(export).get(SETTLEMENT.name)
    if booking is not None:
        positions[SETTLEMENT.name] = booking["position"]
        importing.park(establishment, booking)
    importing.release(establishment, positions)
