"""Settings: the house, its tables, dice, home throws and rules, and the log of what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.attendants import permissions
from casino.attendants.models import Attendant
from casino.backoffice.forms import ActForm
from casino.backoffice.pages import Page, office
from casino.dice.models import DiceSet
from casino.establishments import configuration, history, house_rules, told
from casino.establishments.configuration import Adding, Became, Changing
from casino.establishments.forms.home_throws import HomeThrowForm
from casino.establishments.forms.house import HouseForm
from casino.establishments.forms.rules import RulesForm, of_rules
from casino.establishments.forms.things import DiceSetForm, PrizeForm, TableForm
from casino.establishments.forms.why_and_when import Beginning, Explained
from casino.establishments.models import Change, Establishment, HouseRules, Table
from casino.home_throws import operations as home_throws
from casino.home_throws.models import GAMES, HomeThrow
from casino.odds import stones
from casino.openings import OPENINGS, offered
from casino.play.models import PrizeRule
from casino.play.telling import TITLES
from casino.players import veil
from games.refusals import Refused
from ledger.journal import CommandReused, Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

    from django.db.models import QuerySet
    from django.http import HttpResponse

    from casino.establishments import acts
    from casino.openings.fields import Opening

Thing = TypeVar("Thing", Table, DiceSet, PrizeRule)

SECTION = "settings"
ROWS = 50

TABS = (
    ("settings", gettext_lazy("House")),
    ("settings-tables", gettext_lazy("Tables")),
    ("settings-dice", gettext_lazy("Dice sets")),
    ("settings-rules", gettext_lazy("Rules and fees")),
    ("settings-home-throws", gettext_lazy("Home throws")),
    ("settings-prizes", gettext_lazy("Prizes")),
    ("settings-import", gettext_lazy("Import")),
    ("settings-changes", gettext_lazy("Change log")),
)


TAB_OF = {
    "settings-table": "settings-tables",
    "settings-table-new": "settings-tables",
    "settings-dice-set": "settings-dice",
    "settings-dice-new": "settings-dice",
    "settings-rules-of": "settings-rules",
    "settings-prize": "settings-prizes",
    "settings-prize-new": "settings-prizes",
    "settings-import-list": "settings-import",
}


class HousePage(HouseForm, Explained, ActForm):
    """The house, as a page asks for it."""

    field_order = (*HouseForm.Meta.fields, "counted", "reason")


class TablePage(TableForm, Explained, ActForm):
    """A table, as a page asks for it."""


class DiceSetPage(DiceSetForm, Explained, ActForm):
    """A dice set, as a page asks for it."""


class HomeThrowPage(HomeThrowForm, Beginning, Explained, ActForm):
    """A home throw, as a page asks for it."""

    field_order = (
        "first", "second", "third", "game", "story", "override_reason", "begins",
        "effective_from", "reason",
    )  # fmt: skip


class PrizePage(PrizeForm, Explained, ActForm):
    """A prize, as a page asks for it."""


class RulesPage(RulesForm, Explained, ActForm):
    """Rules of one game, as a page asks for them."""


def shown(page: Page, template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """A page of the section, with its tabs."""
    here = (page.request.resolver_match and page.request.resolver_match.url_name) or ""
    tabs = [
        {"url": reverse(name), "title": title, "here": name == TAB_OF.get(here, here)}
        for name, title in TABS
        if name != "settings-import" or page.may("configure")
    ]
    more = {"tabs": tabs, "configures": page.may("configure"), "two": page.house.two_configure}
    return page.show(template, {**more, **context}, status=status)


def put(
    page: Page,
    form: Any,
    change: Callable[[acts.Act], Iterable[Adding | Changing]],
    to: str,
    **where: Any,
) -> HttpResponse | None:
    """
    Carry out what a valid form says and go on; None: it says what cannot be, and says so.

    :param change: what is to be put, told the act it comes from.
    """
    act = page.act(form.act_id, do="configure", **_sent(page))
    try:
        outcome = configuration.put(act, *change(act), reason=form.cleaned_data.get("reason", ""))
    except ValidationError as invalid:
        blamed(form, invalid)
        return None
    except (Refused, Conflict, CommandReused) as refused:
        form.add_error(None, str(refused))
        return None
    return page.done(said(outcome.became), to, **where)


def _sent(page: Page) -> dict[str, Any]:
    """What was asked, as it arrived: the same again for a second tap."""
    hidden = {"csrfmiddlewaretoken", "command_id"}
    return {name: values for name, values in page.request.POST.lists() if name not in hidden}


def said(became: Became) -> str:
    match became:
        case Became.WAITING:
            return _("This waits for a second person: they find it under Approvals.")
        case Became.UNCHANGED:
            return _("Nothing differs, nothing was changed.")
        case _:
            return _("Saved, and written into the change log.")


def blamed(form: forms.BaseForm, invalid: ValidationError) -> None:
    """Errors at their fields, those of a field that the form does not show at its head."""
    if not hasattr(invalid, "error_dict"):
        form.add_error(None, invalid)
        return
    for name, messages in invalid.message_dict.items():
        for message in messages:
            form.add_error(name if name in form.fields else None, message)


@office("audit", section=SECTION, post="configure")
def house(page: Page) -> HttpResponse:
    """What the house is called, its money, its day, its thresholds."""
    stored = Establishment.objects.get(pk=page.house.pk)
    form = HousePage(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = Establishment.objects.get(pk=page.house.pk)
        done = put(page, form, lambda _act: [Changing(fresh, form.values())], "settings")
        if done is not None:
            return done
    return shown(page, "backoffice/settings_house.html", {"form": locked(page, form)})


@office("audit", section=SECTION)
def tables(page: Page) -> HttpResponse:
    return shown(page, "backoffice/settings_tables.html", {"tables": page.house.tables.all()})


@office("configure", section=SECTION)
def table_new(page: Page) -> HttpResponse:
    form = TablePage(
        page.request.POST or None,
        instance=Table(id=coming(page), establishment=page.house),
        initial={"in_use": True},
    )
    if page.posted and form.is_valid():
        done = put(page, form, lambda act: [Adding(numbered(form, act))], "settings-tables")
        if done is not None:
            return done
    return shown(page, "backoffice/settings_thing.html", {"form": form, "title": _("A new table")})


@office("look", section=SECTION)
def table(page: Page, table: UUID) -> HttpResponse:
    stored = mine(page, Table, table)
    form = TablePage(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = Table.objects.get(pk=table)
        done = put(page, form, lambda _act: [Changing(fresh, form.values())], "settings-tables")
        if done is not None:
            return done
    context = {
        "form": locked(page, form),
        "title": Table.objects.get(pk=table).name,
        "effect": _("New limits hold for the next game opened here; one that runs keeps its own."),
        "changes": lines(page, Change.objects.filter(kind="table", thing=str(table))),
    }
    return shown(page, "backoffice/settings_thing.html", context)


@office("audit", section=SECTION)
def dice(page: Page) -> HttpResponse:
    sets = DiceSet.objects.filter(establishment=page.house)
    return shown(page, "backoffice/settings_dice.html", {"sets": sets})


@office("configure", section=SECTION)
def dice_new(page: Page) -> HttpResponse:
    form = DiceSetPage(
        page.request.POST or None, instance=DiceSet(id=coming(page), establishment=page.house)
    )
    if page.posted and form.is_valid():
        done = put(page, form, lambda act: [Adding(numbered(form, act))], "settings-dice")
        if done is not None:
            return done
    return shown(
        page, "backoffice/settings_thing.html", {"form": form, "title": _("A new dice set")}
    )


@office("look", section=SECTION)
def dice_set(page: Page, dice_set: UUID) -> HttpResponse:
    stored = mine(page, DiceSet, dice_set)
    form = DiceSetPage(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = DiceSet.objects.get(pk=dice_set)
        done = put(page, form, lambda _act: [Changing(fresh, form.values())], "settings-dice")
        if done is not None:
            return done
    context = {
        "form": locked(page, form),
        "title": str(DiceSet.objects.get(pk=dice_set)),
        "effect": _("A set that is withdrawn stays with the game it lies in, and in no later one."),
        "changes": lines(page, Change.objects.filter(kind="dice_set", thing=str(dice_set))),
    }
    return shown(page, "backoffice/settings_thing.html", context)


@office("audit", section=SECTION, post="configure")
def home_throw(page: Page) -> HttpResponse:
    """Every home throw the house had, with its story and exact odds, and the form of the next."""
    form = HomeThrowPage(page.request.POST or None)
    if page.posted and form.is_valid():
        done = put(
            page, form, lambda act: [next_home_throw(page, form, act)], "settings-home-throws"
        )
        if done is not None:
            return done
    context = {"form": form, "throws": home_throws_shown(page)}
    return shown(page, "backoffice/settings_home_throws.html", context)


def next_home_throw(page: Page, form: Any, act: acts.Act) -> Adding:
    """:raises ValidationError: if the faces may not be a home throw."""
    begins, game = form.moment(page.now), form.cleaned_data["game"]
    check_begins(begins, page)
    throw = home_throws.drafted(
        establishment=page.house,
        faces=form.faces(),
        effective_from=begins,
        by=page.person,
        story=form.cleaned_data["story"],
        override_reason=form.cleaned_data["override_reason"],
        game=game,
    )
    throw.pk = configuration.new_id(act)
    before = HomeThrow.objects.filter(
        establishment=page.house, game=game, effective_from__lte=begins
    )
    return Adding(throw, before.order_by("-effective_from").first())


def check_begins(begins: Any, page: Page) -> None:
    """:raises ValidationError: if a moment has passed."""
    if begins < page.now:
        raise ValidationError(
            {"effective_from": _("It begins now or later: nothing is announced for the past. A4")}
        )


def home_throws_shown(page: Page) -> list[dict[str, Any]]:
    rows = HomeThrow.objects.filter(establishment=page.house).select_related("set_by")
    found = list(rows.order_by("-effective_from"))
    current = {
        throw.pk
        for game in ("", *(name for name, _title in GAMES))
        if (throw := home_throws.in_force(establishment=page.house, at=page.now, game=game))
    }
    told_of: list[dict[str, Any]] = veil.unveil(
        page.house.pk, [{"story": row.story, "override": row.override} for row in found]
    )
    return [
        {
            "throw": row,
            "faces": row.faces,
            "odds": stones.exactly(row.faces),
            "state": "now" if row.pk in current else "later" if row.effective_from > page.now
            else "before",
            "url": f"{reverse('odds-of', args=[row.game or 'stone-hand'])}?home_throw={row}",
            **texts,
        }
        for row, texts in zip(found, told_of, strict=True)
    ]  # fmt: skip


@office("audit", section=SECTION)
def rules(page: Page) -> HttpResponse:
    """How each game is played here: in force, and what comes."""
    current = house_rules.all_in_force(page.house, page.now)
    coming = HouseRules.objects.filter(establishment=page.house, effective_from__gt=page.now)
    later = {row.game: row for row in coming.order_by("-effective_from")}
    games = [
        {
            "id": form.game,
            "title": TITLES[form.game],
            "rules": current.get(form.game),
            "fee": fee_of(current.get(form.game)),
            "options": options_of(form, current.get(form.game)),
            "later": later.get(form.game),
        }
        for form in offered()
    ]
    return shown(page, "backoffice/settings_rules.html", {"games": games})


@office("audit", section=SECTION, post="configure")
def rules_of(page: Page, game: str) -> HttpResponse:
    """The history of one game's rules, and the form that publishes the next version."""
    if game not in OPENINGS:
        raise Http404("There is no such game.")
    asks = OPENINGS[game]
    current = house_rules.in_force(establishment=page.house, game=game, at=page.now)
    text = veil.unveil(page.house.pk, current.text) if current else ""
    form = RulesPage(page.request.POST or None, form=asks, initial=of_rules(asks, current, text))
    if page.posted and form.is_valid():
        done = put(page, form, lambda act: [next_rules(page, form, act, current)], "settings-rules")
        if done is not None:
            return done
    context = {
        "form": form,
        "title": TITLES[game],
        "current": current,
        "versions": versions(page, asks),
    }
    return shown(page, "backoffice/settings_rules_of.html", context)


