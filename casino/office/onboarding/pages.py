"""
The set-up pages of a house, one for each step, from the link that founds it to the last one.

Each step is saved when it is sent, and can be opened again. The pages of lists that are imported
from files are in `import_pages`.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Final
from uuid import uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.house.acts import changes
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant, Employment, Role
from casino.house.establishments.denominations import smallest, why_not
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.kit.web.current_house import choose
from casino.kit.web.forms import ActForm, blame, offer, status_of
from casino.kit.web.pages import Page, office
from casino.office.onboarding import csv_lists, links, readiness
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding.operations import STEPS
from casino.play.dice.models import DiceSet
from casino.settings.configuration import operations as configuration
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.rules import HomeThrowForm
from casino.settings.configuration.operations import Adding, Became, Changing
from casino.settings.configuration.pages import carry_out, outcome_text, reload_house
from casino.settings.configuration.rules_pages import home_throw_items
from casino.settings.staff import invitations
from casino.settings.staff.pages import NAME_MOST, link_of
from casino.settings.staff.sign_in import middleware
from casino.settings.staff.sign_in.first_password import NewcomerForm
from casino.settings.staff.sign_in.pages import enter
from casino.words.languages import currencies, locales, reader
from casino.words.languages.amounts import money
from casino.words.languages.fields import CoinsField, WholeField
from casino.words.presenters import TITLES, registered
from casino.words.presenters.registered import OPENINGS, dice_label, forms_of_games
from games.kinds import UNITS
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from django.http import HttpRequest, HttpResponse

    from casino.house.acts import acts
    from casino.house.establishments.models import Establishment


# --- The frame of every step ----------------------------------------------------------------------


SECTION = "settings"
TITLES_OF_STEPS: Final = {
    "house": (gettext_lazy("House"), gettext_lazy("The house")),
    "tables": (gettext_lazy("Tables"), gettext_lazy("Tables")),
    "dice": (gettext_lazy("Dice"), gettext_lazy("Dice sets")),
    "games": (gettext_lazy("Games"), gettext_lazy("Games")),
    "home-throw": (gettext_lazy("Home throw"), gettext_lazy("Home throw")),
    "staff": (gettext_lazy("Staff"), gettext_lazy("Staff")),
    "done": (gettext_lazy("Done"), gettext_lazy("Done")),
}
"""Two titles of each step: in the list of steps, and at the top of its page."""


def step(page: Page, name: str, context: dict[str, Any]) -> HttpResponse:
    """The page of a step, with the list of all steps."""
    here = STEPS.index(name)
    steps = [
        {"title": TITLES_OF_STEPS[each][0], "url": reverse(f"set-up-{each}"), "here": each == name,
         "before": number < here}
        for number, each in enumerate(STEPS)
    ]  # fmt: skip
    more = {
        "title": TITLES_OF_STEPS[name][1],
        "two": changes.wants_two(page.house),
        "steps": steps,
        "back": reverse(f"set-up-{STEPS[here - 1]}") if here else "",
        "skip": reverse(f"set-up-{STEPS[here + 1]}") if here + 1 < len(STEPS) else "",
    }
    return page.show(f"office/onboarding/{name.replace('-', '_')}.html", {**more, **context})


def save(
    page: Page,
    name: str,
    form: Any,
    change: Callable[[acts.Act], Sequence[Adding | Changing]],
) -> HttpResponse | None:
    """Save what a step adds, and redirect to the next step; None if the form has errors."""
    outcome = carry_out(page, form, change, do=f"set up {name}", reason=_("Set-up."))
    if outcome is None:
        return None
    onboarding.record_step(page.house, name)
    following = f"set-up-{STEPS[STEPS.index(name) + 1]}"
    if outcome.became == Became.UNCHANGED:
        return redirect(following)
    return page.done(outcome_text(outcome.became), following)


def adding(act: acts.Act, rows: Sequence[Any]) -> list[Adding]:
    """New rows with ids derived from the act's id, so that a second tap adds none."""
    for number, row in enumerate(rows):
        row.pk = configuration.new_id(act, number)
    return [Adding(row) for row in rows]


# --- The house, founded with its first manager ----------------------------------------------------


USUAL = {
    "currency": "coin",
    "currency_symbol": "c",
    "coin_digits": 0,
    "time_zone": "UTC",
    "locale": "en-GB",
    "day_cutoff": "06:00",
    "counts_floats": True,
}
HOUSE_FIELDS = (
    "name", "time_zone", "language", "locale", "currency_code", "currency", "currency_symbol",
    "coin_digits", "day_cutoff", "counts_floats",
)  # fmt: skip


