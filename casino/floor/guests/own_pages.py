"""
A player's own page, for whoever holds the code that the desk gave out; and the desk's page for it.

The code in the address is all that lets them in: no cookie does, so that no other site can use one,
and the page needs no token in its forms. Nobody keeps the page, and each code is bounded by rate.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt

from casino.floor.guests.pages import house_of, page_of
from casino.floor.guests.wall import hide_from_search, put_labels
from casino.floor.players import cash, waiting, waiting_pages
from casino.floor.players.models import PrizeToHandOut
from casino.floor.players.pages import SECTION
from casino.floor.players.waiting_pages import EnterForm
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.gaming_day import current
from casino.house.establishments.table_names import in_list_order
from casino.kit.web.forms import ActForm
from casino.kit.web.limits import Visits, too_many, visitors_page
from casino.kit.web.pages import REFUSALS, office
from casino.money.payouts import receipts
from casino.money.payouts.receipts import qr
from casino.play.core import scoreboards
from casino.play.exclusions import limits
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.listings import COINS, LimitsForm
from casino.play.exclusions.models import PlayerLimit
from casino.play.exclusions.operations import Limit, NoSuchPlayer, exclusion_state_of
from casino.play.settlement.models import PrizeIssued, PrizeRule, Season, Tally
from casino.words.languages import reader, spelled
from casino.words.languages.fields import CoinsField
from casino.words.languages.messages import translate
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.play.core.scoreboards import Board, Rank
    from ledger.wire import StoredEvent

DEVICE: Final = "guests"


class WaitForm(EnterForm):
    """Puts the player on the waiting list."""

    name = None  # type: ignore[assignment]  # Django's way to leave a field out
    stake = CoinsField(
        label=gettext_lazy("Stake"),
        help_text=gettext_lazy("Where you will not sit down for any."),
        **COINS,
    )

    def carry_out(self, act: acts.Act) -> str:
        self.cleaned_data["name"] = act.guest
        self.enter(act)
        return "waits"


class OffForm(ActForm):
    """Takes the player off the waiting list."""

    entry = forms.UUIDField(widget=forms.HiddenInput)

    def carry_out(self, act: acts.Act) -> str:
        """:raises WaitsNoLonger: if the entry is not one of theirs."""
        entry = self.cleaned_data["entry"]
        mine = [
            each
            for each in waiting.read_list(act.house.pk, act.now).entries
            if each.player == act.guest and each.entry == str(entry)
        ]
        if not mine:
            raise waiting.WaitsNoLonger(
                "Nobody waits there any more: seated, gone, or taken off the list."
            )
        waiting.take_off(act, entry=entry)
        return "off"


class OwnLimitsForm(LimitsForm):
    """Limits what the player pays in."""

    def carry_out(self, act: acts.Act) -> str:
        wanted = {span: self.cleaned_data[span] for span in limits.SPANS}
        paid = partial(cash.payments_since, act.house, act.guest)
        limits.limit(act, player=act.guest, wanted=wanted, paid=paid)
        return "limits"


class BreakForm(ActForm):
    """
    Excludes the player: what is asked for first is asked again on a page of its own.

    :param sure: whether this is the second time.
    """

    days = forms.TypedChoiceField(
        label=gettext_lazy("For how long"),
        choices=[
            ("1", gettext_lazy("until tomorrow")),
            ("7", gettext_lazy("a week")),
            ("30", gettext_lazy("30 days")),
            ("182", gettext_lazy("half a year")),
            ("365", gettext_lazy("a year")),
            ("0", gettext_lazy("until the house readmits me")),
        ],
        coerce=int,
        initial="7",
    )
    sure = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def until(self, house: Establishment, now: datetime) -> date | None:
        """The last gaming day; None: until the house readmits them."""
        days: int = self.cleaned_data["days"]
        return current(house, now) + timedelta(days=days) if days else None

    def carry_out(self, act: acts.Act) -> str:
        exclusions.exclude_oneself(act, until=self.until(act.house, act.now))
        return "break"


class EndForm(ActForm):
    """Ends the code."""

    def carry_out(self, act: acts.Act) -> str:
        end(act, player=act.guest)
        return "ended"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a player's own page."""

    request: HttpRequest
    house: Establishment
    code: Code
    now: datetime

    def form(self, do: str) -> ActForm:
        """The form of an act: filled in if it was sent."""
        sent = self.request.POST if self.request.POST.get("do") == do else None
        ids = f"{do}_%s"  # several forms are on the page
        match do:
            case "wait":
                return WaitForm(self.house, self.now, sent, auto_id=ids)
            case "limits":
                mine = exclusion_state_of(self.house.pk).limits.get(self.code.player, {})
                now = {span: each.at(self.now) for span, each in mine.items()}
                return OwnLimitsForm(sent, initial=now, auto_id=ids)
            case _:
                made: Callable[..., ActForm] = FORMS[do]
                return made(sent, auto_id=ids)

    def act(self, form: ActForm) -> acts.Act:
        return acts.Act(
            house=self.house,
            by=None,
            guest=self.code.player,
            device=DEVICE,
            now=self.now,
            command_id=form.act_id,
            request={},
        )

    def why(self, refused: Exception) -> str:
        """A refusal without names."""
        me = {self.code.player: _("this player")}
        return capfirst(str(put_labels(translate(str(refused)), me)))


