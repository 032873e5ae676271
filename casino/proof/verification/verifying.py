"""
Verifies a house's records against its hashes, signatures and event bodies, while the house plays.

`ledger.checking` checks what the ledger alone can prove. This module adds the house's keys, the
checkpoints that others have, and the rows that are made from the ledger. Nothing is written.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection

from casino.house.acts import changes
from casino.house.acts.game_streams import catalogue, occupancy
from casino.house.attendants.pseudonyms.models import Text
from casino.money.cash.counting import Counted
from casino.money.cash.models import SealedCount
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.play.dice.models import DiceSet
from casino.play.dice.projections import IN_GAMES
from casino.proof.signing import copies, keys
from casino.proof.signing import epochs as integrity_epochs
from casino.proof.verification import cursors, rebuild
from ledger import epochs
from ledger.checking import signatures
from ledger.checking.book import CHUNK, Book, bounds, start_of
from ledger.checking.findings import Finding, Step
from ledger.checking.stages import STAGES, Check
from ledger.conflicts import count_of
from ledger.models import Event, ParkedEvent
from ledger.verify import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from django.db.models import Model, QuerySet

    from casino.proof.verification.replays import Difference
    from ledger.checking.findings import Place
    from ledger.verify import Checkpoint as Published
    from ledger.verify import Key


# Checks configuration and staff: compares every row with the newest event that wrote it (C2).
#
# All changes go through `casino.house.acts.changes`, which records an event with the whole row
# before and after. So each row must equal the last ``after`` for its id, with the changes that
# other events have made since, for example steps of dice. Rows that no event wrote, missing rows
# and columns with another value are reported, in every table.


TOGETHER: Final = 100  # streams that one query reads
FORMS: Final = frozenset({"setting_up"})
"""
Columns with the place in a setup form. They are not compared until an event says that the setup is
done; from then on they must be empty.
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A row as its events leave it. :param position: the position of the newest event."""

    position: int
    row: Mapping[str, Any]


def check_recorded(book: Book, place: Place) -> Iterator[Step]:
    """The check of recorded rows, one table per step. :param place: ``tables``, how many done."""
    done: int = place.get("tables", 0)
    for number, model in enumerate(changes.models_in_ledger()[done:], done + 1):
        with book.moment():
            found = list(_table(book, model))
        yield Step(found, {"tables": number})


def _table(book: Book, model: type[Model]) -> Iterator[Finding]:
    table, written = model._meta.db_table, _rows_of_events(book, model)  # noqa: SLF001 - documented API
    try:
        there = {str(thing.pk): changes.state_of(thing) for thing in _rows(book, model)}
    except (ValueError, TypeError) as error:
        yield Finding(
            check="record", says=f"A row of {table} cannot be read: {error}", row={"table": table}
        )
        return
    for key in sorted(written.keys() | there.keys()):
        yield from _row(table, key, written.get(key), there.get(key))


def _rows(book: Book, model: type[Model]) -> QuerySet[Any]:
    return changes.rows_at(book.establishment, model).using(book.using).order_by()


def _row(
    table: str, key: str, written: Written | None, there: Mapping[str, Any] | None
) -> Iterator[Finding]:
    row = {"table": table, "id": key}
    if written is None:
        sentence = f"The row {key} of {table} was written by no event."
        yield Finding(check="record", says=sentence, row=row)
    elif there is None:
        yield Finding(
            check="record", first=written.position, row=row,
            says=f"The row {key} of {table} is missing: the event at position {written.position}"
            " wrote it.",
        )  # fmt: skip
    else:
        for name in sorted(there.keys() & written.row.keys()):
            expected, found = written.row[name], there[name]
            if found != expected and not (name in FORMS and expected):
                yield Finding(
                    check="record", first=written.position, row=row, column=name,
                    says=f"The {name} of row {key} of {table} is not what the event at position"
                    f" {written.position} says.",
                    expected=expected, found=found,
                )  # fmt: skip


def _rows_of_events(book: Book, model: type[Model]) -> Mapping[str, Written]:
    """Id -> the row as events have it. Columns that are newer than its events are missing."""
    written: dict[str, Written] = {}
    record = changes.record_stream(changes.kind_of(model()))
    of_house = Event.objects.using(book.using).filter(establishment=book.establishment)
    for position, data in _changes(of_house.filter(stream=record).order_by("stream_version")):
        before = written[data["id"]].row if data["id"] in written else {}
        written[data["id"]] = Written(position, {**before, **(data["after"] or {})})
    if model is DiceSet:
        for position, data in _steps(of_house, list(written)):
            known = written.get(data["dice_set"])
            if known is not None and known.position < position and changes.ROW in data:
                row = {**known.row, **data[changes.ROW]}
                written[data["dice_set"]] = Written(position, row)
    return written


def _steps(of_house: QuerySet[Event], sets: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events about dice sets outside games, set by set: positions and data."""
    streams = [occupancy.dice_stream(each) for each in sets]
    for begin in range(0, len(streams), TOGETHER):
        rows = of_house.filter(stream__in=streams[begin : begin + TOGETHER])
        yield from _changes(rows.exclude(event_type__in=IN_GAMES).order_by("position"))