class HouseStep(HouseForm):
    """Asks what has to be known first about a house; the other settings have their defaults."""

    class Meta(HouseForm.Meta):
        fields: ClassVar = list(HOUSE_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["counted"]


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_step(request: HttpRequest) -> HttpResponse:
    """The first step: found a house by a link. The link's key is in the query (see `links`)."""
    secret = request.GET.get("key", "")
    known = isinstance(request.user, Attendant) and not middleware.on_the_floor(request)
    try:
        links.unspent(secret)
        form = _form(request)
        person = None if known else NewcomerForm(request.POST or None, prefix="person")
        if form.is_valid() and (person is None or person.is_valid()):
            return _answer_form(request, secret, form, person)
    except Refused as refused:
        context = {"refused": str(refused)}
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "office/onboarding/found.html", context, status=status)
    return _founding(request, form, person)


def _form(request: HttpRequest) -> HouseStep:
    """
    The form of the house, filled in as far as the browser says where and who it is.

    Language and locale are those that it asks for. Its time zone only a script knows, which then
    proposes the currency of that country, too.
    """
    if request.POST:
        return HouseStep(request.POST, initial=USUAL, prefix="house")
    language = reader.code_if_spoken(translation.get_language() or "")
    locale = _locale(request.headers.get("Accept-Language", ""))
    form = HouseStep(initial={**USUAL, "language": language, "locale": locale}, prefix="house")
    zone = form.fields["time_zone"]
    zone.widget.attrs["data-currencies"] = json.dumps(currencies.of_zones())
    zone.help_text = _("As this browser has it. By it a gaming day begins and ends.")
    return form


def _locale(header: str) -> str:
    """The first of the house's locales that a browser asks for: it-IT for "it-CH, de;q=0.8"."""
    asked = [each for each, _quality in parse_accept_lang_header(header)]
    known = {locale.lower(): locale for locale in locales.LOCALES}
    known |= {each.partition("-")[0]: known[each] for each in reversed(known)}  # en is en-GB
    plain = [name for each in asked for name in (each, each.partition("-")[0])]
    return next((known[name] for name in plain if name in known), locales.USUAL)


def _answer_form(
    request: HttpRequest, secret: str, form: HouseStep, person: NewcomerForm | None
) -> HttpResponse:
    def manager() -> Attendant:
        if person is None:
            return permissions.person_of(request)
        wanted = {name: value for name, value in person.cleaned_data.items() if name != "again"}
        return onboarding.newcomer(**wanted)

    values = {name: form.cleaned_data[name] for name in HOUSE_FIELDS}
    try:
        house, who = onboarding.create_house(secret=secret, values=values, manager=manager)
    except ValidationError as invalid:
        blame(person or form, invalid)
        return _founding(request, form, person)
    if person is not None:
        enter(request, who, way="password")
    choose(request, house)
    return redirect("set-up-tables")


def _founding(request: HttpRequest, form: HouseStep, person: NewcomerForm | None) -> HttpResponse:
    context = {"form": form, "person": person}
    return render(request, "office/onboarding/found.html", context, status=status_of(form, person))


class HouseAgain(HouseStep, ActForm):
    """The form of the first step again, for a house that exists."""


@office("configure", section=SECTION)
def resume(page: Page) -> HttpResponse:
    """Redirect to the step at which the set-up was left."""
    return redirect(f"set-up-{page.house.setting_up}" if page.house.setting_up else "settings")


@office("configure", section=SECTION)
def house(page: Page) -> HttpResponse:
    form = HouseAgain(page.sent, instance=reload_house(page))
    done = save(page, "house", form, lambda _act: [Changing(reload_house(page), form.values())])
    return done or step(page, "house", {"form": form})


@office("configure", section=SECTION)
def last_step(page: Page) -> HttpResponse:
    """
    The last step: what the house has, what the first game waits for, and the button that finishes.

    It leads to the table where the first game is opened; to the floor if none can be opened yet.
    """
    if page.posted:
        onboarding.finish(page.house)
        now = readiness.ready(page.house, page.now)
        said = _("The house is set up.")
        if now.opens and now.table is not None:
            return page.done(said, "floor-open", table=now.table.pk)
        return page.done(said, "floor")
    throws = home_throws.of_each_game(page.house, page.now).values()
    context = {
        "ready": readiness.ready(page.house, page.now),
        "tables": page.house.tables.filter(in_use=True).count(),
        "sets": DiceSet.objects.filter(establishment=page.house, withdrawn=False).count(),
        "throws": {throw.faces for throw in throws if throw},
    }
    return step(page, "done", context)


# --- Tables and dice sets -------------------------------------------------------------------------


TABLES_MOST = 60
NAME = 40  # the most letters of a table's name


