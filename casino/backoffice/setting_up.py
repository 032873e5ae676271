"""Setting up a house, step by step: each is saved as it is sent, and may be come back to."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.attendants import doors, invitations, permissions
from casino.attendants.houses import choose
from casino.attendants.models import Attendant, Employment, Role
from casino.backoffice.forms import ActForm
from casino.backoffice.invited import NewcomerForm
from casino.backoffice.pages import Page, office
from casino.backoffice.settings_pages import blamed, home_throws_shown, said
from casino.backoffice.signing_in import enter
from casino.dice.models import DiceSet
from casino.establishments import configuration, house_rules, setup
from casino.establishments.configuration import Adding, Became
from casino.establishments.forms.home_throws import HomeThrowForm
from casino.establishments.forms.house import HouseForm
from casino.establishments.models import Establishment, HouseRules
from casino.home_throws import operations as home_throws
from casino.openings import OPENINGS, offered
from casino.play.telling import TITLES
from games.refusals import Refused
from ledger.journal import CommandReused, Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import HttpRequest, HttpResponse

    from casino.establishments import acts

SECTION = "settings"
TABLES_MOST = 60
NAME = 40  # letters
STEPS = (
    ("house", gettext_lazy("House")),
    ("tables", gettext_lazy("Tables")),
    ("dice", gettext_lazy("Dice")),
    ("games", gettext_lazy("Games")),
    ("home-throw", gettext_lazy("Home throw")),
    ("staff", gettext_lazy("Staff")),
    ("done", gettext_lazy("Done")),
)
USUAL = {
    "currency": "coin",
    "currency_symbol": "c",
    "coin_digits": 0,
    "time_zone": "UTC",
    "day_cutoff": "06:00",
    "counts_floats": True,
}
HOUSE_FIELDS = (
    "name", "currency", "currency_symbol", "coin_digits", "time_zone", "day_cutoff",
    "counts_floats",
)  # fmt: skip


class HouseStep(HouseForm):
    """What has to be known before anything else; the rest has its usual values."""

    class Meta(HouseForm.Meta):
        fields: ClassVar = list(HOUSE_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["counted"]


class HouseAgain(HouseStep, ActForm):
    """The same of a house that is founded."""


class TablesStep(ActForm):
    names = forms.CharField(
        label=gettext_lazy("Names of tables, one a line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("Limits and more are set later, under Settings."),
    )

    def clean_names(self) -> list[str]:
        names = [line.strip() for line in self.cleaned_data["names"].splitlines()]
        found = list(dict.fromkeys(name for name in names if name))
        if len(found) > TABLES_MOST:
            raise ValidationError(_("At most %(most)s at once.") % {"most": TABLES_MOST})
        for name in found:
            if len(name) > NAME:
                raise ValidationError(
                    _("%(name)s is longer than %(most)s letters.") % {"name": name, "most": NAME}
                )
        return found


class DiceStep(ActForm):
    """How many sets there are of each kind, each in its box."""

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = house.tables.count()
        labels = {
            "stone": _("Sets of three d8, for Stone Hand and Cinnabar Gate"),
            "river": _("Sets with one die of each size, for River"),
            "threes": _("Sets of five d6, for Threes Away"),
            "breaker": _("Boxes of forty d6, for Dice Breaker"),
        }
        for kind, label in labels.items():
            self.fields[kind] = forms.IntegerField(
                label=label,
                min_value=0,
                max_value=99,
                initial=tables if kind == "stone" else 0,
                required=False,
            )

    def wanted(self) -> dict[str, int]:
        return {kind: self.cleaned_data[kind] or 0 for kind in setup.BOXES}


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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = self.fields["games"]
        assert isinstance(games, forms.MultipleChoiceField)  # noqa: S101 - declared above
        games.choices = [(form.game, f"{TITLES[form.game]}: {form.line}") for form in offered()]


class HomeThrowStep(HomeThrowForm, ActForm):
    """Three dice thrown now, or chosen; or none at all."""

    field_order = ("first", "second", "third", "story", "override_reason", "game")


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
        return [_invited(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _invited(number: int, line: str) -> tuple[str, Role]:
    name, _comma, written = line.rpartition(",")
    found = next(
        (role for role in Role if written.strip().casefold()
         in {role.value, str(role.label).casefold()}),
        None,
    )  # fmt: skip
    if found is None or not name.strip():
        raise ValidationError(
            _("Line %(line)s: a name, a comma and a role, as Mira Solano, attendant.")
            % {"line": number}
        )
    return name.strip(), found


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    """The first step, by the link of the installation. Its key stands in the query, as there."""
    secret = request.GET.get("key", "")
    known = isinstance(request.user, Attendant) and not doors.on_the_floor(request)
    try:
        setup.unspent(secret)
        form = HouseStep(request.POST or None, initial=USUAL, prefix="house")
        person = None if known else NewcomerForm(request.POST or None, prefix="person")
        if request.method == "POST" and form.is_valid() and (person is None or person.is_valid()):
            return _founded(request, secret, form, person)
    except Refused as refused:
        context = {"refused": str(refused)}
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "registration/found.html", context, status=status)
    return _founding(request, form, person)


def _founded(
    request: HttpRequest, secret: str, form: HouseStep, person: NewcomerForm | None
) -> HttpResponse:
    def manager() -> Attendant:
        if person is None:
            return permissions.person_of(request)
        wanted = {name: value for name, value in person.cleaned_data.items() if name != "again"}
        return setup.newcomer(**wanted)

    values = {name: form.cleaned_data[name] for name in HOUSE_FIELDS}
    try:
        house, who = setup.found(secret=secret, values=values, manager=manager)
    except ValidationError as invalid:
        blamed(person or form, invalid)
        return _founding(request, form, person)
    if person is not None:
        enter(request, who, way="password")
    choose(request, house)
    return redirect("set-up-tables")


def _founding(request: HttpRequest, form: HouseStep, person: NewcomerForm | None) -> HttpResponse:
    wrong = form.errors or (person and person.errors)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    context = {"form": form, "person": person}
    return render(request, "registration/found.html", context, status=status)


def step(
    page: Page, name: str, context: dict[str, Any], *, status: int = HTTPStatus.OK
) -> HttpResponse:
    """A step's page, with the steps before and behind it."""
    names = [each for each, _title in STEPS]
    here = names.index(name)
    steps = [
        {"title": title, "url": reverse(f"set-up-{each}"), "here": each == name,
         "before": number < here}
        for number, (each, title) in enumerate(STEPS)
    ]  # fmt: skip
    more = {
        "steps": steps,
        "back": reverse(f"set-up-{names[here - 1]}") if here else "",
        "skip": reverse(f"set-up-{names[here + 1]}") if here + 1 < len(names) else "",
        "step": name,
    }
    template = f"backoffice/set_up_{name.replace('-', '_')}.html"
    return page.show(template, {**more, **context}, status=status)


