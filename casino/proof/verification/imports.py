"""
Imports an exported house into an installation that does not have it.

First the files are checked as an outsider would check them. Then everything is imported in one
transaction, which ends with the check that a verification makes: whatever events say is compared
with the rows that came beside them. So the house exists completely or not at all, and an import
that is killed leaves nothing. A bundle touches one house: a row of another one is refused.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db import DEFAULT_DB_ALIAS, DataError, IntegrityError, transaction
from django.utils import timezone

from casino.house.acts import changes
from casino.house.acts.game_streams import loading
from casino.house.attendants.models import Attendant
from casino.house.establishments import gaming_day
from casino.house.establishments.models import Establishment
from casino.play.core.subscriptions.quiet import READERS
from casino.play.settlement.subscriber import SETTLEMENT
from casino.proof.signing import keys
from casino.proof.verification import cursors, export_tables, replays, verifying
from casino.proof.verification.export_tables import CHUNK, HOUSE, STAFF, TABLES, Unknown
from ledger import checkpoints, importing, journal
from ledger.checking.book import Book, bounds
from ledger.checkpoints import INTEGRITY
from ledger.models import ParkedEvent, Subscription
from ledger.subscriptions import StreamVersions
from ledger.verify import LEDGER_FILES, Checkpoint, Export, Key, Trust, Undecided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from uuid import UUID

    from django.db.models import Model

    from casino.proof.verification.export_tables import Exported
    from ledger.checking.findings import Finding
    from ledger.wire import StoredEvent

NAMES: Final = tuple(subscriber.name for subscriber in READERS)
USERNAME_MAX: Final = 150
FILES: Final = frozenset((*LEDGER_FILES, *(each.file for each in (HOUSE, STAFF, *TABLES))))
ADDED_LATER: Final = frozenset({"scoreboards.jsonl"})
"""Files that exports did not have before there were such rows."""
FINDINGS_MAX: Final = 5  # that one message names
FILE_OF: Final = {
    Subscription._meta.db_table: "followers.jsonl",  # noqa: SLF001 - documented API
    ParkedEvent._meta.db_table: "followers.jsonl",  # noqa: SLF001
    **{each.model._meta.db_table: each.file for each in (HOUSE, STAFF, *TABLES)},  # noqa: SLF001
}
"""The file with the rows of a table."""
FILE_WITH: Final = {
    "checkpoint": "checkpoints.jsonl",
    "follower": "followers.jsonl",
    "receipt": "receipts.jsonl",
}
"""The file with what a finding names without a table."""
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
        has to be there from its first moment on. Subscribers read it later.
    :raises NotImported: if the installation has that house, or another one with its name, or if
        what is beside the events is not what they say.
    :raises Unknown: naming the line of a row that is not valid, or of another house.
    :raises Untrue: if something was changed.
    :raises Unreadable: if a file is not in the expected format.
    :raises Differs: if a different ledger exists here under the house's id.
    """
    given = export.manifest["files"].keys()
    for file in sorted((FILES ^ given) - (ADDED_LATER - given)):
        raise NotImported(f"{file}: not one of the files of an export, or left out of it.")
    house, called = _house(export, name)
    trust = Trust(keys=tuple(keys), kept=tuple(kept))
    held = _check_export(export, trust)
    try:
        with transaction.atomic():
            importing.read_in(export, on_progress=on_progress)
            importing.hash_tiles(house.pk)
            done = Imported(house, journal.head(establishment=house.pk) + 1, 0, held)
            house.save(force_insert=True)
            done.renamed = _Rows(export, house.pk).save()
            done.checkpoints = importing.keep_checkpoints(export)
            _make_settlement_rows(house.pk)
            _begin(export, house.pk)
            _record_name(house, called)
            _check(export, house, trust)
            also(house)
    finally:
        gaming_day.MEMORY.forget(house.pk)
        loading.MEMORY.forget()
    return done


def _house(export: Export, name: str | None) -> tuple[Establishment, str]:
    """
    The exported house under its new name, and its original name.

    :raises NotImported: if its id or its name is taken here.
    """
    rows = export_tables.read(HOUSE, export.lines(HOUSE.file))
    [house, *more] = [*islice(rows, 2), None]
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


