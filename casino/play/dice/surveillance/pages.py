"""Pages of surveillance: streams of throws and alarms (F2), entry statistics (F3)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.kit.web.forms import ActForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome, Page, office, only_those
from casino.kit.web.plots.charts import Axis, Cell, Table, large, table_of
from casino.kit.web.plots.groups import faces
from casino.kit.web.plots.lines import Level, Line, Plot, Point, plot
from casino.play.dice.surveillance import alarms as surveillance_alarms
from casino.play.dice.surveillance import goodness_of_fit, leader_comparisons, queries
from casino.play.dice.surveillance.alarms import CHANGE, CHANGE_THRESHOLD, alpha_of
from casino.play.dice.surveillance.e_values import EProcess
from casino.play.dice.surveillance.listings import ALARMS, ENTRIES, LEADS, NO_THROWS, STREAMS
from casino.play.dice.surveillance.models import Kind
from casino.play.dice.surveillance.stream_monitor import E_THRESHOLDS
from casino.words.languages.locales import decimal, number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.http import HttpResponse
    from django.utils.safestring import SafeString

    from casino.house.establishments.models import Establishment
    from casino.play.dice.surveillance.models import Alarm, CurvePoint, DiceStream

SECTION: Final = "dice"
LINES_MAX: Final = 50
ALARMS_MAX: Final = 20
KINDS_WITH_LEADERS: Final = frozenset({Kind.ATTENDANT.value, Kind.PLAYER.value})


class AcknowledgeForm(ActForm):
    reason = forms.CharField(
        label=gettext_lazy("What was found"),
        max_length=surveillance_alarms.REASON_MAX,
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
            "may_acknowledge": page.may(surveillance_alarms.ACKNOWLEDGE),
            **_alarm_limits(page.house),
        }

    return page_with_list(page, STREAMS, "play/surveillance/index.html", context)


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
        "may_acknowledge": page.may(surveillance_alarms.ACKNOWLEDGE),
        **_alarm_limits(page.house),
    }
    return page.show("play/surveillance/stream_detail.html", context)


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

    return page_with_list(page, NO_THROWS, "play/surveillance/entries.html", context)


@office("look", section=SECTION, post=surveillance_alarms.ACKNOWLEDGE)
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
        lambda: surveillance_alarms.acknowledge(page.act(form.act_id), alarm=alarm, reason=reason),
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
) -> StreamPlots:
    own_alarms = [each for each in alarms if each.sides == row.sides]
    alpha = alpha_of(house.alarms_one_in)
    return plots_of(row, points.get(row.sides, []), own_alarms, alpha)


def _with_forms(
    cards: list[queries.AlarmCard],
) -> list[tuple[queries.AlarmCard, AcknowledgeForm]]:
    """Each card with a form of its own; a form that is sent twice acts once."""
    return [(card, AcknowledgeForm(auto_id=f"id-{card.row.position}-%s")) for card in cards]


# Figures and plots of one stream on its page: faces, evidence, change detector.


DETECTOR_MIN: Final = 0.1  # the plot of the detector has a log scale: lower values are drawn here


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPlots:
    """
    The figures and plots of a stream.

    The evidence is of the current count, since the last acknowledged alarm. `long_run` and the
    faces are of all counts.
    """

    row: DiceStream
    odds: str
    long_run: str
    highest: str
    power_sentence: str
    face_plot: SafeString
    evidence_plot: SafeString
    detector_plot: SafeString

    @property
    def chi_square(self) -> goodness_of_fit.ChiSquareTest | None:
        """The chi-square test for an audit; None if there are too few throws for it."""
        enough = self.row.throws >= goodness_of_fit.EXPECTED_MIN * self.row.sides
        return goodness_of_fit.chi_square_test(self.row.total_counts) if enough else None

    @property
    def change(self) -> str:
        return large(self.row.change)

    @property
    def thresholds_passed(self) -> list[tuple[int, int | None]]:
        return [(level, getattr(self.row, f"passed_{level}")) for level in E_THRESHOLDS]

    @property
    def has_acknowledged_alarm(self) -> bool:
        return any(self.row.before)


def plots_of(
    row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm], alpha: float
) -> StreamPlots:
    counts = row.total_counts
    return StreamPlots(
        row=row,
        odds=queries.odds_text(row.log10),
        long_run=queries.odds_text(EProcess.from_counts(counts).log10),
        highest=queries.odds_text(row.highest),
        power_sentence=queries.power_sentence(row.sides, row.current_throws, alpha),
        face_plot=_face_plot(row, counts),
        evidence_plot=_evidence_plot(row, points, alarms),
        detector_plot=_detector_plot(row, points, alarms),
    )


def _face_plot(row: DiceStream, counts: Sequence[int]) -> SafeString:
    described = ", ".join(f"{face}: {seen}" for face, seen in enumerate(counts, start=1))
    return faces(
        counts,
        _("How often each face of the d%(sides)s was seen. %(told)s. A fair die: %(due)s each.")
        % {"sides": row.sides, "told": described, "due": decimal(row.throws / row.sides, 1)},
        axis=_("face"),
        told=[
            _("Face %(face)s: %(seen)s") % {"face": face, "seen": number(seen)}
            for face, seen in enumerate(counts, start=1)
        ],
        table=_face_table(row, counts),
    )


def _face_table(row: DiceStream, counts: Sequence[int]) -> Table:
    due = row.throws / row.sides
    return table_of(
        (_("Face"), _("Seen"), _("Fair"), _("Times")),
        [
            (str(face), number(seen), decimal(due, 1), decimal(seen / due if due else 0.0, 2))
            for face, seen in enumerate(counts, start=1)
        ],
    )


def _curve_table(head: str, points: Sequence[CurvePoint], figures: Sequence[str]) -> Table:
    """The points of a curve, each with its figure and a link to the event that it follows."""
    return Table(
        (Cell(_("Throw")), Cell(head), Cell(_("Event"))),
        tuple(
            (
                Cell(number(point.throws)),
                Cell(figure),
                Cell(str(point.position), href=_event_url(point.position)),
            )
            for point, figure in zip(points, figures, strict=True)
        ),
    )


def _evidence_plot(
    row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm]
) -> SafeString:
    title = ngettext(
        "Evidence against fair dice over %(throws)s throw; now %(odds)s, at most %(most)s.",
        "Evidence against fair dice over %(throws)s throws; now %(odds)s, at most %(most)s.",
        row.throws,
    )
    curve = [
        Point(
            point.throws,
            point.log10,
            _point_label(point, queries.odds_text(point.log10)),
            _event_url(point.position),
        )
        for point in points
    ]
    return plot(
        Plot(
            title
            % {
                "throws": number(row.throws),
                "odds": queries.odds_text(row.log10),
                "most": queries.odds_text(row.highest),
            },
            (Line(_("Evidence"), tuple(curve)),),
            x=Axis(_("throws"), whole=True),
            y=Axis(_("to 1 against fair dice"), powers=True),
            table=_curve_table(
                _("Evidence, log₁₀"), points, [decimal(point.log10, 2) for point in points]
            ),
            levels=tuple(Level(log10(level), number(level)) for level in E_THRESHOLDS),
            marks=tuple(
                Point(each.throws, each.log10, _alarm_label(each), _event_url(each.cause))
                for each in alarms
            ),
        )
    )


def _detector_plot(
    row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm]
) -> SafeString:
    curve = [
        Point(point.throws, _detector_log10(point.change), _point_label(point, large(point.change)),
              _event_url(point.position))
        for point in points
    ]  # fmt: skip
    return plot(
        Plot(
            ngettext(
                "The detector of changes over %(throws)s throw; now %(value)s.",
                "The detector of changes over %(throws)s throws; now %(value)s.",
                row.throws,
            )
            % {"throws": number(row.throws), "value": large(row.change)},
            (Line(_("Detector of changes"), tuple(curve)),),
            x=Axis(_("throws"), whole=True),
            y=Axis(_("detector"), powers=True),
            table=_curve_table(_("Detector"), points, [large(point.change) for point in points]),
            levels=(Level(log10(CHANGE_THRESHOLD), _("alarm")),),
            marks=tuple(
                Point(
                    each.throws,
                    _detector_log10(each.change),
                    _alarm_label(each),
                    _event_url(each.cause),
                )
                for each in alarms
                if each.by == CHANGE.name
            ),
        )
    )


def _detector_log10(change: float) -> float:
    return log10(max(change, DETECTOR_MIN))


def _point_label(point: CurvePoint, value: str) -> str:
    said = ngettext(
        "After %(throws)s throw: %(value)s", "After %(throws)s throws: %(value)s", point.throws
    )
    return said % {"throws": number(point.throws), "value": value}


def _alarm_label(alarm: Alarm) -> str:
    return _("Alarm after %(throws)s throws") % {"throws": number(alarm.throws)}


def _event_url(position: int) -> str:
    return reverse("ledger-event", args=[position])
