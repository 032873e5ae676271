"""Pages of what-ifs: a period played again under another option, fee or home throw."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import in_force as home_in_force
from casino.kit.web import periods
from casino.kit.web.jobs import running, tasks
from casino.kit.web.pages import office
from casino.proof.disputes.regrade.reading import Period
from casino.reports.what_if import changes, runs, summaries
from casino.reports.what_if.changes import BadChange, Change
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.reports.what_if.runs import Sums
from casino.settings.configuration.forms.rules import TermsForm, of_fee, of_terms
from casino.words.languages.fields import DayField
from casino.words.languages.messages import translate
from casino.words.presenters import TITLES, fees
from casino.words.presenters.opening_forms import AMOUNT
from casino.words.presenters.registered import OPENINGS, forms_of_games
from games import stone
from games.fees import KINDS
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet
    from django.forms import BoundField
    from django.http import HttpResponse, QueryDict

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.words.presenters.opening_forms import Opening
    from games.dice import Dice

SECTION: Final = "reports"
RUNS: Final = 12
ROWS: Final = 50
NUMBER_MAX: Final = 9  # digits
THREE_FACES: Final = re.compile(r"\s*([1-8])\D*([1-8])\D*([1-8])\s*")
DAY: Final = 10  # letters: 2026-11-20


@office("audit", section=SECTION, from_replica=True)
def what_if(page: Page) -> HttpResponse:
    """The newest what-ifs, and the form to ask for one."""
    query = page.request.POST if page.posted else page.request.GET
    if page.posted and "choose" in query:
        return redirect(_address(query["choose"], query))
    game = query.get("game", "")
    in_force = defaults(page.house, game, version=page.request.POST.get("rules", ""), at=page.now)
    sent = periods.spread(page, page.request.POST, WhatIfForm.base_fields) if page.posted else None
    form = WhatIfForm(sent, defaults=in_force, initial=_days(page))
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.posted else HTTPStatus.OK
    if page.posted and form.is_valid():
        period = Period(form.cleaned_data["since"], form.cleaned_data["until"])
        change = form.cleaned_data["change"]
        try:
            run = runs.ask(
                by=page.person, house=page.house, period=period, change=change, now=page.now
            )
        except running.AlreadyBegun as another:
            form.add_error(None, str(another))
            status = HTTPStatus.CONFLICT
        else:
            tasks.wake(run)
            return page.done(
                _("It has begun. You need not wait for it: it goes on by itself."),
                "what-if-one",
                what_if=run.id,
            )
    rows = _runs(page).order_by("-asked_at")[:RUNS]
    context = {
        "form": form,
        "runs": [_describe(page.house, run) for run in rows],
        "games": [
            ("", _("Every game")),
            *((each.game, TITLES[each.game]) for each in forms_of_games()),
        ],
        "defaults": in_force,
        "presets": periods.presets(page, form.fields),
    }
    return page.show("reports/what_if/index.html", context, status=status)


@office("audit", section=SECTION)
def one(page: Page, what_if: UUID) -> HttpResponse:
    """One what-if: the sums compared, what could not be decided, and each game that differs."""
    run = _runs(page).filter(id=what_if).first()
    if run is None:
        raise Http404("Nobody asked that at this house.")
    context: dict[str, Any] = {"run": _describe(page.house, run)}
    rows = WhatIfGame.objects.filter(establishment=page.house, job=run.id)
    only = page.request.GET.get("only", "")
    if only in {"undecided", "decided"}:
        rows = rows.filter(undecided=only == "undecided")
    after = page.request.GET.get("after", "")
    if after.isdecimal() and len(after) <= NUMBER_MAX:
        rows = rows.filter(seq__gt=int(after))
    some = list(rows.order_by("seq")[: ROWS + 1])
    context |= {
        "games": _games(page.house, some[:ROWS]),
        "after": some[ROWS - 1].seq if some[ROWS:] else None,
        "only": only,
        "kept": running.FINDINGS_KEPT,
    }
    return page.show("reports/what_if/one.html", context)


@office("audit", section=SECTION)
def stop(page: Page, what_if: UUID) -> HttpResponse:
    """Stop a what-if."""
    if not page.posted:
        return one(page.request, what_if=what_if)
    if not _runs(page).filter(id=what_if).exists():
        raise Http404("Nobody asked that at this house.")
    stopped = running.stop(
        runs.WHAT_IF, by=page.person, house=page.house, job=what_if, now=page.now
    )
    sentence = _("It is stopped.") if stopped else _("It was over already.")
    return page.done(sentence, "what-if-one", what_if=what_if)


def _address(game: str, query: QueryDict) -> str:
    """The address of the form for a game, with the days that were filled in."""
    days = {name: query.get(name, "")[:DAY] for name in ("since", "until")}
    params = {name: value for name, value in {"game": game[:40], **days}.items() if value}
    return f"{reverse('what-if')}?{urlencode(params)}" if params else reverse("what-if")


def _days(page: Page) -> dict[str, date]:
    """The days in the address; values that are not dates are left out."""
    days = {name: parse_date(page.request.GET.get(name, "")) for name in ("since", "until")}
    return {name: day for name, day in days.items() if day}


def parse_date(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _runs(page: Page) -> QuerySet[WhatIf]:
    return WhatIf.objects.filter(establishment=page.house).select_related("asked_by")


def _describe(house: Establishment, run: WhatIf) -> dict[str, Any]:
    """The context of a run for templates."""
    sums = Sums.from_json(run.figures)
    return {
        "run": run,
        "sign": runs.WHAT_IF.sign(run),
        "change": list(summaries.change(tokens.resolve(house.pk, run.change))),
        "game": TITLES[run.change["game"]] if run.change["game"] else "",
        "sums": sums,
        "decided": sums.games - sums.undecided,
        "whole": summaries.side_by_side(sums.whole_was.as_json(), sums.whole_now.as_json()),
        "until": summaries.side_by_side(sums.until_was.as_json(), sums.until_now.as_json()),
        "why": [(str(summaries.WHY[why]), count) for why, count in sorted(sums.why.items())],
        "url": reverse("what-if-one", args=[run.id]),
    }


def _games(house: Establishment, rows: list[WhatIfGame]) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = tokens.resolve(house.pk, [row.details for row in rows])
    return [
        {
            **each,
            "name": TITLES[each["ruleset"]],
            "day": date.fromisoformat(each["day"]),
            "figures": [
                row for row in summaries.side_by_side(each["was"], each["now"]) if row["more"]
            ],
            "players": [row for row in summaries.players(each) if row["more"]],
            "because": str(summaries.WHY[each["undecided"]["why"]]) if each["undecided"] else "",
        }
        for each in games
    ]


# The form of a what-if: the same fields as in the form that opens a game, and the days.


WAS, NAMED, NONE = "was", "named", "none"
VERSION_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Defaults:
    """
    The rules in force at a house for a game: the initial values, which count as no change.

    :param form: the game's opening form; None: for every game at once.
    :param rules: the house rules; None: none are published, so each table agreed on its own.
    :param home: the house's home throw; empty: it plays without; None: named at each table.
    """

    house: Establishment
    form: Opening | None
    rules: HouseRules | None
    home: Dice | None

    @property
    def game(self) -> str:
        return self.form.game if self.form else ""

    @property
    def options(self) -> dict[str, Any]:
        """The options in force that are not the default of the game's rules."""
        return house_rules.with_worth_of_point(self.house, self.rules.options if self.rules else {})

    @property
    def homes(self) -> bool:
        return self.form is None or self.form.homes

    def initial(self) -> dict[str, Any]:
        fee = of_fee(self.rules.fee) if self.rules else {"fee": WAS}
        return {
            "game": self.game,
            "rules": self.rules.version if self.rules else "",
            **(of_terms(self.form, self.options, None) if self.form else {}),
            **fee,
            "home": WAS if self.home is None else NAMED if self.home else NONE,
            "home_throw": "-".join(map(str, self.home or ())),
        }


