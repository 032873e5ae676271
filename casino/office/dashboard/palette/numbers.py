"""What is found by a number that somebody holds in their hand: receipts, positions, ids, hashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.house.attendants.pseudonyms import tokens
from casino.money.payouts import queries as payouts
from casino.office.dashboard.palette.found import Found
from casino.proof.search import rounds
from casino.words.languages import amounts, locales
from ledger import journal
from ledger.tiles import Tiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.kit.web.pages import Page

PRINTED: Final = re.compile(r"([0-9a-f-]{36})/([0-9]{1,9})\.([0-9]{1,4})", re.IGNORECASE)
"""How a receipt names its payout, also within the address of its page."""
CHECKED: Final = re.compile(r"/ledger/([0-9a-f-]{36})/([0-9]{1,15})/([0-9a-f]{64})", re.IGNORECASE)
"""The address in a receipt's code: house, position, hash."""
HASH: Final = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)


def find(page: Page, text: str) -> Iterator[Found]:
    """What the number names at the page's house; nothing if it names nothing there."""
    if checked := CHECKED.search(text):
        if checked[1].lower() == str(page.house.pk):
            yield from _of_position(page, int(checked[2]))
    elif printed := PRINTED.search(text):
        yield from _of_payout(page, printed[1].lower(), int(printed[2]), int(printed[3]))
    elif HASH.fullmatch(text):
        position = Tiles(page.house.pk).position_of(bytes.fromhex(text))
        if position is not None:
            yield from _of_position(page, position)
    elif named := rounds.read_number(text):
        if named.value.isdecimal():
            yield from _of_position(page, int(named.value))
        else:
            yield from _of_round(page, named.value)


def _of_position(page: Page, position: int) -> Iterator[Found]:
    """The event at a position, and the round that it belongs to."""
    if position > journal.head(establishment=page.house.pk):
        return
    if page.may("approve") or page.may("audit"):
        title = _("Event %(position)s") % {"position": f"#{position}"}
        url = reverse("ledger-event", args=[position])
        yield Found(kind="number", title=title, url=url, note=_("content, bytes and proof"))
    yield from _of_round(page, str(position))


def _of_round(page: Page, named: str) -> Iterator[Found]:
    """The round of an event, a command or a game, and the table as it stood."""
    row_and_event = rounds.of_event(page.house, named)
    if row_and_event is None:
        return
    row, event = row_and_event
    title = _("Round %(round)s at %(table)s") % {"round": row.round, "table": row.table.name}
    day = locales.day_of_year(row.gaming_day)
    yield Found(kind="number", title=title, url=reverse("floor-round", args=[row.game, row.round]),
                note=day)  # fmt: skip
    yield Found(
        kind="number",
        title=_("%(table)s as it stood at event %(event)s") % {
            "table": row.table.name, "event": event
        },
        url=reverse("game-at", args=[row.game, event]),
        note=day,
    )  # fmt: skip


def _of_payout(page: Page, game: str, cause: int, seq: int) -> Iterator[Found]:
    """A payout and its receipt."""
    try:
        wanted = UUID(game)
    except ValueError:
        return
    row = payouts.payouts_of(page.house.pk).filter(game=wanted, cause=cause, seq=seq).first()
    if row is None:
        return
    (name,) = tokens.resolve(page.house.pk, [row.payee])
    amount = amounts.money(row.amount)
    note = _("%(table)s, round %(round)s") % {"table": row.table.name, "round": row.round}
    key = [row.game, row.cause, row.seq]
    yield Found(kind="number", url=reverse("payout", args=key), note=note,
                title=_("Payout of %(amount)s to %(player)s")
                % {"amount": amount, "player": name})  # fmt: skip
    yield Found(kind="number", title=_("Its receipt"), url=reverse("receipt", args=key), note=note)
