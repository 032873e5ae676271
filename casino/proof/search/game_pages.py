"""Pages of games: search for a round by anything known of it; a game as it stood after an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.table_names import in_list_order
from casino.kit.web import periods
from casino.kit.web.pages import Page, office
from casino.play.core import stories
from casino.play.core.models import GameCard
from casino.proof.disputes.models import Seated
from casino.proof.search import as_of, rounds
from casino.proof.search.rounds import Key
from casino.words.languages.fields import CoinsField, DayField, MomentField
from casino.words.presenters import PRESENTERS, TITLES, event_types
from casino.words.presenters.rounds import chapters, is_cancelled, seats
from casino.words.presenters.rounds import figures as figures_of
from games.refusals import NoGame
from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.http import HttpResponse

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.proof.search.as_of import Marks
    from casino.proof.search.models import RoundLine
    from casino.proof.search.rounds import Reading

SECTION: Final = "games"
OVERSEES: Final[tuple[Act, ...]] = ("approve", "audit")
"""A role that may do any of these may read the ledger event by event."""
NUMBERED: Final = frozenset({"event", "payout"})
"""Readings that name an event, and so one round of a game."""
MEANS: Final = {
    "event": gettext_lazy("an event"),
    "payout": gettext_lazy("a receipt"),
    "table": gettext_lazy("a table"),
    "player": gettext_lazy("a player"),
    "attendant": gettext_lazy("somebody who works here"),
}


class FindForm(forms.Form):
    q = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("Find"),
        widget=forms.TextInput(attrs={"type": "search", "data-find": "", "autocomplete": "off"}),
    )  # fmt: skip
    table = forms.ChoiceField(required=False, label=gettext_lazy("Table"))
    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    day = DayField(
        required=False,
        label=gettext_lazy("Gaming day"),
    )
    since = MomentField(
        required=False,
        label=gettext_lazy("From"),
    )
    until = MomentField(
        required=False,
        label=gettext_lazy("Until"),
    )
    player = forms.CharField(required=False, max_length=80, label=gettext_lazy("Player"))
    attendant = forms.ChoiceField(required=False, label=gettext_lazy("Recorded by"))
    amount = CoinsField(
        required=False, min_value=1, max_value=INTEGER_MAX, label=gettext_lazy("Exactly")
    )
    least = CoinsField(
        required=False, min_value=1, max_value=INTEGER_MAX, label=gettext_lazy("At least")
    )
    most = CoinsField(
        required=False, min_value=1, max_value=INTEGER_MAX, label=gettext_lazy("At most")
    )
    event = forms.CharField(required=False, max_length=200, label=gettext_lazy("Receipt or event"))

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Attendant.objects.filter(employments__establishment=house).distinct()
        for name, choices in (
            ("table", ((each.pk, each.name) for each in in_list_order(house.tables.all()))),
            ("game", TITLES.items()),
            ("attendant", ((each.pk, str(each)) for each in people.order_by("username"))),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
            field.choices = [("", _("all")), *((str(pk), str(called)) for pk, called in choices)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        least, most = cleaned.get("least"), cleaned.get("most")
        if least and most and least > most:
            self.add_error("most", _("At most is less than at least."))
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("The period ends before it begins."))
        return cleaned


@office("look", section=SECTION, from_replica=True)
def find(page: Page) -> HttpResponse:
    """The rounds that fit the query in the address; without a query, the latest ones."""
    form = FindForm(page.request.GET, house=page.house)
    if plain := periods.plain_address(page, form.fields):
        return plain
    query = form.cleaned_data if form.is_valid() else {}
    readings = rounds.read(page.house, query.get("q", ""))
    reading = readings[0] if readings else None
    context: dict[str, Any] = {
        "form": form,
        "presets": periods.presets(page, form.fields),
        "queried": any(query.values()),
        "reading": reading and _reading_item(reading),
        "others": [_reading_item(each) for each in readings[1:]],
        "oversees": oversees(page),
        "wrong": bool(form.errors),
    }
    event = rounds.read_number(query.get("event", ""))
    named = event or (reading if reading and reading.means in NUMBERED else None)
    unknown = [name for name, known in (("q", reading), ("event", event)) if known is None]
    if not form.is_valid() or any(query.get(name, "").strip() for name in unknown):
        found = rounds.Found([])
    elif named:
        found = _of_event(page, named, context)
    else:
        criteria = _criteria(page.house, query, reading)
        before = Key.parse(page.request.GET.get("before", ""))
        found = rounds.Found([]) if criteria is None else rounds.find(
            page.house, criteria, before=before
        )  # fmt: skip
    context |= {
        "games": list(_games(page.house, found.rounds)),
        "rounds": len(found.rounds),
        "looked": found.looked,
        "older": found.older and _further(page, str(found.older)),
    }
    return page.show("proof/search/games.html", context)


def oversees(page: Page) -> bool:
    return any(page.may(act) for act in OVERSEES)


def _reading_item(reading: Reading) -> dict[str, str]:
    """What the typed words were read as, and the address that asks for exactly that."""
    asks = {"player": "player", "table": "table", "attendant": "attendant"}
    name = asks.get(reading.means, "event")
    value = reading.called if reading.means == "player" else reading.value
    return {
        "means": str(MEANS[reading.means]),
        "called": reading.called,
        "url": f"?{urlencode({name: value})}",
    }


def _of_event(page: Page, named: Reading, context: dict[str, Any]) -> rounds.Found:
    """The round of an event; an event that belongs to no game is looked up in the ledger."""
    if named.means == "payout":
        game, _slash, number = named.value.partition("/")
        found = _of_payout(page.house, game, int(number))
    else:
        found = rounds.of_event(page.house, named.value)
    if found is None:
        if named.value.isdecimal():
            context["no_game"] = int(named.value)
        return rounds.Found([])
    row, event = found
    context["event"] = {
        "number": event,
        "url": reverse("game-at", kwargs={"game": row.game, "number": event}),
    }
    return rounds.Found([row])


def _of_payout(house: Establishment, game: str, event: int) -> tuple[RoundLine, int] | None:
    """The round of a receipt's address, which names the game and the event that paid."""
    try:
        loaded = load(GameKey(house.pk, UUID(game)))
    except NoGame:  # a game of another house is not found here
        return None
    if not 1 <= event <= loaded.version:
        return None
    return rounds.of_event(house, str(loaded.events[event - 1].event_id))