def save(
    page: Page,
    name: str,
    form: Any,
    things: Callable[[acts.Act], Sequence[Adding | configuration.Changing]],
) -> HttpResponse | None:
    """Put what a step adds, and go on to the next; None: it says what cannot be."""
    act = page.act(form.act_id, do="set up", step=name, sent=dict(page.request.POST.lists()))
    try:
        wanted = things(act)
        outcome = configuration.put(act, *wanted, reason=_("Set-up.")) if wanted else None
    except ValidationError as invalid:
        blamed(form, invalid)
        return None
    except (Refused, Conflict, CommandReused) as refused:
        form.add_error(None, str(refused))
        return None
    setup.reached(page.house, name)
    following = setup.STEPS[setup.STEPS.index(name) + 1]
    if outcome is None or outcome.became == Became.UNCHANGED:
        return redirect(f"set-up-{following}")
    return page.done(said(outcome.became), f"set-up-{following}")


def adding(act: acts.Act, things: Sequence[Any]) -> list[Adding]:
    """New things under ids that follow from the act, so that a second tap adds none."""
    for number, thing in enumerate(things):
        thing.pk = configuration.new_id(act, number)
    return [Adding(thing) for thing in things]


@office("configure", section=SECTION)
def go_on(page: Page) -> HttpResponse:
    """Where setting up was left."""
    return redirect(f"set-up-{page.house.setting_up}" if page.house.setting_up else "settings")


