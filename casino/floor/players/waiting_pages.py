"""The page of the waiting list, at the desk; its forms serve the tables' sheet as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import waiting, waiting_shown
from casino.floor.players.pages import SECTION
from casino.house.establishments.order import in_list_order
from casino.house.pseudonyms.models import Player
from casino.kit.web.forms import ActForm, offer
from casino.kit.web.pages import office
from casino.kit.web.table_choice import TableField
from casino.words.languages.fields import CoinsField
from games.payments import COINS_MAX

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

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
        "players/waiting.html",
        {
            "form": form if page.may("record") and form.fields["game"].choices else None,  # type: ignore[attr-defined]
            "lines": waiting_shown.lines(page.house, page.now),
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
