"""Finds rows that refer to events which do not exist: the ledger was cut off, or restored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ledger import journal
from ledger.checking.findings import Finding, Step
from ledger.checkpoints import INTEGRITY
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.checking.book import Book
    from ledger.checking.findings import Place

SIZE: Final = """(
    SELECT coalesce(max(position), -1) + 1 FROM ledger_event WHERE establishment = %(house)s)"""

# One statement each, so that it sees one moment: the house plays on.
SUBSCRIBERS: Final = f"""
    SELECT name, position, {SIZE} FROM ledger_subscription
    WHERE establishment = %(house)s AND position >= {SIZE} ORDER BY name"""  # noqa: S608

PARKED: Final = f"""
    SELECT subscription, position, {SIZE} FROM ledger_parkedevent
    WHERE establishment = %(house)s AND position >= {SIZE}
    ORDER BY subscription, position LIMIT 100"""  # noqa: S608

TRANSFERS: Final = f"""
    SELECT seq, position, {SIZE} FROM ledger_transfer
    WHERE establishment = %(house)s AND position >= {SIZE}
    ORDER BY position, seq LIMIT 100"""  # noqa: S608

SIGNED: Final = f"""
    SELECT epoch, size, {SIZE} FROM ledger_checkpoint
    WHERE establishment = %(house)s AND size > {SIZE} ORDER BY epoch, size LIMIT 100"""  # noqa: S608

ANSWERS: Final = """
    SELECT max(receipts), (
        SELECT coalesce(max(seq), -1) + 1 FROM ledger_commandreceipt
        WHERE establishment = %(house)s)
    FROM ledger_checkpoint WHERE establishment = %(house)s"""

UNSIGNED: Final = """
    SELECT (SELECT position + 1 FROM ledger_subscription
            WHERE establishment = %(house)s AND name = %(signer)s),
        coalesce(max(size), 0)
    FROM ledger_checkpoint WHERE establishment = %(house)s"""
"""
The cursor of the signing subscription, and the newest checkpoint. They must agree, because the
cursor is moved in the transaction that stores the checkpoint.
"""


def check(book: Book, place: Place) -> Iterator[Step]:
    """The check of the ends of tables, in one step. :param place: ``looked``: it was done."""
    if not place:
        yield Step([*_rows(book), *_check_signed(book), *_check_kept(book)], {"looked": True})


def _rows(book: Book) -> Iterator[Finding]:
    for check, statement, what in (
        ("cursor", SUBSCRIBERS, "follower"),
        ("parked", PARKED, "follower"),
        ("transfer", TRANSFERS, "transfer"),
    ):
        says = {
            "cursor": "The follower {0} has read position {1}",
            "parked": "The follower {0} has parked position {1}",
            "transfer": "The transfer {0} belongs to position {1}",
        }[check]
        for name, position, size in book.rows(statement):
            yield Finding(
                check=check, says=f"{says.format(name, position)}; the book has"
                f" {count_of(size, 'event')}.",
                first=size, last=position, row={what: name},
            )  # fmt: skip


def _check_signed(book: Book) -> Iterator[Finding]:
    for epoch, signed, size in book.rows(SIGNED):
        yield Finding(
            check="root", says=f"{count_of(signed, 'event was', 'events were')} signed; the book"
            f" has {size}:"
            f" {signed - size} are missing at the end.",
            first=size, last=signed - 1, row={"checkpoint": signed, "epoch": epoch},
        )  # fmt: skip
    yield from _signer(book)
    [(signed, count)] = book.rows(ANSWERS)
    if signed is not None and signed > count:
        yield Finding(
            check="chain", says=f"{count_of(signed, 'receipt')} of commands were signed; there"
            f" are {count}.",
            row={"receipt": count, "to": signed - 1},
        )  # fmt: skip


def _signer(book: Book) -> Iterator[Finding]:
    [(signed, newest)] = book.rows(UNSIGNED, signer=INTEGRITY.name)
    if signed is not None and signed > newest:
        yield Finding(
            check="checkpoint", says=f"{count_of(signed, 'event was', 'events were')} signed;"
            " the newest checkpoint is of"
            f" {newest}: one or more are missing.",
            first=newest, last=signed - 1, row={"checkpoint": signed},
        )  # fmt: skip
    elif (signed or 0) < newest:
        stands = "is gone" if signed is None else f"stands at position {signed - 1}"
        yield Finding(
            check="cursor", says=f"The cursor of {INTEGRITY.name} {stands}; the newest checkpoint"
            f" is of {count_of(newest, 'event')}.",
            row={"follower": INTEGRITY.name}, column="position", expected=newest - 1,
            found=None if signed is None else signed - 1,
        )  # fmt: skip


def _check_kept(book: Book) -> Iterator[Finding]:
    """
    Findings for kept checkpoints that cover more events than the ledger has: it was restored from
    an older copy, or cut off.

    The length is read from the main database: a replica may be behind for a moment.
    """
    size = journal.head(establishment=book.establishment) + 1
    for each in book.kept:
        if each.size > size:
            yield Finding(
                check="kept", says=f"A checkpoint of {count_of(each.size, 'event')} was kept"
                " outside; the book"
                f" has {size}: it is {each.size - size} behind.",
                first=size, last=each.size - 1,
                row={"checkpoint": each.size, "origin": each.origin}, behind=True,
            )  # fmt: skip


# Compares every account with the sum of its transfers, both read in one statement while the house
# plays.


ACCOUNTS: Final = 200  # accounts that one statement reads
LISTED_MOST: Final = 100

SIDE: Final = """(
    SELECT coalesce(sum(amount), 0) FROM ledger_transfer AS {side}
    WHERE {side}.establishment = each.establishment
        AND {side}.{side}_kind = each.kind AND {side}.{side}_name = each.name)"""

ROWS: Final = f"""
    SELECT kind, name, debits, credits, {SIDE.format(side="debit")}, {SIDE.format(side="credit")}
    FROM ledger_account AS each
    WHERE establishment = %(house)s AND (kind, name) > (%(kind)s, %(name)s)
    ORDER BY kind, name LIMIT {ACCOUNTS}"""  # noqa: S608 - of this module alone

WITHOUT: Final = """
    SELECT DISTINCT each.{side}_kind, each.{side}_name FROM ledger_transfer AS each
    WHERE each.establishment = %(house)s AND NOT EXISTS (
        SELECT 1 FROM ledger_account AS account
        WHERE account.establishment = %(house)s
            AND account.kind = each.{side}_kind AND account.name = each.{side}_name)
    LIMIT {told}"""


def check_accounts(book: Book, place: Place) -> Iterator[Step]:
    """The check of accounts. :param place: ``after``, the last account checked (kind, name)."""
    after = place.get("after", ["", ""])
    while rows := book.rows(ROWS, kind=after[0], name=after[1]):
        after = list(rows[-1][:2])
        yield Step([each for row in rows for each in _differs(row)], {"after": after}, len(rows))
    if "named" not in place:
        yield Step(list(_without(book)), {"after": after, "named": True})


def _differs(row: tuple[Any, ...]) -> Iterator[Finding]:
    kind, name, debits, credits_, *folded = row
    if not any((debits, credits_, *folded)):
        yield Finding(
            check="account", says=f"There is an account {kind}:{name}, and no transfer of it.",
            row={"account": f"{kind}:{name}"},
        )  # fmt: skip
    for column, found, expected in zip(
        ("debits", "credits"), (debits, credits_), map(int, folded), strict=True
    ):
        if found != expected:
            yield Finding(
                check="account", says=f"The {column} of {kind}:{name} are {found}; its transfers"
                f" come to {expected}.",
                row={"account": f"{kind}:{name}"}, column=column, expected=expected, found=found,
            )  # fmt: skip


def _without(book: Book) -> Iterator[Finding]:
    named = {
        f"{kind}:{name}"
        for side in ("debit", "credit")
        for kind, name in book.rows(WITHOUT.format(side=side, told=LISTED_MOST))
    }
    for account in sorted(named):
        yield Finding(
            check="account", says=f"There are transfers of {account}, and no account.",
            row={"account": account},
        )  # fmt: skip
