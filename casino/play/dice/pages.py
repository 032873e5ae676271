"""The pages of dice sets: the inventory, and the life of each set (F1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants import permissions
from casino.house.attendants.permissions import NotYours
from casino.house.establishments.table_names import in_list_order
from casino.kit.web.addresses import page_there
from casino.kit.web.forms import ActForm, ReasonForm, offer, status_of
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import office
from casino.play.dice import life, queries
from casino.play.dice.life import Do
from casino.play.dice.listings import DICE_SETS, steps_of
from casino.play.dice.models import SIZES, DiceSet, State
from casino.words.languages.fields import WholeField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import HttpResponse, QueryDict

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.play.dice.queries import Stock

SECTION: Final = "dice"
TEXT_MAX: Final = 500
NAME_MAX: Final = 80
COUNT_MAX: Final = 999


class ReceiveForm(ActForm):
    """Receives a set, with the papers of its delivery."""

    number = forms.CharField(
        label=gettext_lazy("Number"),
        max_length=24,
        help_text=gettext_lazy("As engraved or on the box."),
    )
    sides = forms.TypedChoiceField(
        label=gettext_lazy("Sides of each die"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[
            *((size, f"d{size}") for size in SIZES),
            ("", gettext_lazy("one of each size")),
        ],
    )
    count = WholeField(label=gettext_lazy("Dice"), min_value=1, max_value=COUNT_MAX)
    colour = forms.CharField(label=gettext_lazy("Colour"), max_length=40, required=False)
    supplier = forms.CharField(label=gettext_lazy("Supplier"), max_length=NAME_MAX)
    reference = forms.CharField(
        label=gettext_lazy("Reference"),
        max_length=NAME_MAX,
        help_text=gettext_lazy("Of the delivery, as its papers have it."),
    )
    note = forms.CharField(label=gettext_lazy("Note"), max_length=TEXT_MAX, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in DiceSet.further_traits():
            if (field := each.formfield()) is not None:
                self.fields[each.attname] = field

    def delivery(self) -> life.Delivery:
        """The delivery that was entered; call it after `is_valid`."""
        given = {name: value for name, value in self.cleaned_data.items() if name != "command_id"}
        names = [each.attname for each in DiceSet.further_traits()]
        further = {name: given.pop(name) for name in names if name in given}
        return life.Delivery(**given, further=further)


class InspectForm(ActForm):
    finding = forms.CharField(
        label=gettext_lazy("What was measured, and found"), max_length=TEXT_MAX
    )


class IssueForm(ActForm):
    table = forms.ChoiceField(label=gettext_lazy("To"), required=False)
    reason = forms.CharField(label=gettext_lazy("Note"), max_length=TEXT_MAX, required=False)

    def __init__(self, *args: Any, house: Establishment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = in_list_order(house.tables.filter(in_use=True))
        named = [(str(table.pk), table.name) for table in tables]
        offer(self, "table", [("", _("the floor: any table")), *named])


class NoteForm(ActForm):
    reason = forms.CharField(label=gettext_lazy("Note"), max_length=TEXT_MAX, required=False)


def overseen(page: Page) -> None:
    """:raises NotYours: unless the person may approve or audit."""
    if not (page.may("approve") or page.may("audit")):
        raise NotYours("Your role does not keep the dice. F1")


@office("look", section=SECTION)
def inventory(page: Page) -> HttpResponse:
    """Every set of the house: where it is, since when, and who inspected it last."""
    overseen(page)
    return page_with_list(page, DICE_SETS, "play/dice/index.html", {"keeps": page.may("approve")})


@office("approve", section=SECTION)
def receive(page: Page) -> HttpResponse:
    """Receive a set."""
    form = ReceiveForm(page.sent, initial={"sides": 8, "count": 3})
    if form.is_valid():
        act = page.act(form.act_id)
        done = page.take(
            form,
            lambda: life.receive(act, form.delivery()),
            _("Received, by your name. It is inspected before it is issued."),
            "dice-set",
            dice_set=life.new_id(act),
        )
        if done is not None:
            return done
    return page.show("play/dice/receive.html", {"form": form})


@office("look", section=SECTION)
def one(page: Page, dice_set: UUID) -> HttpResponse:
    """The page of a set: its whole life, and what may be done with it now."""
    return _dice_set_page(page, dice_set)


@office("look", section=SECTION)
def act(page: Page, dice_set: UUID, do: str) -> HttpResponse:
    """Perform one step of a set's life; a GET shows the set's page."""
    if do not in set(Do):
        raise Http404("Nothing of that name is done with dice.")
    if not page.posted:
        return _dice_set_page(page, dice_set)
    _mine(page, dice_set)
    permissions.require(page.person, "approve", page.house)
    doing = Do(do)
    form = _forms(page.house, (doing,), page.sent)[doing]
    if not form.is_valid():
        return _dice_set_page(page, dice_set, {doing: form})
    return page.put(
        lambda: _perform(page, dice_set, doing, form), str, "dice-set", dice_set=dice_set
    )


def _perform(page: Page, dice_set: UUID, do: Do, form: ActForm) -> str:
    """Perform an act on a set; returns the sentence that reports it."""
    act, given = page.act(form.act_id), form.cleaned_data
    match do:
        case Do.INSPECT:
            passed = page.request.POST.get("found") == "passed"
            life.inspect(act, dice_set, in_order=passed, finding=given["finding"])
            return _("The inspection is recorded, by your name.")
        case Do.ISSUE:
            table = UUID(given["table"]) if given["table"] else None
            life.issue(act, dice_set, table=table, note=given["reason"])
            return _("Issued: it may be thrown from now on.")
        case Do.RETURN:
            life.bring_back(act, dice_set, note=given["reason"])
            return _("Back in the store: it cannot be thrown until it is issued again.")
        case Do.WITHDRAW:
            life.withdraw(act, dice_set, reason=given["reason"])
            return _("Withdrawn: it cannot be thrown.")
        case Do.DESTROY:
            life.ask_to_destroy(act, dice_set, reason=given["reason"])
            return _("Asked for. A second person approves it. C1")


def _mine(page: Page, dice_set: UUID) -> Stock:
    """A set of this house; a set of another house is not found, whoever asks."""
    found = queries.inventory(page.house, [dice_set])
    if not found:
        raise Http404("There is no such dice set at this house.")
    return found[0]


def _dice_set_page(
    page: Page, dice_set: UUID, sent: Mapping[Do, ActForm] | None = None
) -> HttpResponse:
    stock = _mine(page, dice_set)
    overseen(page)
    waits = queries.pending_destruction(page.house, dice_set) if _is_gone(stock.dice) else None
    may = stock.possible if page.may("approve") and waits is None else ()
    doing = {**_forms(page.house, may), **(sent or {})}
    context = {
        "stock": stock,
        "arrival": queries.arrival(page.house, dice_set),
        "lain": queries.recent_lays(page.house, stock),
        "waits": waits,
        "doing": {str(do): form for do, form in doing.items()},
        "keeps": page.may("approve"),
        "throws": page_there("dice-stream", kind="set", name=str(dice_set)),
    }
    status = status_of(*(sent or {}).values())
    return page_with_list(
        page, steps_of(dice_set), "play/dice/dice_set.html", context, status=status
    )


def _is_gone(dice: DiceSet) -> bool:
    return dice.state == State.WITHDRAWN


def _forms(
    house: Establishment, may: Iterable[Do], sent: QueryDict | None = None
) -> dict[Do, ActForm]:
    """The form of each act."""
    made: dict[Do, ActForm] = {}
    for do in may:
        auto_id = f"%s-{do}"
        match do:
            case Do.INSPECT:
                made[do] = InspectForm(sent, auto_id=auto_id)
            case Do.ISSUE:
                made[do] = IssueForm(sent, auto_id=auto_id, house=house)
            case Do.RETURN:
                made[do] = NoteForm(sent, auto_id=auto_id)
            case _:
                made[do] = ReasonForm(sent, auto_id=auto_id)
    return made
