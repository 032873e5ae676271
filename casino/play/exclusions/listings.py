"""Lists of exclusions, refused seats (P1) and limits, for pages, exports, the API; their forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from casino.house.attendants.pseudonyms import similar_names, tokens
from casino.house.attendants.pseudonyms.tokens import PLAYER
from casino.house.establishments.gaming_day import current
from casino.kit.approvals.queries import names as people_named
from casino.kit.web.api.houses import OVERSEEING
from casino.kit.web.forms import ActForm, ReasonForm
from casino.kit.web.listings.listing import (
    API,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    Column,
    DayFilter,
    Listing,
    PlayerFilter,
    Sign,
    columns_of,
    filters,
)
from casino.play.exclusions import operations
from casino.play.exclusions.models import Exclusion, PlayerLimit, SeatRefused
from casino.play.exclusions.operations import Limit
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from django.db.models import QuerySet

    from casino.kit.web.listings.listing import Viewer

STATES: Final = {
    "readmitted": Sign("off", gettext_lazy("readmitted")),
    "over": Sign("off", gettext_lazy("over")),
    "later": Sign("wait", gettext_lazy("from later on")),
    "excluded": Sign("alarm", gettext_lazy("excluded")),
}
REASONS: Final = {
    "excluded": Sign("alarm", gettext_lazy("excluded")),
    "apart": Sign("off", gettext_lazy("told apart")),
    "alike": Sign("wait", gettext_lazy("reads like them")),
}
"""Why somebody was refused a seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExclusionItem:
    """
    An exclusion with names and texts instead of tokens.

    :param url: the player's page; "" if the viewer may not open it.
    :param by: the name of who excluded the player; `lifted_by`: of who readmitted them, or "".
    :param form: the form on the page that readmits the player.
    :param others: players who may be the same person, each with the form on the page that says
        that they are not.
    """

    row: Exclusion
    name: str
    reason: str
    lifted_because: str
    by: str
    lifted_by: str
    url: str
    day: date
    form: AboutForm | None
    others: Sequence[tuple[str, AboutForm | None]]

    @property
    def perhaps(self) -> list[str]:
        return [name for name, _form in self.others]

    @property
    def state(self) -> str:
        """The state of the exclusion on the current gaming day, a key of `STATES`."""
        if self.row.lifted_at:
            return "readmitted"
        if self.row.until and self.row.until < self.day:
            return "over"
        return "later" if self.row.since > self.day else "excluded"


def exclusion_items(viewer: Viewer, rows: Sequence[Exclusion]) -> list[ExclusionItem]:
    on_page = viewer.surface == "page"
    people = people_named({each.by for each in rows} | {each.lifted_by for each in rows})
    texts = tokens.resolve(
        viewer.house.pk, [[each.player, each.reason, each.lifted_because] for each in rows]
    )
    day = current(viewer.house, timezone.now())
    names = {row.player: text[0] for row, text in zip(rows, texts, strict=True)}
    others = (
        similar_names.add_similar(viewer.house.pk, names)
        if viewer.surface in {"page", "api"}
        else {}
    )
    apart = operations.exclusion_state_of(viewer.house.pk).apart if others else frozenset()
    pairs = sorted(operations.perhaps(names, others, apart), key=lambda pair: others[pair[1]])
    return [
        ExclusionItem(
            row=row,
            name=name,
            reason=reason,
            lifted_because=because,
            by=_by(row, people),
            lifted_by=people.get(row.lifted_by, ""),
            url=_player_page(viewer, row.player),
            day=day,
            form=_about(row, row.player) if on_page else None,
            others=[
                (others[other], _about(row, player, other) if on_page else None)
                for player, other in pairs
                if player == row.player
            ],
        )
        for row, (name, reason, because) in zip(rows, texts, strict=True)
    ]


def _by(row: Exclusion | PlayerLimit, people: Mapping[str, str]) -> str:
    return gettext("themselves") if row.by == row.player else people[row.by]


def _about(row: Exclusion | SeatRefused, player: str, other: str = "") -> AboutForm:
    initial = {"player": player, "other": other}
    return AboutForm(initial=initial, auto_id=f"%s-{row.position}{other}")


