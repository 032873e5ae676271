"""
Checks that money moves at a table only from and to a counted float that holds enough (B1).

`play.core` calls this for each command that moves cash. Nothing here knows about games.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from casino.house.acts.custody import boxes
from casino.house.acts.custody import stream as custody
from games.refusals import Refused
from ledger import journal, money

if TYPE_CHECKING:
    from collections.abc import Mapping

    from casino.house.establishments.models import Establishment, Table
    from ledger.accounts import AccountRef


class NoFloat(Refused):
    code = "no_float"


class FloatTooSmall(Refused):
    code = "float_too_small"


def guard_floats(house: Establishment, entry: journal.Entry) -> journal.Entry:
    """
    Check the floats that an entry moves cash from and to, and add guards to the entry.

    The guards notice a count, a close, or another cash-out from the same float at the same moment.
    If the house does not count floats, the entry stays as it is.

    :raises NoFloat: if a table has no counted float, or is being counted or handed over.
    :raises FloatTooSmall: if more is to leave a float than it holds.
    """
    if not house.counts_floats or not (moved := brought(entry)):
        return entry
    guards, balances = dict(entry.guards), dict(entry.balances)
    for account, amount in moved.items():
        guards |= _open_for_money(house, account.name)
        if amount < 0:
            balances[account] = _check_covers(house, account, -amount)
    return replace(entry, guards=guards, balances=balances)


def brought(entry: journal.Entry) -> Mapping[AccountRef, int]:
    """How much an entry adds to each table's float; negative if it takes money out."""
    moved: dict[AccountRef, int] = defaultdict(int)
    for transfer in entry.transfers:
        for account, amount in (
            (transfer.debit, transfer.amount),
            (transfer.credit, -transfer.amount),
        ):
            if boxes.is_float(account):
                moved[account] += amount
    return moved


def _open_for_money(house: Establishment, table: str) -> dict[str, int]:
    """
    Check that money may move at a table; a guard on the table's custody.

    :raises NoFloat: if money may not move; the message says what to do first.
    """
    stands, version = custody.standing(house.pk, table)
    if stands != "open":
        name = house.tables.values_list("name", flat=True).get(pk=table)
        raise NoFloat(SENTENCES[stands].format(table=name))
    return {custody.stream_of(table): version}


def why_not(house: Establishment, table: Table) -> str:
    """The sentence that says why no money may move at a table now; "" if it may."""
    if not house.counts_floats:
        return ""
    stands, _ = custody.standing(house.pk, table.pk)
    return "" if stands == "open" else SENTENCES[stands].format(table=table.name)


SENTENCES = {
    "closed": "{table} has no counted float: open a shift first. B1",
    "counting": "{table} is being counted: money waits until both counts are in. B1",
    "handing_over": "{table} is being handed over: both attendants sign first. B3",
}


def _check_covers(house: Establishment, account: AccountRef, amount: int) -> int:
    """
    The balance of a float, if it covers an amount.

    :raises FloatTooSmall: if the float holds less. The message does not say what it holds, because
        the person may have to count it.
    """
    held = money.balance(account, establishment=house.pk)
    if held < amount:
        name = house.tables.values_list("name", flat=True).get(pk=account.name)
        raise FloatTooSmall(f"The float of {name} does not hold {amount}: ask for a fill. B2")
    return held
