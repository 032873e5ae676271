"""The page of the waiting list, at the desk; its forms serve the tables' sheet as well."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.floor.players import waiting
from casino.floor.players.models import Wait
from casino.floor.players.pages import SECTION
from casino.floor.players.player_names import screen_names
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.gaming_day import current
from casino.house.establishments.table_names import in_list_order
from casino.house.home_throws import house_rules
from casino.kit.web.forms import ActForm, TableField, offer
from casino.kit.web.pages import office
from casino.play.exclusions import operations as exclusions
from casino.words.languages.fields import CoinsField
from casino.words.presenters import TITLES
from games.payments import COINS_MAX
from ledger.canonical import read_moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpResponse

    from casino.floor.players.waiting import Entry
    from casino.house.acts.acts import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page

CALL, SKIP, OFF = "call", "skip", "off"
SHOWN: Final = [("", gettext_lazy("as before")), *Player.Shown.choices]


class EnterForm(ActForm):
    """Puts somebody on the list."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    game = forms.ChoiceField(label=gettext_lazy("Game"))
    stake = CoinsField(
        label=gettext_lazy("Stake"),
        min_value=1,
        max_value=COINS_MAX,
        required=False,
        help_text=gettext_lazy("Where they will not sit down for any."),
    )
    shown = forms.ChoiceField(
        label=gettext_lazy("Screens show the name"),
        choices=SHOWN,
        required=False,
    )

    def __init__(self, house: Establishment, now: datetime, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "game", waiting.games(house, now))

    def enter(self, act: Act) -> Entry:
        given = self.cleaned_data
        return waiting.enter(
            act,
            name=given["name"],
            game=given["game"],
            stake=given["stake"],
            shown=given["shown"],
        )