def _changes(events: QuerySet[Event]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Positions and data of events about changes; the check of events reports broken bodies."""
    for position, body in events.values_list("position", "body").iterator():
        try:
            data = json.loads(bytes(body))["data"]
            known = {"id", "after"} <= data.keys() or "dice_set" in data
        except (ValueError, LookupError, TypeError, AttributeError):
            continue
        if known:
            yield position, data


# Checks data outside the ledger whose hashes are in the ledger: free text and sealed counts.
#
# A text must match its token, a salted hash. An erased text has neither salt nor words, but its row
# stays. Every token that an event or an answer names must have its row. A sealed count must match
# the event of its command, which contains its hash or, once both counts are entered, sheet and
# salt.


TEXTS, COUNTS = Text._meta.db_table, SealedCount._meta.db_table  # noqa: SLF001 - documented API
TOKEN: Final = re.compile(rb"t-[0-9a-f]{64}")
SIGNS: Final = (b'"t-', b'"seal":', b'"opened":')
"""Byte strings that are in every body which names a text or is about a count."""

HOLDS: Final = {
    "postgresql": "position(decode('{sign}', 'hex') IN body) > 0",
    "sqlite": "instr(body, x'{sign}') > 0",
}
NAMING: Final = """
    SELECT position, {command}, body FROM ledger_event
    WHERE establishment = %(house)s AND position >= %(first)s AND position < %(stop)s
        AND ({holds}) ORDER BY position"""

REFUSED: Final = """
    SELECT seq, refusal_detail FROM ledger_commandreceipt
    WHERE establishment = %(house)s AND seq >= %(first)s AND seq < %(stop)s
        AND refusal_detail LIKE 't-%%' ORDER BY seq"""


def check_hashes(book: Book, place: Place) -> Iterator[Step]:
    """
    The check of texts and counts.

    :param place: ``at``, the next position; ``seq``, the next answer; ``after``, the token of the
        last text checked.
    """
    answered = 0 if book.base is None else book.base.receipts
    at, seq, after = (
        place.get("at", book.start), place.get("seq", answered), place.get("after", "")
    )  # fmt: skip
    statement = _naming(book)
    while at < book.stop:
        stop = min(book.stop, at + CHUNK)
        rows = book.bulk(statement, first=at, stop=stop)
        at = stop
        yield Step(
            [*_check_texts_exist(book, rows), *_check_counts(book, rows)], {"at": at, "seq": seq}
        )
    while seq < book.receipts:
        stop = min(book.receipts, seq + CHUNK)
        rows = book.rows(REFUSED, first=seq, stop=stop)
        seq = stop
        yield Step(list(_check_answers(book, rows)), {"at": at, "seq": seq})
    while texts := _texts(book, after):
        after = texts[-1].token
        found = [each for text in texts for each in _check_hashes(text)]
        yield Step(found, {"at": at, "seq": seq, "after": after})


def _naming(book: Book) -> str:
    holds = HOLDS[book.connection.vendor]
    return NAMING.format(
        command=book.spelt(Event, ["command_id"]),
        holds=" OR ".join(holds.format(sign=sign.hex()) for sign in SIGNS),
    )


# --- Texts ---------------------------------------------------------------------------------------


def _check_texts_exist(book: Book, rows: Sequence[Sequence[Any]]) -> Iterator[Finding]:
    """Findings for texts that events name and that do not exist."""
    named = {
        token.decode(): position
        for position, _command, body in rows
        for token in TOKEN.findall(bytes(body))
    }
    for token in _missing(book, named):
        yield _note(
            token, f"is missing: the event at position {named[token]} names it", first=named[token]
        )


def _check_answers(book: Book, rows: Sequence[Sequence[Any]]) -> Iterator[Finding]:
    named = {str(detail): seq for seq, detail in rows if TOKEN.fullmatch(str(detail).encode())}
    for token in _missing(book, named):
        yield _note(token, f"is missing: the receipt {named[token]} of a command names it")


def _missing(book: Book, named: Mapping[str, int]) -> list[str]:
    if not named:
        return []
    rows = Text.objects.using(book.using).filter(establishment=book.establishment)
    there = set(rows.filter(token__in=list(named)).values_list("token", flat=True))
    return sorted(named.keys() - there, key=lambda token: named[token])


def _texts(book: Book, after: str) -> list[Text]:
    rows = Text.objects.using(book.using).filter(establishment=book.establishment)
    return list(rows.filter(token__gt=after).order_by("token")[:CHUNK])


def _check_hashes(text: Text) -> Iterator[Finding]:
    salt = bytes(text.salt)
    if text.text is None:
        if salt:
            yield _note(text.token, "is erased by half: its salt is there", column="text")
    elif text.token != "t-" + hashlib.sha256(salt + text.text.encode()).hexdigest():
        yield _note(text.token, "is not what its token is the hash of", column="text")


def _note(token: str, problem: str, **more: Any) -> Finding:
    row = {"table": TEXTS, "token": token}
    return Finding(check="hash", says=f"The text {token} of {TEXTS} {problem}.", row=row, **more)


# --- Sealed counts -------------------------------------------------------------------------------


def _check_counts(book: Book, rows: Sequence[Sequence[Any]]) -> Iterator[Finding]:
    """Compare stored counts with the events of their commands."""
    counts = {}
    for position, command, body in rows:
        if (data := _count_data(bytes(body))) is not None:
            counts[UUID(command)] = position, data
    if not counts:
        return
    kept = SealedCount.objects.using(book.using).filter(establishment=book.establishment)
    there = {row.command_id: row for row in kept.filter(command_id__in=list(counts))}
    for command, (position, data) in counts.items():
        row = there.get(command)
        if row is None:
            yield _count(command, position, "is missing: the event at position {0} tells of it")
        elif not _is(Counted(by="", sheet=row.sheet, salt=bytes(row.salt)), data):
            yield _count(command, position, "is not what the event at position {0} has of it")


def _count_data(body: bytes) -> Mapping[str, Any] | None:
    """The data of an event, if it is about a count."""
    if not any(sign in body for sign in SIGNS[1:]):
        return None
    try:
        data = json.loads(body)["data"]
    except (ValueError, LookupError, TypeError):
        return None  # the check of events reports this
    is_count = isinstance(data, dict) and ("seal" in data or _both_in(data))
    return data if is_count else None


def _both_in(data: Mapping[str, Any]) -> bool:
    opened = data.get("opened")
    return isinstance(opened, list) and len(opened) == 2 and "counters" in data  # noqa: PLR2004


def _is(count: Counted, data: Mapping[str, Any]) -> bool:
    try:
        if "seal" in data:
            return bool(count.seal == data["seal"])
        second = data["opened"][-1]  # the count whose command caused the event
        return bool((count.sheet, count.salt.hex()) == (second["sheet"], second["salt"]))
    except (ValueError, LookupError, TypeError):
        return False


def _count(command: UUID, position: int, problem: str) -> Finding:
    return Finding(
        check="hash", first=position, row={"table": COUNTS, "command": str(command)},
        says=f"The sealed count {command} of {COUNTS} {problem.format(position)}.",
    )  # fmt: skip


PROJECTIONS: Final = "projections"
READING_ERRORS: Final = (Unreadable, ValueError, LookupError, TypeError)
"""Exceptions that reading a record may raise if somebody has changed it."""

KINDS: Final = {
    "altered": "is not as the ledger makes it",
    "missing": "is missing",
    "extra": "is not of the ledger's making",
    "unreadable": "could not be read again",
}


def open_book(
    establishment: UUID, *, now: datetime, since: int = 0, kept: Sequence[Published] = ()
) -> Book:
    """
    A house's ledger up to its present end, to be verified.

    :param since: the check begins at the newest checkpoint up to this position; everything before
        that checkpoint is trusted, because it was signed.
    :param kept: checkpoints that somebody kept, in addition to the house's own copies.
    :raises NotOfThisHouse: if one of them is not of this house.
    """
    using = settings.LEDGER_READER
    stop, receipts = bounds(establishment, using)
    start = start_of(establishment, using, since) if since else 0
    return book(establishment, start, stop, receipts, now=now, kept=kept)


def book(  # noqa: PLR0913 - what a run has on record
    establishment: UUID,
    start: int,
    stop: int,
    receipts: int,
    *,
    now: datetime,
    kept: Sequence[Published] = (),
) -> Book:
    """A given part of a house's ledger, to begin or continue its verification."""
    own = public_keys(establishment)
    for each in kept:
        _of_a_key_in_force(establishment, each)
    compared = signatures.checkpoints_to_compare(
        establishment, settings.LEDGER_READER,
        [*kept, *copies.checkpoints_in_folders(establishment)],
        first_origin=epochs.origin(establishment, name=settings.LEDGER_ORIGIN, epoch=1), keys=own,
    )  # fmt: skip
    return Book(
        establishment=establishment, using=settings.LEDGER_READER, keys=own,
        start=start, stop=stop, receipts=receipts, now=now, kept=compared,
        behind=_behind(establishment),
    )  # fmt: skip


def _behind(establishment: UUID) -> int | None:
    try:
        known = integrity_epochs.loss_not_on_record(establishment)
    except READING_ERRORS:
        return None  # the check of events reports that the record was changed
    return None if known is None else known.position


def _of_a_key_in_force(establishment: UUID, kept: Published) -> None:
    """:raises NotOfThisHouse: if only a key that was retired before has signed the checkpoint."""
    try:
        ended = keys.ends_of_keys(establishment)
    except READING_ERRORS:
        return  # the check of events reports that the record was changed
    if ended and not keys.has_signed(establishment, kept):
        raise signatures.NotOfThisHouse(
            f"The checkpoint of {count_of(kept.size, 'event')} is not signed with a key of this"
            " house, or with"
            " one that was retired before."
        )


def public_keys(establishment: UUID) -> tuple[Key, ...]:
    """Every public key of the house; if its record is damaged, the keys that are held here."""
    try:
        return keys.every_public_key(establishment)
    except READING_ERRORS:
        name = f"{settings.LEDGER_ORIGIN}/{establishment}"
        held = keys.secret_keys(establishment)
        return tuple(keys.key_of(key.public.public, name) for key in held)


ALL: Final[Mapping[str, Check]] = {
    **STAGES,
    "followers": cursors.check,
    "records": check_recorded,
    "hashes": check_hashes,
}
"""All checks except of projections: of the ledger, and of what is stored outside it."""


def stages(*, projections: bool) -> tuple[str, ...]:
    """The names of the stages of a verification, in order."""
    return (*ALL, PROJECTIONS) if projections else tuple(ALL)


def can_make_anew() -> bool:
    """
    Whether projections can be rebuilt now. Within a transaction they cannot: the rebuild uses
    another connection, which sees only what is committed.
    """
    return not connection.in_atomic_block


def steps(of: Book, stage: str, place: Place) -> Iterator[Step]:
    """The steps of a stage, from a place on."""
    return check_projections(of, place) if stage == PROJECTIONS else ALL[stage](of, place)


def check_projections(of: Book, place: Place) -> Iterator[Step]:
    """
    The check of projections: compares the rows that screens and reports read with rebuilt ones.

    If the package of a game on record is missing, the rows of that game are left out (`left_out`).

    :param place: ``followers``, how many subscribers are done.
    """
    done = place.get("followers", 0)
    for number, subscriber in enumerate(SUBSCRIBERS[done:], done + 1):
        found = [_finding(each) for each in rebuild.compare(of.establishment, subscriber)]
        yield Step(found, {"followers": number}, of.stop)


def not_compared(establishment: UUID, stage: str) -> list[str]:
    """The games on record whose rows a stage leaves out, because their package is missing."""
    return list(catalogue.missing_games(establishment).games) if stage == PROJECTIONS else []


def _finding(of: Difference) -> Finding:
    values = of.as_dict()
    what = KINDS.get(of.what, of.what)
    more = f" So with {count_of(of.of, 'row')} of it." if of.of > 1 else ""
    sentence = f"A row of {of.table}, which {of.follower} makes, {what}.{more}"
    if of.what == "unreadable":
        sentence = (
            f"The event at position {of.key['position']} cannot be read again by {of.follower},"
            f" and does not stand in {ParkedEvent._meta.db_table}."  # noqa: SLF001 - documented API
        )
    return Finding(
        check="projection",
        says=sentence,
        row={"follower": of.follower, "table": of.table, **_key_columns(values["key"])},
        expected=values["expected"] or None,
        found=values["found"] or None,
    )


def _key_columns(key: Mapping[str, Any]) -> dict[str, Any]:
    """The key columns of a row; a name that the finding uses otherwise gets the suffix _column."""
    return {
        f"{name}_column" if name in {"follower", "table"} else name: value
        for name, value in key.items()
    }