FORMS: Final[dict[str, Any]] = {
    "wait": WaitForm, "off": OffForm, "limits": OwnLimitsForm, "break": BreakForm, "end": EndForm,
}  # fmt: skip
DONE: Final[dict[str, Callable[[], str]]] = {
    "waits": lambda: _("You are on the waiting list."),
    "off": lambda: _("You are off the waiting list."),
    "limits": lambda: _("Your limits are set."),
    "break": lambda: _("You are excluded from now on."),
}
"""What was done, by the word that the address has after it."""


@csrf_exempt
@partial(visitors_page, scope="guests", takes=("POST",))
def page(request: HttpRequest, house: str, code: str) -> HttpResponse:
    """Points and prizes of the player, and what they may do for themselves."""
    at = house_of(house)
    found = find(at, code)
    if found is None:
        raise Http404("This house gave out no such code.")
    if (refusal := too_many(request, Visits("codes", f"{at.pk}/{found.text}"))) is not None:
        return refusal
    asked = Asked(request, at, found, timezone.now())
    if not is_open(at, found, asked.now):
        return _show(asked, "floor/guests/ended.html", {}, HTTPStatus.GONE)
    do = request.POST.get("do", "")
    drawn = {each: asked.form(each) for each in FORMS}
    form, status = drawn.get(do), HTTPStatus.OK
    if form is not None:
        if form.is_valid():
            if isinstance(form, BreakForm) and not form.cleaned_data["sure"]:
                until = form.until(at, asked.now)
                return _show(
                    asked, "floor/guests/sure.html", {"form": form, "until": until}, status
                )
            try:
                done = form.carry_out(asked.act(form))  # type: ignore[attr-defined]
            except REFUSALS as refused:
                form.refuse(asked.why(refused))
            else:
                return _again(asked, done)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    said = DONE.get(request.GET.get("done", ""))
    context = {
        "said": said() if said and form is None else "",
        "wrong": [str(each) for each in form.non_field_errors()] if form is not None else [],
        "forms": drawn,
        "scores": scores(at, found.player, asked.now),
        "prizes": prizes(at, found.player),
        "waits": waits(at, found.player, asked.now),
        "limits": limits_with_sums(at, found.player, asked.now),
        "excluded": exclusion_state_of(at.pk).on(current(at, asked.now)).get(found.player),
        "code": found,
    }
    return _show(asked, "floor/guests/own.html", context, status)


def _again(asked: Asked, done: str) -> HttpResponse:
    """The page anew, with the word for what was done, in the language that was asked for."""
    language = reader.language_asked_for(asked.request)
    keeps = f"&{reader.LANGUAGE_FIELD}={language}" if language else ""
    return hide_from_search(redirect(f"{asked.request.path}?done={done}{keeps}"))


