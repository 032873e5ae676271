"""Settings as lists: tables, rules by version, home throws, and the change log (A4, A5, C2, H1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypedDict
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts.changes import SYSTEM
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Change, HouseRules, Table
from casino.house.establishments.table_names import in_order
from casino.house.home_throws import house_rules
from casino.kit.web.listings.listing import (
    API,
    FILE,
    FOR_PEOPLE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    DayFilter,
    Listing,
    Sign,
    columns_of,
    filters,
)
from casino.play.core.queries import games_open
from casino.settings.configuration import descriptions, history
from casino.settings.configuration.forms.things import TableForm
from casino.words.languages import names as lookalikes
from casino.words.presenters import TITLES
from casino.words.presenters.registered import OPENINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Viewer


# --- Tables ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TableItem:
    """
    A table in a list.

    :param game: the id of the game that runs there.
    :param alike: for each table, the house's other tables whose names look the same.
    """

    row: Table
    game: UUID | None = None
    alike: Mapping[Any, Sequence[str]]

    @property
    def counted(self) -> Any:
        """A sort key that puts Table 2 before Table 10."""
        return in_order(self.row.name)

    @property
    def url(self) -> str:
        return reverse("settings-table", args=[self.row.pk])

    @property
    def on_wall(self) -> bool:
        return self.row.wall and self.row.in_use


def _tables(viewer: Viewer) -> list[TableItem]:
    rows = list(viewer.house.tables.all())
    alike = lookalikes.namesakes({each.pk: each.name for each in rows})
    return [TableItem(row=row, alike=alike) for row in rows]


def _with_games(viewer: Viewer, rows: Sequence[Table]) -> list[TableItem]:
    games = games_open(viewer.house.pk, [row.pk for row in rows])
    return [TableItem(row=row, game=games.get(row.pk), alike={}) for row in rows]


def _of_table(name: str, **more: Any) -> Column[TableItem]:
    field = descriptions.field_of(Table, name)
    read: dict[str, Any] = {
        "title": descriptions.heading(Table, name),
        "kind": descriptions.in_lists(field),
        "value": lambda item: getattr(item.row, name),
        "order": (f"row__{name}",),
    }
    return Column(name=name, **(read | more))


TABLE_COLUMNS: Final[Mapping[str, Mapping[str, Any]]] = {
    "name": {"title": gettext_lazy("Table"), "style": "row-name", "order": ("counted",),
             "template": "settings/configuration/_table_name.html", "link": lambda item: item.url},
    "in_use": {"title": gettext_lazy("State"), "signs": {
        True: Sign("well", gettext_lazy("in use")),
        False: Sign("off", gettext_lazy("not in use")),
    }},
    "wall": {"on": FOR_PEOPLE, "value": lambda item: item.on_wall, "order": (),
             "template": "settings/configuration/_wall_board.html"},
}  # fmt: skip
"""Properties of columns in a list of tables that their fields do not have."""

TABLES: Final = Listing[TableItem, TableItem](
    name="tables",
    title=gettext_lazy("Tables"),
    about=gettext_lazy("The tables of the house, with the limits of stakes at each."),
    rows=_tables,
    order=("counted", "row__name", "row__id"),
    columns=(
        _of_table("id", on=API, order=()),
        *(_of_table(name, **TABLE_COLUMNS.get(name, {})) for name in TableForm.Meta.fields),
        Column(name="game", on=API),
    ),
    empty=gettext_lazy(
        "This house has no table yet. Add the first one, or bring a list of them under Import."
    ),
    names_players=False,
)  # fmt: skip
API_TABLES: Final = Listing[Table, TableItem](
    name="tables-with-games",
    title=TABLES.title,
    about=TABLES.about,
    rows=lambda viewer: viewer.house.tables.all(),
    items=_with_games,
    order=("name", "id"),
    columns=tuple(
        replace(column, order=("name",) if column.name == "name" else ())
        for column in TABLES.columns
    ),
)
"""The list of tables for programs, page by page: in alphabetical order, each with its game."""


# --- Rules by version (A4, A5) --------------------------------------------------------------------

BEGUN: Final = {
    "now": Sign("well", gettext_lazy("in force")),
    "later": Sign("wait", gettext_lazy("to come")),
    "before": Sign("off", gettext_lazy("before")),
}
"""Whether a version of the rules is in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesItem:
    """
    One version of a game's rules.

    :param text: the text that hangs on the wall.
    :param state: a key of `BEGUN`.
    """

    row: HouseRules
    text: str
    state: str

    @property
    def in_force(self) -> bool:
        return self.state == "now"

    @property
    def title(self) -> str:
        return str(TITLES.get(self.row.game, self.row.game))

    @property
    def fee_in_words(self) -> str:
        return house_rules.fee_text(self.row.fee) if self.row.played else _("not played")

    @property
    def options_in_words(self) -> list[dict[str, str]]:
        """The options that differ from the defaults of the game's rules, in words."""
        return descriptions.options_of(OPENINGS[self.row.game], self.row.options)