@office("configure", section=SECTION)
def house(page: Page) -> HttpResponse:
    stored = Establishment.objects.get(pk=page.house.pk)
    form = HouseAgain(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = Establishment.objects.get(pk=page.house.pk)
        change = configuration.Changing(fresh, form.values())
        done = save(page, "house", form, lambda _act: [change])
        if done is not None:
            return done
    return step(page, "house", {"form": form})


@office("configure", section=SECTION)
def tables(page: Page) -> HttpResponse:
    there = list(page.house.tables.all())
    usual = "" if there else "\n".join(f"Table {number}" for number in range(1, 5))
    form = TablesStep(page.request.POST or None, initial={"names": usual})
    if page.posted and form.is_valid():
        names = form.cleaned_data["names"]
        if not there and not names:
            form.add_error("names", _("A house has one table or more."))
        else:
            new = setup.tables_of(page.house, names)
            done = save(page, "tables", form, lambda act: adding(act, new))
            if done is not None:
                return done
    return step(page, "tables", {"form": form, "tables": there})


@office("configure", section=SECTION)
def dice(page: Page) -> HttpResponse:
    form = DiceStep(page.request.POST or None, house=page.house)
    if page.posted and form.is_valid():
        new = setup.dice_of(page.house, form.wanted())
        done = save(page, "dice", form, lambda act: adding(act, new))
        if done is not None:
            return done
    sets = DiceSet.objects.filter(establishment=page.house)
    return step(page, "dice", {"form": form, "sets": sets})


@office("configure", section=SECTION)
def games(page: Page) -> HttpResponse:
    known = house_rules.all_in_force(page.house, page.now)
    usual = list(known) or [form.game for form in offered()]
    form = GamesStep(page.request.POST or None, initial={"games": usual})
    if page.posted and form.is_valid():
        wanted = form.cleaned_data["games"]
        if not wanted and not known:
            form.add_error("games", _("A house has one game or more."))
        else:
            new = setup.rules_for(page.house, wanted, by=page.person, now=page.now)
            done = save(page, "games", form, lambda act: adding(act, new))
            if done is not None:
                return done
    shown = [TITLES[game] for game in known]
    return step(page, "games", {"form": form, "published": shown})


@office("configure", section=SECTION)
def home_throw(page: Page) -> HttpResponse:
    """Thrown now by three d8 and entered on keys; where it scores otherwise, thrown again (H2)."""
    form = HomeThrowStep(page.request.POST or None)
    if page.posted and form.is_valid():
        done = save(page, "home-throw", form, lambda act: _throw(page, form, act))
        if done is not None:
            return done
    return step(page, "home-throw", {"form": form, "throws": home_throws_shown(page)})


def _throw(page: Page, form: HomeThrowStep, act: acts.Act) -> list[Adding]:
    """The home throw, and the rules by which the games that know one take it."""
    throw = home_throws.drafted(
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
    wanted = [Adding(throw), *taken]
    adding(act, [each.thing for each in wanted])
    return wanted


def _taking(page: Page, rules: HouseRules) -> HouseRules:
    """The same rules, with the house's home throw."""
    return house_rules.drafted(
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


@office("configure", section=SECTION)
def staff(page: Page) -> HttpResponse:
    """Invitations: their links are shown with the answer, and never again (D1)."""
    form = StaffStep(page.request.POST or None)
    links = []
    if page.posted and form.is_valid():
        try:
            links = _invitations(page, form)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            setup.reached(page.house, "staff")
            form = StaffStep()
    people = Employment.objects.filter(establishment=page.house, until__isnull=True)
    context = {"form": form, "links": links, "people": people.select_related("attendant")}
    return step(page, "staff", context)


def _invitations(page: Page, form: StaffStep) -> list[dict[str, Any]]:
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
        link = page.request.build_absolute_uri(f"{reverse('invitation')}?key={secret}")
        made.append({"name": name, "role": role.label, "link": link})
    return made


@office("configure", section=SECTION)
def done(page: Page) -> HttpResponse:
    """What there is by now, what is still missing, and the door to the floor."""
    if page.posted:
        setup.finished(page.house)
        return page.done(_("The house is set up."), "floor")
    now = timezone.now()
    throw = home_throws.in_force(establishment=page.house, at=now)
    context = {
        "tables": page.house.tables.filter(in_use=True).count(),
        "sets": DiceSet.objects.filter(establishment=page.house, withdrawn=False).count(),
        "games": [TITLES[game] for game in sorted(house_rules.played(page.house, now))],
        "throw": throw,
        "people": Employment.objects.filter(establishment=page.house, until__isnull=True).count(),
    }
    return step(page, "done", context)