def _show(asked: Asked, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    drawn = page_of(asked.request, asked.house, template, context)
    return hide_from_search(HttpResponse(drawn, status=status))


# What the holder of a code from the desk is told: their points, their prizes, where they wait.


SEASONS: Final = 8  # of all games
COLLECTED: Final = 24  # prizes that were handed out


@dataclass(frozen=True, slots=True)
class Score:
    """
    A player's line on a season of a game's scoreboard.

    :param reached: the prizes that they have won in it.
    """

    board: Board
    rank: Rank
    reached: Sequence[PrizeRule]


def scores(house: Establishment, player: str, now: datetime) -> list[Score]:
    """The points of a player, the seasons that run first, then the latest."""
    tallies = Tally.objects.filter(establishment=house, player=player)
    mine = set(tallies.values_list("ruleset", "season"))
    rows = Season.objects.filter(establishment=house, number__in={number for _, number in mine})
    seasons = [each for each in rows if (each.ruleset, each.number) in mine]
    seasons.sort(key=lambda each: each.last_day or date.max, reverse=True)
    seasons.sort(key=lambda each: each.state != Season.State.OPEN)
    issued = PrizeIssued.objects.filter(establishment=house, player=player)
    rules = PrizeRule.objects.filter(establishment=house).in_bulk({each.rule for each in issued})
    found = []
    for season in seasons[:SEASONS]:
        where = season.ruleset, season.number
        board = scoreboards.read(house, where[0], now, number=where[1], players=[player])
        won = [rules[each.rule] for each in issued if (each.ruleset, each.season) == where]
        if board and board.ranks:
            reached = sorted(won, key=lambda rule: (rule.kind, rule.at))
            found.append(Score(board, board.ranks[0], reached))
    return found


def prizes(house: Establishment, player: str) -> dict[str, QuerySet[PrizeToHandOut]]:
    """What a player may collect, the oldest first, and what they collected, the latest first."""
    mine = PrizeToHandOut.objects.filter(establishment=house, player=player)
    return {
        "owed": mine.filter(handed_at__isnull=True).order_by("position"),
        "collected": mine.filter(handed_at__isnull=False).order_by("-handed_at")[:COLLECTED],
    }


@dataclass(frozen=True, slots=True)
class Waits:
    """Where a player waits: for which game, after how many others."""

    title: str
    place: waiting_pages.Place
    ahead: int


def waits(house: Establishment, player: str, now: datetime) -> list[Waits]:
    return [
        Waits(line.title, place, number)
        for line in waiting_pages.public_lines(house, now)
        for number, place in enumerate(line.places)
        if place.entry.player == player
    ]


@dataclass(frozen=True, slots=True)
class Limited:
    """
    What a player may pay in, and has paid in, on a day, in a week or in a month.

    :param most: None: any amount. :param then: what holds from `since` on, if that is to come.
    """

    span: str
    label: str
    most: int | None
    paid: int
    then: int | None
    since: datetime | None


def limits_with_sums(house: Establishment, player: str, now: datetime) -> list[Limited]:
    """The limits of a player, those to come included; empty if there are none."""
    known, day = exclusion_state_of(house.pk).limits.get(player, {}), current(house, now)
    last = known and journal.last(establishment=house.pk, stream=limits.stream_of_payments(player))
    days = last.data["days"] if last else {}
    found = []
    for span, label in PlayerLimit.Span.choices:
        each = known.get(span, Limit(None))
        waits = each.since is not None and each.since > now
        if each.at(now) is not None or waits:
            found.append(
                Limited(
                    span=span,
                    label=str(label),
                    most=each.at(now),
                    paid=limits.sum_of_span(days, span, day),
                    then=each.then if waits else None,
                    since=each.since if waits else None,
                )
            )
    return found


# The code from the desk, which opens a player's own page of the guests' pages.
#
# It is about one event, by which somebody at the desk gave it out for a player, and has a hash
# keyed by the house, of 132 bits: nobody guesses it, and nobody makes it from another one. It names
# no player. It ends after some days, when it is ended, when the player gets another, and when their
# name is erased. The last event of the stream ``guest-code/<player>`` is the newest code, or its
# end.


GIVEN, ENDED = "player.code_given", "player.code_ended"
SALT: Final = "casino.floor.guests.own_pages"
CODE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{22})")
LASTS: Final = timedelta(days=7)
"""How long a code opens the page, from the gaming day on which it was given out."""


class NoGuestsPage(Refused):
    code = "no_guests_page"


class NoCode(Refused):
    code = "no_code"


@dataclass(frozen=True, slots=True)
class Code:
    """
    A code that was given out.

    :param until: the last gaming day on which it opens the page.
    """

    text: str
    player: str
    until: date


