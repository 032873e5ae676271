"""
Points of a closed season, put right by two people (SB2, C1).

The final table stays as it was closed: an adjustment is an event beside it, in ``season/<game>``,
that says by how many points and why. It moves no money and changes no prize: what a prize would
have been is an adjustment of money (`casino.money.payouts.adjustments`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy, ngettext

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import kinds
from casino.kit.approvals import operations as approvals
from casino.play.settlement import scoreboard, seasons
from casino.play.settlement.models import Season
from casino.words.languages import locales
from casino.words.presenters import TITLES
from games.refusals import Refused
from games.reporting import exactly
from ledger import journal
from ledger.models import Event
from ledger.wire import read_events

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.kit.approvals.requests import Request

KIND: Final = "season_points"
ADJUSTED: Final = "season.adjusted"


class NotClosed(Refused):
    code = "season_not_closed"


class NotInSeason(Refused):
    code = "not_in_season"


class AdjustedPoints(Refused):
    code = "adjusted_points"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An adjustment that was made. `reason` is a token; `position` is its event's."""

    ruleset: str
    season: int
    player: str
    points: Fraction
    reason: str
    position: int
    day: date


def ask(  # noqa: PLR0913 - whose points, of which season, and why
    act: acts.Act, *, ruleset: str, season: int, player: str, points: str, reason: str
) -> journal.Receipt:
    """
    Ask that points of a player in a closed season are adjusted; a second person approves it.

    :param player: a token, or a name. :param points: to add, such as 2 or 1/2; -2: to take away.
    :raises NotYours: if the person's role does not let them change the house's things.
    :raises Refused: `NotClosed`, `NotInSeason`, `AdjustedPoints`; `ReasonMissing`.
    """
    if act.by is None:
        raise permissions.NotYours("Somebody asks by name, or nobody does. C1")
    permissions.require(act.by, "configure", act.house)
    token = tokens.player_tokens(act.house.pk, [player], new=False).get(player, player)
    more = Fraction(points)
    subject = {
        "game": ruleset, "season": season, "player": token, "points": scoreboard.as_json(more)
    }  # fmt: skip
    _check(act.house, subject)
    winners = [token] if more > 0 else ()
    return approvals.ask(act, kind=KIND, subject=subject, reason=reason, players=winners)


def adjustments_of(establishment: UUID, ruleset: str) -> list[Adjusted]:
    """The adjustments of the closed seasons of a board, the oldest first."""
    rows = Event.objects.filter(
        establishment=establishment, stream=seasons.stream(ruleset), event_type=ADJUSTED
    ).order_by("stream_version")
    events = read_events(establishment, rows.values_list("position", "body", "leaf_hash"))
    return [
        Adjusted(
            ruleset, event.data["season"], event.data["player"], Fraction(event.data["points"]),
            event.data["reason"], event.position, event.provenance.gaming_day,
        )
        for event in events
    ]  # fmt: skip


def _check(house: Establishment, subject: Mapping[str, Any]) -> None:
    """
    :raises NotClosed: if the season is not closed: a void still changes its points.
    :raises NotInSeason: if the player has not played in it.
    :raises AdjustedPoints: if nothing would change, or they would have less than nothing.
    """
    ruleset, season, player = subject["game"], subject["season"], subject["player"]
    rows = Season.objects.filter(establishment=house, ruleset=ruleset, number=season)
    if not rows.filter(state=Season.State.CLOSED).exists():
        raise NotClosed("Only points of a closed season are adjusted: others change by voids. SB2")
    tally = seasons.of_season(house.pk, ruleset, season).filter(player=player).first()
    if tally is None:
        raise NotInSeason("Nobody of this name has played in this season. SB2")
    more = Fraction(subject["points"])
    others = adjustments_of(house.pk, ruleset)
    mine = (each.points for each in others if (each.season, each.player) == (season, player))
    if not more or tally.exact + sum(mine) + more < 0:
        raise AdjustedPoints("An adjustment changes something, and leaves no points below 0. SB2")


def carry_out(request: Request, by: Attendant, now: datetime) -> acts.Done:
    """
    Carry out an approved adjustment: one event.

    :raises AdjustedPoints: if an adjustment since then has left too few points.
    """
    del by, now
    stream = seasons.stream(request.subject["game"])
    seen = journal.versions(establishment=request.house.pk, streams=[stream])
    _check(request.house, request.subject)
    named = {name: request.subject[name] for name in ("season", "player", "points")}
    data = {**named, "reason": request.reason, "because": str(request.id)}
    event = journal.NewEvent(stream=stream, event_type=ADJUSTED, schema_version=1, data=data)
    return acts.Done(guards=seen, events=[event])


def tells(request: Request) -> str:
    subject = request.subject
    points = Fraction(subject["points"])
    words = ngettext(
        "%(points)s point for %(player)s in season %(season)s of %(game)s.",
        "%(points)s points for %(player)s in season %(season)s of %(game)s.",
        1 if abs(points) == 1 else 2,
    )
    return words % {
        "points": with_sign(points),
        "player": subject["player"],
        "season": subject["season"],
        "game": TITLES.get(subject["game"], subject["game"]),
    }


def with_sign(points: Fraction) -> str:
    """Points with their sign, as people read them."""
    return f"{'+' if points > 0 else locales.MINUS}{exactly(abs(points))}"


def address(request: Request) -> str:
    return reverse("settings-scoreboard", args=[request.subject["game"]])


REQUESTS: Final = {
    KIND: kinds.Kind(
        title=gettext_lazy("Points of a closed season"),
        act="approve",
        carry_out=carry_out,
        tells=kinds.each(tells),
        refusals=kinds.each_refusal(lambda request: _check(request.house, request.subject)),
        address=address,
    ),
}
