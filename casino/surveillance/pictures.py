"""The plots of one stream: its faces, its evidence, its detector of changes."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.languages.locales import decimal, number
from casino.surveillance import fixed, messages
from casino.surveillance.causes import CHANGE, THRESHOLD
from casino.surveillance.evidence import Evidence
from casino.surveillance.watching import LEVELS
from casino.web.plots.faces import faces
from casino.web.plots.figures import large
from casino.web.plots.lines import Axis, Level, Line, Plot, Point, plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

    from casino.surveillance.models import Alarm, CurvePoint, DiceStream

LEAST: Final = 0.1  # the detector is drawn on powers of ten: below this it is at rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    face: int
    seen: int
    due: float
    times: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """
    One size of dice on its page: what is said of the evidence is of the count that runs,
    `long_run` of all that was ever counted, like the faces.
    """

    row: DiceStream
    odds: str
    long_run: str
    highest: str
    power: str
    faces: list[Face]
    columns: SafeString
    evidence: SafeString
    detector: SafeString
    points: Sequence[CurvePoint]
    alarms: Sequence[Alarm]

    @property
    def fit(self) -> fixed.Fit | None:
        """The test of an audit's sample; None where it would take more than a moment."""
        enough = self.row.throws >= fixed.EXPECTED_LEAST * self.row.sides
        return fixed.fit(self.row.total) if enough else None

    @property
    def change(self) -> str:
        return large(self.row.change)

    @property
    def passed(self) -> list[tuple[int, int | None]]:
        return [(level, getattr(self.row, f"passed_{level}")) for level in LEVELS]

    @property
    def was_acknowledged(self) -> bool:
        return any(self.row.before)


def picture(
    row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm], alpha: float
) -> Picture:
    total = row.total
    due = row.throws / row.sides
    return Picture(
        row=row,
        odds=messages.odds(row.log10),
        long_run=messages.odds(Evidence.of(total).log10),
        highest=messages.odds(row.highest),
        power=messages.power_sentence(row.sides, row.counted, alpha),
        faces=[
            Face(face=face, seen=seen, due=due, times=seen / due if due else 0.0)
            for face, seen in enumerate(total, start=1)
        ],
        columns=_columns(row, total),
        evidence=_evidence(row, points, alarms),
        detector=_detector(row, points, alarms),
        points=points,
        alarms=alarms,
    )


def _columns(row: DiceStream, total: Sequence[int]) -> SafeString:
    told = ", ".join(f"{face}: {seen}" for face, seen in enumerate(total, start=1))
    return faces(
        total,
        _("How often each face of the d%(sides)s was seen. %(told)s. A fair die: %(due)s each.")
        % {"sides": row.sides, "told": told, "due": decimal(row.throws / row.sides, 1)},
        axis=_("face"),
    )


def _evidence(row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm]) -> SafeString:
    said = _("Evidence against fair dice over %(throws)s throws; now %(odds)s, at most %(most)s.")
    drawn = [
        Point(
            point.throws,
            point.log10,
            _told(point, messages.odds(point.log10)),
            _throw(point.position),
        )
        for point in points
    ]
    return plot(
        Plot(
            said
            % {
                "throws": number(row.throws),
                "odds": messages.odds(row.log10),
                "most": messages.odds(row.highest),
            },
            (Line(_("Evidence"), tuple(drawn)),),
            x=Axis(_("throws")),
            y=Axis(_("to 1 against fair dice"), powers=True),
            levels=tuple(Level(log10(level), f"{level}") for level in LEVELS),
            marks=tuple(
                Point(each.throws, each.log10, _alarmed(each), _throw(each.cause))
                for each in alarms
            ),
        )
    )


def _detector(row: DiceStream, points: Sequence[CurvePoint], alarms: Sequence[Alarm]) -> SafeString:
    drawn = [
        Point(point.throws, _rest(point.change), _told(point, large(point.change)),
              _throw(point.position))
        for point in points
    ]  # fmt: skip
    return plot(
        Plot(
            _("The detector of changes over %(throws)s throws; now %(value)s.")
            % {"throws": number(row.throws), "value": large(row.change)},
            (Line(_("Detector of changes"), tuple(drawn)),),
            x=Axis(_("throws")),
            y=Axis(_("detector"), powers=True),
            levels=(Level(log10(THRESHOLD), _("alarm")),),
            marks=tuple(
                Point(each.throws, _rest(each.change), _alarmed(each), _throw(each.cause))
                for each in alarms
                if each.by == CHANGE.name
            ),
        )
    )


def _rest(change: float) -> float:
    return log10(max(change, LEAST))


def _told(point: CurvePoint, value: str) -> str:
    return _("After %(throws)s throws: %(value)s") % {
        "throws": number(point.throws),
        "value": value,
    }


def _alarmed(alarm: Alarm) -> str:
    return _("Alarm after %(throws)s throws") % {"throws": number(alarm.throws)}


def _throw(position: int) -> str:
    return reverse("ledger-event", args=[position])
