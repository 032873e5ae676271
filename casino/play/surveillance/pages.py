"""Pages of surveillance: streams of throws and alarms (F2), entry statistics (F3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.kit.web.forms import ActForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome, Page, office, only_those
from casino.play.surveillance import leader_comparisons, operations, queries, stream_plots
from casino.play.surveillance.causes import CHANGE_THRESHOLD
from casino.play.surveillance.false_discovery_rate import alpha_of
from casino.play.surveillance.listings import ALARMS, ENTRIES, LEADS, NO_THROWS, STREAMS
from casino.play.surveillance.models import Kind

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.play.surveillance.models import Alarm, CurvePoint, DiceStream

SECTION: Final = "dice"
LINES_MAX: Final = 50
ALARMS_MAX: Final = 20
KINDS_WITH_LEADERS: Final = frozenset({Kind.ATTENDANT.value, Kind.PLAYER.value})


class AcknowledgeForm(ActForm):
    reason = forms.CharField(
        label=gettext_lazy("What was found"),
        max_length=operations.REASON_MAX,
        widget=forms.TextInput(attrs={"size": 40}),
    )


@office("look", section=SECTION, from_replica=True)
def overview(page: Page) -> HttpResponse:
    """Open alarms, then every stream, the one with most evidence first."""
    only_those(page)

    def context() -> dict[str, Any]:
        alarms = queries.alarms(page.house.pk)
        open_alarms = list(alarms.filter(open=True)[: ALARMS_MAX + 1])
        return {
            "alarms": _with_forms(queries.alarm_cards(page.house, open_alarms[:ALARMS_MAX])),
            "more_alarms": len(open_alarms) > ALARMS_MAX,
            "parked_games": queries.games_parked(page.house.pk),
            "acknowledged": of_rows(page, ALARMS, alarms.filter(open=False)[:ALARMS_MAX]),
            "may_acknowledge": page.may(operations.ACKNOWLEDGE),
            **_alarm_limits(page.house),
        }

    return page_with_list(page, STREAMS, "surveillance/index.html", context)


@office("look", section=SECTION, from_replica=True)
def stream_detail(page: Page, kind: str, name: str) -> HttpResponse:
    """The streams of one set, table, thrower or attendant, or of the house, by size of dice."""
    only_those(page)
    if kind not in Kind.values:
        raise Http404(kind)
    stream_name = queries.name_from_address(kind, name)
    rows = queries.streams_of(page.house.pk, kind, stream_name)
    comparisons = (
        leader_comparisons.comparisons_by_game(page.house, kind, stream_name)
        if kind in KINDS_WITH_LEADERS
        else []
    )
    if not rows and not comparisons and not queries.is_known(page.house, kind, stream_name):
        raise Http404(name)
    points = queries.points_of(page.house.pk, kind, stream_name)
    alarms = list(queries.alarms_of(page.house.pk, kind, stream_name)[:ALARMS_MAX])
    title = queries.titles_of(page.house, [(kind, stream_name)])[kind, stream_name]
    context = {
        "title": title,
        "kind": kind,
        "name": stream_name,
        "related_url": _url_of_dice(kind, stream_name, title),
        "leader_comparisons": [
            (group, of_rows(page, LEADS, group.lines, without={"whose", "game"}))
            for group in comparisons
        ],
        "stream_plots": [_plots_of(page.house, row, points, alarms) for row in rows],
        "alarms": _with_forms(
            queries.alarm_cards(page.house, [each for each in alarms if each.open])
        ),
        "acknowledged": of_rows(page, ALARMS, [each for each in alarms if not each.open]),
        "may_acknowledge": page.may(operations.ACKNOWLEDGE),
        **_alarm_limits(page.house),
    }
    return page.show("surveillance/stream_detail.html", context)


@office("look", section=SECTION, from_replica=True)
def entries(page: Page) -> HttpResponse:
    """Entry statistics: no-throws, lag, repeated dice, favourite faces, no-throws by leader."""
    only_those(page)

    def context() -> dict[str, Any]:
        attendants = queries.entries(page.house.pk).filter(kind=Kind.ATTENDANT)
        return {
            "attendants": of_rows(page, ENTRIES, attendants[:LINES_MAX]),
            "leader_comparisons": of_rows(
                page, LEADS, leader_comparisons.largest_in_house(page.house)
            ),
            **_alarm_limits(page.house),
        }

    return page_with_list(page, NO_THROWS, "surveillance/entries.html", context)


@office("look", section=SECTION, post=operations.ACKNOWLEDGE)
def acknowledge(page: Page, alarm: UUID) -> HttpResponse:
    """Acknowledge an alarm, with what was found."""
    only_those(page)
    row = queries.alarms(page.house.pk).filter(id=alarm).first()
    if row is None:
        raise Http404(str(alarm))
    form = AcknowledgeForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say what was found, in a few words."), "dice")
    reason = form.cleaned_data["reason"]
    return page.put(
        lambda: operations.acknowledge(page.act(form.act_id), alarm=alarm, reason=reason),
        Outcome(
            _("Acknowledged, by your name. The count of these throws begins anew."),
            _("These throws"),
            queries.address(row.kind, row.name),
        ),
        "dice",
    )


def _url_of_dice(kind: str, name: str, title: str) -> str:
    """The address of the dice set, or of the games in which the dice were thrown."""
    games = reverse("games")
    match kind:
        case Kind.SET:
            return reverse("dice-set", args=[name])
        case Kind.TABLE | Kind.ATTENDANT:
            return f"{games}?{urlencode({kind: name})}"
        case Kind.PLAYER:
            return f"{games}?{urlencode({kind: title})}"
        case _:
            return games


def _alarm_limits(house: Establishment) -> dict[str, Any]:
    return {"one_in": house.alarms_one_in, "threshold": int(CHANGE_THRESHOLD)}


def _plots_of(
    house: Establishment,
    row: DiceStream,
    points: dict[int, list[CurvePoint]],
    alarms: list[Alarm],
) -> stream_plots.StreamPlots:
    own_alarms = [each for each in alarms if each.sides == row.sides]
    alpha = alpha_of(house.alarms_one_in)
    return stream_plots.plots_of(row, points.get(row.sides, []), own_alarms, alpha)


def _with_forms(
    cards: list[queries.AlarmCard],
) -> list[tuple[queries.AlarmCard, AcknowledgeForm]]:
    """Each card with a form of its own; a form that is sent twice acts once."""
    return [(card, AcknowledgeForm(auto_id=f"id-{card.row.position}-%s")) for card in cards]