def _record_name(house: Establishment, called: str) -> None:
    """Record the new name of a house as a change of the house, like any other (C2)."""
    if house.name != called:
        before = {**changes.state_of(house), "name": called}
        changes.record(establishment=house, thing=house, happened="changed", before=before, by=None)


def _check_export(export: Export, trust: Trust) -> list[str]:
    if trust.keys or trust.kept:
        return export.check(trust, contents=True)
    with suppress(Undecided):  # at least check the signatures with the keys in the export itself
        export.check(Trust(keys=_keys_of_export(export)), contents=True)
    return [UNPROVEN, *(f"{file}: unsigned" for file in sorted(FILES))]


def _keys_of_export(export: Export) -> tuple[Key, ...]:
    return tuple(Key.parse(vkey) for vkey in export.manifest["keys"])


class _Rows:
    """The rows of a bundle: each of its house, and of what else is in the bundle."""

    def __init__(self, export: Export, house: UUID) -> None:
        self.export, self.house = export, house
        self.there: dict[type[Model], set[Any]] = defaultdict(set)
        """The ids of rows that other rows refer to, by model."""
        self.met: set[Any] = set()
        """The ids of the attendants to whom a row refers."""

    def save(self) -> dict[str, str]:
        """Import the rows of all files but the house's; the renamed users, as `Imported` has."""
        renamed = self._staff()
        for each in TABLES:
            if each.file not in self.export.manifest["files"]:
                continue
            for first, chunk in self._chunks(each):
                _insert(each, first, chunk)
        if strangers := sorted(self.there[Attendant] - self.met):
            raise Unknown(f"{STAFF.file}: no row of the house is about {strangers[0]}.")
        return renamed

    def _staff(self) -> dict[str, str]:
        """Import staff without any means to sign in. Those known here stay unchanged."""
        renamed = {}
        for first, chunk in self._chunks(STAFF):
            known = set(
                Attendant.objects.filter(pk__in=[each.pk for each in chunk]).values_list("pk")
            )
            strangers = [each for each in chunk if (each.pk,) not in known]
            for each in strangers:
                wanted = each.username
                if Attendant.objects.filter(username=wanted).exists():
                    each.username = f"{wanted[: USERNAME_MAX - 9]}-{each.pk.hex[:8]}"
                    renamed[wanted] = each.username
                _insert(STAFF, first + chunk.index(each), [each])
        return renamed

    def _chunks(self, exported: Exported) -> Iterator[tuple[int, list[Any]]]:
        """The rows of a file, each checked; the number of the first line of each list."""
        rows, first = export_tables.read(exported, self.export.lines(exported.file)), 1
        of_others = [
            (each.attname, each.related_model)
            for each in exported.columns
            if each.is_relation and each.related_model is not Establishment
        ]
        while chunk := list(islice(rows, CHUNK)):
            for line, row in enumerate(chunk, first):
                self._check_row(exported, line, row, of_others)
            _check_free(exported, first, chunk, self.house)
            yield first, chunk
            first += len(chunk)

    def _check_row(
        self, exported: Exported, line: int, row: Any, of_others: Sequence[tuple[str, Any]]
    ) -> None:
        """:raises Unknown: if a row is of another house, or refers to what is not in the bundle."""
        where = f"{exported.file}, line {line}"
        if exported is not STAFF and row.establishment_id != self.house:
            raise Unknown(f"{where}: of another house, {row.establishment_id}.")
        for column, model in of_others:
            wanted = getattr(row, column)
            if wanted is not None and wanted not in self.there[model]:
                raise Unknown(f"{where}: {column}: nothing in this export has the id {wanted}.")
            if model is Attendant and wanted is not None:
                self.met.add(wanted)
        if not exported.grows:
            self.there[exported.model].add(row.pk)


def _check_free(exported: Exported, first: int, chunk: Sequence[Any], house: UUID) -> None:
    """:raises Unknown: if another house here has a row with the id of one of these."""
    if exported is STAFF or exported.grows:
        return
    ids = {each.pk: line for line, each in enumerate(chunk, first)}
    rows = exported.model._default_manager.filter(pk__in=list(ids))  # noqa: SLF001
    for taken in rows.exclude(establishment=house).values_list("pk", flat=True)[:1]:
        raise Unknown(f"{exported.file}, line {ids[taken]}: another house here has the id {taken}.")


