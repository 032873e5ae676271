"""Checks every answer to a command: its number, its events, and the chain that is signed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from ledger import spelling
from ledger.canonical import NotCanonical
from ledger.checking.book import CHUNK
from ledger.checking.findings import Finding, Step
from ledger.conflicts import count_of
from ledger.models import CommandReceipt, Event
from ledger.spelling import ANSWER
from ledger.verify import NO_RECEIPTS, chain_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.checking.book import Book, Head
    from ledger.checking.findings import Place

FIRST, LAST, CODE, DETAIL = (
    ANSWER.index(name)
    for name in (
        "first_position",
        "last_position",
        "refusal_code",
        "refusal_detail",
    )
)
SAME: Final = ("command_id", "actor", "recorded_at")  # columns that the command's events share

ROWS: Final = """
    SELECT seq, {columns}, (
        SELECT max(CASE WHEN event.command_id = each.command_id
            AND event.command_seq = each.last_position - each.first_position
            AND event.actor = each.actor AND event.recorded_at = each.recorded_at
            THEN 1 ELSE 0 END)
        FROM ledger_event AS event
        WHERE event.establishment = each.establishment AND event.position = each.last_position)
    FROM ledger_commandreceipt AS each
    WHERE establishment = %(house)s AND seq >= %(first)s AND seq < %(stop)s
    ORDER BY seq LIMIT {chunk}"""

LAST_EVENT: Final = """
    SELECT {columns} FROM ledger_event
    WHERE establishment = %(house)s AND position = %(position)s"""


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of receipts. :param place: ``count``, the next answer; the chain up to there."""
    chain = Chain(book, place)
    columns = book.spelt(CommandReceipt, ANSWER, "each")
    statement = ROWS.format(columns=columns, chunk=CHUNK)
    while chain.count < book.receipts:
        rows = book.bulk(statement, first=chain.count, stop=book.receipts)
        found: list[Finding] = []
        for (seq, *answer, fits), line in zip(rows, _lines(rows), strict=True):
            if seq > chain.count:
                found += chain.missing(seq)
            if not (fits and answer[CODE] is answer[DETAIL] is None is not answer[FIRST]):
                found += _events(book, seq, answer, fits)
            found += chain.longer(answer, line)
        if not rows:
            found += chain.missing(book.receipts)
        yield Step(found, chain.place, len(rows))


class Chain:
    """
    The chain of receipts, computed again. Where it differs from what was signed, it continues from
    the signed value.

    :param count: how many answers it contains.
    :param agreed: how many it contained when it was last compared with a checkpoint.
    """

    def __init__(self, book: Book, place: Place) -> None:
        self.book, base = book, book.base
        begun = (0, NO_RECEIPTS) if base is None else (base.receipts, base.chain)
        self.count: int = place.get("count", begun[0])
        self.agreed: int = place.get("agreed", begun[0])
        self.hash: bytes = bytes.fromhex(place["hash"]) if place else begun[1]
        self._after: list[int] = place.get("after", [0, 0] if base is None else base.place)
        self._heads = book.heads(self._after)
        self._next: Head | None = None
        self._until = 0  # the number of answers that the next checkpoint covers

    @property
    def place(self) -> Place:
        return {
            "count": self.count, "agreed": self.agreed, "hash": self.hash.hex(),
            "after": self._after,
        }  # fmt: skip

    def missing(self, seq: int) -> Iterator[Finding]:
        """Report missing receipts up to number `seq`, and continue from there."""
        if seq > self.count:
            numbers = (
                f"number {self.count}" if seq == self.count + 1 else f"{self.count} to {seq - 1}"
            )
            yield Finding(
                check="receipt", says=f"There is no receipt {numbers} of a command.",
                row={"receipt": self.count, "to": seq - 1},
            )  # fmt: skip
            self.count = seq
            for head in self._next_heads():
                if head.receipts == seq and self._is_signed(head):
                    self.agreed, self.hash = seq, head.chain

    def longer(self, answer: list[Any], line: bytes | None) -> Sequence[Finding]:
        """Add one answer, and compare the chain with checkpoints that cover that many answers."""
        if line is not None:
            self.hash = chain_hash(self.hash, line)
            self.count += 1
            return list(self._cover()) if self.count >= self._until else ()
        try:
            return self.longer(answer, spelling.alone(answer))
        except NotCanonical as error:
            found = [_note(self.count, answer, f"cannot be read: {error}")]
            self.count += 1
            return [*found, *self._cover()]

    def _cover(self) -> Iterator[Finding]:
        for head in self._next_heads():
            if head.receipts == self.count and head.whole:
                yield from self._compare(head)

    def _compare(self, head: Head) -> Iterator[Finding]:
        if head.chain != self.hash:
            if not self._is_signed(head):
                return  # the check of signatures reports this
            last = self.count - 1
            alone = last == self.agreed
            numbers = f"Receipt {last}" if alone else f"One of the receipts {self.agreed} to {last}"
            yield Finding(
                check="chain", says=f"{numbers} of commands is not what was signed with"
                f" {count_of(head.size, 'event')}.",
                row={"receipt": self.agreed, "to": last, "checkpoint": head.size},
                expected=head.chain.hex(), found=self.hash.hex(),
            )  # fmt: skip
        self.agreed, self.hash = head.receipts, head.chain

    def _is_signed(self, head: Head) -> bool:
        return head.whole and head.published is not None and self.book.signed(head.published)

    def _next_heads(self) -> Iterator[Head]:
        """The next checkpoints that cover no more answers than the chain contains now."""
        while (head := self._upcoming()) is not None and head.receipts <= self.count:
            self._after, self._next = head.place, None
            yield head
        self._until = sys.maxsize if head is None else head.receipts

    def _upcoming(self) -> Head | None:
        if self._next is None:
            self._next = next(self._heads, None)
        return self._next


def _lines(rows: Sequence[tuple[Any, ...]]) -> Sequence[bytes | None]:
    """The answers as they are hashed; all None if one of them has no canonical spelling."""
    try:
        return spelling.spell_answers([row[1:-1] for row in rows])
    except NotCanonical:
        return [None] * len(rows)


def _events(book: Book, seq: int, answer: list[Any], fits: int | None) -> Iterator[Finding]:
    """Compare the positions of an answer, and the fields it shares, with its command's events."""
    first, last = answer[FIRST], answer[LAST]
    done = last is not None
    if (first is None) is done or (answer[CODE] is not None and done):
        yield _note(seq, answer, f"speaks of positions {first} to {last}, refused: {answer[CODE]}")
    elif (answer[CODE] is None) is not (answer[DETAIL] is None):
        yield _note(seq, answer, "is refused by half", column="refusal_detail")
    elif done and fits is None:
        yield _note(seq, answer, f"speaks of position {last}, where no event is", first=last)
    elif done and not fits:
        columns = book.spelt(Event, [*SAME, "command_seq"])
        [(*same, number)] = book.rows(LAST_EVENT.format(columns=columns), position=last)
        expected = dict(zip((*SAME, "first_position"), (*same, last - number), strict=True))
        for name, value in expected.items():
            found = answer[ANSWER.index(name)]
            if found != value:
                yield _note(
                    seq, answer, f"is not what the event at position {last} says: {name}",
                    first=last, column=name, expected=value, found=found,
                )  # fmt: skip


def _note(seq: int, answer: list[Any], says: str, **more: Any) -> Finding:
    row = {"receipt": seq, "command": answer[ANSWER.index("command_id")]}
    return Finding(check="receipt", says=f"The receipt {seq} of a command {says}.", row=row, **more)