def next_rules(page: Page, form: Any, act: acts.Act, current: HouseRules | None) -> Adding:
    """:raises ValidationError: by field, as `house_rules.drafted`."""
    drafted = house_rules.drafted(
        establishment=page.house,
        effective_from=form.moment(page.now),
        by=page.person,
        now=page.now,
        **form.drafted(),
    )
    drafted.pk = configuration.new_id(act)
    return Adding(drafted, current)


def versions(page: Page, asks: Opening) -> list[dict[str, Any]]:
    rows = HouseRules.objects.filter(establishment=page.house, game=asks.game)
    found = list(rows.select_related("set_by").order_by("-version")[:ROWS])
    texts = veil.unveil(page.house.pk, [row.text for row in found])
    current = house_rules.in_force(establishment=page.house, game=asks.game, at=page.now)
    return [
        {
            "rules": row,
            "fee": fee_of(row),
            "options": options_of(asks, row),
            "text": text,
            "state": "now" if row == current else "later" if row.effective_from > page.now
            else "before",
        }
        for row, text in zip(found, texts, strict=True)
    ]  # fmt: skip


def fee_of(rules: HouseRules | None) -> str:
    return house_rules.told_fee(rules.fee) if rules else ""


def options_of(form: Opening, rules: HouseRules | None) -> list[dict[str, str]]:
    """The options that are not the rules' own usual ones, in words."""
    if rules is None:
        return []
    return [
        {
            "label": str(option.label),
            "rule": option.rule,
            "value": next(
                (str(each.label) for each in option.choices
                 if each.value == rules.options[option.name]),
                str(rules.options[option.name]),
            ),
        }
        for option in form.options
        if option.name in rules.options
    ]  # fmt: skip