def _criteria(
    house: Establishment, query: Mapping[str, Any], reading: Reading | None
) -> rounds.Criteria | None:
    """The criteria of the query; None if it has a name that nobody here has."""
    given = {
        "table": query.get("table") or "",
        "player": "",
        "attendant": query.get("attendant") or "",
    }
    if name := query.get("player"):
        token = tokens.player_tokens(house.pk, [name], new=False).get(name)
        if token is None:
            return None
        given["player"] = token
    if reading is not None:
        given[reading.means] = reading.value
    exactly = query.get("amount")
    return rounds.Criteria(
        table=UUID(given["table"]) if given["table"] else None,
        ruleset=query.get("game") or "",
        day=query.get("day"),
        since=query.get("since"),
        until=query.get("until"),
        player=given["player"],
        attendant=given["attendant"],
        least=exactly or query.get("least"),
        most=exactly or query.get("most"),
    )


def _games(house: Establishment, found: Sequence[RoundLine]) -> Iterator[dict[str, Any]]:
    """The rounds grouped by game; games are ordered by their latest round that was found."""
    games = {row.game for row in found}
    cards = {
        card.game: card for card in GameCard.objects.filter(establishment=house, game__in=games)
    }
    sat: dict[UUID, list[str]] = {}
    seated = Seated.objects.filter(establishment=house, game__in=games).order_by("player")
    for game, player in seated.values_list("game", "player"):
        sat.setdefault(game, []).append(player)
    named = tokens.resolve(house.pk, {str(game): players for game, players in sat.items()})
    together: dict[UUID, list[RoundLine]] = {}
    for row in found:
        together.setdefault(row.game, []).append(row)
    for game, some in together.items():
        card = cards.get(game)
        yield {
            "game": game,
            "title": TITLES.get(some[0].ruleset, some[0].ruleset),
            "table": some[0].table.name,
            "card": card,
            "running": card is not None and card.status == GameCard.Status.OPEN,
            "players": named.get(str(game), []),
            "rounds": [_round(row, card) for row in some],
        }


def _round(row: RoundLine, card: GameCard | None) -> dict[str, Any]:
    state = "running"
    if row.void:
        state = "void"
    elif row.over:
        state = "over"
    elif card is not None and card.status == GameCard.Status.CLOSED:
        state = "closed" if row.throws else "nothing"
    return {
        "row": row,
        "state": state,
        "url": reverse("floor-round", args=[row.game, row.round]),
        "at": reverse("game-at", kwargs={"game": row.game, "number": row.last}),
    }


def _further(page: Page, before: str) -> str:
    """The address of the next page of the same search."""
    given = page.request.GET.copy()
    given["before"] = before
    return f"?{given.urlencode()}"


# --- As it stood -------------------------------------------------------------------------------


@office("look", section=SECTION, from_replica=True)
def at(page: Page, game: UUID) -> HttpResponse:
    """Redirect the slider's form, where scripts do not run, to the page of its event."""
    loaded = load(GameKey(page.house.pk, game))
    text = page.request.GET.get("number", "")
    number = int(text[:9]) if text.isdecimal() and text.isascii() else loaded.version
    if (position := page.request.GET.get("position", "")).isdecimal():
        number = as_of.events_by(loaded, int(position[:15]))
    return redirect("game-at", game=game, number=max(1, min(number, loaded.version)))


