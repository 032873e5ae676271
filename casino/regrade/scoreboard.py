"""Compare the scoreboard of a house with all points that were ever booked."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

from casino.game_streams import missing
from casino.regrade import reading
from casino.regrade.findings import Difference, Findings
from casino.settlement.models import Tally
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

POINTLESS = b'"points":{}'


def compared(establishment: UUID, found: Findings, stop: int) -> Iterator[Difference]:
    """
    The differences between a player's points on the scoreboard and the booked points. Games whose
    package is missing were not counted, and are not compared.

    :param found: the findings of a run over the whole ledger of the house before position `stop`.
        What was booked since is added here, as of the moment in which the scoreboard is read.
    """
    expected = Findings()
    expected.counted(found)
    with reading.snapshot():
        _booked_since(establishment, stop, expected)
        kept = {
            (row.ruleset, row.player): row.exact
            for row in Tally.objects.filter(establishment=establishment)
        }
    left_out = missing.of(establishment).games
    for ruleset, player in sorted({*expected.points, *kept}):
        if ruleset in left_out:
            continue
        due = expected.points.get((ruleset, player), Fraction())
        held = kept.get((ruleset, player), Fraction())
        if due != held:
            yield Difference(
                kind="points", what="altered", ruleset=ruleset,
                expected={player: str(due)}, found={player: str(held)},
            )  # fmt: skip


def _booked_since(establishment: UUID, stop: int, points: Findings) -> None:
    rows = Event.objects.filter(establishment=establishment)
    later = rows.filter(position__gte=stop, stream__startswith=f"{reading.BOOKS}/")
    for stream, stored in later.values_list("stream", "body").iterator():
        body = bytes(stored)
        if POINTLESS in body:
            continue
        opening = rows.filter(stream=f"{reading.GAME}/{stream.partition('/')[2]}", stream_version=1)
        family = opening.values_list("event_type", flat=True).get().partition(".")[0]
        for player, scored in json.loads(body)["data"].get("points", {}).items():
            points.scored(family.replace("_", "-"), player, Fraction(scored))