@office("audit", section=SECTION)
def prizes(page: Page) -> HttpResponse:
    rows = PrizeRule.objects.filter(establishment=page.house)
    listed = [{"rule": row, "game": TITLES.get(row.ruleset, row.ruleset)} for row in rows]
    return shown(page, "backoffice/settings_prizes.html", {"prizes": listed})


@office("configure", section=SECTION)
def prize_new(page: Page) -> HttpResponse:
    new = PrizeRule(id=coming(page), establishment=page.house)
    form = PrizePage(page.request.POST or None, instance=new)
    if page.posted and form.is_valid():
        done = put(page, form, lambda act: [Adding(numbered(form, act))], "settings-prizes")
        if done is not None:
            return done
    return shown(page, "backoffice/settings_thing.html", {"form": form, "title": _("A new prize")})


@office("look", section=SECTION)
def prize(page: Page, prize_rule: UUID) -> HttpResponse:
    stored = mine(page, PrizeRule, prize_rule)
    form = PrizePage(page.request.POST or None, instance=stored)
    if page.posted and form.is_valid():
        fresh = PrizeRule.objects.get(pk=prize_rule)
        done = put(page, form, lambda _act: [Changing(fresh, form.values())], "settings-prizes")
        if done is not None:
            return done
    context = {
        "form": locked(page, form),
        "title": PrizeRule.objects.get(pk=prize_rule).prize,
        "effect": _("It holds for points scored from now on; prizes that were won stay won."),
        "changes": lines(page, Change.objects.filter(kind="prize_rule", thing=str(prize_rule))),
    }
    return shown(page, "backoffice/settings_thing.html", context)