def rules_items(viewer: Viewer, rows: Sequence[HouseRules]) -> list[RulesItem]:
    now = timezone.now()
    current = {rules.pk for rules in house_rules.all_in_force(viewer.house, now).values()}
    texts = tokens.resolve(viewer.house.pk, [row.text for row in rows])
    return [
        RulesItem(
            row=row,
            text=text,
            state="now" if row.pk in current else "later" if row.effective_from > now else "before",
        )
        for row, text in zip(rows, texts, strict=True)
    ]


_of_rules = columns_of()


HOUSE_RULES: Final = Listing[HouseRules, RulesItem](
    name="house-rules",
    title=gettext_lazy("Rules and fees"),
    about=gettext_lazy("How the house plays its games: every version."),
    rows=lambda viewer: HouseRules.objects.filter(establishment=viewer.house).select_related(
        "set_by"
    ),
    items=rules_items,
    order=("-effective_from", "game", "-version"),
    filters=filters(
        game=ChoiceFilter(
            title=gettext_lazy("Game"), choices=[(name, TITLES[name]) for name in OPENINGS]
        ),
    ),
    columns=(
        _of_rules("id", on=API),
        _of_rules("game", on=API),
        Column(name="title", title=gettext_lazy("Game"), on=FILE),
        _of_rules("version", title=gettext_lazy("Version"), kind="number"),
        _of_rules("effective_from", title=gettext_lazy("In force from"), kind="moment",
                  style="soft"),
        Column(name="in_force", on=API),
        Column(name="state", title=gettext_lazy("State"), on=FOR_PEOPLE, signs=BEGUN),
        _of_rules("played", on=API),
        _of_rules("options", title=gettext_lazy("Options other than usual"),
                  template="settings/configuration/_options.html", display=lambda item: "; ".join(
                      f"{each['label']}: {each['value']}" for each in item.options_in_words)),
        _of_rules("fee", title=gettext_lazy("Fee"), display=lambda item: item.fee_in_words),
        _of_rules("home_throws", on=API),
        _of_rules("deviations", on=API),
        Column(name="text", on=API),
        _of_rules("set_by", title=gettext_lazy("Set by"), style="wide",
                  display=lambda item: str(item.row.set_by or _("the program"))),
    ),
    empty=gettext_lazy(
        "Nothing is published yet: the game is opened with whatever is agreed at the table."
    ),
    names_players=False,
)  # fmt: skip


def rules_of(game: str) -> Listing[HouseRules, RulesItem]:
    """The versions of one game's rules."""
    return replace(
        HOUSE_RULES,
        rows=lambda viewer: HouseRules.objects.filter(
            establishment=viewer.house, game=game
        ).select_related("set_by"),
        filters=filters(),
    )


# --- What changed (C2) ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeItem:
    """A change with people's names, and with texts in place of tokens."""

    row: Change
    who: str
    asked_by: str
    label: str
    reason: str
    columns: Sequence[ChangedColumn]

    @property
    def kind(self) -> str:
        return str(descriptions.KINDS.get(self.row.kind, self.row.kind))

    @property
    def is_new(self) -> bool:
        return self.row.happened == "created"

    @property
    def from_and_to(self) -> str:
        return "; ".join(
            f"{each['name']}: {each['before']} → {each['after']}" for each in self.columns
        )

    @property
    def url(self) -> str:
        return reverse("ledger-event", args=[self.row.position])


def change_items(viewer: Viewer, rows: Sequence[Change]) -> list[ChangeItem]:
    people = names(rows)
    texts = tokens.resolve(
        viewer.house.pk,
        [
            {
                "reason": row.reason,
                "label": people.get(row.label, TITLES.called(row.label)),
                "columns": changed_columns(row, people),
            }
            for row in rows
        ],
    )
    return [
        ChangeItem(
            row=row,
            who=_("the program") if row.actor == SYSTEM else people.get(row.actor, row.actor),
            asked_by=people.get(row.asked_by, row.asked_by),
            **text,
        )
        for row, text in zip(rows, texts, strict=True)
    ]