def _insert(exported: Exported, first: int, rows: Sequence[Any]) -> None:
    """:raises Unknown: naming the line of a row that the database refuses."""
    try:
        with transaction.atomic():
            exported.model._default_manager.bulk_create(rows)  # noqa: SLF001
    except (IntegrityError, DataError) as error:
        if len(rows) == 1:
            raise Unknown(f"{exported.file}, line {first}: {error}") from error
        for line, row in enumerate(rows, first):
            _insert(exported, line, [row])
        raise


def _make_settlement_rows(establishment: UUID) -> None:
    """Make the rows that settlement keeps besides its entries, from those entries."""
    versions = StreamVersions(establishment)
    for event in _read(establishment, -1):
        replays.KEPT.handle(event, versions)


def _read(establishment: UUID, after: int) -> Iterator[StoredEvent]:
    while events := journal.read(establishment=establishment, after=after, limit=CHUNK):
        yield from events
        after = events[-1].position


def _begin(export: Export, establishment: UUID) -> None:
    """
    Set the cursors of all subscribers: settlement and signing continue where they were; those that
    only read begin at the first event.
    """
    positions = dict.fromkeys(NAMES, -1)
    newest = checkpoints.latest(establishment)
    positions[INTEGRITY.name] = -1 if newest is None else newest.size - 1
    reached = importing.cursors_of_export(export)
    if more := sorted(reached.keys() - {SETTLEMENT.name}):
        raise NotImported(f"followers.jsonl: {more[0]:.60} is no subscriber that books.")
    booking = reached.get(SETTLEMENT.name)
    if booking is not None:
        positions[SETTLEMENT.name] = booking["position"]
        importing.park(establishment, booking)
    importing.begin(establishment, positions)


def _check(export: Export, house: Establishment, trust: Trust) -> None:
    """
    Verify what was imported, as `verify_ledger` does without projections, which are not made yet.

    :raises NotImported: naming the first things that were found, each with its file.
    """
    stop, receipts = bounds(house.pk, DEFAULT_DB_ALIAS)
    given = trust.keys or (() if trust.kept else _keys_of_export(export))
    book = Book(
        establishment=house.pk, using=DEFAULT_DB_ALIAS, start=0, stop=stop, receipts=receipts,
        keys=(*keys.every_public_key(house.pk), *given), now=timezone.now(),
    )  # fmt: skip
    found = (
        each
        for check in verifying.ALL.values()
        for step in check(book, {})
        for each in step.findings
    )
    if first := list(islice(found, FINDINGS_MAX)):
        raise NotImported(" ".join(f"{_file_of(each)}: {each.says}" for each in first))
    _check_booked(book)


def _file_of(finding: Finding) -> str:
    """The file with what a finding is about."""
    for name, file in FILE_WITH.items():
        if name in finding.row:
            return file
    return FILE_OF.get(str(finding.row.get("table")), "events.jsonl")


def _check_booked(book: Book) -> None:
    """:raises NotImported: if settlement's cursor has passed what it still had to book."""
    house = book.establishment
    [(after,)] = book.rows(cursors.SEEN[SETTLEMENT.name])
    rows = Subscription.objects.filter(establishment=house, name=SETTLEMENT.name)
    reached = rows.values_list("position", flat=True).get()
    parked = set(ParkedEvent.objects.filter(establishment=house).values_list("stream", flat=True))
    for event in _read(house, -1 if after is None else after):
        if event.position > reached:
            return
        if event.stream not in parked and _books(event):
            raise NotImported(
                f"followers.jsonl: settlement is said to have read position {event.position}, and"
                " nothing that it has to book for it is there."
            )


def _books(event: StoredEvent) -> bool:
    """Whether settlement has something to book for an event; nothing is booked here."""
    with transaction.atomic():
        entries = SETTLEMENT.handle(event, StreamVersions(event.establishment))
        transaction.set_rollback(True)
    return bool(entries)