class LogFilter(forms.Form):
    kind = forms.ChoiceField(
        label=gettext_lazy("What"),
        required=False,
        choices=[("", gettext_lazy("everything")), *told.KINDS.items()],
    )
    who = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    day = forms.DateField(
        label=gettext_lazy("Gaming day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    before = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Attendant.objects.filter(employments__establishment=house).distinct()
        who = self.fields["who"]
        assert isinstance(who, forms.ChoiceField)  # noqa: S101 - declared above
        who.choices = [("", _("everybody")), *[(str(each.pk), str(each)) for each in people]]

    def rows(self, house: Establishment) -> QuerySet[Change]:
        rows = Change.objects.filter(establishment=house)
        if not self.is_valid():
            return rows
        asked = self.cleaned_data
        if asked["kind"]:
            rows = rows.filter(kind=asked["kind"])
        if asked["who"]:
            rows = rows.filter(actor=asked["who"])
        if asked["day"]:
            rows = rows.filter(gaming_day=asked["day"])
        if asked["before"] is not None:
            rows = rows.filter(position__lt=asked["before"])
        return rows


@office("audit", section=SECTION)
def log(page: Page) -> HttpResponse:
    """Who changed what, from what to what, when and why (C2)."""
    form = LogFilter(page.request.GET or None, house=page.house)
    found = lines(page, form.rows(page.house), most=ROWS + 1)
    asked = page.request.GET.copy()
    asked.pop("before", None)
    context = {
        "form": form,
        "changes": found[:ROWS],
        "older": found[ROWS - 1]["position"] if len(found) > ROWS else None,
        "asked": asked.urlencode(),
    }
    return shown(page, "backoffice/settings_changes.html", context)


def lines(page: Page, rows: QuerySet[Change], most: int = ROWS) -> list[dict[str, Any]]:
    """Changes as they are listed, with people's names and the texts behind their tokens."""
    found = list(rows.filter(establishment=page.house).order_by("-position")[:most])
    people = names(found)
    texts = veil.unveil(
        page.house.pk,
        [
            {
                "reason": row.reason,
                "label": people.get(row.label, str(TITLES.get(row.label, row.label))),
                "columns": columns(row, people),
            }
            for row in found
        ],
    )
    return [
        {
            "position": row.position,
            "at": row.at,
            "kind": told.KINDS.get(row.kind, row.kind),
            "new": row.happened == "created",
            "who": people.get(row.actor, row.actor),
            "asked_by": people.get(row.asked_by, row.asked_by),
            "alone": row.alone,
            **text,
        }
        for row, text in zip(found, texts, strict=True)
    ]


def columns(row: Change, people: dict[str, str]) -> list[dict[str, str]]:
    return [
        {
            "name": told.column(name),
            "before": people.get(str(before), told.value(before)),
            "after": people.get(str(after), told.value(after)),
            "nothing": told.value(None),
        }
        for name, before, after in history.differing(row)
    ]


def names(rows: list[Change]) -> dict[str, str]:
    """The people that changes speak of, by id."""
    spoken = set()
    for row in rows:
        for data in (row.before or {}), (row.after or {}):
            spoken |= {data.get("attendant_id"), data.get("set_by_id")}
        spoken |= {row.actor, row.asked_by}
    ids = [each for each in spoken if each and len(str(each)) == UUID_LENGTH]
    return {str(each.pk): str(each) for each in Attendant.objects.filter(pk__in=ids)}


UUID_LENGTH = 36


def mine(page: Page, model: type[Thing], pk: UUID) -> Thing:
    """
    A thing of this house; another house's is nowhere, whoever asks.

    :raises NotYours: if it is here, and the role may not look or change it.
    """
    found: Thing = get_object_or_404(model, pk=pk, establishment=page.house)
    permissions.require(page.person, "configure" if page.posted else "audit", page.house)
    return found


def coming(page: Page) -> UUID:
    """The id that a new thing of this page will have: a second tap meets itself, nobody else."""
    given = forms.UUIDField(required=False)
    try:
        command_id = given.clean(page.request.POST.get("command_id", "")) or uuid4()
    except ValidationError:
        command_id = uuid4()
    return configuration.new_id(page.act(command_id))


def numbered(form: Any, act: acts.Act) -> Any:
    """The new thing of a form under the id that follows from its act."""
    thing = form.instance
    thing.pk = configuration.new_id(act)
    return thing


def locked(page: Page, form: Any) -> Any:
    """For who may look and not change: the same fields, to read."""
    if not page.may("configure"):
        for field in form.fields.values():
            field.disabled = True
    return form
