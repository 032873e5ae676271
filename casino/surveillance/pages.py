"""What throws say about dice, and how they are entered (F2, F3): for who oversees a house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.surveillance import leader_lines, operations, pictures, queries
from casino.surveillance.causes import THRESHOLD
from casino.surveillance.levels import alpha_of
from casino.surveillance.listings import ALARMS, ENTRIES, LEADS, NO_THROWS, STREAMS
from casino.surveillance.models import Kind
from casino.web.forms import ActForm
from casino.web.listings.pages import of_rows, paged
from casino.web.pages import Page, office, only_those

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.establishments.models import Establishment
    from casino.surveillance.models import Alarm, CurvePoint, DiceStream

SECTION: Final = "dice"
LINES_MOST: Final = 50
ALARMS_MOST: Final = 20
WITH_LEADS: Final = frozenset({Kind.ATTENDANT.value, Kind.PLAYER.value})


class FoundForm(ActForm):
    reason = forms.CharField(
        label=gettext_lazy("What was found"),
        max_length=operations.REASON_MAX,
        widget=forms.TextInput(attrs={"size": 40}),
    )


@office("look", section=SECTION)
def overview(page: Page) -> HttpResponse:
    """Alarms that wait for somebody; then every stream, the one with most evidence first."""
    only_those(page)

    def context() -> dict[str, Any]:
        alarms = queries.alarms(page.house.pk)
        waiting = list(alarms.filter(open=True)[: ALARMS_MOST + 1])
        return {
            "alarms": _with_forms(queries.cards(page.house, waiting[:ALARMS_MOST])),
            "behind": len(waiting) > ALARMS_MOST,
            "unread": queries.unread(page.house.pk),
            "seen": of_rows(page, ALARMS, alarms.filter(open=False)[:ALARMS_MOST]),
            "decides": page.may(operations.ACKNOWLEDGE),
            **_bounds(page.house),
        }

    return paged(page, STREAMS, "surveillance/index.html", context)


@office("look", section=SECTION)
def of(page: Page, kind: str, name: str) -> HttpResponse:
    """The throws of one set, table, thrower or attendant, or of the house: each size of dice."""
    only_those(page)
    if kind not in Kind.values:
        raise Http404(kind)
    named = queries.name_in(kind, name)
    rows = queries.streams_of(page.house.pk, kind, named)
    leads = leader_lines.parts_of(page.house, kind, named) if kind in WITH_LEADS else []
    if not rows and not leads and not queries.has(page.house, kind, named):
        raise Http404(name)
    points = queries.points_of(page.house.pk, kind, named)
    alarms = list(queries.alarms_of(page.house.pk, kind, named)[:ALARMS_MOST])
    title = queries.titled(page.house, [(kind, named)])[kind, named]
    context = {
        "title": title,
        "kind": kind,
        "name": named,
        "rounds": _rounds(kind, named, title),
        "leads": [
            (part, of_rows(page, LEADS, part.lines, without={"whose", "game"})) for part in leads
        ],
        "pictures": [_picture(page.house, row, points, alarms) for row in rows],
        "alarms": _with_forms(queries.cards(page.house, [each for each in alarms if each.open])),
        "seen": of_rows(page, ALARMS, [each for each in alarms if not each.open]),
        "decides": page.may(operations.ACKNOWLEDGE),
        **_bounds(page.house),
    }
    return page.show("surveillance/of.html", context)


@office("look", section=SECTION)
def entries(page: Page) -> HttpResponse:
    """How throws are entered: no-throws, the lag, the same dice twice, favourite faces (F3)."""
    only_those(page)

    def context() -> dict[str, Any]:
        attendants = queries.entries(page.house.pk).filter(kind=Kind.ATTENDANT)
        return {
            "attendants": of_rows(page, ENTRIES, attendants[:LINES_MOST]),
            "leads": of_rows(page, LEADS, leader_lines.foremost(page.house)),
            **_bounds(page.house),
        }

    return paged(page, NO_THROWS, "surveillance/entries.html", context)


@office("look", section=SECTION, post=operations.ACKNOWLEDGE)
def acknowledge(page: Page, alarm: UUID) -> HttpResponse:
    """Say that one has seen an alarm, and what was found."""
    only_those(page)
    if not queries.alarms(page.house.pk).filter(id=alarm).exists():
        raise Http404(str(alarm))
    form = FoundForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say what was found, in a few words."), "dice")
    reason = form.cleaned_data["reason"]
    return page.put(
        lambda: operations.acknowledge(page.act(form.act_id), alarm=alarm, reason=reason),
        _("Acknowledged, by your name. The count of these throws begins anew."),
        "dice",
    )


def _rounds(kind: str, name: str, title: str) -> str:
    """Where the games are that the throws were made in."""
    found = reverse("games")
    match kind:
        case Kind.SET:
            return reverse("dice-set", args=[name])
        case Kind.TABLE | Kind.ATTENDANT:
            return f"{found}?{urlencode({kind: name})}"
        case Kind.PLAYER:
            return f"{found}?{urlencode({kind: title})}"
        case _:
            return found


def _bounds(house: Establishment) -> dict[str, Any]:
    return {"one_in": house.alarms_one_in, "threshold": int(THRESHOLD)}


def _picture(
    house: Establishment,
    row: DiceStream,
    points: dict[int, list[CurvePoint]],
    alarms: list[Alarm],
) -> pictures.Picture:
    mine = [each for each in alarms if each.sides == row.sides]
    return pictures.picture(row, points.get(row.sides, []), mine, alpha_of(house.alarms_one_in))


def _with_forms(
    cards: list[queries.AlarmCard],
) -> list[tuple[queries.AlarmCard, FoundForm]]:
    """Each with its own form: what is sent twice from it is one act."""
    return [(card, FoundForm(auto_id=f"id-{card.row.position}-%s")) for card in cards]