class TablesStep(ActForm):
    names = forms.CharField(
        label=gettext_lazy("Names of tables, one a line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Limits and more are set later, under Settings."),
    )
    wall = forms.BooleanField(
        label=gettext_lazy("Hang up wall boards, with a code that leads to a page for guests"),
        required=False,
        help_text=gettext_lazy(
            "For the house and each table: games, pots, rules, who waits. Without names and stakes"
            " until you say so. Their addresses stand under Settings, Tables."
        ),
    )

    def clean_names(self) -> list[str]:
        lines = [line.strip() for line in self.cleaned_data["names"].splitlines()]
        for number, name in enumerate(lines, 1):
            if len(name) > NAME:
                raise ValidationError(
                    _("Line %(line)s: a name has at most %(most)s letters.")
                    % {"line": number, "most": NAME}
                )
        found = list(dict.fromkeys(name for name in lines if name))
        if len(found) > TABLES_MOST:
            raise ValidationError(_("At most %(most)s at once.") % {"most": TABLES_MOST})
        return found


class DiceStep(ActForm):
    """Asks how many dice sets there are of each kind."""

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = house.tables.count()
        for place, (kind, games) in enumerate(registered.dice_kinds().items()):
            self.fields[kind.name] = WholeField(
                label=dice_label(kind, games),
                min_value=0,
                max_value=99,
                initial=0 if place else tables,  # one set of the first kind for each table
                required=False,
            )

    def wanted(self) -> dict[str, int]:
        return {kind.name: self.cleaned_data[kind.name] or 0 for kind in registered.dice_kinds()}


@office("configure", section=SECTION)
def tables(page: Page) -> HttpResponse:
    there = list(page.house.tables.all())
    named = _("Table %(number)s")
    usual = "" if there else "\n".join(named % {"number": each} for each in range(1, 5))
    form = TablesStep(page.sent, initial={"names": usual})
    if form.is_valid() and not there and not form.cleaned_data["names"]:
        form.add_error("names", _("A house has one table or more."))

    def new(act: acts.Act) -> list[Adding | Changing]:
        wall = form.cleaned_data["wall"]
        made = onboarding.tables_of(page.house, form.cleaned_data["names"], wall=wall)
        hung = onboarding.boards_of(reload_house(page), there) if wall else []
        return [*adding(act, made), *hung]

    done = save(page, "tables", form, new)
    return done or step(page, "tables", {"form": form, "tables": there})


@office("configure", section=SECTION)
def dice(page: Page) -> HttpResponse:
    form = DiceStep(page.sent, house=page.house)

    def new(act: acts.Act) -> list[Adding]:
        return adding(act, onboarding.dice_of(page.house, form.wanted()))

    if (done := save(page, "dice", form, new)) is not None:
        return done
    sets = DiceSet.objects.filter(establishment=page.house)
    return step(page, "dice", {"form": form, "sets": sets})


# --- Games and the home throw ---------------------------------------------------------------------