def defaults(house: Establishment, game: str, *, version: str, at: datetime) -> Defaults:
    """
    The initial values for a game.

    :param version: of the rules from which the form was filled in; empty: those in force.
    """
    form = OPENINGS.get(game)
    game = form.game if form else ""  # an unknown game is not looked up in the database
    rules = house_rules.in_force(establishment=house, game=game, at=at) if form else None
    if form and version.isascii() and version.isdecimal() and len(version) <= VERSION_DIGITS:
        rows = HouseRules.objects.filter(establishment=house, game=game, version=int(version))
        rules = rows.first() or rules
    return Defaults(house, form, rules, _home_in_force(house, game, rules, at))


def _home_in_force(
    house: Establishment, game: str, rules: HouseRules | None, at: datetime
) -> Dice | None:
    if rules is not None and rules.home_throws == HouseRules.HomeThrows.NONE:
        return ()
    if rules is not None and rules.home_throws != HouseRules.HomeThrows.HOUSE:
        return None
    throw = home_in_force(establishment=house, at=at, game=game)
    return tuple(throw.faces) if throw else () if rules else None


class WhatIfForm(TermsForm):
    """The form: fields of one game or of all. Only values that differ from those in force count."""

    game = forms.CharField(required=False, widget=forms.HiddenInput)
    rules = forms.CharField(required=False, widget=forms.HiddenInput)
    since = DayField(
        required=False,
        label=gettext_lazy("From gaming day"),
        help_text=gettext_lazy("Empty: from the first."),
    )
    until = DayField(
        required=False,
        label=gettext_lazy("To gaming day"),
        help_text=gettext_lazy("Empty: to the last."),
    )
    also = forms.BooleanField(
        required=False,
        label=gettext_lazy("All that stands here, not only what I change"),
        help_text=gettext_lazy(
            "For days on which other rules held: games are played again under every option, fee"
            " and home throw above."
        ),
    )

    def __init__(self, *args: Any, defaults: Defaults, **kwargs: Any) -> None:
        kwargs["initial"] = defaults.initial() | kwargs.pop("initial", {})
        super().__init__(*args, **kwargs)
        self.defaults = defaults
        if defaults.form:
            self.ask_options(defaults.form)
            self._ask_coins("stake", defaults.form.stake_label)
        if defaults.form and defaults.form.price is not None:
            self._ask_coins("price", _("Price of the dice in each round"))
        self.ask_fee(self._fees(), "")
        if defaults.homes:
            self._ask_homes()
        self._mark_in_force()

    def _ask_coins(self, name: str, label: Any) -> None:
        self.ask_amount(name, label, 1, COINS_MAX, _("Empty: as it was."), money=True)

    def _fees(self) -> list[tuple[str, Any]]:
        kinds: list[tuple[str, Any]] = fees.choices(
            self.defaults.form.fees if self.defaults.form else fees.KINDS
        )
        return kinds if self.defaults.rules else [(WAS, _("as it was")), *kinds]

    def _ask_homes(self) -> None:
        faces_written = _("Three faces, like 1-3-6.")
        self.fields["home"] = forms.ChoiceField(
            label=_("Home throw of the house"),
            choices=[
                *([(WAS, _("as it was"))] if self.defaults.home is None else []),
                (NAMED, _("three faces")),
                (NONE, _("none")),
            ],
        )
        self.fields["home_throw"] = forms.CharField(
            label=_("Its faces"), required=False, max_length=20, help_text=faces_written
        )
        self.fields["player"] = forms.CharField(
            label=_("A player with a home throw of their own"), required=False, max_length=80
        )
        self.fields["player_home"] = forms.CharField(
            label=_("Their home throw"), required=False, max_length=20, help_text=faces_written
        )

    def _mark_in_force(self) -> None:
        """Mark the choices in force, and give the page's script the values to compare with."""
        holds = _("in force") if self.defaults.rules else _("as always")
        for name, field in self.fields.items():
            starts = self.initial.get(name, field.initial)
            field.widget.attrs["data-usual"] = "" if starts is None else str(starts)
            if isinstance(field, forms.ChoiceField) and starts != WAS:
                choices: Any = field.choices
                field.choices = [
                    (value, f"{label} ({holds})" if value == starts else label)
                    for value, label in choices
                ]

    # --- What was filled in -------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("The period ends before it begins."))
        self._require_amounts()
        fee = self._fee()
        home, homes = self._home(), self._player_homes()
        if self.errors:
            return cleaned
        change = Change(
            game=self.defaults.game,
            options=self._options(),
            stake=cleaned.get("stake"),
            price=cleaned.get("price"),
            fee=fee,
            home_throw=home,
            player_homes=homes,
        )
        if change.is_nothing:
            self.add_error(None, _("Nothing is changed yet: choose what is to be another."))
        cleaned["change"] = change
        return cleaned

    def _require_amounts(self) -> None:
        """Add an error to each amount that is chosen but not entered."""
        for option in self.defaults.form.options if self.defaults.form else ():
            amount = f"option-{option.name}-amount"
            chosen = self.cleaned_data.get(f"option-{option.name}", AMOUNT) == AMOUNT
            if option.numbers and chosen and self._is_missing(amount):
                self.add_error(amount, _("Say how much."))

    def _is_missing(self, name: str) -> bool:
        return name not in self.errors and self.cleaned_data.get(name) is None

    def _options(self) -> dict[str, Any]:
        """The options that differ from those in force, or all options if `also` is ticked."""
        form, holds = self.defaults.form, self.defaults.options
        usual = (
            {each.name: holds.get(each.name, each.default) for each in form.options} if form else {}
        )
        return {
            name: value
            for name, value in self.options().items()
            if self.cleaned_data["also"] or value != usual[name]
        }

    def _fee(self) -> dict[str, Any] | None:
        kind = self.cleaned_data.get("fee", WAS)
        if kind == WAS:
            return None
        required = KINDS[kind].required if kind else ()
        missing = [each for each in required if self._is_missing(f"fee-{each}")]
        for each in missing:
            self.add_error(f"fee-{each}", _("Say how much."))
        if missing or any(name in self.errors for name in fees.fields(kind)):
            return None
        fee = self.fee() or {}
        if self.defaults.rules and fee == (self.defaults.rules.fee or {}):
            return fee if self.cleaned_data.get("also") else None
        try:
            return dict(changes.check_fee(fee)) if fee else {}
        except BadChange as bad:
            self.add_error("fee", translate(str(bad)))
            return None

    def _home(self) -> Dice | None:
        kind = self.cleaned_data.get("home", WAS)
        if kind == WAS:
            return None
        faces = self._faces("home_throw") if kind == NAMED else ()
        if faces == self.defaults.home and not self.cleaned_data.get("also"):
            return None
        return faces

    def _player_homes(self) -> dict[str, Dice]:
        name = self.cleaned_data.get("player", "")
        written = self.cleaned_data.get("player_home", "")
        if not name and not written:
            return {}
        known = tokens.player_tokens(self.defaults.house.pk, [name], new=False) if name else {}
        if name not in known:
            self.add_error("player", _("Nobody of this name has played here."))
        faces = self._faces("player_home")
        return {known[name]: faces} if name in known and faces else {}

    def _faces(self, name: str) -> Dice:
        """The faces in a field, sorted; if they are no home throw, empty and an error is added."""
        found = THREE_FACES.fullmatch(self.cleaned_data.get(name, ""))
        faces = tuple(sorted(int(face) for face in found.groups())) if found else ()
        if name in self.errors:
            return ()
        if not faces:
            self.add_error(name, _("Three faces from 1 to 8, like 1-3-6. H1"))
        elif faces != self.defaults.home and not stone.may_be_home(faces, "wrap"):
            self.add_error(name, _("These three make another scoring throw. H1"))
        return faces

    # --- As the page has them -----------------------------------------------------------------

    def days(self) -> list[BoundField]:
        return [self["since"], self["until"]]

    def rows(self) -> list[dict[str, Any]]:
        """The fields of each option: its choices and their number, or only a number."""
        form = self.defaults.form
        return (
            [self._row(f"option-{each.name}") for each in (*form.main, *form.folded)]
            if form
            else []
        )

    def _row(self, name: str) -> dict[str, Any]:
        amount = self[f"{name}-amount"] if f"{name}-amount" in self.fields else None
        if name not in self.fields:
            return {"field": amount}
        return {"field": self[name], "amount": amount}

    def money(self) -> list[BoundField]:
        return [self[name] for name in ("stake", "price") if name in self.fields]

    def fee_terms(self) -> list[BoundField]:
        """The fields for amounts of a fee; the page shows each beside the kinds that need it."""
        return [self[name] for name in fees.FIELDS]

    def wrong(self) -> Iterator[dict[str, str]]:
        """All errors, each with its field, for the top of the page."""
        for name, errors in self.errors.items():
            field = self[name] if name in self.fields else None
            for error in errors:
                yield {
                    "label": str(field.label) if field else "",
                    "id": field.id_for_label if field else "",
                    "text": translate(str(error)),
                }
