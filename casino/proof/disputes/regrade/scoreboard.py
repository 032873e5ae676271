"""Compare the scoreboard of a house with all points that were ever booked."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from casino.house.acts.game_streams import missing
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import PRIZE_ISSUED, PrizeIssued, Season, Tally
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.findings import Difference, Findings
from casino.proof.disputes.regrade.prizes import worth
from ledger import journal
from ledger.models import Event

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from ledger.wire import StoredEvent

POINTLESS = b'"points":{}'


def compare(establishment: UUID, found: Findings, stop: int) -> Iterator[Difference]:
    """
    The differences between a player's points on the scoreboard and the booked points, and between
    closed seasons and what they had to come to. Games whose package is missing were not counted,
    and are not compared.

    :param found: the findings of a run over the whole ledger of the house before position `stop`.
        What was booked since is added here, as of the moment in which the scoreboard is read.
    """
    expected = Findings()
    expected.counted(found)
    with reading.snapshot():
        _add_later_points(establishment, stop, expected)
        kept = {
            (row.ruleset, row.season, row.player): row.exact
            for row in Tally.objects.filter(establishment=establishment)
        }
        closed = list(_final_tables(establishment))
    left_out = missing.of(establishment).games
    for ruleset, season, player in sorted({*expected.points, *kept}):
        if ruleset in left_out:
            continue
        due = expected.points.get((ruleset, season, player), Fraction())
        held = kept.get((ruleset, season, player), Fraction())
        if due != held:
            yield Difference(
                kind="points", what="altered", ruleset=ruleset,
                expected={player: str(due)}, found={player: str(held)},
            )  # fmt: skip
    for final in closed:
        if final.ruleset not in left_out:
            yield from final.differences(expected.points)


@dataclass(frozen=True, slots=True)
class Final:
    """
    The end of a season as it is recorded.

    :param issued: the events that issued the prizes of its places.
    :param kept: rule and player of the prizes of the season that are kept as issued.
    """

    ruleset: str
    closed: StoredEvent
    issued: Sequence[StoredEvent]
    kept: frozenset[tuple[str, str]]

    def differences(self, points: Mapping[tuple[str, int, str], Fraction]) -> Iterator[Difference]:
        """Compare the final table with the booked points, and the prizes with the table (SB4)."""
        data, number = self.closed.data, self.closed.data["season"]
        at: dict[str, Any] = {"ruleset": self.ruleset, "position": self.closed.position}
        booked = {
            player: won
            for (ruleset, season, player), won in points.items()
            if (ruleset, season) == (self.ruleset, number) and won > 0
        }
        rounds = {each["player"]: each["rounds"] for each in data["table"]}
        due = list(seasons.table(booked, defaultdict(int, rounds), data["lot"]))
        if due != data["table"]:
            yield Difference(
                kind="points", what="altered", expected=due, found=data["table"],
                said=f"The final table of season {number} is another.", **at,
            )  # fmt: skip
        awards = scoreboard.awards(
            booked, [scoreboard.Place(**each) for each in data["places"]],
            tie=data["tie"], unit=data["unit"], lot=data["lot"],
        )  # fmt: skip
        expected = [asdict(each) for each in awards]
        found = [{name: each.data[name] for name in FIELDS} for each in self.issued]
        moved = [[_as_tuple(transfer) for transfer in each.transfers] for each in self.issued]
        worth_ = [[one[:3] for one in worth(each.amount, each.player)] for each in awards]
        keeps = all((each.rule, each.player) in self.kept for each in awards)
        if (expected, worth_) != (found, moved) or not keeps:
            yield Difference(
                kind="prize", what="altered", expected=expected, found=found,
                said=f"The prizes of season {number} are others.", **at,
            )  # fmt: skip


FIELDS = tuple(each.name for each in fields(scoreboard.Award))


def _as_tuple(transfer: Mapping[str, Any]) -> tuple[str, str, int]:
    return transfer["debit"], transfer["credit"], transfer["amount"]


def _final_tables(establishment: UUID) -> Iterator[Final]:
    """The closed seasons of a house, in the order of their boards."""
    kept: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for row in PrizeIssued.objects.filter(establishment=establishment):
        kept[row.ruleset, row.season].add((str(row.rule), row.player))
    boards = Season.objects.filter(establishment=establishment)
    for ruleset in boards.order_by("ruleset").values_list("ruleset", flat=True).distinct():
        events = journal.stream(establishment=establishment, stream=seasons.stream(ruleset))
        for closed in events:
            if closed.event_type == seasons.CLOSED:
                number = closed.data["season"]
                issued = [
                    each
                    for each in events
                    if each.event_type == PRIZE_ISSUED and each.data["season"] == number
                ]
                yield Final(ruleset, closed, issued, frozenset(kept[ruleset, number]))


def _add_later_points(establishment: UUID, stop: int, points: Findings) -> None:
    rows = Event.objects.filter(establishment=establishment)
    later = rows.filter(position__gte=stop, stream__startswith=f"{reading.BOOKS}/")
    for stream, stored in later.values_list("stream", "body").iterator():
        body = bytes(stored)
        if POINTLESS in body:
            continue
        opening = rows.filter(stream=f"{reading.GAME}/{stream.partition('/')[2]}", stream_version=1)
        family = opening.values_list("event_type", flat=True).get().partition(".")[0]
        for each in scoreboard.changes_of(json.loads(body)["data"]):
            points.scored(family.replace("_", "-"), each.season, each.player, each.points)