def _player_page(viewer: Viewer, token: str) -> str:
    sees = any(viewer.may(act) for act in OVERSEEING)
    return reverse("player", kwargs={"token": token}) if sees and viewer.surface == "page" else ""


def _exclusions(viewer: Viewer) -> QuerySet[Exclusion]:
    """All exclusions for programs; for people, those of players who have not been readmitted."""
    rows = Exclusion.objects.filter(establishment=viewer.house)
    if viewer.surface == "api":
        return rows
    bars = operations.exclusion_state_of(viewer.house.pk).bars
    return rows.filter(player__in=bars, lifted_at__isnull=True)


EXCLUSIONS: Final = Listing[Exclusion, ExclusionItem](
    name="exclusions",
    title=gettext_lazy("Excluded players"),
    about=gettext_lazy("Who is refused a seat, from when, until when, and why."),
    rows=_exclusions,
    items=exclusion_items,
    order=("-position",),
    columns=(
        Column(name="player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS,
               value=lambda item: item.row.player),
        Column(name="name", title=gettext_lazy("Player"), style="row-name",
               link=lambda item: item.url, template="play/exclusions/_name.html"),
        Column(name="perhaps", on=API),
        Column(name="since", title=gettext_lazy("From"), kind="day",
               value=lambda item: item.row.since, order=("since",)),
        Column(name="until", title=gettext_lazy("Until"), kind="day",
               value=lambda item: item.row.until, order=("until",)),
        Column(name="reason", title=gettext_lazy("Reason"), sees=OVERSEEING,
               template="play/exclusions/_reason.html", style="wide because"),
        Column(name="by", title=gettext_lazy("By"), value=lambda item: item.row.by,
               display=lambda item: item.by, template="play/exclusions/_by.html",
               style="wide soft"),
        Column(name="at", title=gettext_lazy("When"), kind="moment", on=FOR_PROGRAMS,
               value=lambda item: item.row.at),
        Column(name="lifted_at", on=API, value=lambda item: item.row.lifted_at),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number",
               on=FOR_PROGRAMS, value=lambda item: item.row.position),
        Column(name="state", title=gettext_lazy("State"), on=FOR_PEOPLE, signs=STATES,
               template="play/exclusions/_state.html"),
    ),
    empty=gettext_lazy(
        "Nobody is excluded here. A supervisor or manager excludes somebody below, by name or id."
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRefusedItem:
    """
    A refused seat, with names.

    :param named: the name that was given; `name`: the excluded player's name.
    :param form: the form on the page that says that the two are different people.
    """

    row: SeatRefused
    name: str
    named: str
    by: str
    apart: bool
    form: AboutForm | None

    @property
    def reads_alike(self) -> bool:
        """Whether the name that was given only reads like the excluded player's."""
        return self.row.named != self.row.player

    @property
    def why(self) -> str:
        if not self.reads_alike:
            return "excluded"
        return "apart" if self.apart else "alike"


def items_of_refusals(viewer: Viewer, rows: Sequence[SeatRefused]) -> list[SeatRefusedItem]:
    on_page = viewer.surface == "page"
    names = tokens.resolve(viewer.house.pk, [[each.player, each.named] for each in rows])
    people = people_named({each.by for each in rows})
    apart = operations.exclusion_state_of(viewer.house.pk).apart if rows else frozenset()
    return [
        SeatRefusedItem(
            row=row,
            name=name,
            named=named,
            by=people[row.by],
            apart=(row.player, row.named) in apart,
            form=_about(row, row.player, row.named) if on_page else None,
        )
        for row, (name, named) in zip(rows, names, strict=True)
    ]


_of_row = columns_of()


SEATS_REFUSED: Final = Listing[SeatRefused, SeatRefusedItem](
    name="seats-refused",
    title=gettext_lazy("Turned away"),
    about=gettext_lazy("Who was refused a seat, by which name, and whom it reads like."),
    rows=lambda viewer: SeatRefused.objects.filter(establishment=viewer.house),
    items=items_of_refusals,
    order=("-position", "player"),
    filters=filters(
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day"), on=FOR_PEOPLE),
        player=PlayerFilter(title=gettext_lazy("Excluded player"), on=FOR_PEOPLE),
    ),
    columns=(
        _of_row("at", title=gettext_lazy("When"), kind="moment", style="soft",
                order=("position",)),
        Column(name="named", title=gettext_lazy("Name given"), style="row-name"),
        Column(name="name", title=gettext_lazy("Excluded player")),
        _of_row("player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS),
        Column(name="reads_alike", on=API),
        _of_row("game", on=API),
        _of_row("table", on=API),
        _of_row("by", title=gettext_lazy("Recorded by"), display=lambda item: item.by,
                style="wide soft"),
        _of_row("gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _of_row("position", title=gettext_lazy("Ledger position"), kind="number",
                on=FOR_PROGRAMS),
        Column(name="why", title=gettext_lazy("Why"), on=FOR_PEOPLE, signs=REASONS,
               template="play/exclusions/_why.html"),
    ),
    empty=gettext_lazy("Nobody excluded has tried to sit down."),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitItem:
    """
    A limit, with names.

    :param most: what holds now; `then`: what holds from `since` on; None: any amount.
    """

    row: PlayerLimit
    name: str
    by: str
    url: str
    most: int | None
    then: int | None
    since: datetime | None

    @property
    def span(self) -> str:
        return str(self.row.get_span_display())


def limit_items(viewer: Viewer, rows: Sequence[PlayerLimit]) -> list[LimitItem]:
    names = tokens.names(viewer.house.pk, {each.player for each in rows})
    people, now, items = people_named({each.by for each in rows}), timezone.now(), []
    for row in rows:
        waits = row.since is not None and row.since > now
        items.append(
            LimitItem(
                row=row,
                name=names.get(row.player, row.player),
                by=_by(row, people),
                url=_player_page(viewer, row.player),
                most=Limit(row.most, row.then, row.since).at(now),
                then=row.then if waits else None,
                since=row.since if waits else None,
            )
        )
    return items


_of_limit = columns_of()


LIMITS: Final = Listing[PlayerLimit, LimitItem](
    name="limits",
    title=gettext_lazy("Limits"),
    about=gettext_lazy("How much players may pay in, as they asked for it."),
    rows=lambda viewer: PlayerLimit.objects.filter(establishment=viewer.house),
    items=limit_items,
    order=("-position", "player", "span"),
    filters=filters(player=PlayerFilter()),
    columns=(
        _of_limit("player", title=gettext_lazy("Id in the ledger"), on=FOR_PROGRAMS),
        Column(name="name", title=gettext_lazy("Player"), style="row-name",
               link=lambda item: item.url),
        Column(name="span", title=gettext_lazy("Span"), value=lambda item: item.row.span,
               display=lambda item: item.span),
        Column(name="most", title=gettext_lazy("At most"), kind="money"),
        Column(name="then", title=gettext_lazy("Then"), kind="money"),
        Column(name="since", title=gettext_lazy("From"), kind="moment"),
        Column(name="by", title=gettext_lazy("By"), value=lambda item: item.row.by,
               display=lambda item: item.by, style="wide soft"),
        _of_limit("at", title=gettext_lazy("When"), kind="moment", on=FOR_PROGRAMS),
        _of_limit("position", title=gettext_lazy("Ledger position"), kind="number",
                  on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy(
        "Nobody has a limit. Players set one for themselves, with a code for the guests' page."
    ),
    sees=OVERSEEING,
    section="players",
    links=(("players", gettext_lazy("All players")),),
)  # fmt: skip


# Forms about protected players: exclusions, names that read alike (P1), and limits.


COINS: Final[dict[str, Any]] = {"min_value": 1, "max_value": COINS_MAX, "required": False}


class AboutForm(ReasonForm):
    """Asks for a reason; has the player's token, and for names that read alike the other token."""

    player = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput)
    other = forms.RegexField(rf"\A{PLAYER}\Z", widget=forms.HiddenInput, required=False)


class LimitsForm(ActForm):
    """How much a player may pay in; what is left empty has no limit. Its fields are the spans."""

    day = CoinsField(label=gettext_lazy("On a gaming day"), **COINS)
    week = CoinsField(label=gettext_lazy("In a week, from Monday"), **COINS)
    month = CoinsField(label=gettext_lazy("In a month"), **COINS)