class EntryForm(ActForm):
    """Calls, skips or takes off whoever has an entry."""

    do = forms.ChoiceField(choices=[(each, each) for each in (CALL, SKIP, OFF)])
    table = TableField(required=False)

    def __init__(self, house: Establishment, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["table"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - declared above
        field.queryset = house.tables.filter(in_use=True)

    def carry_out(self, act: Act, entry: UUID) -> Entry:
        match self.cleaned_data["do"]:
            case "call":
                return waiting.call(act, entry=entry, table=self.cleaned_data["table"])
            case "skip":
                return waiting.skip(act, entry=entry)
            case _:
                return waiting.take_off(act, entry=entry)

    @property
    def sentence(self) -> str:
        """What was done, for a message."""
        match self.cleaned_data["do"]:
            case "call":
                return _("Called: public screens show it.")
            case "skip":
                return _("Skipped: the next one comes first.")
            case _:
                return _("Taken off the list.")


@office("look", section=SECTION, post="record")
def waiting_list(page: Page) -> HttpResponse:
    """Who waits for which game; puts somebody on the list."""
    asked = page.request.GET.get("game", "")
    form = EnterForm(page.house, page.now, page.sent, initial={"game": asked})
    done = page.take(form, lambda: form.enter(page.act(form.act_id)), sentence_of_entry, "waiting")
    tables = in_list_order(page.house.tables.filter(in_use=True))
    return done or page.show(
        "floor/players/waiting.html",
        {
            "form": form if page.may("record") and form.fields["game"].choices else None,  # type: ignore[attr-defined]
            "lines": lines(page.house, page.now),
            "tables": tables,
            "called_to": page.request.GET.get("table", ""),
            "names_from": tables[0] if tables else None,
            "records": page.may("record"),
        },
    )


def sentence_of_entry(entry: Entry) -> str:
    """What was done, for a message."""
    return _("On the list, as number %(number)s.") % {"number": entry.number}


@office("record", section=SECTION)
def waiting_entry(page: Page, entry: UUID) -> HttpResponse:
    """Call, skip, or take off whoever has this entry."""
    form = EntryForm(page.house, page.sent)
    if not form.is_valid():
        raise Http404("It is done from the list.")
    act = page.act(form.act_id)
    return page.put(lambda: form.carry_out(act, entry), lambda _entry: form.sentence, "waiting")


# The waiting list as screens show it: names, calls, and how long those before have waited.


LOOKED_AT: Final = 60  # waits that ended with a seat, the latest first
RECENT: Final = timedelta(days=28)
COMPARED: Final = 10
LEAST: Final = 5  # with fewer waits to compare with, nothing is said
SHARE: Final = 0.7
STEP: Final = 5  # minutes


@dataclass(frozen=True, slots=True)
class Estimate:
    """
    How long somebody waits who comes now, as others with about as many before them have waited.

    :param minutes: about so many; `within` of `of` people waited between `shortest` and `longest`.
    """

    minutes: int
    within: int
    of: int
    shortest: int
    longest: int

    @property
    def about(self) -> str:
        return ngettext("about %(minutes)s minute", "about %(minutes)s minutes", self.minutes) % {
            "minutes": self.minutes
        }

    @property
    def honesty(self) -> str:
        words = _("%(within)s of %(of)s waited between %(least)s and %(most)s minutes")
        return words % {
            "within": self.within, "of": self.of, "least": self.shortest, "most": self.longest,
        }  # fmt: skip


def estimate(waits: Sequence[tuple[int, float]], ahead: int) -> Estimate | None:
    """
    Compare with the ten waits whose beginning was most alike.

    :param waits: how many were ahead, and the minutes until the seat; the latest first.
    :returns: None if too few began alike.
    """
    near = [each for each in waits if abs(each[0] - ahead) <= max(1, ahead // 2)]
    near.sort(key=lambda each: abs(each[0] - ahead))  # the latest of those that are as near
    minutes = sorted(each for _ahead, each in near[:COMPARED])
    if len(minutes) < LEAST:
        return None
    many = ceil(SHARE * len(minutes))
    spans = [(minutes[at + many - 1] - first, at) for at, first in enumerate(minutes[: -many + 1])]
    _width, at = min(spans)
    least = int(minutes[at] // STEP) * STEP
    most = max(ceil(minutes[at + many - 1] / STEP) * STEP, least + STEP)
    return Estimate(
        minutes=max(round(median(minutes) / STEP) * STEP, STEP),
        within=sum(least <= each <= most for each in minutes),
        of=len(minutes),
        shortest=least,
        longest=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """
    Somebody who waits.

    :param name: for the house's people; `public` is for screens that anybody sees.
    :param minutes: for how long they wait.
    :param table: the name of the table that they were called to; "" if none.
    :param barred: whether they were excluded since: only the house's people see them, and only to
        take them off the list.
    """

    entry: Entry
    name: str
    public: str
    since: datetime
    minutes: int
    called_at: datetime | None
    table: str
    barred: bool

    @property
    def command_id(self) -> UUID:
        """A new one for each form about the place."""
        return uuid4()


@dataclass(frozen=True, slots=True)
class Line:
    """Who waits for one game, in order. :param offered: whether the house offers the game now."""

    game: str
    title: str
    offered: bool
    places: tuple[Place, ...]
    estimate: Estimate | None

    @property
    def called(self) -> list[Place]:
        return [each for each in self.places if each.called_at]

    @property
    def waiting(self) -> list[Place]:
        return [each for each in self.places if not each.called_at]

    @property
    def next(self) -> Place | None:
        """Who is to be called next."""
        return next((each for each in self.waiting if not each.barred), None)


def lines(house: Establishment, now: datetime, game: str = "") -> list[Line]:
    """Who waits, by game, in the order of the games; :param game: for this one alone."""
    entries = [each for each in waiting.read_list(house.pk, now).entries if game in {"", each.game}]
    if not entries:
        return []
    players = {each.player for each in entries}
    names = tokens.names(house.pk, players)
    shown = screen_names(house, players)
    barred = {
        hit.named for hit in exclusions.hits(house.pk, players, current(house, now))[0]
    }  # fmt: skip
    called = {each.table for each in entries if each.table}
    tables = {str(pk): name for pk, name in _tables(house, called)} if called else {}
    played = house_rules.games_offered(house, now)
    by_game: dict[str, list[Place]] = {}
    for each in entries:
        since = read_moment(each.since)
        place = Place(
            entry=each,
            name=names.get(each.player, each.player),
            public=shown.get(each.player) or _("number %(number)s") % {"number": each.number},
            since=since,
            minutes=int((now - since).total_seconds() // 60),
            called_at=read_moment(each.called_at) if each.called_at else None,
            table=tables.get(each.table or "", ""),
            barred=each.player in barred,
        )
        by_game.setdefault(each.game, []).append(place)
    order = [*TITLES, *by_game]
    return [
        Line(
            game=each,
            title=str(TITLES.get(each, each)),
            offered=each in played,
            places=tuple(by_game[each]),
            estimate=estimate_for(house, each, now, len(by_game[each])),
        )
        for each in sorted(by_game, key=order.index)
    ]


def _tables(house: Establishment, called: set[str]) -> Sequence[tuple[object, str]]:
    return list(house.tables.filter(pk__in=called, in_use=True).values_list("pk", "name"))


def public_lines(house: Establishment, now: datetime, game: str = "") -> list[Line]:
    """The lines for screens that anybody sees: games on offer, without excluded players."""
    return [
        Line(each.game, each.title, each.offered, places, each.estimate)
        for each in lines(house, now, game)
        if each.offered and (places := tuple(one for one in each.places if not one.barred))
    ]


def estimate_for(house: Establishment, game: str, now: datetime, ahead: int) -> Estimate | None:
    """How long somebody waits for a game who comes when so many wait for it."""
    rows = Wait.objects.filter(
        establishment=house, game=game, end=Wait.End.SEATED, ended_at__gte=now - RECENT
    ).order_by("-ended_at")
    found = rows.values_list("ahead", "since", "ended_at")[:LOOKED_AT]
    waits = [
        (before, (ended - since).total_seconds() / 60) for before, since, ended in found if ended
    ]
    return estimate(waits, ahead)
