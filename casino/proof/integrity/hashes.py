"""
Checks data outside the ledger whose hashes are in the ledger: free text and sealed counts.

A text must match its token, a salted hash. An erased text has neither salt nor words, but its row
stays. Every token that an event or an answer names must have its row. A sealed count must match the
event of its command, which contains its hash or, once both counts are entered, sheet and salt.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from casino.house.pseudonyms.models import Text
from casino.money.cash.models import SealedCount
from casino.money.cash.sealed_counts import Counted
from ledger.checking.book import CHUNK
from ledger.checking.findings import Finding, Step
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.checking.book import Book
    from ledger.checking.findings import Place

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


def check(book: Book, place: Place) -> Iterator[Step]:
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