def give(act: acts.Act, *, player: str) -> Code:
    """
    Give out a code for a player; the one that they had ends.

    :raises NotYours: if the person may not record at the house.
    :raises NoGuestsPage: if the house has switched its guests' page off.
    :raises NoSuchPlayer: if the house knows no such player, or their name is erased.
    """

    def decide() -> acts.Done:
        if not act.house.guests:
            raise NoGuestsPage("This house has no page for guests: a manager switches it on.")
        if not tokens.names(act.house.pk, {player}):
            raise NoSuchPlayer(f"This house knows no player {player}. P1")
        until = current(act.house, act.now) + LASTS
        return _record_code(act, GIVEN, player, until=until.isoformat())

    receipt = _perform(act, {"do": "give_code", "player": player}, decide)
    [event] = acts.events_of(act.house.pk, receipt)
    return _code_of(act.house, event)


def end(act: acts.Act, *, player: str) -> None:
    """
    End the code that a player has.

    :raises NotYours: as `give`.
    :raises NoCode: if they have none.
    """

    def decide() -> acts.Done:
        last = journal.last(establishment=act.house.pk, stream=stream_of(player))
        if last is None or last.event_type != GIVEN:
            raise NoCode(f"{player} has no code for the guests' page.")
        return _record_code(act, ENDED, player)

    _perform(act, {"do": "end_code", "player": player}, decide)


def find(house: Establishment, text: str) -> Code | None:
    """The code that a text is; None if the house gave out no such code."""
    found = CODE.fullmatch(text)
    if found is None:
        return None
    position = int(found[1])
    if not hmac.compare_digest(receipts.sign(house, SALT, position), found[2]):
        return None
    events = journal.read(establishment=house.pk, after=position - 1, limit=1)
    return _code_of(house, events[0]) if events else None


def is_open(house: Establishment, code: Code, now: datetime) -> bool:
    """Whether a code opens the page now."""
    last = journal.last(establishment=house.pk, stream=stream_of(code.player))
    newest = last is not None and last.event_type == GIVEN and _code_of(house, last) == code
    has_name = bool(tokens.names(house.pk, {code.player}))
    return newest and current(house, now) <= code.until and has_name


def stream_of(player: str) -> str:
    return f"guest-code/{player}"


def _code_of(house: Establishment, event: StoredEvent) -> Code:
    text = f"{event.position}-{receipts.sign(house, SALT, event.position)}"
    return Code(text, event.data["player"], date.fromisoformat(event.data["until"]))


def _perform(
    act: acts.Act, fields: dict[str, object], decide: Callable[[], acts.Done]
) -> journal.Receipt:
    if act.by is not None:
        permissions.require(act.by, "record", act.house)
    return acts.perform(replace(act, request=fields), decide)


def _record_code(act: acts.Act, event_type: str, player: str, **more: str) -> acts.Done:
    stream = stream_of(player)
    event = journal.NewEvent(
        stream=stream, event_type=event_type, schema_version=1, data={"player": player, **more}
    )
    guards = journal.versions(establishment=act.house.pk, streams=[stream])
    return acts.Done(guards=guards, events=[event])


# The desk's page of the office on which a player gets a code for their own page.


END: Final = "end"


class CodeForm(ActForm):
    """Gives a player a code, or ends the one that they have."""

    name = forms.CharField(label=gettext_lazy("Name or id"), max_length=80)


@office("record", section=SECTION)
def codes(page: Page) -> HttpResponse:
    """Give out a code, and show it this once; or end the one that is out."""
    form, shown = CodeForm(page.sent), None
    if form.is_valid():
        try:
            shown = _carry_out(page, form)
        except REFUSALS as refused:
            form.refuse(page.why(refused))
        else:
            if shown is None:
                return page.done(_("Ended: the code opens nothing any more."), "guests-codes")
    tables = in_list_order(page.house.tables.filter(in_use=True))
    context = {
        "form": CodeForm() if shown else form,
        "shown": shown,
        "days": LASTS.days,
        "names_from": tables[0] if tables else None,
    }
    return page.show("floor/guests/codes.html", context)


def _carry_out(page: Page, form: CodeForm) -> dict[str, Any] | None:
    """What the page shows of the code that was given out; None: one was ended."""
    name = form.cleaned_data["name"].strip()
    player = tokens.player_tokens(page.house.pk, [name], new=False).get(name, name)
    act = page.act(form.act_id)
    if page.request.POST.get("do") == END:
        end(act, player=player)
        return None
    code = give(act, player=player)
    path = reverse("guests-own", args=[spelled.compact(page.house.pk), code.text])
    address = page.request.build_absolute_uri(path)
    [called] = tokens.resolve(page.house.pk, [player])
    return {"player": called, "until": code.until, "address": address, "qr": qr(address)}
