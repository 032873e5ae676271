"""
Compares every account with the sum of its transfers, both read in one statement while the house
plays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ledger.checking.findings import Finding, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.checking.book import Book
    from ledger.checking.findings import Place

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


def check(book: Book, place: Place) -> Iterator[Step]:
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