class GamesStep(ActForm):
    games = forms.MultipleChoiceField(
        label=gettext_lazy("Games of the house"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Each is published with its usual rules and no fee; options and fees are set later,"
            " under Rules and fees. A4"
        ),
    )

    point = CoinsField(
        label=gettext_lazy("A point is worth (G11)"),
        required=False,
        min_value=UNITS[0],
        max_value=UNITS[-1],
    )

    def __init__(
        self, *args: Any, house: Establishment, playable: Iterable[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.house = house
        piece = smallest(house.denominations)
        self.initial["point"] = piece
        self.fields["point"].help_text = _(
            "What scores, antes and bids count. With %(point)s, the smallest piece that you count,"
            " a pair 5 costs %(pair)s."
        ) % {"point": money(piece), "pair": money(5 * piece)}
        games = set(playable)
        lines = [
            (form.game, f"{TITLES[form.game]}: {form.line}")
            for form in forms_of_games()
            if form.game in games
        ]
        offer(self, "games", lines)

    def clean_point(self) -> int:
        """The amount; empty is the smallest piece."""
        pieces: list[dict[str, Any]] = self.house.denominations
        point: int | None = self.cleaned_data["point"]
        if point is not None and (why := why_not(pieces, point)):
            raise ValidationError(why)
        return smallest(pieces) if point is None else point


class HomeThrowStep(HomeThrowForm, ActForm):
    """Asks for the home throw: three dice, thrown now or chosen, or none."""

    field_order = ("first", "second", "third", "story", "override_reason", "game")


@office("configure", section=SECTION)
def games(page: Page) -> HttpResponse:
    known = house_rules.all_in_force(page.house, page.now)
    games = readiness.playable(page.house, [each.game for each in forms_of_games()], known)
    playable = [each.id for each in games if each.there]
    initial = {"games": list(known) or playable}
    form = GamesStep(page.sent, initial=initial, house=page.house, playable=playable)
    if form.is_valid() and not known and not form.cleaned_data["games"]:
        form.add_error("games", _("A house has one game or more."))

    def new(act: acts.Act) -> list[Adding]:
        chosen, point = form.cleaned_data["games"], form.cleaned_data["point"]
        rules = onboarding.rules_for(page.house, chosen, point=point, by=page.person, now=page.now)
        return adding(act, rules)

    if (done := save(page, "games", form, new)) is not None:
        return done
    published = [TITLES[game] for game in known]
    without_dice = [each for each in games if not each.there]
    context = {"form": form, "published": published, "without_dice": without_dice}
    return step(page, "games", context)


@office("configure", section=SECTION)
def home_throw(page: Page) -> HttpResponse:
    """Set the home throw: three d8 are thrown now; if they score otherwise, thrown again (H2)."""
    form = HomeThrowStep(page.sent)
    done = save(page, "home-throw", form, lambda act: _throw(page, form, act))
    return done or step(page, "home-throw", {"form": form, "throws": home_throw_items(page)})


def _throw(page: Page, form: HomeThrowStep, act: acts.Act) -> list[Adding]:
    """The new home throw, and new house rules for the games that use it."""
    throw = home_throws.draft_home_throw(
        establishment=page.house,
        faces=form.faces(),
        effective_from=page.now,
        by=page.person,
        story=form.cleaned_data["story"],
        override_reason=form.cleaned_data["override_reason"],
        game=form.cleaned_data["game"],
    )
    known = house_rules.all_in_force(page.house, page.now)
    taken = [
        Adding(_taking(page, rules), rules)
        for game, rules in known.items()
        if OPENINGS[game].homes and rules.home_throws == "none" and throw.game in {"", game}
    ]
    added = [Adding(throw), *taken]
    adding(act, [each.thing for each in added])
    return added


def _taking(page: Page, rules: HouseRules) -> HouseRules:
    """The same rules, with the house's home throw."""
    return house_rules.draft_rules(
        establishment=page.house,
        game=rules.game,
        effective_from=page.now,
        by=page.person,
        now=page.now,
        options=rules.options,
        fee=rules.fee,
        deviations=rules.deviations,
        home_throws=HouseRules.HomeThrows.HOUSE,
    )


# --- Staff: people are invited, each by a link (D1) -----------------------------------------------


PEOPLE_MOST = 60


class StaffStep(ActForm):
    people = forms.CharField(
        label=gettext_lazy("Names and roles, one a line"),
        widget=forms.Textarea(attrs={"rows": 6, "placeholder": "Mira Solano, attendant"}),
        help_text=gettext_lazy(
            "Roles: attendant, supervisor, manager, auditor. Everybody gets a link by which they"
            " set name and password themselves."
        ),
    )

    def clean_people(self) -> list[tuple[str, Role]]:
        lines = self.cleaned_data["people"].splitlines()
        found = [_read(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        if len(found) > PEOPLE_MOST:
            raise ValidationError(_("At most %(most)s at once.") % {"most": PEOPLE_MOST})
        return found


def _read(number: int, line: str) -> tuple[str, Role]:
    """
    The name and the role of a line.

    :raises ValidationError: if the line is not valid; the message names it.
    """
    name, _comma, written = line.rpartition(",")
    name, role = name.strip(), csv_lists.role(written.strip())
    if role is None or not name:
        raise ValidationError(
            _("Line %(line)s: a name, a comma and a role, as Mira Solano, attendant.")
            % {"line": number}
        )
    if len(name) > NAME_MOST:
        raise ValidationError(
            _("Line %(line)s: a name has at most %(most)s letters.")
            % {"line": number, "most": NAME_MOST}
        )
    return name, role


@office("configure", section=SECTION)
def staff(page: Page) -> HttpResponse:
    """Invite people; their links are shown with the answer, and never again (D1)."""
    form = StaffStep(page.sent)
    links = []
    if form.is_valid():
        try:
            links = _invitations(page, form)
        except Refused as refused:
            form.refuse(page.why(refused))
        else:
            onboarding.record_step(page.house, "staff")
            form = StaffStep()
    people = Employment.objects.filter(establishment=page.house, until__isnull=True)
    context = {"form": form, "links": links, "people": people.select_related("attendant")}
    return step(page, "staff", context)


@transaction.atomic
def _invitations(page: Page, form: StaffStep) -> list[dict[str, Any]]:
    """Make all invitations or none, because a link that is never shown is useless."""
    made = []
    for number, (name, role) in enumerate(form.cleaned_data["people"]):
        _offer, secret = invitations.invite(
            house=page.house,
            name=name,
            role=role,
            by=page.person,
            now=page.now,
            key=uuid5(form.act_id, str(number)),
        )
        made.append({"name": name, "role": role.label, "link": link_of(page, secret)})
    return made