@office("look", section=SECTION, from_replica=True)
def game_at(page: Page, game: UUID, number: int) -> HttpResponse:
    """A game as its n-th event left it: the table, the events, the rules that apply."""
    loaded = load(GameKey(page.house.pk, game))
    if not 1 <= number <= loaded.version:
        raise Http404("The game has no event of this number.")
    context = {**game_at_event(page.house, loaded, number), "oversees": oversees(page)}
    return page.show("proof/search/game_at.html", context)


def game_at_event(house: Establishment, loaded: Loaded, number: int) -> dict[str, Any]:
    """
    A game after one of its events, folded from the events up to that one and described from nothing
    else. Only the slider's marks, and whether a later void cancelled it, use later events.
    """
    then = stories.game_through(loaded, number)
    event, fact = loaded.events[number - 1], loaded.facts[number - 1]
    presenter = PRESENTERS[loaded.ruleset.id]
    round_no = chapters(then.facts).of[-1]
    story = stories.of_round(then, house, round_no)
    line = presenter.describe(then, fact, stories.staff_names(then))
    described = {
        "line": line or {"kind": "", "sentence": event_types.title(event.event_type), "rules": []},
        "seats": seats(then, presenter),
        "next": presenter.upcoming(then, then.view)["sentence"],
    }
    void = as_of.event_of_void(loaded, number)
    whole = {number for number, _fact in loaded.live}
    moment = {
        "number": number,
        "place": number,
        "of": loaded.version,
        "figures": figures_of(presenter, then),
        "before": address(loaded, number - 1) if number > 1 else "",
        "after": address(loaded, number + 1) if number < loaded.version else "",
        **tokens.resolve(house.pk, described),
    }
    moment["line"]["void"] = is_cancelled(number, fact, whole)
    return {
        "story": story or stories.about(then, house),
        "of_round": story,
        "round": round_no,
        "moment": moment,
        "event": event,
        "by": stories.staff_names(then).get(event.provenance.actor, event.provenance.actor),
        "rules": list(_quote_rules(story, number)),
        "void": void and {"number": void, "url": address(loaded, void)},
        "status": then.view["status"],
        "game": loaded.key.game,
        "slider": of_game(loaded, number),
        "urls": {
            "slider": reverse("game-at-any", kwargs={"game": loaded.key.game}),
            "lineage": reverse("pot-lineage", kwargs={"game": loaded.key.game}),
            "pot": f"{reverse('pot-at', kwargs={'game': loaded.key.game})}"
            f"?position={event.position}",
            "round": f"{stories.round_url(loaded.key.game, round_no)}?step={number}",
        },
    }


def _quote_rules(story: Mapping[str, Any] | None, number: int) -> Iterable[dict[str, str]]:
    """The rules that the event cites, in the rules' own words."""
    if story is None:
        return
    cited = {rule for each in story["steps"] if each["number"] == number for rule in each["cited"]}
    yield from (each for each in story["quoted"] if each["number"] in cited)


def address(loaded: Loaded, number: int) -> str:
    return reverse("game-at", kwargs={"game": loaded.key.game, "number": number})


def of_game(loaded: Loaded, number: int) -> dict[str, Any]:
    """The slider over a game's events, with its rounds, voids and payouts."""
    found = as_of.marks(loaded)
    of = chapters(loaded.facts).of
    first = dict(found.rounds)
    before = [each for each in first.values() if each < number]
    after = [each for each in first.values() if each > number]
    return {
        **slider(1, loaded.version, number, found),
        "name": "number",
        "round": of[number - 1],
        "round_before": address(loaded, before[-1]) if before else "",
        "round_after": address(loaded, after[0]) if after else "",
        "voids": [
            {"number": void, "back_to": back_to, "url": address(loaded, void)}
            for void, back_to in found.voids
        ],
    }


# A slider's marks as inline SVG: where rounds begin, what was voided, who was paid.


WIDE: Final = 1000.0  # units, from the first event to the last
THUMB: Final = 12.0  # half the width of the slider's knob, by which its ends are inset


def slider(least: int, most: int, value: int, found: Marks) -> dict[str, Any]:
    """The template context of a slider. Marks that would overlap are drawn once."""

    def place(number: int) -> float:
        span = max(1, most - least)
        return round(THUMB + (WIDE - 2 * THUMB) * (number - least) / span, 1)

    return {
        "least": least,
        "most": most,
        "value": value,
        "wide": int(WIDE),
        "rounds": sorted({place(number) for _round, number in found.rounds}),
        "payouts": sorted({place(number) for number in found.payouts}),
        "voided": [
            {"x": x, "wide": max(2.0, round(end - x, 1))}
            for x, end in sorted({(place(back_to), place(void)) for void, back_to in found.voids})
        ],
    }
