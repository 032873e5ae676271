"""
The header of every report (E6): house, days, when, by whom and by which software it was made, the
position of the ledger as of which it holds, and the tree's root at that position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.engine.processes.version import VERSION
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.languages.text.spreadsheets import in_base64
from ledger import tree
from ledger.tiles import WIDTH, Tiles

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime
    from uuid import UUID

    from casino.kit.documents.report import Query, Report
    from ledger.verify import Range

AT_ONCE: Final = 16 * WIDTH  # leaves that are read at once if no tiles are stored for them


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """
    The header of a report: what it covers, and from which data and software it was made.

    :param since: the first gaming day; `until`: the last.
    :param rules: the version of each game's rules that this software plays by.
    :param position: the ledger position as of which the report holds; -1: nothing is recorded yet.
    :param root: the root of the ledger's tree through that position (RFC 6962), in base64, as in
        checkpoints.
    :param asked_by: a person's name; "" if the house prepared the report by itself.
    :param filters: the values of its filters, by name.
    """

    report: str
    title: str
    establishment: UUID
    house: str
    currency_code: str
    currency: str
    currency_symbol: str
    coin_digits: int
    time_zone: str
    since: date
    until: date
    generated_at: datetime
    software: str
    rules: Mapping[str, int]
    position: int
    root: str
    asked_by: str
    filters: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """The header as files contain it: flat, except for `rules` and `filters`."""
        return {
            "establishment": str(self.establishment),
            "house": self.house,
            "currency_code": self.currency_code,
            "currency": self.currency,
            "currency_symbol": self.currency_symbol,
            "coin_digits": self.coin_digits,
            "time_zone": self.time_zone,
            "from": self.since.isoformat(),
            "to": self.until.isoformat(),
            "generated_at": timezone.localtime(self.generated_at).isoformat(),
            "software": self.software,
            "rules": dict(self.rules),
            "position": self.position,
            "root": self.root,
            "asked_by": self.asked_by,
            "filters": dict(self.filters),
        }

    @property
    def who(self) -> str:
        return self.asked_by or _("the house, by itself")


def header(report: Report, query: Query, *, asked_by: str, generated_at: datetime) -> Header:
    house = query.house
    return Header(
        report=report.name,
        title=str(report.title),
        establishment=house.pk,
        house=house.name,
        currency_code=house.currency_code,
        currency=house.currency,
        currency_symbol=house.currency_symbol,
        coin_digits=house.coin_digits,
        time_zone=house.time_zone,
        since=query.since,
        until=query.until,
        generated_at=generated_at,
        software=VERSION,
        rules={each.id: each.version for each in RULESETS},
        position=query.through,
        root=in_base64(root(house.pk, query.through + 1)),
        asked_by=asked_by,
        filters=dict(sorted(query.chosen.items())),
    )


def root(establishment: UUID, size: int) -> bytes:
    """
    The Merkle root over a ledger's first `size` events, whether it was signed at that size or not.

    It is computed from the stored tiles. Leaves after the last stored tile are hashed from event
    bodies: few if the tree is up to date, the whole ledger if there is no tree.
    """
    tiles = Tiles(establishment)
    stored = tiles.full() * WIDTH
    if size < stored + WIDTH:
        return tiles.root(size)
    grown: Range = tree.peaks(0, stored, tiles.hash_of)
    while grown.size < size:
        grown.extend(tiles.leaves(grown.size, min(AT_ONCE, size - grown.size)))
    return grown.root()