def _people(house: Establishment) -> list[tuple[str, str]]:
    people = Attendant.objects.filter(employments__establishment=house).distinct()
    return [(str(each.pk), str(each)) for each in people]


_of_change = columns_of()


CHANGES: Final = Listing[Change, ChangeItem](
    name="changes",
    title=gettext_lazy("Change log"),
    about=gettext_lazy("What changed in the house's configuration and staff, by whom and why."),
    rows=lambda viewer: Change.objects.filter(establishment=viewer.house),
    items=change_items,
    order=("-position",),
    filters=filters(
        kind=ChoiceFilter(title=gettext_lazy("What"), choices=tuple(descriptions.KINDS.items()),
                          all_of_them=gettext_lazy("everything"), on=FOR_PEOPLE),
        who=ChoiceFilter("actor", title=gettext_lazy("Who"), choices=_people,
                         all_of_them=gettext_lazy("everybody"), on=FOR_PEOPLE),
        day=DayFilter("gaming_day", title=gettext_lazy("Gaming day"), on=FOR_PEOPLE),
    ),
    columns=(
        _of_change("at", title=gettext_lazy("When"), kind="moment", style="soft",
                   order=("position",)),
        _of_change("gaming_day", title=gettext_lazy("Gaming day"), kind="day", on=FOR_PROGRAMS),
        _of_change("kind", title=gettext_lazy("What"), display=lambda item: item.kind,
                   template="settings/configuration/_changed_thing.html"),
        Column(name="label", title=gettext_lazy("Name"), on=FILE),
        _of_change("happened", on=API),
        _of_change("thing", on=API),
        Column(name="from_and_to", title=gettext_lazy("From and to"), on=FOR_PEOPLE,
               template="settings/configuration/_from_and_to.html"),
        _of_change("before", on=API),
        _of_change("after", on=API),
        _of_change("actor", title=gettext_lazy("Who"), display=lambda item: item.who,
                   template="settings/configuration/_changed_by.html"),
        _of_change("asked_by", title=gettext_lazy("Asked for by"), on=FOR_PROGRAMS,
                   display=lambda item: item.asked_by),
        _of_change("alone", title=gettext_lazy("Alone"), on=FOR_PROGRAMS),
        Column(name="reason", title=gettext_lazy("Why"), style="wide because"),
        _of_change("position", title=gettext_lazy("Event"), kind="number", style="soft",
                   link=lambda item: item.url),
    ),
    empty=gettext_lazy(
        "No change of the kind is on record. What somebody changes here or among the staff is"
        " listed with who, when and why."
    ),
    none_such=gettext_lazy(
        "No change of the kind is on record. What somebody changes here or among the staff is"
        " listed with who, when and why."
    ),
    from_replica=True,
)  # fmt: skip


# What a change of the house's records changed, column by column, in words and with people's names
# (C2).


PERSON_COLUMNS = ("attendant_id", "set_by_id", "invited_by_id", "accepted_by_id")


class ChangedColumn(TypedDict):
    """`nothing` is how a column without a value reads."""

    name: str
    before: str
    after: str
    nothing: str


def changed_columns(row: Change, people: dict[str, str]) -> list[ChangedColumn]:
    return [
        {
            "name": descriptions.word(row.kind, name),
            "before": people.get(
                str(before), descriptions.in_words(row.kind, name, row.before or {})
            ),
            "after": people.get(str(after), descriptions.in_words(row.kind, name, row.after or {})),
            "nothing": descriptions.value(None),
        }
        for name, before, after in history.differing(row)
    ]


def names(rows: Iterable[Change]) -> dict[str, str]:
    """The names of the people in some changes, by id."""
    spoken: set[object] = set()
    for row in rows:
        for data in (row.before or {}), (row.after or {}):
            spoken |= {data.get(column) for column in PERSON_COLUMNS}
        spoken |= {row.actor, row.asked_by}
    ids = {known for each in spoken if (known := _id(each))}
    return {str(each.pk): str(each) for each in Attendant.objects.filter(pk__in=ids)}


def _id(written: object) -> UUID | None:
    """The value as an id; None if the actor is the program itself, or nobody."""
    try:
        return UUID(str(written))
    except ValueError:
        return None
